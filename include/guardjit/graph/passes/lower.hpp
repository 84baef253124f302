// guardjit: graph/passes/lower.hpp: the kernels of a graph: formulas, slots, order, buffers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_LOWER_HPP
#define GUARDJIT_GRAPH_PASSES_LOWER_HPP

#include <guardjit/graph/passes/fold.hpp>
#include <guardjit/graph/passes/group.hpp>
#include <guardjit/ops/numbers.hpp>

namespace guardjit::inline GUARDJIT_ABI {

enum class step_kind : std::uint8_t {
  elementwise,  ///< a formula over all elements
  rows,         ///< a formula with reductions along the last axis
  reduce,       ///< a formula that ends in a reduction
  product,      ///< a matmul; slots: left, right
  contiguous,   ///< a reshape that copies where the strides allow no view
};

/// One kernel of a plan. Slots are the nodes that it reads from memory.
struct step {
  step_kind kind{};
  int root = -1;  ///< the node whose result it stores
  int first_slot = 0, slots = 0;
  int first_word = 0, words = 0;  ///< its formula: nodes, then bits of constants
  int nodes = 0;
};

/// The kernels of a graph in order. `Size` bounds the parts.
template <int Size> struct lowered {
  std::array<step, static_cast<unsigned>(Size)> steps{};
  int count = 0;
  std::array<std::int16_t, static_cast<unsigned>(4 * Size + 16)> slots{};
  std::array<std::uint64_t, static_cast<unsigned>(8 * Size + 16)> words{};
  /// Of each node: the step that stores it, or -1.
  std::array<std::int16_t, static_cast<unsigned>(Size)> step_of{};
  bool overflows = false;
};

namespace detail {

template <int Size> class lowering {
 public:
  constexpr lowering(graph_view const& g, node_fates<Size> const& fates) : g_(g), fates_(fates) {
    for (auto& s : out_.step_of) s = -1;
    for (auto& s : seen_) s = -1;
    for (int k = 0; k < Size; ++k)
      if (fates_.fate[at(k)] == node_fate::fused && is_reduction(g_[k].id))
        has_rows_[at(fates_.owner[at(k)])] = true;
    for (int k = 0; k < Size; ++k) {
      if (fates_.fate[at(k)] == node_fate::stored) emit(k);
      else if (g_[k].id == op::reshape && !always_view(k)) emit_copy(k);
    }
  }
  constexpr lowered<Size> const& result() const { return out_; }

 private:
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }

  /// Whether a reshape reads a stored result as it lies, so that it never copies.
  constexpr bool always_view(int k) const {
    int source = g_[k].in[0];
    while (g_[source].id == op::reshape) source = g_[source].in[0];
    return fates_.fate[at(source)] == node_fate::stored;
  }

  constexpr void begin(step_kind kind, int root) {
    now_ = {kind, root, slot_count_, 0, word_count_, 0, 0};
    constants_ = 0;
  }
  constexpr void finish() {
    // Constants follow the nodes, so their places are known only now.
    for (int k = 0; k < now_.nodes; ++k) {
      formula_node n = formula_node::of(nodes_[at(k)]);
      if (n.id == op::constant) n.a += now_.nodes;
      put(n.word());
    }
    for (int k = 0; k < constants_; ++k) put(bits_[at(k)]);
    now_.words = word_count_ - now_.first_word;
    out_.step_of[at(now_.root)] = static_cast<std::int16_t>(out_.count);
    out_.steps[at(out_.count++)] = now_;
  }
  constexpr void put(std::uint64_t word) {
    if (word_count_ < static_cast<int>(out_.words.size())) out_.words[at(word_count_++)] = word;
    else out_.overflows = true;
  }

  constexpr void emit(int root) {
    if (g_[root].id == op::matmul) {
      begin(step_kind::product, root);
      add_slot(g_[root].in[0]);
      add_slot(g_[root].in[1]);
      return finish();
    }
    begin(is_reduction(g_[root].id) ? step_kind::reduce
          : has_rows_[at(root)]     ? step_kind::rows
                                    : step_kind::elementwise,
          root);
    visit(root);
    finish();
  }
  constexpr void emit_copy(int k) {
    begin(step_kind::contiguous, k);
    slot_node(g_[k].in[0]);
    finish();
  }

  constexpr int add_slot(int k) {
    if (slot_count_ == static_cast<int>(out_.slots.size())) return out_.overflows = true, 0;
    out_.slots[at(slot_count_++)] = static_cast<std::int16_t>(k);
    return now_.slots++;
  }
  constexpr int add(formula_node const& n) {
    if (now_.nodes == static_cast<int>(nodes_.size())) return out_.overflows = true, 0;
    nodes_[at(now_.nodes)] = n.word();
    return now_.nodes++;
  }
  constexpr int slot_node(int k) {
    bool const repeated =
        (now_.kind == step_kind::rows || now_.kind == step_kind::elementwise) && is_one_a_row(k);
    return add({op::input, g_[k].type, add_slot(k), repeated ? 1 : 0, 0});
  }
  /// Whether a slot has one value for each row of the last axis.
  constexpr bool is_one_a_row(int k) const {
    shape const& s = g_.shape_of(k);
    return s.rank == 0 || s[s.rank - 1] == 1;
  }
  constexpr int constant_node(int k) {
    if (constants_ == static_cast<int>(bits_.size())) return out_.overflows = true, 0;
    bits_[at(constants_)] = splat_value(g_, k).bits;
    return add({op::constant, g_[k].type, constants_++, 0, 0});
  }

  /// The number of node `k` in the formula of this step, operands first.
  constexpr int visit(int k) {
    if (seen_[at(k)] == now_.root) return number_[at(k)];
    node const& n = g_[k];
    node_fate const fate = fates_.fate[at(k)];
    bool const splat = info_of(n.id).form == op_form::factory || n.id == op::constant;
    int number = 0;
    if (splat && (fate == node_fate::leaf || k == now_.root)) {
      number = constant_node(k);
    } else if (fate != node_fate::fused && k != now_.root) {
      number = slot_node(k);
    } else {
      int in[max_node_operands]{};
      for (unsigned i = 0; i < max_node_operands && n.in[i] >= 0; ++i) in[i] = visit(n.in[i]);
      number = add({n.id, n.type, in[0], in[1], in[2]});
    }
    seen_[at(k)] = static_cast<std::int16_t>(now_.root);
    number_[at(k)] = static_cast<std::int16_t>(number);
    return number;
  }

  graph_view const& g_;
  node_fates<Size> const& fates_;
  lowered<Size> out_{};
  step now_{};
  int slot_count_ = 0, word_count_ = 0, constants_ = 0;
  std::array<std::int16_t, static_cast<unsigned>(Size)> seen_{}, number_{};
  std::array<bool, static_cast<unsigned>(Size)> has_rows_{};  ///< kernels with reductions inside
  std::array<std::uint64_t, 512> nodes_{}, bits_{};
};

}  // namespace detail

/// The kernels of an optimised graph, given the fates of its nodes.
template <auto const& Graph, auto const& Fates> constexpr auto lower() {
  graph_view const g = Graph.view();
  return detail::lowering<Graph.view().size()>(g, Fates).result();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
