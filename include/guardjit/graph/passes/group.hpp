// guardjit: graph/passes/group.hpp: which nodes share a kernel, and which results are stored
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_GROUP_HPP
#define GUARDJIT_GRAPH_PASSES_GROUP_HPP

#include <guardjit/graph/graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The rule of fusion (D18), in additions: an elementwise value that several kernels read is
/// computed again in each where that costs less than a store and a load; else it is stored once.
inline constexpr int store_and_load_cost = 4;
/// A kernel of more nodes gains nothing and costs the compiler time.
inline constexpr int max_kernel_nodes = 64;

/// What becomes of a node.
enum class node_fate : std::uint8_t {
  leaf,       ///< argument, or a constant or factory that lives in its readers
  view,       ///< metadata over another node
  stored,     ///< result of a kernel
  fused,      ///< computed inside the kernels of its readers
};

template <int Size> struct node_fates {
  std::array<node_fate, Size> fate{};
  /// The kernel that a fused node belongs to (its stored node), or -1: computed in each reader.
  std::array<std::int16_t, Size> owner{};
};

namespace detail {

/// Decides the fates of all nodes, readers before operands.
template <int Size> class fusion {
 public:
  constexpr fusion(graph_view const& g, bool fuses) : g_(g), fuses_(fuses) {
    for (std::int16_t& o : owner_) o = unread;
    weigh();
    store_[at(g.output)] = true;
    for (int k = Size - 1; k >= 0; --k) settle(k);
  }

  constexpr node_fates<Size> result() const {
    node_fates<Size> r;
    for (unsigned k = 0; k < Size; ++k) {
      op const id = g_.nodes[k].id;
      op_form const form = info_of(id).form;
      bool const is_leaf = form == op_form::leaf || form == op_form::factory;
      r.fate[k] = id == op::input || (is_leaf && !store_[k]) ? node_fate::leaf
                  : form == op_form::view                    ? node_fate::view
                  : store_[k]                                ? node_fate::stored
                                                             : node_fate::fused;
      r.owner[k] = owner_[k] >= 0 ? owner_[k] : static_cast<std::int16_t>(-1);
    }
    return r;
  }

 private:
  static constexpr std::int16_t unread = -1, several = -2;
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }

  /// Cost and number of nodes of everything that would be computed with a node, were it fused.
  constexpr void weigh() {
    for (int k = 0; k < Size; ++k) {
      node const& n = g_[k];
      if (is_reduction(n.id)) reduces_[at(k)] = true;
      if (!is_elementwise(n.id)) continue;
      int cost = info_of(n.id).cost, nodes = 1, largest = -1;
      for (unsigned i = 0; i < max_node_operands && n.in[i] >= 0; ++i) {
        unsigned const o = at(n.in[i]);
        reduces_[at(k)] = reduces_[at(k)] || reduces_[o];
        if (i > 0 && n.in[i] == n.in[i - 1]) continue;
        cost += store_[o] ? 0 : cost_[o];
        nodes += store_[o] ? 0 : nodes_[o];
        if (!store_[o] && is_elementwise(g_.nodes[o].id) && (largest < 0 || nodes_[o] > nodes_[at(largest)]))
          largest = n.in[i];
      }
      // The sum counts values that several operands share more than once.
      if (nodes > max_kernel_nodes) nodes = distinct(k);
      if (nodes > max_kernel_nodes && largest >= 0) {
        store_[at(largest)] = true;
        nodes = distinct(k);
        cost -= cost_[at(largest)];
      }
      cost_[at(k)] = cost < 1000 ? cost : 1000;
      nodes_[at(k)] = nodes;
    }
  }

  /// Number of nodes that are computed with node `k`, were it fused; one more than allowed ends it.
  constexpr int distinct(int k) {
    std::int16_t waiting[max_kernel_nodes + max_node_operands + 1]{};
    int count = 0, pending = 0;
    waiting[pending++] = static_cast<std::int16_t>(k);
    while (pending > 0 && count <= max_kernel_nodes) {
      node const& n = g_[waiting[--pending]];
      ++count;
      for (std::int16_t const o : n.in) {
        if (o < 0) break;
        if (counted_[at(o)] == k || store_[at(o)] || !is_elementwise(g_[o].id)) continue;
        counted_[at(o)] = static_cast<std::int16_t>(k);
        waiting[pending++] = o;
      }
    }
    return count;
  }

  constexpr void settle(int k) {
    node const& n = g_[k];
    op_form const form = info_of(n.id).form;
    if (form == op_form::elementwise) {
      if (!fuses_ || owner_[at(k)] == unread || (owner_[at(k)] == several && cost_[at(k)] > store_and_load_cost))
        store_[at(k)] = true;
      std::int16_t const kernel = store_[at(k)] ? static_cast<std::int16_t>(k) : owner_[at(k)];
      for (std::int16_t o : n.in)
        if (o >= 0) read_in(o, kernel);
    } else if (form == op_form::reduction) {
      if (!row_[at(k)] || owner_[at(k)] < 0 || !fuses_) store_[at(k)] = true;
      std::int16_t const kernel = store_[at(k)] ? static_cast<std::int16_t>(k) : owner_[at(k)];
      if (fuses_) read_in(n.in[0], kernel);
      else store_[at(n.in[0])] = true;
    } else if (form != op_form::factory) {
      if (form == op_form::contraction) store_[at(k)] = true;
      for (std::int16_t o : n.in)
        if (o >= 0) store_[at(o)] = true;
    }
  }

  /// Node `o` is read inside `kernel`.
  constexpr void read_in(int o, std::int16_t kernel) {
    node const& n = g_[o];
    std::int16_t& owner = owner_[at(o)];
    bool const first = owner == unread;
    if (is_reduction(n.id)) {
      bool const fits = kernel >= 0 && is_row_of(o, kernel);
      row_[at(o)] = fits && (first || (row_[at(o)] && owner == kernel));
      owner = first || owner == kernel ? kernel : several;
      return;
    }
    if (!is_elementwise(n.id)) return;
    if (kernel >= 0 && !runs_with(o, kernel) && cost_[at(o)] > store_and_load_cost) store_[at(o)] = true;
    owner = first || owner == kernel ? kernel : several;
  }

  /// The shape over which a kernel loops.
  constexpr int loop_form(int kernel) const {
    return g_[is_reduction(g_[kernel].id) ? g_[kernel].in[0] : kernel].form;
  }
  constexpr bool is_row_form(int form, int kernel) const {
    shape row = g_.shapes[at(loop_form(kernel))];
    if (row.rank == 0 || row[row.rank - 1] == 1) return false;
    row[row.rank - 1] = 1;
    return row == g_.shapes[at(form)];
  }
  /// Whether a fused node has one value for each of the kernel's, or for each row after a reduction.
  constexpr bool runs_with(int o, int kernel) const {
    return g_[o].form == loop_form(kernel) || (reduces_[at(o)] && is_row_form(g_[o].form, kernel));
  }
  /// Whether a reduction can live inside the kernel: over the last axis, kept, of the same rows.
  constexpr bool is_row_of(int o, int kernel) const {
    attributes const a = g_.attributes_of(o);
    int const rank = g_.shape_of(g_[o].in[0]).rank;
    return is_elementwise(g_[kernel].id) && is_floating(g_[kernel].type) && a.keepdims && rank > 0 &&
           a.axes == 1u << (rank - 1) && g_[g_[o].in[0]].form == g_[kernel].form &&
           g_[o].type == g_[kernel].type && is_row_form(g_[o].form, kernel);
  }

  graph_view const& g_;
  bool fuses_;
  std::array<int, Size> cost_{}, nodes_{};
  std::array<std::int16_t, Size> owner_{}, counted_{};
  std::array<bool, Size> store_{}, row_{}, reduces_{};
};

}  // namespace detail

/// The fates of the nodes of an optimised graph. `fuses` false: every op has a kernel of its own.
template <auto const& Graph> constexpr auto group(bool fuses) {
  graph_view const g = Graph.view();
  return detail::fusion<Graph.view().size()>(g, fuses).result();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
