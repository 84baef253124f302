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
  joined,       ///< a concat; slots: the parts, in order
  indexed,      ///< a take or gather; slots: x, index
  counted,      ///< an arange; no slots
};

/// One kernel of a plan. Slots are the nodes that it reads from memory.
struct step {
  step_kind kind{};
  int root = -1;  ///< the node whose result it stores
  int over = -1;  ///< reductions and rows: the node whose elements it walks
  bool one_a_row = false;  ///< rows: the result has one value a row
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
    for (auto& k : row_operand_) k = -1;
    int const size = g.size();
    for (int k = 0; k < size; ++k)
      if (fates_.fate[at(k)] == node_fate::fused && is_reduction(g_[k].id))
        row_operand_[at(fates_.owner[at(k)])] = g_[k].in[0];
    for (int k = 0; k < size; ++k) {
      if (fates_.fate[at(k)] == node_fate::stored) emit(k);
      else if (g_[k].id == op::reshape && !always_view(k)) emit_copy(k);
    }
  }
  constexpr lowered<Size> const& result() const { return out_; }

 private:
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }

  /// Whether a reshape never copies: it only puts in or takes out extents 1, or reads a stored result
  /// as it lies.
  constexpr bool always_view(int k) const {
    if (same_but_for_ones(g_.shape_of(k), g_.shape_of(g_[k].in[0]))) return true;
    int source = g_[k].in[0];
    while (g_[source].id == op::reshape) source = g_[source].in[0];
    return fates_.fate[at(source)] == node_fate::stored;
  }

  static constexpr bool same_but_for_ones(shape const& a, shape const& b) {
    int i = 0, j = 0;
    for (;; ++i, ++j) {
      while (i < a.rank && a[i] == 1) ++i;
      while (j < b.rank && b[j] == 1) ++j;
      if (i == a.rank || j == b.rank) return i == a.rank && j == b.rank;
      if (a[i] != b[j]) return false;
    }
  }

  constexpr void begin(step_kind kind, int root) {
    now_ = {};
    now_.kind = kind;
    now_.root = root;
    now_.first_slot = slot_count_;
    now_.first_word = word_count_;
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
    op const id = g_[root].id;
    if (id == op::matmul || info_of(id).types == dtype_rule::indexed) {
      begin(id == op::matmul ? step_kind::product : step_kind::indexed, root);
      add_slot(g_[root].in[0]);
      add_slot(g_[root].in[1]);
      return finish();
    }
    if (id == op::concat) {
      begin(step_kind::joined, root);
      add_parts(root);
      return finish();
    }
    if (id == op::arange) {
      begin(step_kind::counted, root);
      return finish();
    }
    bool const reduces = is_reduction(id);
    int const row = row_operand_[at(root)];
    begin(row >= 0 ? step_kind::rows : reduces ? step_kind::reduce : step_kind::elementwise, root);
    now_.over = row >= 0 ? row : reduces ? g_[root].in[0] : -1;
    now_.one_a_row = row >= 0 && (reduces || g_[row].form != g_[root].form);
    visit(root);
    finish();
  }
  /// Parts of a concat, those of concats that it took in among them.
  constexpr void add_parts(int k) {
    for (unsigned i = 0; i < 2; ++i) {
      int const part = g_[k].in[i];
      if (fates_.fate[at(part)] == node_fate::fused && g_[part].id == op::concat) add_parts(part);
      else add_slot(part);
    }
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
      if (is_reduction(n.id) && now_.kind == step_kind::rows)
        in[1] = static_cast<int>(g_.attributes_of(k).correction);
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
  /// Of a kernel with reductions inside: what one of them reduces.
  std::array<std::int16_t, static_cast<unsigned>(Size)> row_operand_{};
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
