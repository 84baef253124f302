// guardjit: modes/infer.hpp: what an op on tensors gives: dtypes, shape and device, or why it is refused
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_INFER_HPP
#define GUARDJIT_MODES_INFER_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/modes/operand.hpp>
#include <guardjit/ops/dtype_rules.hpp>
#include <guardjit/ops/shape_rules.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What an op gives for its operands.
struct inferred_op {
  typed_op types;
  guardjit::shape extents;
  device where;
};

namespace detail {

/// Throws what `wrong` stands for, with the shapes of the operands and the line.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_wrong_operands(
    mistake const& wrong, std::span<shape const> shapes, source_line where) {
  fixed_text detail;
  if (!shapes.empty()) detail << "; shapes";
  for (shape const& s : shapes) detail << ' ' << s;
  raise_mistake(wrong, detail << "; " << where);
}

/// Extents that a user wrote are not negative, apart from the -1 of a reshape.
constexpr mistake wrong_target(op id, shape const& target) {
  for (int d = 0; d < target.rank; ++d)
    if (target[d] < (id == op::reshape ? -1 : 0))
      return {mistake_kind::extent_is_negative, id, target[d], 0, d, {}};
  return {};
}

/// The shape of the result for operands of known shapes.
/// Throws: `shape_error`, `index_error`.
inline shape inferred_shape(op id, std::span<shape const> shapes, attributes const& extra,
                            source_line where) {
  known_extents context{id, wrong_target(id, extra.target)};
  if (!context.wrong) {
    shape result = shape_of_result(context, id, shapes, extra);
    // Shapes compare with all their slots.
    for (int d = result.rank; d < max_rank; ++d) result[d] = 0;
    if (!context.wrong) [[likely]]
      return result;
  }
  raise_wrong_operands(context.wrong, shapes, where);
}

template <std::integral Integer>
[[noreturn, gnu::cold, gnu::noinline]] void raise_scalar_range(op id, Integer value, dtype type,
                                                               source_line where) {
  raise<dtype_error>(fixed_text{} << "guardjit: " << name_of(id) << signature_of(id)
                                  << ": " << sentence(mistake_kind::scalar_out_of_range) << ": "
                                  << value << " for " << name_of(type) << "; " << where);
}

/// An integer scalar fits the integer dtype in which an op computes; other scalars always do.
/// Rules: numerics.md, section 1.
template <class Operand>
void check_scalar(Operand const& value, op id, dtype compute, source_line where) {
  if constexpr (std::is_integral_v<Operand> && !std::is_same_v<Operand, bool>) {
    if (!is_in_range(value, compute)) [[unlikely]]
      raise_scalar_range(id, value, compute, where);
  }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_device_mismatch(op id, device a, device b,
                                                                         source_line where) {
  raise<device_error>(fixed_text{} << "guardjit: " << name_of(id) << signature_of(id)
                                   << ": the devices must be equal: " << a << " and " << b << "; "
                                   << where);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_wrong_kind(op id, int k,
                                                                    source_line where) {
  bool const scalar = info_of(id).form == op_form::factory;
  raise<dtype_error>(fixed_text{} << "guardjit: " << name_of(id) << signature_of(id) << ": operand "
                                  << k << (scalar ? " must be a scalar" : " is no tensor") << "; "
                                  << where);
}

}  // namespace detail

/// Dtypes, shape and device of an op's result.
/// Throws: `dtype_error`, `shape_error`, `index_error`, `device_error` for operands that the op
/// does not allow. Rules: M20.
inline inferred_op infer_op(op id, std::span<operand const> operands, attributes const& extra,
                            source_line where) {
  GUARDJIT_ASSERT(operands.size() <= max_operands);
  operand_type types[max_operands];
  shape shapes[max_operands];
  device on;
  bool placed = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    operand const& x = operands[k];
    types[k] = {x.type(), x.is_scalar()};
    // An index may be a scalar.
    bool const takes_tensor = is_view(id) || id == op::concat ||
                              (info_of(id).types == dtype_rule::indexed && k == 0);
    if (x.is_scalar() ? takes_tensor : !x.tensor() || info_of(id).form == op_form::factory)
      detail::raise_wrong_kind(id, static_cast<int>(k), where);
    if (x.is_scalar()) continue;
    shapes[k] = x.tensor().shape();
    if (placed && x.tensor().where() != on)
      detail::raise_device_mismatch(id, on, x.tensor().where(), where);
    on = x.tensor().where();
    placed = true;
  }
  std::span const known(shapes, operands.size());
  mistake wrong;
  typed_op const typed = dtypes_of(id, {types, operands.size()}, extra, wrong);
  if (wrong) detail::raise_wrong_operands(wrong, known, where);
  for (operand const& x : operands)
    if (x.is_scalar() && x.type() == dtype::i64)
      detail::check_scalar(x.scalar<std::int64_t>(), id, typed.compute, where);
  return {typed, detail::inferred_shape(id, known, extra, where), on};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
