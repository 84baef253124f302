// guardjit: tests/compile_fail/compile/static_shape.cpp: a wrong static shape is one error with op, extents, file and line
// SPDX-License-Identifier: BSL-1.0
// Rules: G93
// expect-error: error: .*guardjit: inner extents must be equal
// expect-error: matmul_inner_extents_differ<32, 64
// expect-error: at<20, 's', 't', 'a', 't', 'i', 'c', '_', 's', 'h', 'a', 'p', 'e'
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
  auto const g = gj::compile(
      [](auto a, auto b) { return gj::relu(gj::matmul(a, b)); }, gj::backend(gj::backends::reference{}));
  g(x, w);
}
