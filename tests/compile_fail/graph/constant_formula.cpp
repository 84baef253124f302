// guardjit: tests/compile_fail/graph/constant_formula.cpp: an op that the compiler cannot evaluate
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: evaluate_constant.f, values.: an op has no formula that the compiler can evaluate
// expect-error: no_constant_formula<.*op::exp, .*at<14, 
// errors: 1
#include <guardjit/graph/evaluate_constant.hpp>

namespace gj = guardjit;

constexpr auto f = [](auto x) {
#ifdef GUARDJIT_ACCEPT
  return gj::relu(x);
#else
  return gj::exp(x);
#endif
};
static_assert(gj::evaluate_constant(f, 1.0f) == 1.0f);
