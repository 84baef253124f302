// guardjit: kernels/eigen/reduce.hpp: reductions over a fused formula
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_REDUCE_HPP
#define GUARDJIT_KERNELS_EIGEN_REDUCE_HPP

#include <guardjit/kernels/eigen/fold.hpp>
#include <guardjit/kernels/eigen/line.hpp>
#include <guardjit/kernels/eigen/turn.hpp>
#include <guardjit/reference/reduce.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Some packets that are folded each on its own.
template <class Folded, int Packets> struct folded_row {
  Folded value[static_cast<unsigned>(Packets)];
  static folded_row none() {
    folded_row row;
    for (auto& v : row.value) v = Folded::none();
    return row;
  }
  friend folded_row operator+(folded_row a, folded_row const& b) {
    for (int k = 0; k < Packets; ++k) a.value[k] = a.value[k] + b.value[k];
    return a;
  }
};

template <class T> constexpr int lane_count(full_packet<T> const&) { return packet_width<T>; }
template <class T> constexpr int lane_count(first_lanes<T> const& lanes) { return lanes.count; }

/// A packet of `T` from elements that lie one after another, converted where they have another dtype.
/// `load` reads as many as it has lanes.
template <class T, class From> inline raw_packet<T> load_as(From const* from, auto const& load) {
  if constexpr (std::is_same_v<T, From>) {
    return load(from);
  } else {
    alignas(64) T lanes[packet_width<T>]{};
    for (int k = 0; k < lane_count(load); ++k) lanes[k] = convert<T>(load_element<From>(from, k));
    return load_unaligned(lanes);
  }
}

/// Results next to each other in packets: row after row of the inputs is added to them.
template <class Formula> class column_reduction {
  using T = packet_element<Formula>;
  using value_type = folded<Formula::result().id, T>;
  static constexpr int slots = slot_count<Formula>, operand = Formula::result().a;
  static constexpr auto operands = static_cast<unsigned>(Formula::inputs) + 1;
  using nest_type = loop_nest<Formula::inputs + 1>;

 public:
  /// The innermost outer loop walks the columns, the inner loops walk the rows.
  column_reduction(reduce_nest<Formula::inputs + 1> const& nest)
      : rows_(nest.inner),
        count_(nest.count),
        columns_(nest.outer.extents[static_cast<unsigned>(nest.outer.rank - 1)]),
        step_(nest.outer.strides[static_cast<unsigned>(nest.outer.rank - 1)]) {}

  void run(T* out, void const* const* in, auto const& offsets) const {
    void const* at[slots];
    for_each_slot<Formula>([&](auto slot) {
      at[slot] = advance_array<slot_type<slot>>(in[slot], offsets[slot + 1u]);
    });
    out += offsets[0];
    constexpr int width = packet_width<T>;
    constexpr index_t wide = 8 * width;
    index_t column = 0;
    for (; column + wide <= columns_; column += wide)
      block<8, 1>(out, at, column, full_packet<T>{}, width);
    for (; column < columns_; column += width) {
      first_lanes<T> const lanes(columns_ - column < width ? columns_ - column : width);
      block<1, 4>(out, at, column, lanes, lanes.count);
    }
  }

 private:
  nest_type const& rows_;
  index_t count_;
  index_t columns_;
  std::array<index_t, operands> const& step_;

  template <int Slot> using slot_type = element_t<Formula::input_type(Slot)>;

  /// `Packets` packets of columns; `Runs` runs of rows side by side hide the latency of one.
  template <int Packets, int Runs>
  void block(T* out, void const* const* at, index_t column, auto const& load, int lanes) const {
    using sums = folded_row<value_type, Packets>;
    tree_sum<sums> tree;
    int const last = rows_.rank - 1;
    auto const rows = last < 0 ? index_t(1) : rows_.extents[static_cast<unsigned>(last)];
    auto const row_step =
        last < 0 ? std::array<index_t, operands>{} : rows_.strides[static_cast<unsigned>(last)];
    for_each_step(rows_, last < 0 ? 0 : last, [&](auto const& offsets) {
      void const* row[slots];
      bool stretched[slots];
      for_each_slot<Formula>([&](auto slot) {
        stretched[slot] = step_[slot + 1u] == 0;
        row[slot] = advance_array<slot_type<slot>>(at[slot],
                                                   offsets[slot + 1u] + (stretched[slot] ? 0 : column));
      });
      auto const evaluate = [&](index_t r, int p) {
        return value_type::of(evaluate_formula<Formula, packet_lanes<T>, operand>(
            [&]<int Node>(std::integral_constant<int, Node>) {
              constexpr int slot = Formula::node(Node).a;
              using from_type = slot_type<slot>;
              auto const from =
                  static_cast<from_type const*>(row[slot]) + r * row_step[static_cast<unsigned>(slot) + 1];
              return to_lane<T, Formula::node(Node).type>(
                  stretched[slot] ? splat(convert<T>(load_element<from_type>(from, 0)))
                                  : load_as<T>(from + p * packet_width<T>, load));
            }));
      };
      index_t r = 0;
      while (r < rows) {
        sums run[static_cast<unsigned>(Runs)];
        for (auto& each : run) each = sums::none();
        index_t const end = rows - r < sum_run * Runs ? rows : r + sum_run * Runs;
        for (; r + Runs <= end; r += Runs) {
#pragma GCC unroll 4
          for (int k = 0; k < Runs; ++k)
#pragma GCC unroll 8
            for (int p = 0; p < Packets; ++p)
              run[k].value[p] = run[k].value[p] + evaluate(r + k, p);
        }
        if constexpr (Runs > 1) {
          for (; r < end; ++r) run[0].value[0] = run[0].value[0] + evaluate(r, 0);
          tree.add_run((run[0] + run[1]) + (run[2] + run[3]));
        } else {
          tree.add_run(run[0]);
        }
      }
    });
    auto const total = tree.total(sums::none());
    alignas(64) T results[static_cast<unsigned>(Packets * packet_width<T>)];
    for (int p = 0; p < Packets; ++p) total.value[p].results(results + p * packet_width<T>, count_);
    for (index_t k = 0; k < (Packets - 1) * packet_width<T> + lanes; ++k)
      out[(column + k) * step_[0]] = results[k];
  }
};

/// Whether all inputs stand still or have stride 1 in the loop.
constexpr bool walks_packets(auto const& strides) {
  bool good = true, moves = false;
  for (unsigned k = 1; k < strides.size(); ++k) {
    good = good && (strides[k] == 0 || strides[k] == 1);
    moves = moves || strides[k] == 1;
  }
  return good && moves;
}

/// Results one after another, each from the lines of the inner loops.
template <class Formula> class line_reduction {
  using T = packet_element<Formula>;
  static constexpr auto operands = static_cast<unsigned>(Formula::inputs) + 1;
  using offsets_type = std::array<index_t, operands>;
  using value_type = folded<Formula::result().id, T>;
  static constexpr int width = packet_width<T>, operand = Formula::result().a;
  /// Of longer rows the lanes are few beside the elements.
  static constexpr index_t short_row = 16 * width;

 public:
  line_reduction(reduce_nest<Formula::inputs + 1> const& nest, void const* const* in)
      : nest_(nest), in_(in), lines_(nest.inner.rank > 0 ? nest.inner.rank - 1 : 0) {
    if (nest.inner.rank > 0) {
      strides_ = nest.inner.strides[static_cast<unsigned>(lines_)];
      n_ = nest.inner.extents[static_cast<unsigned>(lines_)];
    }
    in_place_ = has_plain_inputs<Formula>();
    for (unsigned k = 1; k < operands; ++k) in_place_ = in_place_ && strides_[k] == 1;
  }

  void run(void* out) {
    auto const& outer = nest_.outer;
    int const last = outer.rank - 1;
    if (last < 0) return store_element(out, 0, reduce(offsets_type{}));
    auto const& step = outer.strides[static_cast<unsigned>(last)];
    if constexpr (requires(value_type v) { v.lanes(); })
      if (in_place_ && lines_ == 0 && n_ <= short_row && step[0] == 1)
        return for_each_step(outer, last, [&](auto const& offsets) {
          short_rows(static_cast<T*>(out) + offsets[0], offsets, step,
                     outer.extents[static_cast<unsigned>(last)]);
        });
    for_each_step(outer, last, [&](auto offsets) {
      for (index_t j = 0; j < outer.extents[static_cast<unsigned>(last)]; ++j) {
        store_element(out, offsets[0], reduce(offsets));
        for (unsigned k = 0; k < operands; ++k) offsets[k] += step[k];
      }
    });
  }

 private:
  reduce_nest<Formula::inputs + 1> const& nest_;
  void const* const* in_;
  int lines_;
  offsets_type strides_{};
  index_t n_ = 1;
  bool in_place_;
  line_inputs<Formula> inputs_;

  /// As many rows at once as a packet has lanes: each becomes a packet, and a block of these is turned, so
  /// that lanes are folded in packets, too.
  void short_rows(T* out, offsets_type const& offsets, offsets_type const& step, index_t rows) {
    T const* at[slot_count<Formula>]{};
    for (int slot = 0; slot < Formula::inputs; ++slot)
      at[slot] = static_cast<T const*>(in_[slot]) + offsets[static_cast<unsigned>(slot) + 1];
    auto const next_row = [&] {
      for_each_slot<Formula>([&](int slot) { at[slot] += step[static_cast<unsigned>(slot) + 1]; });
    };
    packet_block<T> block;
    for (; rows >= width; rows -= width, out += width) {
#pragma GCC unroll 16
      for (int k = 0; k < width; ++k, next_row()) block.packet[k] = folded_row_of(at);
      folded_lanes(block).results(out, nest_.count);
    }
    if (rows == 0) return;
    for (int k = 0; k < width; ++k) block.packet[k] = value_type::none().lanes().raw;
    for (int k = 0; k < rows; ++k, next_row()) block.packet[k] = folded_row_of(at);
    alignas(64) T results[width];
    folded_lanes(block).results(results, nest_.count);
    for (index_t k = 0; k < rows; ++k) out[k] = results[k];
  }
  /// The lanes of each packet folded to one lane.
  [[gnu::always_inline]] static value_type folded_lanes(packet_block<T>& block) {
    turn<T>(block);
#pragma GCC unroll 4
    for (int half = width / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k)
        block.packet[k] =
            (value_type::of({block.packet[k]}) + value_type::of({block.packet[k + half]})).lanes().raw;
    return value_type::of({block.packet[0]});
  }
  /// The packets of a short row, folded lane by lane.
  [[gnu::always_inline]] raw_packet<T> folded_row_of(T const* const* at) const {
    constexpr struct {
      constexpr index_t operator[](int) const { return -1; }
    } step;
    value_type total = value_type::none();
    index_t i = 0;
    for (; i + width <= n_; i += width)
      total = total + value_type::of(evaluate_packet<Formula, operand>(at, step, i, full_packet<T>{}));
    if (i < n_) {
      first_lanes<T> const lanes(n_ - i);
      packet<T> const v = evaluate_packet<Formula, operand>(at, step, i, lanes);
      total = total + value_type::of({lanes.select(v.raw, splat(value_type::neutral))});
    }
    return total.lanes().raw;
  }

  T reduce(offsets_type const& outer) {
    line_fold<T, Formula::result().id> fold;
    if (lines_ == 0) {
      add_line(fold, outer);
    } else {
      for_each_step(nest_.inner, lines_, [&](auto offsets) {
        for (unsigned k = 0; k < operands; ++k) offsets[k] += outer[k];
        add_line(fold, offsets);
      });
    }
    return fold.result(nest_.count);
  }

  void add_line(auto& fold, offsets_type const& offsets) {
    T const* at[slot_count<Formula>]{};
    index_t step[slot_count<Formula>]{};
    index_t tile = n_;
    if (in_place_) {
      for (int slot = 0; slot < Formula::inputs; ++slot) {
        at[slot] = static_cast<T const*>(in_[slot]) + offsets[static_cast<unsigned>(slot) + 1];
        step[slot] = -1;
      }
    } else {
      inputs_.bind(in_, offsets, strides_);
      if (inputs_.tiled) tile = tile_length<Formula>;
    }
    for (index_t begin = 0; begin < n_; begin += tile) {
      index_t const length = n_ - begin < tile ? n_ - begin : tile;
      if (!in_place_) {
        if (inputs_.tiled) inputs_.load_tile(begin, length);
        for (int slot = 0; slot < Formula::inputs; ++slot) {
          at[slot] = inputs_.at[slot];
          step[slot] = inputs_.step[slot];
        }
      }
      fold.add_line(length, [&](index_t i, auto const& load) {
        return operand_packets<T, 1>{{evaluate_packet<Formula, operand>(at, step, i, load)}};
      });
    }
  }
};

}  // namespace detail

/// Reduces a formula whose last node is its only reduction.
/// Complexity: one pass over the inputs, allocates nothing.
/// Rules: POL-5, POL-7, POL-9, POL-25, N21.
template <class Formula>
void eigen_reduce(reduce_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
  using namespace detail;
  if constexpr (packable<Formula>) {
    using T = packet_element<Formula>;
    if (nest.count == 0) return reference_reduce<Formula, scalar_lanes<packet_math>>(nest, out, in);
    int const columns = nest.outer.rank - 1, line = nest.inner.rank - 1;
    if (columns >= 0 && line >= 0 &&
        walks_packets(nest.outer.strides[static_cast<unsigned>(columns)]) &&
        !walks_packets(nest.inner.strides[static_cast<unsigned>(line)])) {
      column_reduction<Formula> const kernel(nest);
      return for_each_step(nest.outer, columns, [&](auto const& offsets) {
        kernel.run(static_cast<T*>(out), in, offsets);
      });
    }
    line_reduction<Formula>(nest, in).run(out);
  } else {
    reference_reduce<Formula, scalar_lanes<packet_math>>(nest, out, in);
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
