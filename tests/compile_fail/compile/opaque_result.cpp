// guardjit: tests/compile_fail/compile/opaque_result.cpp: a generic opaque callable without the type of its result
// SPDX-License-Identifier: BSL-1.0
// Rules: G100, GRD-156
// expect-error: guardjit: opaque<R>\(h\): R must be the tensor type of the result; it must be named where h is generic
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
  auto const f = [](auto const& v) {
#ifdef GUARDJIT_ACCEPT
    return gj::opaque([](vector const& y) { return y; })(v + 1.0f);
#else
    return gj::opaque([](auto const& y) { return y; })(v + 1.0f);
#endif
  };
  gj::compile(f, gj::backend(gj::reference))(x);
}
