// guardjit: ops/logic.hpp: rows of the ops on truth values and on bits
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_LOGIC_HPP
#define GUARDJIT_OPS_LOGIC_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
/// Where a lane is not 0; NaN is not.
template <class Lane> GUARDJIT_HD constexpr auto truth(Lane a) { return not_(eq_(a, Lane::of(0))); }
}  // namespace detail

template <> struct op_row<op::logical_and> {
  static constexpr op_info info{"logical_and", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) {
    return detail::truth(a) & detail::truth(b);
  }
};
template <> struct op_row<op::logical_or> {
  static constexpr op_info info{"logical_or", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) {
    return detail::truth(a) | detail::truth(b);
  }
};
template <> struct op_row<op::logical_xor> {
  static constexpr op_info info{"logical_xor", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) {
    return detail::truth(a) ^ detail::truth(b);
  }
};
template <> struct op_row<op::logical_not> {
  static constexpr op_info info{"logical_not", op_form::elementwise, 1, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a) { return eq_(a, Lane::of(0)); }
};

template <> struct op_row<op::bitwise_and> {
  static constexpr op_info info{"bitwise_and", op_form::elementwise, 2, dtype_rule::promoted_bits, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a & b; }
};
template <> struct op_row<op::bitwise_or> {
  static constexpr op_info info{"bitwise_or", op_form::elementwise, 2, dtype_rule::promoted_bits, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a | b; }
};
template <> struct op_row<op::bitwise_xor> {
  static constexpr op_info info{"bitwise_xor", op_form::elementwise, 2, dtype_rule::promoted_bits, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return a ^ b; }
};
template <> struct op_row<op::bitwise_not> {
  static constexpr op_info info{"bitwise_not", op_form::elementwise, 1, dtype_rule::promoted_bits, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return not_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
