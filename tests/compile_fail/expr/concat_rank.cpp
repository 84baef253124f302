// guardjit: tests/compile_fail/expr/concat_rank.cpp: a concat of a matrix and a vector
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed: guardjit: the rank is too low
// expect-error: rank_too_low<.*op::concat, 1, 2,
// errors: 1
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
using side = guardjit::tensor<float, guardjit::dyn, 4>;
#else
using side = guardjit::tensor<float, 4>;
#endif

auto joined(guardjit::tensor<float, 2, 4> const& x, side const& y) { return guardjit::concat(x, y, 0); }
