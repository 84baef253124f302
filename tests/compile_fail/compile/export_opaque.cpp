// guardjit: tests/compile_fail/compile/export_opaque.cpp: what opaque cuts is more than one graph
// SPDX-License-Identifier: BSL-1.0
// Rules: A120, ART-139
// expect-error: guardjit: export_graph\(f, .*\): f must not call opaque: it is one graph
// expect-error: break_in_fullgraph<.*at<15
// errors: 1
#include <guardjit/compile/export_graph.hpp>
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
  gj::export_graph(f, gj::backend(gj::reference), x);
#endif
}
