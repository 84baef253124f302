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

/// Corrections up to here fit into a node of a row formula.
inline constexpr index_t largest_row_correction = 0xFFFF;

/// What becomes of a node.
enum class node_fate : std::uint8_t {
  leaf,       ///< argument, or a constant or factory that lives in its readers
  view,       ///< metadata over another node
  stored,     ///< result of a kernel
  fused,      ///< computed inside the kernels of its readers
};

/// Why the value of a node is written to memory; what `explain` says of kernels.
enum class stored_because : std::uint8_t {
  nothing,    ///< it is not
  result,     ///< the function gives it back
  own_kernel, ///< matrix products, what moves elements, and reductions that no row kernel takes in
  reader,     ///< its reader takes it from memory: a product, a view, what moves elements
  stretched,  ///< one value serves many elements of its reader, and it is dear
  dear,       ///< several kernels read it, and it is dear
  kernel_size,  ///< its kernel would have more than `max_kernel_nodes`
  each_op,    ///< the backend does not fuse
};

template <int Size> struct node_fates {
  std::array<node_fate, Size> fate{};
  /// The kernel that a fused node belongs to (its stored node), or -1: computed in each reader.
  std::array<std::int16_t, Size> owner{};
  std::array<stored_because, Size> why{};
};

namespace detail {

/// Decides the fates of all nodes, readers before operands. `Size` bounds the nodes. `takes_reductions`
/// false: reductions are kernels of their own, which compute nothing else.
template <int Size> class fusion {
 public:
  constexpr fusion(graph_view const& g, bool fuses, bool takes_reductions = true)
      : g_(g), nodes_(g.nodes.data()), fuses_(fuses), takes_reductions_(takes_reductions) {
    for (std::int16_t& o : owner_) o = unread;
    for (std::int16_t output : g.outputs) store_[at(output)] = stored_because::result;
    weigh();
    for (int k = g.size() - 1; k >= 0; --k) settle(k);
  }

  constexpr node_fates<Size> result() const {
    node_fates<Size> r;
    for (unsigned k = 0; k < at(g_.size()); ++k) {
      op const id = nodes_[k].id;
      op_form const form = info_of(id).form;
      bool const is_leaf = form == op_form::leaf || form == op_form::factory;
      r.fate[k] = id == op::input || (is_leaf && !is_stored(k)) ? node_fate::leaf
                  : form == op_form::view                    ? node_fate::view
                  : is_stored(k)                             ? node_fate::stored
                                                             : node_fate::fused;
      r.owner[k] = owner_[k] >= 0 ? owner_[k] : static_cast<std::int16_t>(-1);
      r.why[k] = store_[k];
    }
    return r;
  }

 private:
  static constexpr std::int16_t unread = -1, several = -2;
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }
  constexpr bool is_stored(unsigned k) const { return store_[k] != stored_because::nothing; }
  /// The first reason stays.
  constexpr void store(int k, stored_because why) {
    if (store_[k] == stored_because::nothing) store_[k] = why;
  }

  // Plain arrays: each subscript of a `std::array` costs clang four of its steps.

  /// Cost and number of nodes of everything that would be computed with a node, were it fused.
  constexpr void weigh() {
    int const size = g_.size();
    for (int k = 0; k < size; ++k) {
      node const& n = nodes_[k];
      op_info const& info = info_of(n.id);
      reduces_[k] = takes_reductions_ && info.form == op_form::reduction;
      row_form_[k] = -1;
      if (reduces_[k] && is_over_rows(k) && reduces_[n.in[0]]) row_form_[k] = nodes_[n.in[0]].form;
      if (info.form != op_form::elementwise && !(reduces_[k] && is_along_rows(k))) continue;
      fuses_in_[k] = store_[k] == stored_because::nothing;
      int cost = info.cost, count = 1, largest = -1;
      std::int16_t const* const in = n.in.data();
      for (int i = 0; i < max_node_operands && in[i] >= 0; ++i) {
        int const o = in[i];
        if (reduces_[o]) reduces_[k] = true;
        if (row_form_[k] < 0 && nodes_[o].form == n.form && row_form_[o] >= 0 && fuses_in_[o])
          row_form_[k] = row_form_[o];
        if (!fuses_in_[o] || (i > 0 && o == in[i - 1])) continue;
        cost += cost_[o];
        count += count_[o];
        if (largest < 0 || count_[o] > count_[largest]) largest = o;
      }
      // The sum counts values that several operands share more than once.
      if (count > max_kernel_nodes) count = distinct(k);
      if (count > max_kernel_nodes) {
        store_[largest] = stored_because::kernel_size;
        fuses_in_[largest] = false;
        count = distinct(k);
        cost -= cost_[largest];
      }
      // A reduction is never computed twice, so it has no cost for its readers.
      if (info.form == op_form::elementwise) cost_[k] = cost < 1000 ? cost : 1000;
      count_[k] = count;
    }
  }

  /// Number of nodes that are computed with node `k`, were it fused; it ends behind the bound.
  constexpr int distinct(int k) {
    std::int16_t waiting[2 * max_kernel_nodes + 4]{};
    int count = 0, pending = 1;
    waiting[0] = static_cast<std::int16_t>(k);
    ++round_;
    while (pending > 0 && count <= max_kernel_nodes) {
      std::int16_t const* const in = nodes_[waiting[--pending]].in.data();
      ++count;
      for (int i = 0; i < max_node_operands && in[i] >= 0; ++i) {
        if (!fuses_in_[in[i]] || counted_[in[i]] == round_) continue;
        counted_[in[i]] = round_;
        waiting[pending++] = in[i];
      }
    }
    return count;
  }

  constexpr void settle(int k) {
    node const& n = g_[k];
    op_form const form = info_of(n.id).form;
    if (form == op_form::elementwise) {
      bool const is_dear = owner_[at(k)] == several && cost_[at(k)] > store_and_load_cost;
      if (!fuses_ || owner_[at(k)] == unread || is_dear)
        store(k, !fuses_ ? stored_because::each_op : is_dear ? stored_because::dear : stored_because::reader);
      std::int16_t const kernel = is_stored(at(k)) ? static_cast<std::int16_t>(k) : owner_[at(k)];
      for (std::int16_t o : n.in)
        if (o >= 0) read_in(o, kernel);
    } else if (form == op_form::reduction) {
      bool const fuses = fuses_ && takes_reductions_;
      if (!row_[at(k)] || owner_[at(k)] < 0 || !fuses) store(k, stored_because::own_kernel);
      std::int16_t const kernel = is_stored(at(k)) ? static_cast<std::int16_t>(k) : owner_[at(k)];
      if (fuses) read_in(n.in[0], kernel);
      else store(n.in[0], fuses_ ? stored_because::reader : stored_because::each_op);
    } else if (n.id == op::concat) {
      // A chain along one axis is one kernel, which copies each part to its place.
      bool const is_part = fuses_ && !is_stored(at(k)) && owner_[at(k)] >= 0;
      if (!is_part) store(k, stored_because::own_kernel);
      std::int16_t const kernel = is_part ? owner_[at(k)] : static_cast<std::int16_t>(k);
      for (unsigned i = 0; i < 2; ++i) join(n.in[i], kernel);
    } else if (form != op_form::factory) {
      if (form == op_form::contraction || form == op_form::movement) store(k, stored_because::own_kernel);
      for (std::int16_t o : n.in)
        if (o >= 0) store(o, stored_because::reader);
    }
  }

  /// Node `o` is a part of the concat `kernel`.
  constexpr void join(int o, std::int16_t kernel) {
    bool const alike = g_[o].id == op::concat && g_[o].type == g_[kernel].type &&
                       g_.attributes_of(o).axis == g_.attributes_of(kernel).axis;
    if (!alike || owner_[at(o)] != unread) store(o, stored_because::reader);
    else owner_[at(o)] = kernel;
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
    if (!is_elementwise(n.id)) {
      if (n.id == op::concat) store(o, stored_because::own_kernel);
      return;
    }
    if (kernel >= 0 && !runs_with(o, kernel) && cost_[at(o)] > store_and_load_cost)
      store(o, stored_because::stretched);
    owner = first || owner == kernel ? kernel : several;
  }

  /// The shape over which a kernel loops.
  constexpr int loop_form(int kernel) const {
    if (row_form_[kernel] >= 0) return row_form_[kernel];
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
    int const form = g_[o].form;
    return is_like_form(form, loop_form(kernel)) || (reduces_[at(o)] && is_row_form(form, kernel));
  }
  /// Shapes that are equal, or may be: run-time extents are seldom stretched, and where they are
  /// the value is only computed more often.
  constexpr bool is_like_form(int form, int loop) const {
    if (form == loop) return true;
    shape const &a = g_.shapes[at(form)], &b = g_.shapes[at(loop)];
    bool alike = a.rank == b.rank;
    for (int d = 0; alike && d < a.rank; ++d) alike = a[d] == b[d] || (is_symbol(a[d]) && is_symbol(b[d]));
    return alike;
  }
  /// Whether a reduction is one over the last axis.
  constexpr bool is_over_rows(int o) const {
    int const rank = g_.shape_of(g_[o].in[0]).rank;
    return rank > 0 && g_.attributes_of(o).axes == 1u << (rank - 1);
  }
  /// Whether it is, and that axis stays.
  constexpr bool is_along_rows(int o) const { return is_over_rows(o) && g_.attributes_of(o).keepdims; }
  /// Whether a reduction can live inside the kernel, over whose rows it runs.
  constexpr bool is_row_of(int o, int kernel) const {
    index_t const correction = g_.attributes_of(o).correction;
    return (is_elementwise(g_[kernel].id) || row_form_[kernel] >= 0) && is_floating(g_[kernel].type) &&
           is_along_rows(o) && g_[g_[o].in[0]].form == loop_form(kernel) && g_[o].type == g_[kernel].type &&
           is_row_form(g_[o].form, kernel) && correction >= 0 && correction <= largest_row_correction;
  }

  graph_view const& g_;
  node const* nodes_;
  bool fuses_, takes_reductions_;
  int cost_[Size]{}, count_[Size]{}, counted_[Size]{}, round_ = 0;
  std::int16_t owner_[Size]{};
  stored_because store_[Size]{};
  bool row_[Size]{}, reduces_[Size]{};
  /// Of a node with one value a row that would be computed with a reduction of what another one along the
  /// same rows gave (`logsumexp`, `var`): the shape of the rows, else -1. Its kernel walks these.
  std::int16_t row_form_[Size]{};
  bool fuses_in_[Size]{};  ///< may be fused: is no output, and not stored by the bound on kernels
};

}  // namespace detail

/// The fates of the nodes of an optimised graph. `fuses` false: every op has a kernel of its own.
template <auto const& Graph> constexpr auto group(bool fuses) {
  graph_view const g = Graph.view();
  return detail::fusion<Graph.view().size()>(g, fuses).result();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
