// guardjit: ops/structural.hpp: rows of leaves, reductions, products, views and factories
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_STRUCTURAL_HPP
#define GUARDJIT_OPS_STRUCTURAL_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

template <> struct op_row<op::input> {
  static constexpr op_info info{"input", op_form::leaf, 0, dtype_rule::none, 0, false};
};
template <> struct op_row<op::constant> {
  static constexpr op_info info{"constant", op_form::leaf, 0, dtype_rule::none, 0, false};
};
/// Rules: POL-7 (no elements: 0), POL-9 and N21 (accumulators, order).
template <> struct op_row<op::sum> {
  static constexpr op_info info{"sum", op_form::reduction, 1, dtype_rule::widened, 1};
};
/// Rules: POL-5 (NaN), POL-7 (no elements: `shape_error`), POL-15 (zeros).
template <> struct op_row<op::amax> {
  static constexpr op_info info{"amax", op_form::reduction, 1, dtype_rule::same, 2};
};
/// Rules: POL-7 (no elements: 1), POL-9 and N21 (accumulators, order).
template <> struct op_row<op::prod> {
  static constexpr op_info info{"prod", op_form::reduction, 1, dtype_rule::widened, 1};
};
/// Rules: as `amax`.
template <> struct op_row<op::amin> {
  static constexpr op_info info{"amin", op_form::reduction, 1, dtype_rule::same, 2};
};
/// The place of an element among those that are reduced, in row-major order.
/// Rules: POL-5 (the first NaN), POL-6 (of equal ones the first), POL-7 (no elements: `shape_error`),
/// POL-15 (zeros are equal).
template <> struct op_row<op::argmax> {
  static constexpr op_info info{"argmax", op_form::reduction, 1, dtype_rule::index, 2};
};
/// Rules: as `argmax`.
template <> struct op_row<op::argmin> {
  static constexpr op_info info{"argmin", op_form::reduction, 1, dtype_rule::index, 2};
};
/// Rules: POL-7 (no elements: false), POL-8 (NaN is true).
template <> struct op_row<op::any> {
  static constexpr op_info info{"any", op_form::reduction, 1, dtype_rule::boolean, 1};
};
/// Rules: POL-7 (no elements: true), POL-8 (NaN is true).
template <> struct op_row<op::all> {
  static constexpr op_info info{"all", op_form::reduction, 1, dtype_rule::boolean, 1};
};
/// Rules: POL-7 (no elements: NaN), POL-9 (f32 accumulates in f64).
template <> struct op_row<op::mean> {
  static constexpr op_info info{"mean", op_form::reduction, 1, dtype_rule::averaged, 1};
};
/// Rules: N30 to N33.
template <> struct op_row<op::matmul> {
  static constexpr op_info info{"matmul", op_form::contraction, 2, dtype_rule::widened, 64};
};
template <> struct op_row<op::permute> {
  static constexpr op_info info{"permute", op_form::view, 1, dtype_rule::same};
};
/// A view where the strides allow it, else a copy. Rules: N7.
template <> struct op_row<op::reshape> {
  static constexpr op_info info{"reshape", op_form::view, 1, dtype_rule::same};
};
template <> struct op_row<op::expand> {
  static constexpr op_info info{"expand", op_form::view, 1, dtype_rule::same};
};
template <> struct op_row<op::slice> {
  static constexpr op_info info{"slice", op_form::view, 1, dtype_rule::same};
};
/// Rules: N40, POL-11.
template <> struct op_row<op::select> {
  static constexpr op_info info{"select", op_form::view, 1, dtype_rule::same};
};
/// 0, 1, … below the extent of `target`, as i64; other starts, steps and dtypes are ops on it.
template <> struct op_row<op::arange> {
  static constexpr op_info info{"arange", op_form::movement, 0, dtype_rule::given};
};
/// Rules: N2.
template <> struct op_row<op::concat> {
  static constexpr op_info info{"concat", op_form::movement, 2, dtype_rule::promoted};
};
/// The index's shape replaces the axis. Rules: N41, POL-11.
template <> struct op_row<op::take> {
  static constexpr op_info info{"take", op_form::movement, 2, dtype_rule::indexed};
};
/// The result has the index's shape. Rules: N41, POL-11.
template <> struct op_row<op::gather> {
  static constexpr op_info info{"gather", op_form::movement, 2, dtype_rule::indexed};
};
template <> struct op_row<op::zeros> {
  static constexpr op_info info{"zeros", op_form::factory, 0, dtype_rule::given};
};
template <> struct op_row<op::ones> {
  static constexpr op_info info{"ones", op_form::factory, 0, dtype_rule::given};
};
template <> struct op_row<op::full> {
  static constexpr op_info info{"full", op_form::factory, 1, dtype_rule::given};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
