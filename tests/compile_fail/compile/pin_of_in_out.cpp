// guardjit: tests/compile_fail/compile/pin_of_in_out.cpp: a handle to one entry of a function that writes arguments
// SPDX-License-Identifier: BSL-1.0
// Rules: G62, G4
// expect-error: guardjit: g\.pin\(arguments\.\.\.\): f must not assign to its arguments
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use(gj::tensor<float, gj::dyn>& x) {
#ifdef GUARDJIT_ACCEPT
  auto const f = [](auto& v) { return v + 1.0f; };
#else
  auto const f = [](auto& v) { v = v + 1.0f; };
#endif
  static_cast<void>(gj::compile(f, gj::backend(gj::reference)).pin(x));
}
