// guardjit: tests/compile_fail/compile/opaque_in_fullgraph.cpp: a function that must be one graph, and is cut
// SPDX-License-Identifier: BSL-1.0
// Rules: G100, GRD-113
// expect-error: guardjit: compile\(f, fullgraph\): f must not call opaque
// expect-error: break_in_fullgraph<.*at<14
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
  auto const f = [](auto const& v) {
    return gj::opaque<vector>([](gj::any_tensor const& y) { return y; })(v + 1.0f);
  };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, gj::backend(gj::reference))(x);
#else
  gj::compile(f, gj::backend(gj::reference), gj::fullgraph)(x);
#endif
}
