// guardjit: tests/compile_fail/compile/static_shape.cpp: a wrong static shape is one error with op, extents, file and line
// SPDX-License-Identifier: BSL-1.0
// Rules: G93
// expect-error: error: .*guardjit: inner extents must be equal
// expect-error: matmul_inner_extents_differ<32, 64
// expect-error: at<21, 's', 't', 'a', 't', 'i', 'c', '_', 's', 'h', 'a', 'p', 'e'
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
#ifdef GUARDJIT_ACCEPT
  gj::tensor<float, 8, 64> x;
#else
  gj::tensor<float, 8, 32> x;
#endif
  gj::tensor<float, 64, 4> w;
  // [readme]
  // x has the type tensor<float, 8, 32>, w the type tensor<float, 64, 4>
  constexpr auto layer = [](auto a, auto b) { return gj::relu(gj::matmul(a, b)); };
  auto const f = gj::compile(layer, gj::backend(gj::reference));
  f(x, w);
  // [/readme]
}
