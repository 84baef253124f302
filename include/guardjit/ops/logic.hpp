// guardjit: ops/logic.hpp: rows of the ops on truth values and on bits
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_LOGIC_HPP
#define GUARDJIT_OPS_LOGIC_HPP

#include <guardjit/ops/lane.hpp>
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

namespace detail {
/// Whether a count leaves a bit in place.
template <class T> GUARDJIT_HD constexpr bool is_shift(T count) {
  return count >= T(0) && count < T(8 * sizeof(T));
}
}  // namespace detail

/// Rules: POL-4.
template <> struct op_row<op::shift_left> {
  static constexpr op_info info{"shift_left", op_form::elementwise, 2, dtype_rule::promoted_integer, 1};
  template <class T, class M> GUARDJIT_HD static constexpr lane<T, M> eval(lane<T, M> a, lane<T, M> n) {
    if (!detail::is_shift(n.value)) return {};
    return {static_cast<T>(static_cast<std::uint64_t>(a.value) << n.value)};
  }
};
/// Negative numbers stay negative. Rules: POL-4.
template <> struct op_row<op::shift_right> {
  static constexpr op_info info{"shift_right", op_form::elementwise, 2, dtype_rule::promoted_integer, 1};
  template <class T, class M> GUARDJIT_HD static constexpr lane<T, M> eval(lane<T, M> a, lane<T, M> n) {
    if (!detail::is_shift(n.value)) return {static_cast<T>(a.value < T(0) ? -1 : 0)};
    return {static_cast<T>(a.value >> n.value)};
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
