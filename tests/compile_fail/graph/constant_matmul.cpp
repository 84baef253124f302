// guardjit: tests/compile_fail/graph/constant_matmul.cpp: a product of constants that do not fit
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: inner extents must be equal
// expect-error: matmul_inner_extents_differ<3, 2, .*at<15, 
// errors: 1
#include <guardjit/graph/evaluate_constant.hpp>

namespace gj = guardjit;

#ifdef GUARDJIT_ACCEPT
using left = gj::literal_tensor<float, 2, 2>;
#else
using left = gj::literal_tensor<float, 2, 3>;
#endif
constexpr auto f = [](auto a, auto b) { return gj::matmul(a, b); };
static_assert(gj::evaluate_constant(f, left{}, gj::literal_tensor<float, 2, 2>{}) == gj::literal_tensor<float, 2, 2>{});
