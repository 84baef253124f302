// guardjit: tests/compile_fail/compile/in_out_frozen.cpp: what f assigns to cannot be frozen
// SPDX-License-Identifier: BSL-1.0
// Rules: G4, G29
// expect-error: an argument that f assigns to must be a tensor that is not const, no temporary and no expression
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use(gj::tensor<float, gj::dyn> const& x, gj::tensor<float, gj::dyn>& state) {
  auto const g = gj::compile([](auto& out, auto y) { out = out + y; }, gj::backend(gj::reference));
#ifdef GUARDJIT_ACCEPT
  g(state, gj::freeze(x));
#else
  auto frozen = gj::freeze(state);
  g(frozen, x);
#endif
}
