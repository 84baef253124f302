// guardjit: modes/flops.hpp: how many floating operations an op takes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_FLOPS_HPP
#define GUARDJIT_MODES_FLOPS_HPP

#include <guardjit/modes/observer_mode.hpp>
#include <guardjit/ops/dtype_rules.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Operations for one element of an elementwise op: those of its definition, each arithmetic operation,
/// comparison, rounding and elementary function once. What a kernel really does may be more (an
/// exponential is a polynomial) or less.
constexpr std::int64_t flops_of_element(op id) {
  switch (id) {
    case op::where: case op::to:  // choose or convert
    case op::logical_and: case op::logical_or: case op::logical_xor: case op::logical_not:
    case op::bitwise_and: case op::bitwise_or: case op::bitwise_xor: case op::bitwise_not:
    case op::shift_left: case op::shift_right: return 0;
    case op::rsqrt:                                    // 1 / sqrt(x)
    case op::clip:                                     // minimum(maximum(x, lo), hi)
    case op::floor_divide: case op::trunc_divide: return 2;  // floor(a / b)
    case op::softplus: return 3;                       // log(1 + exp(x))
    case op::remainder: case op::fmod:                 // a - floor(a / b) * b
    case op::sigmoid: return 4;                        // 1 / (1 + exp(-x))
    case op::silu:                                     // x * sigmoid(x)
    case op::gelu: return 5;                           // x * 0.5 * (1 + erf(x * c))
    case op::gelu_tanh: return 9;                      // 0.5 * x * (1 + tanh(c * (x + d * x * x * x)))
    default: return 1;
  }
}

/// Whether an op computes in floats for these operands.
constexpr bool computes_in_floats(op_record const& r) {
  operand_type types[max_operands];
  std::size_t const count = r.operands.size();
  if (count == 0) return false;
  for (std::size_t k = 0; k < count; ++k) types[k] = {r.operands[k].type, r.operands[k].weak};
  mistake none;
  return is_floating(dtypes_of(r.id, {types, count}, *r.attribute, none).compute);
}

}  // namespace detail

/// Floating operations of one op on operands of these shapes. Multiplications, additions, divisions,
/// comparisons and elementary functions count once each, whatever they cost; what computes in integers or
/// bools, and what moves, chooses or converts elements, has none.
///
/// | form | operations |
/// |---|---|
/// | elementwise | one an element of the result, or those of its definition (`sigmoid` 4, `gelu` 5, …) |
/// | `sum prod amax amin argmax argmin` of n elements | n - 1 each; 0 for none |
/// | `mean` of n elements | n: a division at the end |
/// | `any all`, views, factories, movement, `where`, `to` | 0 |
/// | `matmul` of (m, k) and (k, n) | 2 m n k: k products and k sums an element |
///
/// Source: LAPACK Working Note 41 (Blackford, Dongarra), operation counts of the BLAS: m k n
/// multiplications and m k n additions for xGEMM. Reductions as XLA's cost analysis counts them:
/// elements before less elements after.
/// Complexity: a few products; `constexpr`.
constexpr std::int64_t flops_of(op_record const& r) {
  if (!detail::computes_in_floats(r)) return 0;
  std::int64_t const after = r.result.shape.count();
  shape const& first = r.operands[0].shape;
  switch (info_of(r.id).form) {
    case op_form::elementwise: return after * detail::flops_of_element(r.id);
    case op_form::contraction: return 2 * after * first[first.rank - 1];
    case op_form::reduction: {
      if (r.id == op::any || r.id == op::all) return 0;
      std::int64_t const before = first.count();
      if (r.id == op::mean) return before;
      return before > after ? before - after : 0;
    }
    default: return 0;
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
