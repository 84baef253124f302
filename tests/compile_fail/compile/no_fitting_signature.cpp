// guardjit: tests/compile_fail/compile/no_fitting_signature.cpp: signatures that arguments of these types cannot have
// SPDX-License-Identifier: BSL-1.0
// Rules: G8
// expect-error: guardjit: compile.f, signature<...>..x....: no signature has the number and the types of
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

void use(gj::any_tensor const& x) {
  auto const f = gj::compile([](auto const& a, auto const& b) { return a + b; }, gj::backend(gj::reference),
                             gj::signature<tensor<float, dyn>, tensor<float, dyn>>);
#ifdef GUARDJIT_ACCEPT
  f(x, tensor<float, dyn>(3));
#else
  f(x, tensor<double, dyn>(3));
#endif
}
