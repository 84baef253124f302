// guardjit: tests/compile_fail/compile/opaque_mutable.cpp: an opaque callable that changes itself
// SPDX-License-Identifier: BSL-1.0
// Rules: G100
// expect-error: guardjit: opaque<R>\(h\): h must be callable as const
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
  auto const f = [](auto const& v) {
#ifdef GUARDJIT_ACCEPT
    return gj::opaque([](vector const& y) { return y; })(v + 1.0f);
#else
    return gj::opaque([](vector const& y) mutable { return y; })(v + 1.0f);
#endif
  };
  gj::compile(f, gj::backend(gj::reference))(x);
}
