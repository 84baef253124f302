// guardjit: tests/compile_fail/expr/no_backend.cpp: the default backend must be there
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed.*: guardjit: an op on tensors runs by the default backend: include <guardjit/kernels/eigen.hpp>, or name backend\(reference\)
// errors: 1
#ifdef GUARDJIT_ACCEPT
#include <guardjit/kernels/eigen.hpp>
#endif
#include <guardjit/compile/evaluator.hpp>

guardjit::tensor<float, 3> twice(guardjit::tensor<float, 3> const& x) { return x + x; }

// Views and factories compute nothing.
guardjit::tensor<float, guardjit::dyn> first_half() {
  return guardjit::slice(guardjit::zeros<float>({4}), 0, 0, 2);
}
