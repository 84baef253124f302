// guardjit: kernels/eigen/unit_line.hpp: the loop over elements that lie one after another
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_UNIT_LINE_HPP
#define GUARDJIT_KERNELS_EIGEN_UNIT_LINE_HPP

#include <guardjit/kernels/eigen/line.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Above this, a formula is instantiated for the most general line only.
inline constexpr int small_formula = 48;

/// Whether contiguous operands have a way of their own: inputs and result have the dtype of the
/// packets.
template <class Formula> constexpr bool is_plain() {
  return packable<Formula> && has_plain_inputs<Formula>() &&
         Formula::result().type == packet_type<Formula> && Formula::size <= small_formula;
}

/// Whether a loop walks the result and the inputs one element after another, but for the inputs that
/// are repeated, which stand still.
template <class Formula> bool walks_one_by_one(std::array<index_t, Formula::inputs + 1> const& step) {
  index_t other = step[0] ^ 1;
  for (int slot = 0; slot < Formula::inputs; ++slot)
    other |= step[static_cast<unsigned>(slot) + 1] ^ (Formula::is_repeated(slot) ? 0 : 1);
  return other == 0;
}
/// Number of elements of loops that are one such loop, else -1.
template <class Formula> index_t elements_one_by_one(loop_nest<Formula::inputs + 1> const& nest) {
  if constexpr (Formula::has_repeated()) {
    if (nest.rank == 0) return 1;
    return nest.rank == 1 && walks_one_by_one<Formula>(nest.strides[0]) ? nest.extents[0] : -1;
  } else {
    return nest.contiguous;
  }
}

/// Reads the packet of a slot: elements one after another, or one that is repeated.
template <class Formula, int Slot>
[[gnu::always_inline]] inline auto load_slot(auto const& at, index_t i, auto const& load) {
  if constexpr (Formula::is_repeated(Slot)) return splat(*at[Slot]);
  else return load(at[Slot] + i);
}

/// The line whose result and inputs lie contiguous, but for the repeated ones.
template <class Formula>
[[gnu::noinline]] void unit_line(packet_element<Formula>* out, void const* const* in, index_t n) {
  using T = packet_element<Formula>;
  constexpr int target = Formula::size - 1;
  // Copies: stores of packets may alias anything, and pointers would be read again after each.
  T const* at[slot_count<Formula>];
  for_each_slot<Formula>([&](int slot) { at[slot] = static_cast<T const*>(in[slot]); });
  auto const emit = [&](index_t from, auto const& part) __attribute__((always_inline)) {
    auto const leaf = [&]<int Node>(std::integral_constant<int, Node>) {
      constexpr formula_node input = Formula::node(Node);
      return to_lane<T, input.type>(load_slot<Formula, input.a>(at, from, part));
    };
    part.store(out + from, evaluate_formula<Formula, packet_lanes<T>, target>(leaf).raw);
  };
  for_each_packet<T>(n, emit);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
