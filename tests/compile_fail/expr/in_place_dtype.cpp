// guardjit: tests/compile_fail/expr/in_place_dtype.cpp: a compound form that would change the dtype
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed: guardjit: a op= b: the result must have the dtype of a
// expect-error: in_place_dtype_differs<guardjit::(v0_1_\w+::)?op::mul, guardjit::(v0_1_\w+::)?dtype::i64, guardjit::(v0_1_\w+::)?dtype::f64>
// errors: 1
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
constexpr int factor = 2;
#else
constexpr double factor = 0.5;
#endif

void scale(guardjit::tensor<std::int64_t, 3>& x) { x *= factor; }
