// guardjit: tests/compile_fail/compile/in_out_argument.cpp: what f assigns to must be a tensor of the caller
// SPDX-License-Identifier: BSL-1.0
// Rules: G4
// expect-error: error: static assertion failed.*guardjit: compile\(f\)\(arguments\.\.\.\): an argument that f assigns to must be a tensor that is not const, no temporary and no expression
// expect-error: written_argument_is_const<1, .*const
// errors: 3
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use() {
  auto const g = gj::compile([](auto x, auto& out) { out = x + 1; });
  vector x(3), out(3);
#ifdef GUARDJIT_ACCEPT
  g(x, out);
  g(x + x, out);
#else
  vector const fixed(3);
  g(x, fixed);
  g(x, vector(3));
  g(x, x + x);
  g.into(std::tie(), x, std::as_const(out));
#endif
}
