// guardjit: kernels/eigen/line.hpp: the innermost loop: its inputs as packets, tile by tile
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_LINE_HPP
#define GUARDJIT_KERNELS_EIGEN_LINE_HPP

#include <guardjit/kernels/eigen/lanes.hpp>
#include <guardjit/kernels/eigen/memory.hpp>
#include <guardjit/reference/element.hpp>
#include <guardjit/reference/loop_nest.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The packet type of a formula's elements.
template <class Formula> using packet_element = element_t<packet_type<Formula>>;

/// Length of arrays with one element a slot, which may not be empty.
template <class Formula> inline constexpr int slot_count =
    Formula::inputs > 0 ? Formula::inputs : 1;

/// Whether all inputs have the dtype of the packets, so that they can be loaded where they lie.
template <class Formula> constexpr bool has_plain_inputs() {
  for (int slot = 0; slot < Formula::inputs; ++slot)
    if (Formula::input_type(slot) != packet_type<Formula>) return false;
  return true;
}

/// The node that packets compute: the result, or what it is converted from.
template <class Formula> constexpr int packet_result() {
  auto const last = Formula::result();
  bool const converts =
      last.id == op::to && last.type != packet_type<Formula> && last.type != dtype::boolean;
  return converts ? last.a : Formula::size - 1;
}

template <class T, dtype Type> inline auto to_lane(raw_packet<T> raw) {
  if constexpr (Type == dtype::boolean)
    return packet_mask<T>{Eigen::internal::pcmp_lt(splat(T(0)), raw)};
  else return packet<T>{raw};
}

/// Elements of one tile: its buffers, one a slot, stay in the L1 cache.
template <class Formula> inline constexpr int tile_length = slot_count<Formula> <= 16   ? 256
                                                            : slot_count<Formula> <= 64 ? 64
                                                                                        : 16;

/// Calls `each(slot)` for every slot with a constant: a loop over slots would be vectorized before
/// it is unrolled, and keep pointers in memory that belong in registers.
template <class Formula> [[gnu::always_inline]] inline void for_each_slot(auto const& each) {
  [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
    [[maybe_unused]] int const order[] = {0, (each(std::integral_constant<int, Slot>{}), 0)...};
  }
  (std::make_integer_sequence<int, Formula::inputs>{});
}

/// The inputs of a line of elements. Slots of the packets' dtype and stride 1 are read in place,
/// stretched ones from a packet of copies, all others are converted into a buffer, tile by tile. Where
/// `Stretches` is false, only slots that `is_repeated` says are stretched are read from a packet, and
/// no others need `step`.
template <class Formula, bool Stretches = true> class line_inputs {
  using T = packet_element<Formula>;
  static constexpr int slots = slot_count<Formula>;
  /// Whether slots take turns in a loop: the code of each apart, for 32 of them, is most of what a kernel
  /// costs the compiler.
  static constexpr bool many_alike = Formula::inputs > 8 && has_plain_inputs<Formula>();

 public:
  /// Slot k is read at `at[k] + (i & step[k])`: `step` is all ones, or 0 where one packet serves.
  T const* at[slots];
  index_t step[slots];
  /// Whether a slot needs `load_tile` before the first element.
  bool tiled = false;

  void bind(void const* const* in, auto const& offsets, auto const& strides) {
    bind_strides(strides);
    move(in, offsets);
  }
  /// How the slots are read, for all lines of these strides; `move` then goes to one of them.
  void bind_strides(auto const& strides) {
    tiled = false;
    for_slots([&]<class Element>(std::type_identity<Element>, unsigned slot, bool may_stretch)
                  __attribute__((always_inline)) {
      bind_slot<Element>(slot, strides[slot + 1], may_stretch);
    });
  }
  void move(void const* const* in, auto const& offsets) {
    for_slots([&]<class Element>(std::type_identity<Element>, unsigned slot, bool)
                  __attribute__((always_inline)) {
      move_slot<Element>(slot, in[slot], offsets[slot + 1]);
    });
  }
  /// Makes element `begin` and up to `tile_length` others readable as element 0 and on.
  void load_tile(index_t begin, index_t length) {
    if constexpr (many_alike)
      for (unsigned slot = 0; slot < slots; ++slot) load_slot<T>(slot, begin, length);
    else load_tile(begin, length, std::make_integer_sequence<int, Formula::inputs>{});
  }

 private:
  struct source {
    void const* array;
    index_t stride;
    enum { in_place, stretched, copied } kind;
  };
  source sources_[slots];
  alignas(64) T splats_[slots][packet_width<T>];
  alignas(64) T tiles_[slots][tile_length<Formula>];

  /// Calls `visit(element type, slot, whether stride 0 is looked for)` for each slot.
  [[gnu::always_inline]] static void for_slots(auto const& visit) {
    if constexpr (many_alike) {
      for (unsigned slot = 0; slot < slots; ++slot)
        visit(std::type_identity<T>{}, slot, Stretches || Formula::is_repeated(static_cast<int>(slot)));
    } else {
      for_each_slot<Formula>([&](auto slot) __attribute__((always_inline)) {
        constexpr int number = decltype(slot)::value;
        visit(std::type_identity<element_t<Formula::input_type(number)>>{}, static_cast<unsigned>(number),
              Stretches || Formula::is_repeated(number));
      });
    }
  }
  template <class Element> void bind_slot(unsigned slot, index_t stride, bool may_stretch) {
    sources_[slot] = {nullptr, stride, source::in_place};
    step[slot] = -1;
    if (stride == 0 && may_stretch) {
      at[slot] = splats_[slot];
      step[slot] = 0;
      sources_[slot].kind = source::stretched;
    } else if (!std::is_same_v<Element, T> || stride != 1) {
      at[slot] = tiles_[slot];
      sources_[slot].kind = source::copied;
      tiled = true;
    }
  }
  template <class Element> void move_slot(unsigned slot, void const* in, index_t offset) {
    auto const array = advance_array<Element>(in, offset);
    if (array == sources_[slot].array) return;
    sources_[slot].array = array;
    if (sources_[slot].kind == source::in_place) at[slot] = static_cast<T const*>(array);
    else if (sources_[slot].kind == source::stretched)
      store_unaligned(splats_[slot], splat(convert<T>(load_element<Element>(array, 0))));
  }

  template <int... Slot>
  void load_tile([[maybe_unused]] index_t begin, [[maybe_unused]] index_t length,
                 std::integer_sequence<int, Slot...>) {
    [[maybe_unused]] int const order[] = {
        0, load_slot<element_t<Formula::input_type(Slot)>>(static_cast<unsigned>(Slot), begin, length)...};
  }
  template <class Element> int load_slot(unsigned slot, index_t begin, index_t length) {
    auto const [array, stride, kind] = sources_[slot];
    if (kind == source::in_place) {
      at[slot] = static_cast<T const*>(array) + begin;
    } else if (kind == source::copied) {
      auto const from = advance_array<Element>(array, begin * stride);
      if (stride == 1)
        for (index_t i = 0; i < length; ++i)
          tiles_[slot][i] = convert<T>(load_element<Element>(from, i));
      else
        for (index_t i = 0; i < length; ++i)
          tiles_[slot][i] = convert<T>(load_element<Element>(from, i * stride));
    }
    return 0;
  }
};

/// Node `Target` for the packet from element `i` of a line on; `load(pointer)` reads a packet.
template <class Formula, int Target>
[[gnu::always_inline]] inline auto evaluate_packet(auto const& at, auto const& step, index_t i,
                                                   auto const& load) {
  using T = packet_element<Formula>;
  return evaluate_formula<Formula, packet_lanes<T>, Target>(
      [&]<int Node>(std::integral_constant<int, Node>) {
        constexpr formula_node n = Formula::node(Node);
        return to_lane<T, n.type>(load(at[n.a] + (i & step[n.a])));
      });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
