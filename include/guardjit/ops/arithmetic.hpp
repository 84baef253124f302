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
/// The other operand where one is NaN. Rules: POL-5, POL-15.
template <> struct op_row<op::fmax> {
  static constexpr op_info info{"fmax", op_form::elementwise, 2, dtype_rule::promoted, 4};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) {
    return select_(eq_(a, a), select_(eq_(b, b), max_(a, b), a), b);
  }
};
template <> struct op_row<op::fmin> {
  static constexpr op_info info{"fmin", op_form::elementwise, 2, dtype_rule::promoted, 4};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) {
    return select_(eq_(a, a), select_(eq_(b, b), min_(a, b), a), b);
  }
};
/// The upper bound wins. Rules: POL-27.
template <> struct op_row<op::clip> {
  static constexpr op_info info{"clip", op_form::elementwise, 3, dtype_rule::promoted, 4};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane low, Lane high) {
    return min_(max_(a, low), high);
  }
};
/// Rules: POL-2 (the lowest integer stays), POL-15 (abs(-0) is +0).
template <> struct op_row<op::abs> {
  static constexpr op_info info{"abs", op_form::elementwise, 1, dtype_rule::promoted, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return abs_(a); }
};
/// NaN and zeros are their own sign. Rules: POL-5, POL-15.
template <> struct op_row<op::sign> {
  static constexpr op_info info{"sign", op_form::elementwise, 1, dtype_rule::promoted_number, 3};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) {
    Lane const zero = Lane::of(0), one = Lane::of(1);
    return select_(gt_(a, zero), one, select_(lt_(a, zero), -one, a));
  }
};
template <> struct op_row<op::square> {
  static constexpr op_info info{"square", op_form::elementwise, 1, dtype_rule::promoted, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return a * a; }
};
template <> struct op_row<op::reciprocal> {
  static constexpr op_info info{"reciprocal", op_form::elementwise, 1, dtype_rule::floating, 4};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return Lane::of(1) / a; }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
