// guardjit: ops/exponential.hpp: rows of exponentials, logarithms, powers, roots and the error function
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
template <> struct op_row<op::rsqrt> {
  static constexpr op_info info{"rsqrt", op_form::elementwise, 1, dtype_rule::floating, 10};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return Lane::of(1) / sqrt_(a); }
};
/// e to the x, less 1.
template <> struct op_row<op::expm1> {
  static constexpr op_info info{"expm1", op_form::elementwise, 1, dtype_rule::floating, 24};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return expm1_(a); }
};
/// Logarithm of 1 + x.
template <> struct op_row<op::log1p> {
  static constexpr op_info info{"log1p", op_form::elementwise, 1, dtype_rule::floating, 24};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return log1p_(a); }
};
/// Rules: POL-23.
template <> struct op_row<op::pow> {
  static constexpr op_info info{"pow", op_form::elementwise, 2, dtype_rule::promoted_number, 50};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a, Lane b) { return pow_(a, b); }
};
template <> struct op_row<op::erf> {
  static constexpr op_info info{"erf", op_form::elementwise, 1, dtype_rule::floating, 24};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return erf_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
