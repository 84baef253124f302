// guardjit: tests/compile_fail/compile/opaque_in_loop.cpp: a loop whose number of breaks only results of breaks bound
// SPDX-License-Identifier: BSL-1.0
// Rules: G90, G100
// expect-error: guardjit: too many calls of opaque
// expect-error: too_many_breaks<8.*at<20
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use(vector const& x) {
  auto const f = [](auto const& v) {
    auto y = v + 1.0f;
#ifdef GUARDJIT_ACCEPT
    if (y.extent(0) > 1)
#else
    while (y.extent(0) > 1)
#endif
      y = gj::opaque<vector>([](vector const& t) { return t; })(y);
    return y;
  };
  gj::compile(f, gj::backend(gj::reference))(x);
}
