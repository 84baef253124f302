// guardjit: ops/dtype_rules.hpp: dtypes of operands, computation and result of every op
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_DTYPE_RULES_HPP
#define GUARDJIT_OPS_DTYPE_RULES_HPP

#include <guardjit/ops/attributes.hpp>
#include <guardjit/ops/mistake.hpp>

#include <span>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// The dtype of an operand; C++ scalars are weak (POL-14).
struct operand_type {
  dtype type = dtype::f32;
  bool weak = false;
};

/// What an op makes of its operands: they are converted to `compute`, the result is `result`.
struct typed_op {
  dtype compute = dtype::f32;
  dtype result = dtype::f32;
  bool weak = false;
};

/// Whether an integer scalar is a value of the integer dtype in which an op computes; other dtypes
/// take any. Rules: numerics.md, section 1.
constexpr bool is_in_range(std::integral auto value, dtype compute) {
  if (kind_of(compute) != dtype_kind::integer) return true;
  return visit_dtype(compute, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return std::in_range<T>(value);
    else return true;
  });
}

constexpr operand_type promote(operand_type a, operand_type b) {
  if (a.weak == b.weak) return {promote(a.type, b.type), a.weak};
  return a.weak ? operand_type{promote_weak(b.type, a.type)} : operand_type{promote_weak(a.type, b.type)};
}

/// The dtypes of an op. `wrong` gets a mistake where the op refuses them.
/// Rules: the result codes of `numerics.md` section 1.
constexpr typed_op dtypes_of(op id, std::span<operand_type const> operands, attributes const& extra,
                             mistake& wrong) {
  op_info const& info = info_of(id);
  if (info.types == dtype_rule::given) {
    dtype const from = operands.empty() ? extra.type : operands[0].type;
    return {id == op::to ? from : extra.type, extra.type, false};
  }
  if (info.types == dtype_rule::indexed) {
    if (operands[1].type != dtype::i32 && operands[1].type != dtype::i64)
      wrong = {mistake_kind::dtype_is_no_index, id, 0, 0, 0, operands[1].type};
    return {operands[0].type, operands[0].type, false};
  }
  auto const values = info.types == dtype_rule::selected ? operands.subspan(1) : operands;
  if (info.types == dtype_rule::selected && operands[0].type != dtype::boolean)
    wrong = {mistake_kind::dtype_is_no_bool, id, 0, 0, 0, operands[0].type};
  operand_type p = values[0];
  for (operand_type next : values.subspan(1)) p = promote(p, next);

  switch (info.types) {
    case dtype_rule::promoted_number:
      if (p.type == dtype::boolean) wrong = {mistake_kind::dtype_is_refused, id, 0, 0, 0, p.type};
      break;
    case dtype_rule::promoted_bits:
      if (is_floating(p.type)) wrong = {mistake_kind::dtype_is_refused, id, 0, 0, 0, p.type};
      break;
    case dtype_rule::promoted_integer:
      if (kind_of(p.type) != dtype_kind::integer)
        wrong = {mistake_kind::dtype_is_refused, id, 0, 0, 0, p.type};
      break;
    case dtype_rule::floating:
      if (!is_floating(p.type)) p.type = dtype::f64;
      break;
    case dtype_rule::boolean: return {p.type, dtype::boolean, false};
    case dtype_rule::widened: {
      dtype const wide = is_floating(p.type) ? p.type : dtype::i64;
      return {id == op::matmul ? wide : p.type, wide, false};
    }
    case dtype_rule::averaged: return {p.type, is_floating(p.type) ? p.type : dtype::f64, false};
    case dtype_rule::same: return {p.type, p.type, false};
    case dtype_rule::index: return {p.type, dtype::i64, false};
    default: break;
  }
  // The choice among scalars by a tensor is a tensor.
  return {p.type, p.type, p.weak && operands[0].weak};
}

namespace detail {

/// The dtype in which an op that computes in `compute` reads operand `slot`.
constexpr dtype slot_type(op id, int slot, dtype compute) {
  return info_of(id).types == dtype_rule::selected && slot == 0 ? dtype::boolean : compute;
}

/// What an op makes of operands of the dtypes in which it reads them.
constexpr typed_op dtypes_from_slots(op id, dtype compute, mistake& wrong) {
  operand_type const in[] = {{slot_type(id, 0, compute)}, {compute}, {compute}};
  return dtypes_of(id, {in, static_cast<unsigned>(info_of(id).arity)}, attributes{}, wrong);
}
/// Whether an op computes in `compute` for some operands.
constexpr bool computes_in(op id, dtype compute) {
  mistake wrong;
  typed_op const typed = dtypes_from_slots(id, compute, wrong);
  return !wrong && typed.compute == compute;
}
/// The dtype of the result of an op that computes in `compute`.
constexpr dtype result_type(op id, dtype compute) {
  mistake wrong;
  return dtypes_from_slots(id, compute, wrong).result;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
