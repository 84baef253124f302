// guardjit: tests/compile_fail/compile/opaque_operands.cpp: a callable that is given too few operands
// SPDX-License-Identifier: BSL-1.0
// Rules: G100
// expect-error: guardjit: opaque<R>\(h\)\(x...\): h must take as many arguments as there are operands
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
  auto const h = gj::opaque([](vector const& a, vector const&) { return a; });
#ifdef GUARDJIT_ACCEPT
  h(x, x);
#else
  h(x);
#endif
}
