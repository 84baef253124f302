// guardjit: kernels/eigen/elementwise.hpp: fused elementwise kernels
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ELEMENTWISE_HPP
#define GUARDJIT_KERNELS_EIGEN_ELEMENTWISE_HPP

#include <guardjit/kernels/eigen/turned.hpp>
#include <guardjit/reference/elementwise.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A line with stretched inputs, or one tile; the result is contiguous in the packets' dtype.
template <class Formula> [[gnu::noinline]] void mixed_line(packet_element<Formula>* out,
                                                           line_inputs<Formula> const& in,
                                                           index_t n) {
  using T = packet_element<Formula>;
  constexpr int target = packet_result<Formula>();
  T const* at[slot_count<Formula>];
  index_t step[slot_count<Formula>];
  for_each_slot<Formula>([&](int slot) {
    at[slot] = in.at[slot];
    step[slot] = in.step[slot];
  });
  auto const emit = [&](index_t from, auto const& part) __attribute__((always_inline)) {
    auto const v = evaluate_packet<Formula, target>(at, step, from, part);
    if constexpr (Formula::result().type == dtype::boolean)
      part.store(out + from, Eigen::internal::pand(v.raw, splat(T(1))));
    else part.store(out + from, v.raw);
  };
  for_each_packet<T>(n, emit);
}

/// A line with anything: inputs and the result are copied and converted tile by tile where needed.
template <class Formula>
void any_line(line_inputs<Formula>& inputs, void* out, index_t stride, index_t n) {
  using T = packet_element<Formula>;
  using result_type = element_t<Formula::result().type>;
  constexpr bool plain = std::is_same_v<result_type, T>;
  if (plain && stride == 1 && !inputs.tiled) {
    mixed_line<Formula>(static_cast<T*>(out), inputs, n);
    return;
  }
  constexpr index_t tile = tile_length<Formula>;
  alignas(64) T results[tile];
  for (index_t begin = 0; begin < n; begin += tile) {
    index_t const length = n - begin < tile ? n - begin : tile;
    inputs.load_tile(begin, length);
    if (plain && stride == 1) {
      mixed_line<Formula>(static_cast<T*>(out) + begin, inputs, length);
      continue;
    }
    mixed_line<Formula>(results, inputs, length);
    auto const to = static_cast<result_type*>(out) + begin * stride;
    for (index_t i = 0; i < length; ++i) to[i * stride] = convert<result_type>(results[i]);
  }
}

/// A line of single elements, for formulas that no packet holds.
template <class Formula> void element_line(void* out, void const* const* in, auto const& offsets,
                                           auto const& strides, index_t n) {
  using lanes = scalar_lanes<packet_math>;
  void const* arrays[slot_count<Formula>];
  for (int slot = 0; slot < Formula::inputs; ++slot) arrays[slot] = in[slot];
  auto at = offsets;
  for (index_t i = 0; i < n; ++i) {
    store_element(out, at[0], evaluate_at<Formula, lanes>(arrays, at.data()).value);
    for (unsigned k = 0; k <= Formula::inputs; ++k) at[k] += strides[k];
  }
}

/// Loops whose innermost one is contiguous in every operand.
template <class Formula>
[[gnu::noinline]] void unit_lines(loop_nest<Formula::inputs + 1> const& nest, void* out,
                                  void const* const* in) {
  using T = packet_element<Formula>;
  int const last = nest.rank - 2;
  auto const& step = nest.strides[static_cast<unsigned>(last)];
  index_t const lines = nest.extents[static_cast<unsigned>(last)],
                n = nest.extents[static_cast<unsigned>(last) + 1];
  for_each_step(nest, last, [&](auto const& offsets) {
    T* to = static_cast<T*>(out) + offsets[0];
    void const* at[slot_count<Formula>]{};
    for (int slot = 0; slot < Formula::inputs; ++slot)
      at[slot] = static_cast<T const*>(in[slot]) + offsets[static_cast<unsigned>(slot) + 1];
    for (index_t line = 0; line < lines; ++line) {
      unit_line<Formula>(to, at, n);
      to += step[0];
      for (int slot = 0; slot < Formula::inputs; ++slot)
        at[slot] = static_cast<T const*>(at[slot]) + step[static_cast<unsigned>(slot) + 1];
    }
  });
}

/// Elements of all tiles of repeated operands.
inline constexpr int repeated_length = 2048;

/// Short lines that lie one after another, with operands that are the same in each (a bias): those
/// are repeated into a tile, and many lines become one. Returns false where that is not so.
template <class Formula>
[[gnu::noinline]] bool repeated_lines(loop_nest<Formula::inputs + 1> const& nest, void* out,
                                      void const* const* in) {
  using T = packet_element<Formula>;
  constexpr auto operands = static_cast<unsigned>(Formula::inputs) + 1;
  constexpr index_t tile = repeated_length / slot_count<Formula>;
  if (nest.rank < 2) return false;
  auto const last = static_cast<unsigned>(nest.rank - 1);
  auto const &step = nest.strides[last], &next = nest.strides[last - 1];
  index_t const n = nest.extents[last], lines = nest.extents[last - 1];
  if (n == 0) return true;
  index_t const together =
      lines / 4 < tile / n ? lines / 4 : tile / n;  // a tile must pay several times
  if (together < 2) return false;
  for (unsigned k = 0; k < operands; ++k) {
    bool const repeated = k > 0 && Formula::is_repeated(static_cast<int>(k) - 1);
    bool const follows = !repeated && step[k] == 1 && next[k] == n;
    bool const repeats = k > 0 && next[k] == 0 && (!repeated || step[k] == 0);
    if (!follows && !repeats) return false;
  }
  index_t const group = together * n, total = lines * n;
  alignas(64) T tiles[slot_count<Formula>][tile];
  for_each_step(nest, nest.rank - 2, [&](auto const& offsets) {
    void const* at[slot_count<Formula>]{};
    for (unsigned slot = 0; slot < operands - 1; ++slot) {
      auto const from = static_cast<T const*>(in[slot]) + offsets[slot + 1];
      at[slot] = from;
      if (next[slot + 1] != 0) continue;
      at[slot] = tiles[slot];
      for (index_t i = 0; i < n; ++i) tiles[slot][i] = from[i * step[slot + 1]];
      for (index_t filled = n; filled < group; filled *= 2)
        __builtin_memcpy(tiles[slot] + filled, tiles[slot],
                         sizeof(T) * static_cast<std::size_t>(
                                         filled < group - filled ? filled : group - filled));
    }
    auto const to = static_cast<T*>(out) + offsets[0];
    for (index_t begin = 0; begin < total; begin += group) {
      unit_line<Formula>(to + begin, at, total - begin < group ? total - begin : group);
      for (unsigned slot = 0; slot < operands - 1; ++slot)
        if (next[slot + 1] != 0) at[slot] = static_cast<T const*>(at[slot]) + group;
    }
  });
  return true;
}

/// Any loops: line by line.
template <class Formula>
[[gnu::noinline]] void any_lines(loop_nest<Formula::inputs + 1> const& nest, void* out,
                                 void const* const* in) {
  int const lines = nest.rank > 0 ? nest.rank - 1 : 0;
  std::array<index_t, static_cast<unsigned>(Formula::inputs) + 1> strides{};
  index_t n = 1;
  if (nest.rank > 0) {
    strides = nest.strides[static_cast<unsigned>(lines)];
    n = nest.extents[static_cast<unsigned>(lines)];
  }
  if (n == 0) return;
  if constexpr (packable<Formula>) {
    using result_type = element_t<Formula::result().type>;
    line_inputs<Formula> inputs;
    for_each_step(nest, lines, [&](auto const& offsets) {
      inputs.bind(in, offsets, strides);
      any_line<Formula>(inputs, advance_array<result_type>(out, offsets[0]), strides[0], n);
    });
  } else {
    for_each_step(nest, lines, [&](auto const& offsets) {
      element_line<Formula>(out, in, offsets, strides, n);
    });
  }
}

/// The way for these loops. Not inlined: its frame would slow the way of contiguous operands.
template <class Formula>
[[gnu::noinline]] void all_lines(loop_nest<Formula::inputs + 1> const& nest, void* out,
                                 void const* const* in) {
  if constexpr (is_plain<Formula>()) {
    if (repeated_lines<Formula>(nest, out, in)) return;
    if (turned_planes<Formula>::fits(nest)) return turned_planes<Formula>::run(nest, out, in);
    if (nest.rank > 1 && walks_one_by_one<Formula>(nest.strides[static_cast<unsigned>(nest.rank - 1)]))
      return unit_lines<Formula>(nest, out, in);
  }
  any_lines<Formula>(nest, out, in);
}

}  // namespace detail

/// Evaluates a formula without reductions at every step of its loops.
/// Complexity: one pass, allocates nothing.
/// Rules: POL-17.
template <class Formula> void eigen_elementwise(loop_nest<Formula::inputs + 1> const& nest,
                                                void* out, void const* const* in) {
  if constexpr (detail::is_plain<Formula>()) {
    auto const to = static_cast<detail::packet_element<Formula>*>(out);
    index_t const count = detail::elements_one_by_one<Formula>(nest);
    if (count >= 0) return detail::unit_line<Formula>(to, in, count);
  }
  detail::all_lines<Formula>(nest, out, in);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
