// guardjit: ops/arithmetic.hpp: rows of the arithmetic ops
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_ARITHMETIC_HPP
#define GUARDJIT_OPS_ARITHMETIC_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

template <> struct op_row<op::add> {
  static constexpr op_info info{"add", op_form::elementwise, 2, dtype_rule::promoted, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a + b; }
};
template <> struct op_row<op::sub> {
  static constexpr op_info info{"sub", op_form::elementwise, 2, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a - b; }
};
template <> struct op_row<op::mul> {
  static constexpr op_info info{"mul", op_form::elementwise, 2, dtype_rule::promoted, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a * b; }
};
template <> struct op_row<op::div> {
  static constexpr op_info info{"div", op_form::elementwise, 2, dtype_rule::floating, 4};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a / b; }
};
template <> struct op_row<op::neg> {
  static constexpr op_info info{"neg", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return -a; }
};
template <> struct op_row<op::maximum> {
  static constexpr op_info info{"maximum", op_form::elementwise, 2, dtype_rule::promoted, 2};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return max_(a, b); }
};
template <> struct op_row<op::minimum> {
  static constexpr op_info info{"minimum", op_form::elementwise, 2, dtype_rule::promoted, 2};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return min_(a, b); }
};
/// relu(x) = maximum(x, +0). Rules: POL-15.
template <> struct op_row<op::relu> {
  static constexpr op_info info{"relu", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return relu_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
