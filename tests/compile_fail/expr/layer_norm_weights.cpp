// guardjit: tests/compile_fail/expr/layer_norm_weights.cpp: weights that have not an axis for each named one
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed.*: guardjit: layer_norm\(x, axes, w, b\): w and b must have an axis for each named one
// expect-error: weights_for_axes
// errors: 1
#include <guardjit/core.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
using weights = guardjit::tensor<float, 3>;
#else
using weights = guardjit::tensor<float, 2, 3>;
#endif

auto normal(guardjit::tensor<float, 2, 3> const& x, weights const& w) {
  return guardjit::layer_norm(x, guardjit::axes(-1), w);
}
