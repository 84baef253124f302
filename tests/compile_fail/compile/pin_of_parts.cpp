// guardjit: tests/compile_fail/compile/pin_of_parts.cpp: a handle to one entry of a function that opaque cuts
// SPDX-License-Identifier: BSL-1.0
// Rules: G62, GRD-132
// expect-error: guardjit: g\.pin\(arguments\.\.\.\): f must not call opaque
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
#ifdef GUARDJIT_ACCEPT
  auto const f = [](auto const& v) { return v + 1.0f; };
#else
  auto const f = [](auto const& v) {
    return gj::opaque<vector>([](gj::any_tensor const& y) { return y; })(v + 1.0f);
  };
#endif
  static_cast<void>(gj::compile(f, gj::backend(gj::reference)).pin(x));
}
