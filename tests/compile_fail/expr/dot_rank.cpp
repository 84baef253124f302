// guardjit: tests/compile_fail/expr/dot_rank.cpp: a dot product of matrices
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed: guardjit: the rank is too high
// expect-error: rank_too_high<.*op::matmul, 2, 1,
// errors: 1
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/expr/composite/outer.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
using side = guardjit::tensor<float, guardjit::dyn>;
#else
using side = guardjit::tensor<float, guardjit::dyn, 4>;
#endif

auto product(side const& x) { return guardjit::dot(x, x); }
