// guardjit: kernels/eigen/rows.hpp: row formulas (softmax and kin) as passes over one row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ROWS_HPP
#define GUARDJIT_KERNELS_EIGEN_ROWS_HPP

#include <guardjit/kernels/eigen/line.hpp>
#include <guardjit/kernels/eigen/row_stages.hpp>
#include <guardjit/reference/row.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Runs the passes of a row formula. Where `Keeps` is false, passes keep no elements for later ones.
/// Two short rows are run pass by pass: while the packet that a pass folded becomes one value, on which
/// the next pass waits, the other row has work to do.
template <class Formula, bool Keeps = true> class row_kernel {
  using T = packet_element<Formula>;
  using result_type = element_t<Formula::result().type>;
  static constexpr int width = packet_width<T>, slots = slot_count<Formula>;
  static constexpr auto nodes = static_cast<unsigned>(Formula::size);
  static constexpr auto& stages = row_stages<Formula, Keeps>::value;
  static constexpr auto& constants = row_constants<Formula>::value;
  static constexpr auto& passes = row_passes<Formula>::value;
  static constexpr index_t short_row = 4096 / static_cast<int>(sizeof(T));
  static constexpr int buffer_length =
      stages.count == 0
          ? 0
          : 16384 / static_cast<int>(sizeof(T)) / stages.count / (2 * width) * (2 * width);
  /// Whether the row of the result can hold the one kept value: it is read nowhere else then.
  static constexpr bool fits_result =
      stages.count == 1 && !stages.inputs_after && std::is_same_v<result_type, T>;

 public:
  static void run(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    index_t const length = nest.length;
    if (length == 0) return reference_rows<Formula, scalar_lanes<packet_math>>(nest, out, in);
    bool const in_buffer = stages.count > 0 && !(fits_result && nest.step[0] == 1);
    if constexpr (stages.count > 0)
      if (in_buffer && length > buffer_length)
        return row_kernel<Formula, false>::run(nest, out, in);
    alignas(64) T buffer[buffer_length == 0 ? 1 : buffer_length * stages.count];
    bool const is_short = length <= short_row && !(in_buffer && length > buffer_length / 2);
    row_kernel rows[2];
    int count = 0;
    for (row_kernel& row : rows) {
      row.length_ = length;
      row.inputs_.bind_strides(nest.step);
      row.look_ahead(nest, is_short);
    }
    for_each_step(nest.rows, [&](auto const& offsets) {
      row_kernel& row = rows[count];
      row.out_ = static_cast<result_type*>(out) + offsets[0];
      row.inputs_.move(in, offsets);
      row.kept_ = buffer + count * (buffer_length / 2);
      if constexpr (fits_result)
        if (!in_buffer) row.kept_ = row.out_;
      if (++count < 2 && is_short) return;
      run_passes(rows, count, nest);
      count = 0;
    });
    if (count > 0) run_passes(rows, count, nest);
  }

 private:
  index_t length_;
  result_type* out_;
  T* kept_;
  line_inputs<Formula, false> inputs_;
  T once_[nodes];         // what has one value a row
  index_t ahead_[slots];  // how many bytes further the same slot of the row after the next lies

  [[gnu::noinline]] static void run_passes(row_kernel* rows, int count,
                                           row_nest<Formula::inputs + 1> const& nest) {
    for (int r = 0; r < count; ++r)
      rows[r].template compute_once<0>(std::make_integer_sequence<int, Formula::size>{});
    fold_passes(rows, count, std::make_integer_sequence<int, passes.count>{});
    for (int r = 0; r < count; ++r) rows[r].last_pass(rows[r].out_, nest.step[0], nest.results());
  }
  template <int... Pass>
  static void fold_passes(row_kernel* rows, int count, std::integer_sequence<int, Pass...>) {
    [[maybe_unused]] int const order[] = {0, fold_rows<Pass>(rows, count)...};
  }
  template <int Pass> static int fold_rows(row_kernel* rows, int count) {
    for (int r = 0; r < count; ++r)
      rows[r].template fold_pass<Pass>(
          std::make_integer_sequence<int, pass_reductions<Formula, Pass>::count>{});
    return 0;
  }

  /// Short rows are fetched while a pass over the last but one runs.
  void look_ahead(row_nest<Formula::inputs + 1> const& nest, bool is_short) {
    auto const last = static_cast<unsigned>(nest.rows.rank - 1);
    for_each_slot<Formula>([&](auto slot) {
      bool const walks = is_short && nest.rows.rank > 0 && nest.step[slot + 1u] == 1;
      auto const size = static_cast<index_t>(sizeof(element_t<Formula::input_type(slot)>));
      ahead_[slot] = walks ? 2 * nest.rows.strides[last][slot + 1u] * size : 0;
    });
  }
  /// The pass after the first that computes most: it leaves the memory most time.
  static constexpr int fetching_pass() {
    int most = -1, found = -1;
    for (int pass = 1; pass <= passes.count; ++pass) {
      bool seen[nodes]{};
      row_stages<Formula, Keeps>::visit(stages, pass, seen);
      int cost = 0;
      for (int k = 0; k < Formula::size; ++k)
        if (seen[k] && !stages.kept_before(pass, k)) cost += info_of(Formula::node(k).id).cost;
      if (cost >= most) most = cost, found = pass;
    }
    return found;
  }
  /// Whether the first pass reads a slot for each element.
  static constexpr bool begins_with(int slot) {
    for (int k = 0; k < Formula::size; ++k)
      if (Formula::node(k).id == op::input && Formula::node(k).a == slot)
        return sources<0>::needs.needed[k] && !constants.per_row[k];
    return false;
  }

  static constexpr bool is_row_slot(int node) {
    return Formula::node(node).id == op::input && constants.per_row[node];
  }

  /// What pass `Pass` reads, of its own: stores of packets may alias anything, and what lies in memory
  /// would be read again after each.
  template <int Pass> struct sources {
    using given = pass_leaves<Formula, Pass, Keeps>;
    static constexpr int target = [] {
      int last = 0;
      for (int k = 0; k < Formula::size; ++k)
        if (given::wanted(k)) last = k;
      return Pass == passes.count ? packet_result<Formula>() : last;
    }();
    static constexpr auto& needs = formula_needs<Formula, target, given>::value;
    static constexpr int reductions = pass_reductions<Formula, Pass>::count;
    using operands = operand_packets<T, reductions == 0 ? 1 : reductions>;

    T const* at[slots];
    index_t ahead[slots];
    raw_packet<T> once[nodes];
    T* kept;

    [[gnu::always_inline]] sources(row_kernel const& row, index_t begin) : kept(row.kept_ + begin) {
      for_each_slot<Formula>([&](auto slot) {
        at[slot] = row.inputs_.at[slot];
        ahead[slot] = row.ahead_[slot];
      });
      copy_once(row, std::make_integer_sequence<int, Formula::size>{});
    }
    template <int... Node>
    [[gnu::always_inline]] void copy_once(row_kernel const& row, std::integer_sequence<int, Node...>) {
      [[maybe_unused]] int const order[] = {copy_node<Node>(row)...};
    }
    template <int Node> [[gnu::always_inline]] int copy_node(row_kernel const& row) {
      if constexpr (needs.needed[Node] && is_row_slot(Node))
        once[Node] = load_unaligned(row.inputs_.at[Formula::node(Node).a]);
      else if constexpr (needs.needed[Node] &&
                         (is_reduction(Formula::node(Node).id) || constants.once[Node]))
        once[Node] = splat(row.once_[Node]);
      return 0;
    }
  };

  /// Takes the leaves of pass `Pass` at element i, puts kept values into their rows and operands of
  /// reductions into their places.
  template <int Pass, class Load> struct element {
    sources<Pass> const& from;
    index_t i;
    Load const& load;
    typename sources<Pass>::operands& operands;

    static constexpr bool keeps(int node) {
      return stages.place[node] != 0 && stages.stage[node] == Pass;
    }
    [[gnu::always_inline]] T* kept(int node) const {
      return from.kept + (stages.place[node] - 1) * buffer_length + i;
    }
    template <int Node> [[gnu::always_inline]] auto operator()(std::integral_constant<int, Node>) const {
      constexpr formula_node n = Formula::node(Node);
      if constexpr (is_row_slot(Node)) return to_lane<T, n.type>(from.once[Node]);
      else if constexpr (n.id == op::input)
        return to_lane<T, n.type>(load(from.at[n.a] + i));
      else if constexpr (is_reduction(n.id) || constants.once[Node])
        return packet<T>{from.once[Node]};
      else return packet<T>{load(kept(Node))};
    }
    template <int Node>
    requires(keeps(Node) || row_stages<Formula, Keeps>::is_wanted(Pass, Node))
    [[gnu::always_inline]] void keep(std::integral_constant<int, Node>, packet<T> v) const {
      if constexpr (keeps(Node)) load.store(kept(Node), v.raw);
      for (int k = 0; k < sources<Pass>::reductions; ++k)
        if (Formula::node(pass_reductions<Formula, Pass>::nodes[static_cast<unsigned>(k)]).a == Node)
          operands.at[k] = v;
    }
  };

  /// Calls `pass(begin, length)` for the row, in tiles where inputs are copied.
  [[gnu::always_inline]] void for_each_tile(index_t n, auto const& pass) {
    if (!inputs_.tiled) return pass(0, n);
    for (index_t begin = 0; begin < n; begin += tile_length<Formula>) {
      index_t const length = n - begin < tile_length<Formula> ? n - begin : tile_length<Formula>;
      inputs_.load_tile(begin, length);
      pass(begin, length);
    }
  }

  template <int Pass, int... I> void fold_pass(std::integer_sequence<int, I...>) {
    constexpr auto& reductions = pass_reductions<Formula, Pass>::nodes;
    line_fold<T, Formula::node(reductions[I]).id...> fold;
    for_each_tile(length_, [&](index_t begin, index_t length) __attribute__((always_inline)) {
      sources<Pass> const from(*this, begin);
      fold.add_line(length, [&](index_t i, auto const& load) __attribute__((always_inline)) {
        typename sources<Pass>::operands operands;
        evaluate<Pass>(from, i, load, operands);
        return operands;
      });
    });
    auto const total = fold.total();
    [[maybe_unused]] int const order[] = {
        (once_[reductions[I]] = total.template get<I>().result(count_of<reductions[I]>()), 0)...};
    compute_once<Pass + 1>(std::make_integer_sequence<int, Formula::size>{});
  }
  template <int Reduction> index_t count_of() const {
    constexpr formula_node n = Formula::node(Reduction);
    return n.id == op::mean ? mean_divisor(length_, n.b) : length_;
  }
  template <int Pass, class Load>
  [[gnu::always_inline]] static auto evaluate(sources<Pass> const& from, index_t i, Load const& load,
                                              typename sources<Pass>::operands& operands) {
    if constexpr (Pass == fetching_pass()) fetch(from, i, std::make_integer_sequence<int, Formula::inputs>{});
    return evaluate_formula<Formula, packet_lanes<T>, sources<Pass>::target,
                            typename sources<Pass>::given>(
        element<Pass, Load>{from, i, load, operands});
  }

  template <int... Slot>
  [[gnu::always_inline]] static void fetch(auto const& from, index_t i,
                                           std::integer_sequence<int, Slot...>) {
    [[maybe_unused]] int const order[] = {0, fetch_slot<Slot>(from, i)...};
  }
  template <int Slot>
  [[gnu::always_inline]] static int fetch_slot([[maybe_unused]] auto const& from,
                                               [[maybe_unused]] index_t i) {
    if constexpr (begins_with(Slot)) {
      auto const here = reinterpret_cast<std::uintptr_t>(from.at[Slot] + i);
      __builtin_prefetch(
          reinterpret_cast<void const*>(here + static_cast<std::uintptr_t>(from.ahead[Slot])));
    }
    return 0;
  }

  /// Computes what a row has one of and is known after `Passes` passes.
  template <int Passes, int... Node> void compute_once(std::integer_sequence<int, Node...>) {
    [[maybe_unused]] int const order[] = {compute_node<Passes, Node>()...};
  }
  template <int Passes, int Node> int compute_node() {
    if constexpr (constants.once[Node] && passes.before[Node] == Passes)
      once_[Node] = evaluate_formula<Formula, single_lanes<T>, Node, once_leaves<Formula, Node>>(
                        [this]<int Leaf>(std::integral_constant<int, Leaf>) {
                          constexpr formula_node n = Formula::node(Leaf);
                          using lane_type = typename single_lanes<T>::template lane_for<n.type>;
                          if constexpr (n.id != op::input) return lane_type{once_[Leaf]};
                          else if constexpr (n.type != dtype::boolean)
                            return lane_type{*inputs_.at[n.a]};
                          else return lane_type{*inputs_.at[n.a] > T(0)};
                        })
                        .value;
    return 0;
  }

  void last_pass(result_type* out, index_t stride, index_t n) {
    for_each_tile(n, [&](index_t begin, index_t length) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<result_type, T>)
        if (stride == 1) return write_results(out + begin, begin, 0, length);
      alignas(64) T results[tile_length<Formula>];
      for (index_t i = 0; i < length; i += tile_length<Formula>) {
        index_t const count = length - i < tile_length<Formula> ? length - i : tile_length<Formula>;
        write_results(results, begin, i, count);
        for (index_t k = 0; k < count; ++k)
          out[(begin + i + k) * stride] = convert<result_type>(results[k]);
      }
    });
  }
  /// Writes the results at elements `first` and on of the tile that begins at `begin`.
  [[gnu::noinline]] void write_results(T* to, index_t begin, index_t first, index_t n) const {
    sources<passes.count> const from(*this, begin);
    auto const emit = [&](index_t i, auto const& load) __attribute__((always_inline)) {
      typename sources<passes.count>::operands none;
      auto const v = evaluate<passes.count>(from, first + i, load, none);
      if constexpr (Formula::result().type == dtype::boolean)
        load.store(to + i, Eigen::internal::pand(v.raw, splat(T(1))));
      else load.store(to + i, v.raw);
    };
    for_each_packet<T>(n, emit);
  }
};

}  // namespace detail

/// Evaluates a row formula: one kernel, whose passes find the row in the L1 cache.
/// Complexity: one pass for the reductions that need the same others, and one for the result; allocates
/// nothing.
/// Rules: POL-5, POL-9, N21.
template <class Formula>
void eigen_rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
  if constexpr (packable<Formula>) detail::row_kernel<Formula>::run(nest, out, in);
  else reference_rows<Formula, scalar_lanes<packet_math>>(nest, out, in);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
