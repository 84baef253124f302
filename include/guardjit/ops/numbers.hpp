// guardjit: ops/numbers.hpp: a fused formula as template arguments: one 64-bit word a node
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_NUMBERS_HPP
#define GUARDJIT_OPS_NUMBERS_HPP

#include <guardjit/ops/table.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// One node of a formula. Operands are numbers of earlier nodes.
///
/// `input`: `a` is the slot; `b` is 1 where the slot is known to have one value a row, as scalars have
/// (of elementwise and row formulas).
/// `constant`: `a` is the index of its bits, behind the nodes.
/// `mean`: `b` is its correction (row formulas only; a nest has it elsewhere). Operands of other ops have the
/// dtype in which the op computes: conversions are `to` nodes.
struct formula_node {
  op id{};
  dtype type{};
  int a = 0, b = 0, c = 0;

  constexpr bool operator==(formula_node const&) const = default;
  constexpr std::uint64_t word() const {
    return static_cast<std::uint64_t>(id) | static_cast<std::uint64_t>(type) << 8 |
           static_cast<std::uint64_t>(a) << 16 | static_cast<std::uint64_t>(b) << 32 |
           static_cast<std::uint64_t>(c) << 48;
  }
  static constexpr formula_node of(std::uint64_t w) {
    auto const field = [w](int shift) { return static_cast<int>(w >> shift & 0xFFFFu); };
    return {static_cast<op>(w & 0xFFu), static_cast<dtype>(w >> 8 & 0xFFu), field(16), field(32), field(48)};
  }
};

/// The canonical form of a fused group, which is all that a kernel sees: `Inputs` slots, `Nodes`
/// words of nodes, then the bits of the constants. The last node is the result. Equal formulas
/// are one type whatever lambda they come from, and nvcc takes packs of numbers where it refuses
/// closures and arrays.
template <int Inputs, int Nodes, std::uint64_t... Words> struct numbers {
  static constexpr int inputs = Inputs;
  static constexpr int size = Nodes;
  static constexpr std::uint64_t words[sizeof...(Words)] = {Words...};

  static constexpr formula_node node(int k) { return formula_node::of(words[k]); }
  static constexpr formula_node result() { return node(Nodes - 1); }
  /// Bits of a `constant` node: the value as `double`, or as `std::int64_t` for integers.
  static constexpr std::uint64_t bits(formula_node n) { return words[n.a]; }

  /// The dtype of an input slot.
  static constexpr dtype input_type(int slot) {
    for (int k = 0; k < Nodes; ++k)
      if (node(k).id == op::input && node(k).a == slot) return node(k).type;
    return dtype::f32;
  }
  /// Whether a slot is known to have one element for all along the last axis, as scalars have: `b` of
  /// its node. Loops may still have made one of several axes, so that strides decide.
  static constexpr bool is_repeated(int slot) {
    for (int k = 0; k < Nodes; ++k)
      if (node(k).id == op::input && node(k).a == slot) return node(k).b != 0;
    return false;
  }
  static constexpr bool has_repeated() {
    for (int k = 0; k < Nodes; ++k)
      if (node(k).id == op::input && node(k).b != 0) return true;
    return false;
  }
  /// Whether a reduction occurs among the nodes.
  static constexpr bool reduces() {
    for (int k = 0; k < Nodes; ++k)
      if (is_reduction(node(k).id)) return true;
    return false;
  }
};

namespace detail {
/// The value of a constant node in the C++ type `T`.
template <class T, std::uint64_t Bits> GUARDJIT_HD constexpr T constant_value() {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_bit_cast(double, Bits));
  else return static_cast<T>(static_cast<std::int64_t>(Bits));
}
}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
