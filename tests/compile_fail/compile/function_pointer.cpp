// guardjit: tests/compile_fail/compile/function_pointer.cpp: a function is refused, with the lambda that wraps it
// SPDX-License-Identifier: BSL-1.0
// Rules: G3, GRD-053
// expect-error: guardjit: compile\(f\): f must not capture.*wrap a function: \[\]\(auto x\) \{ return function\(x\); \}
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

constexpr gj::sym twice(gj::sym x) { return x * 2; }

void use() {
#ifdef GUARDJIT_ACCEPT
  auto const g = gj::compile([](auto x) { return twice(x); }, gj::backend(gj::backends::reference{}));
  g(gj::tensor<float, gj::dyn>(3));
#else
  gj::compile(&twice, gj::backend(gj::backends::reference{}));
#endif
}
