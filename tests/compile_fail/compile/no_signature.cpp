// guardjit: tests/compile_fail/compile/no_signature.cpp: an argument of run-time type, and no word of what it may be
// SPDX-License-Identifier: BSL-1.0
// Rules: G8
// expect-error: guardjit: compile.f, options.....x....: an any_tensor argument needs the option signature
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

void use(gj::any_tensor const& x) {
  constexpr auto twice = [](auto const& v) { return v * 2; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(twice, gj::backend(gj::reference), gj::signature<tensor<float, dyn>>)(x);
#else
  gj::compile(twice, gj::backend(gj::reference))(x);
#endif
}
