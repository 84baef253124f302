// guardjit: ops/selection.hpp: rows of comparisons, selection and conversion
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_SELECTION_HPP
#define GUARDJIT_OPS_SELECTION_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

template <> struct op_row<op::lt> {
  static constexpr op_info info{"lt", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return lt_(a, b); }
};
template <> struct op_row<op::gt> {
  static constexpr op_info info{"gt", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return gt_(a, b); }
};
template <> struct op_row<op::eq> {
  static constexpr op_info info{"eq", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return eq_(a, b); }
};
template <> struct op_row<op::le> {
  static constexpr op_info info{"le", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return le_(a, b); }
};
template <> struct op_row<op::ge> {
  static constexpr op_info info{"ge", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return le_(b, a); }
};
template <> struct op_row<op::ne> {
  static constexpr op_info info{"ne", op_form::elementwise, 2, dtype_rule::boolean, 1};
  template <class Lane> GUARDJIT_HD static constexpr auto eval(Lane a, Lane b) { return not_(eq_(a, b)); }
};
template <> struct op_row<op::where> {
  static constexpr op_info info{"where", op_form::elementwise, 3, dtype_rule::selected, 1};
  template <class Lane>
  GUARDJIT_HD static constexpr Lane eval(typename Lane::mask c, Lane a, Lane b) {
    return select_(c, a, b);
  }
};
/// Conversion to the dtype of the node; kernels call `convert_` of the lane.
template <> struct op_row<op::to> {
  static constexpr op_info info{"to", op_form::elementwise, 1, dtype_rule::given, 1};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
