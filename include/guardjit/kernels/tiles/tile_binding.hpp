// guardjit: kernels/tiles/tile_binding.hpp: where the nodes of a graph lie in a call of an interpreter
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_TILE_BINDING_HPP
#define GUARDJIT_KERNELS_TILES_TILE_BINDING_HPP

#include <guardjit/compile/binder.hpp>
#include <guardjit/kernels/tiles/element_walk.hpp>
#include <guardjit/kernels/tiles/tile_plan.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A plan bound to the layouts of a call, in memory that others own. No node knows the addresses of the
/// call, so that one binding serves many threads.
/// Lifetime: that of the memory, and of the layouts it was bound to.
class tile_binding {
 public:
  tile_binding() = default;

  /// Bytes that a binding needs, a multiple of 64.
  static index_t bytes(tile_plan const& p) {
    return part<index_t>(p.graph.extents.size()) + part<place>(static_cast<std::size_t>(p.places)) +
           part<index_t>(static_cast<std::size_t>(p.temporaries) + 1) + part<element_walk>(p.slots.size()) +
           part<bool>(p.steps.size());
  }

  /// Precondition: `memory` has `bytes(p)` bytes, aligned to 64. Complexity: linear in the nodes.
  tile_binding(tile_plan const& p, layout_view const* arguments, std::byte* memory) {
    symbols_ = take<index_t>(memory, p.graph.extents.size());
    places_ = take<place>(memory, static_cast<std::size_t>(p.places));
    temporary_at_ = take<index_t>(memory, static_cast<std::size_t>(p.temporaries) + 1);
    walks_ = take<element_walk>(memory, p.slots.size());
    skipped_ = take<bool>(memory, p.steps.size());
    bind(p, arguments);
  }

  place const& place_of(tile_plan const& p, int node) const {
    return places_[p.place_of[static_cast<std::size_t>(node)]];
  }
  element_walk const& walk(int slot) const { return walks_[slot]; }
  /// Whether a step that may copy has nothing to do.
  bool is_skipped(std::size_t step) const { return skipped_[step]; }
  index_t const* symbols() const { return symbols_; }
  index_t temporary_at(int buffer) const { return temporary_at_[buffer]; }

  /// Bytes of all temporaries of a call whose symbols have these values.
  static index_t temporary_bytes(tile_plan const& p, std::span<index_t const> symbols) {
    index_t total = 0;
    for (int buffer = 0; buffer < p.temporaries; ++buffer) {
      index_t most = 0;
      for (tile_step const& s : p.steps) {
        if (s.buffer != buffer) continue;
        shape form = p.graph.shape_of(s.what.root);
        for (int d = 0; d < form.rank; ++d) form[d] = value_of(form[d], symbols);
        index_t const size = byte_count(form, p.graph[s.what.root].type);
        most = size > most ? size : most;
      }
      total += rounded_up(most);
    }
    return total;
  }

 private:
  template <class T> static index_t part(std::size_t count) {
    return rounded_up(static_cast<index_t>(count * sizeof(T)));
  }
  template <class T> static T* take(std::byte*& memory, std::size_t count) {
    auto const first = static_cast<T*>(static_cast<void*>(memory));
    for (std::size_t k = 0; k < count; ++k) new (first + k) T{};
    memory += part<T>(count);
    return first;
  }

  void bind(tile_plan const& p, layout_view const* arguments) {
    graph_view const& g = p.graph;
    binder const nodes(g, arguments, {symbols_, g.extents.size()}, p.place_of, places_);
    for (int k = 0; k < g.size(); ++k) {
      int const s = p.step_of[static_cast<std::size_t>(k)];
      if (g[k].id == op::input) nodes.put_input(k);
      else if (s >= 0) put_step(p, nodes, static_cast<std::size_t>(s));
      else if (is_view(g[k].id)) nodes.put_view(k);
    }
    index_t total = 0;
    for (int buffer = 0; buffer < p.temporaries; ++buffer) {
      index_t const size = temporary_at_[buffer];
      temporary_at_[buffer] = total;
      total += rounded_up(size);
    }
    temporary_at_[p.temporaries] = total;
  }
  void put_step(tile_plan const& p, binder const& nodes, std::size_t s) {
    tile_step const& now = p.steps[s];
    int const root = now.what.root;
    skipped_[s] = now.what.kind == step_kind::contiguous && nodes.put_reshaped(root, false);
    if (skipped_[s]) return;
    index_t const size = nodes.put_result(root, now.buffer);
    if (now.buffer >= 0 && temporary_at_[now.buffer] < size) temporary_at_[now.buffer] = size;
    if (now.what.kind != step_kind::elementwise) return;
    for (int k = 0; k < now.what.slots; ++k)
      walks_[now.what.first_slot + k].bind(nodes[root].extents, nodes[p.slot(now.what, k)].layout);
  }

  index_t* symbols_ = nullptr;
  place* places_ = nullptr;
  index_t* temporary_at_ = nullptr;
  element_walk* walks_ = nullptr;
  bool* skipped_ = nullptr;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
