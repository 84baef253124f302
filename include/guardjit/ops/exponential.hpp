// guardjit: ops/exponential.hpp: rows of exponentials, logarithms and roots
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_EXPONENTIAL_HPP
#define GUARDJIT_OPS_EXPONENTIAL_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

template <> struct op_row<op::exp> {
  static constexpr op_info info{"exp", op_form::elementwise, 1, dtype_rule::floating, 12};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return exp_(a); }
};
template <> struct op_row<op::log> {
  static constexpr op_info info{"log", op_form::elementwise, 1, dtype_rule::floating, 14};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return log_(a); }
};
template <> struct op_row<op::tanh> {
  static constexpr op_info info{"tanh", op_form::elementwise, 1, dtype_rule::floating, 14};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return tanh_(a); }
};
template <> struct op_row<op::sqrt> {
  static constexpr op_info info{"sqrt", op_form::elementwise, 1, dtype_rule::floating, 6};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return sqrt_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
