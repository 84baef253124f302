// guardjit: tests/compile_fail/compile/many_fields.cpp: an aggregate of more fields than are taken apart
// SPDX-License-Identifier: BSL-1.0
// Rules: G151
// expect-error: guardjit: compile.f..arguments....: an aggregate must have 1 to 16 fields
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

template <class W> struct layer {
  W a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
#ifndef GUARDJIT_ACCEPT
  W q = W();
#endif
};

void use() {
  auto const g = gj::compile([](auto const& m) { return m.a + m.p; }, gj::backend(gj::reference));
  tensor<float, dyn> const x(3);
  g(layer<tensor<float, dyn>>{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x});
}
