// guardjit: ops/rounding.hpp: rows of rounding to whole numbers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_ROUNDING_HPP
#define GUARDJIT_OPS_ROUNDING_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Zeros keep their sign. Rules: POL-15.
template <> struct op_row<op::floor> {
  static constexpr op_info info{"floor", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return floor_(a); }
};
template <> struct op_row<op::ceil> {
  static constexpr op_info info{"ceil", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return ceil_(a); }
};
/// To nearest, ties to even. Rules: POL-15, POL-22.
template <> struct op_row<op::round> {
  static constexpr op_info info{"round", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return round_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
