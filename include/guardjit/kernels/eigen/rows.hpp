// guardjit: kernels/eigen/rows.hpp: row formulas (softmax and kin) as stages over one row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ROWS_HPP
#define GUARDJIT_KERNELS_EIGEN_ROWS_HPP

#include <guardjit/kernels/eigen/fold.hpp>
#include <guardjit/kernels/eigen/line.hpp>
#include <guardjit/reference/row.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// From this cost of its op on, a value that two stages need is kept and not computed again.
inline constexpr int kept_cost = 6;

/// Which values of a row formula are the same for a whole row and computed once: those between
/// reductions and what is computed for each element.
template <class Formula> struct row_constants {
  struct table {
    bool per_row[Formula::size]{};  ///< made of reductions, constants and slots with one value a row
    bool once[Formula::size]{};     ///< of these, what others read
  };
  static constexpr bool is_per_row(table const& t, int k) {
    auto const n = Formula::node(k);
    if (n.id == op::constant || is_reduction(n.id)) return true;
    if (n.id == op::input) return n.b == 1;
    int const arity = info_of(n.id).arity;
    return t.per_row[n.a] && (arity < 2 || t.per_row[n.b]) && (arity < 3 || t.per_row[n.c]);
  }
  static constexpr table value = [] {
    table t{};
    for (int k = 0; k < Formula::size; ++k) {
      auto const n = Formula::node(k);
      t.per_row[k] = is_per_row(t, k);
      if (t.per_row[k] || !(is_elementwise(n.id) || is_reduction(n.id))) continue;
      int const in[] = {n.a, n.b, n.c};
      for (int i = 0; i < info_of(n.id).arity; ++i) {
        auto const read = Formula::node(in[i]);
        if (t.per_row[in[i]] && is_elementwise(read.id) && read.type == packet_type<Formula>)
          t.once[in[i]] = true;
      }
    }
    return t;
  }();
};

/// Which values of a row formula are kept between stages. A stage is the pass over the row that
/// ends in a reduction, or the last one, that ends in the result.
template <class Formula> struct row_stages {
  struct table {
    int count = 0;               ///< values that are kept
    int place[Formula::size]{};  ///< 1 + which row of the buffer, 0: not kept
    int stage[Formula::size]{};  ///< the target of the stage that computes it
    bool inputs_after = false;   ///< whether inputs are read after the first value was kept
  };

  static constexpr bool is_target(int k) {
    return is_reduction(Formula::node(k).id) || k == Formula::size - 1;
  }
  /// The nodes that a stage visits when it stops at reductions and at values kept before it.
  static constexpr void visit(table const& t, int target, bool (&seen)[Formula::size]) {
    auto const first = Formula::node(target);
    seen[is_reduction(first.id) ? first.a : target] = true;
    for (int k = target; k >= 0; --k) {
      auto const n = Formula::node(k);
      bool const kept_before = t.place[k] != 0 && t.stage[k] < target;
      if (!seen[k] || leaves<Formula>::given(k) || kept_before || n.id == op::constant) continue;
      int const arity = info_of(n.id).arity;
      if (arity > 0) seen[n.a] = true;
      if (arity > 1) seen[n.b] = true;
      if (arity > 2) seen[n.c] = true;
    }
  }
  static constexpr table value = [] {
    table t{};
    for (int k = 0; k < Formula::size; ++k) {
      auto const n = Formula::node(k);
      if (n.type != packet_type<Formula> || !is_elementwise(n.id) || info_of(n.id).cost < kept_cost ||
          row_constants<Formula>::value.per_row[k])
        continue;
      int uses = 0;
      for (int target = k; target < Formula::size; ++target) {
        if (!is_target(target)) continue;
        bool seen[Formula::size]{};
        visit(t, target, seen);
        if (seen[k] && uses++ == 0) t.stage[k] = target;
      }
      if (uses > 1) t.place[k] = ++t.count;
    }
    int first = Formula::size;
    for (int k = 0; k < Formula::size; ++k)
      if (t.place[k] != 0 && t.stage[k] < first) first = t.stage[k];
    for (int target = first + 1; target < Formula::size; ++target) {
      if (!is_target(target)) continue;
      bool seen[Formula::size]{};
      visit(t, target, seen);
      for (int k = 0; k < Formula::size; ++k)
        t.inputs_after = t.inputs_after || (seen[k] && Formula::node(k).id == op::input);
    }
    return t;
  }();
};

/// What the stage that ends in `Stage` takes from outside.
template <class Formula, int Stage> struct stage_leaves {
  static constexpr bool given(int node) {
    constexpr auto& stages = row_stages<Formula>::value;
    bool const is_kept = stages.place[node] != 0 && stages.stage[node] < Stage;
    bool const is_once = row_constants<Formula>::value.once[node] && node < Stage;
    return leaves<Formula>::given(node) || is_kept || is_once;
  }
};

/// Runs the stages of a row formula row by row.
template <class Formula> class row_kernel {
  using T = packet_element<Formula>;
  using result_type = element_t<Formula::result().type>;
  static constexpr int width = packet_width<T>, slots = slot_count<Formula>;
  static constexpr auto& stages = row_stages<Formula>::value;
  static constexpr auto& constants = row_constants<Formula>::value;
  static constexpr int buffer_length =
      stages.count == 0 ? 0 : 16384 / static_cast<int>(sizeof(T)) / stages.count / width * width;
  /// Whether the row of the result can hold the one kept value: it is read nowhere else then.
  static constexpr bool fits_result =
      stages.count == 1 && !stages.inputs_after && std::is_same_v<result_type, T>;

 public:
  static void run(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    index_t const length = nest.length, results = nest.results();
    if (length == 0) return reference_rows<Formula, scalar_lanes<packet_math>>(nest, out, in);
    bool const in_result = fits_result && nest.step[0] == 1;
    if (stages.count > 0 && !in_result && length > buffer_length)
      return reference_rows<Formula, scalar_lanes<packet_math>>(nest, out, in);
    row_kernel kernel;
    kernel.length_ = length;
    for_each_step(nest.rows, [&](auto const& offsets) {
      kernel.inputs_.bind(in, offsets, nest.step);
      auto const to = static_cast<result_type*>(out) + offsets[0];
      if constexpr (fits_result) kernel.kept_ = in_result ? to : kernel.buffer_;
      kernel.stages_in_order(std::make_integer_sequence<int, Formula::size>{});
      kernel.last_stage(to, nest.step[0], results);
    });
  }

 private:
  index_t length_;
  line_inputs<Formula> inputs_;
  raw_packet<T> once_[static_cast<unsigned>(Formula::size)];  // what has one value a row
  T* kept_ = buffer_;
  alignas(64) T buffer_[buffer_length == 0 ? 1 : buffer_length * stages.count];

  T* kept_row(int node) { return kept_ + (stages.place[node] - 1) * buffer_length; }

  /// Takes the leaves of a stage at element i of a tile and puts kept values into their rows.
  template <int Stage, class Load> struct source {
    row_kernel& row;
    T const* const* at;
    index_t const* step;
    index_t i, begin;
    Load const& load;

    template <int Node> auto operator()(std::integral_constant<int, Node>) const {
      constexpr formula_node n = Formula::node(Node);
      if constexpr (n.id == op::input) return to_lane<T, n.type>(load(at[n.a] + (i & step[n.a])));
      else if constexpr (is_reduction(n.id) || constants.once[Node]) return packet<T>{row.once_[Node]};
      else return packet<T>{load(row.kept_row(Node) + begin + i)};
    }
    template <int Node>
    requires(stages.place[Node] != 0 &&
             stages.stage[Node] == Stage) void keep(std::integral_constant<int, Node>,
                                                    packet<T> v) const {
      load.store(row.kept_row(Node) + begin + i, v.raw);
    }
  };

  template <int Target, int Stage, class Load>
  [[gnu::always_inline]] auto evaluate(T const* const* at, index_t const* step, index_t i,
                                       index_t begin, Load const& load) {
    return evaluate_formula<Formula, packet_lanes<T>, Target, stage_leaves<Formula, Stage>>(
        source<Stage, Load>{*this, at, step, i, begin, load});
  }

  /// Calls `pass(at, step, begin, length)` for the row, in tiles where inputs are copied.
  void for_each_tile(index_t n, auto const& pass) {
    T const* at[slots]{};
    index_t step[slots]{};
    index_t const tile = inputs_.tiled ? tile_length<Formula> : n;
    for (index_t begin = 0; begin < n; begin += tile) {
      index_t const length = n - begin < tile ? n - begin : tile;
      if (inputs_.tiled) inputs_.load_tile(begin, length);
      for (int slot = 0; slot < Formula::inputs; ++slot) {
        at[slot] = inputs_.at[slot];
        step[slot] = inputs_.step[slot];
      }
      pass(at, step, begin, length);
    }
  }

  template <int... Node> void stages_in_order(std::integer_sequence<int, Node...>) {
    [[maybe_unused]] int const order[] = {compute_once<Node>()...};
  }
  template <int Node> int compute_once() {
    constexpr formula_node n = Formula::node(Node);
    if constexpr (is_reduction(n.id)) {
      line_fold<n.id, T> fold;
      for_each_tile(length_,
                    [&](T const* const* at, index_t const* step, index_t begin, index_t length) {
                      fold.add_line(length, [&](index_t i, auto const& load) {
                        return evaluate<n.a, Node>(at, step, i, begin, load);
                      });
                    });
      once_[Node] = splat(fold.result(n.id == op::mean ? mean_divisor(length_, n.b) : length_));
    } else if constexpr (constants.once[Node]) {
      once_[Node] = evaluate<Node, Node>(inputs_.at, inputs_.step, 0, 0, full_packet<T>{}).raw;
    }
    return 0;
  }

  void last_stage(result_type* out, index_t stride, index_t n) {
    constexpr int target = packet_result<Formula>();
    alignas(64) T results[tile_length<Formula>];
    bool const direct = std::is_same_v<result_type, T> && stride == 1;
    for_each_tile(n, [&](T const* const* at, index_t const* step, index_t begin, index_t length) {
      for (index_t i = 0; i < length;) {
        index_t const from = i, end = direct || length - i < tile_length<Formula>
                                          ? length
                                          : i + tile_length<Formula>;
        T* to = results;
        if constexpr (std::is_same_v<result_type, T>)
          if (direct) to = out + begin;
        auto const emit = [&](auto const& part) {
          auto const v = evaluate<target, Formula::size - 1>(at, step, i, begin, part);
          T* const place = to + (direct ? i : i - from);
          if constexpr (Formula::result().type == dtype::boolean)
            part.store(place, Eigen::internal::pand(v.raw, splat(T(1))));
          else part.store(place, v.raw);
        };
        for (; i + width <= end; i += width) emit(full_packet<T>{});
        if (i < end) emit(first_lanes<T>(end - i));
        i = end;
        if (!direct)
          for (index_t k = from; k < end; ++k)
            out[(begin + k) * stride] = convert<result_type>(results[k - from]);
      }
    });
  }
};

}  // namespace detail

/// Evaluates a row formula: one kernel, whose passes find the row in the L1 cache.
/// Complexity: one pass a reduction and one for the result, allocates nothing.
/// Rules: POL-5, POL-9, N21.
template <class Formula>
void eigen_rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
  if constexpr (packable<Formula>) detail::row_kernel<Formula>::run(nest, out, in);
  else reference_rows<Formula, scalar_lanes<packet_math>>(nest, out, in);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
