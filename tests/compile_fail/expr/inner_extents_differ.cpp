// guardjit: tests/compile_fail/expr/inner_extents_differ.cpp: a product of unequal inner extents, known statically
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed: guardjit: inner extents must be equal
// expect-error: matmul_inner_extents_differ<32, 64,
// errors: 1
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
using left_side = guardjit::tensor<float, guardjit::dyn, 64>;
#else
using left_side = guardjit::tensor<float, guardjit::dyn, 32>;
#endif

auto product(left_side const& x, guardjit::tensor<float, 64, 8> const& y) { return guardjit::matmul(x, y); }
