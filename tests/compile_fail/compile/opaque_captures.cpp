// guardjit: tests/compile_fail/compile/opaque_captures.cpp: an opaque callable with state
// SPDX-License-Identifier: BSL-1.0
// Rules: G100, GRD-156
// expect-error: guardjit: opaque<R>\(h\): h must not capture; what it needs enters as operands, as n in opaque\(h\)\(x, n\)
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x, [[maybe_unused]] float n) {
#ifdef GUARDJIT_ACCEPT
  gj::opaque([](vector const& a, float) { return a; })(x, n);
#else
  gj::opaque([n](vector const& a) { return n > 0 ? a : a.clone(); })(x);
#endif
}
