// guardjit: ops/division.hpp: rows of divisions that give whole quotients, and of their remainders
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_DIVISION_HPP
#define GUARDJIT_OPS_DIVISION_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Lane> inline constexpr bool has_floats = std::is_floating_point_v<typename Lane::value_type>;

/// Quotient of integers, cut off; by 0 it is 0. Rules: POL-1, POL-2.
template <class Lane> GUARDJIT_HD constexpr Lane whole_quotient(Lane a, Lane b) {
  using T = typename Lane::value_type;
  if (b.value == T(0)) return {};
  if constexpr (std::is_signed_v<T>)
    if (b.value == T(-1)) return -a;  // the opposite of the lowest one wraps
  return {static_cast<T>(a.value / b.value)};
}

/// What a division that cuts off leaves, with the sign of `a`.
template <class Lane> GUARDJIT_HD constexpr Lane rest(Lane a, Lane b) {
  if constexpr (has_floats<Lane>) return fmod_(a, b);
  else return b.value == 0 ? Lane{} : a - whole_quotient(a, b) * b;
}

/// Where a rest is not 0 and has not the sign of the divisor: the floor is one below.
template <class Lane> GUARDJIT_HD constexpr auto is_above_floor(Lane left, Lane b) {
  Lane const zero = Lane::of(0);
  return not_(eq_(left, zero)) & (lt_(left, zero) ^ lt_(b, zero));
}

}  // namespace detail

/// The floor of a / b; of floats as in Python. Rules: POL-1, POL-2, POL-30.
template <> struct op_row<op::floor_divide> {
  static constexpr op_info info{"floor_divide", op_form::elementwise, 2, dtype_rule::promoted_number, 40};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) {
    Lane const zero = Lane::of(0), one = Lane::of(1), left = detail::rest(a, b);
    auto const above = detail::is_above_floor(left, b);
    if constexpr (detail::has_floats<Lane>) {
      Lane const exact = a / b, whole = round_((a - left) / b);
      Lane const floor_of = select_(above, whole - one, whole);
      // A zero has the sign of a / b, which times 0 is one.
      return select_(eq_(b, zero), exact, select_(eq_(floor_of, zero), exact * zero, floor_of));
    } else {
      Lane const whole = detail::whole_quotient(a, b);
      return select_(above, whole - one, whole);
    }
  }
};
/// a / b without what stands behind the point. Rules: POL-1, POL-2.
template <> struct op_row<op::trunc_divide> {
  static constexpr op_info info{"trunc_divide", op_form::elementwise, 2, dtype_rule::promoted_number, 8};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) {
    if constexpr (detail::has_floats<Lane>) {
      Lane const exact = a / b;
      return select_(lt_(exact, Lane::of(0)), ceil_(exact), floor_(exact));
    } else {
      return detail::whole_quotient(a, b);
    }
  }
};
/// What `floor_divide` leaves, with the sign of b. Rules: POL-1, POL-2, POL-30.
template <> struct op_row<op::remainder> {
  static constexpr op_info info{"remainder", op_form::elementwise, 2, dtype_rule::promoted_number, 30};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) {
    Lane const zero = Lane::of(0), left = detail::rest(a, b);
    Lane const result = select_(detail::is_above_floor(left, b), left + b, left);
    if constexpr (detail::has_floats<Lane>)
      return select_(eq_(left, zero), select_(lt_(b, zero), -zero, zero), result);
    else
      return result;
  }
};
/// What `trunc_divide` leaves, with the sign of a. Rules: POL-1, POL-2.
template <> struct op_row<op::fmod> {
  static constexpr op_info info{"fmod", op_form::elementwise, 2, dtype_rule::promoted_number, 24};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return detail::rest(a, b); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
