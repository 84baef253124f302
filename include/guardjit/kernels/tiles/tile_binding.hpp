// guardjit: kernels/tiles/tile_binding.hpp: where the nodes of a graph lie in a call of an interpreter
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_TILE_BINDING_HPP
#define GUARDJIT_KERNELS_TILES_TILE_BINDING_HPP

#include <guardjit/compile/binder.hpp>
#include <guardjit/kernels/tiles/element_walk.hpp>
#include <guardjit/kernels/tiles/tile_plan.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A slot of a formula in a call.
struct bound_slot {
  enum kind_t : std::uint8_t {
    in_place,  ///< its elements lie as the result's do
    packet,    ///< it has one, which is read as 64 bytes of copies
    filled,    ///< it has one, of which there is a tile
    packed     ///< its elements are brought into order tile by tile
  };
  kind_t kind = in_place;
  int size = 0;  ///< bytes of an element
  operand_address at{};
  element_walk walk;
};

/// A step in a call.
struct bound_step {
  index_t count = 0;  ///< elements of the result
  operand_address at{};
  bool skipped = false;      ///< it may copy, and needs not
  bool packs = false;        ///< some slots are packed
  bool has_buffers = false;  ///< of slots that are not read in place, or constants
};

/// A plan bound to the layouts of a call, in memory that others own. No node knows the addresses of the
/// call, so that one binding serves many threads.
/// Lifetime: that of the memory, and of the layouts it was bound to.
class tile_binding {
 public:
  tile_binding() = default;

  /// Bytes that a binding needs, a multiple of 64.
  static index_t bytes(tile_plan const& p) {
    return part<index_t>(p.graph.extents.size()) + part<place>(static_cast<std::size_t>(p.places)) +
           part<index_t>(static_cast<std::size_t>(p.temporaries) + 1) + part<bound_slot>(p.slots.size()) +
           part<bound_step>(p.steps.size()) +
           part<std::uint8_t>(p.ops.size());
  }

  /// Precondition: `memory` has `bytes(p)` bytes, aligned to 64. Complexity: linear in the nodes.
  tile_binding(tile_plan const& p, layout_view const* arguments, std::byte* memory) {
    symbols_ = take<index_t>(memory, p.graph.extents.size());
    places_ = take<place>(memory, static_cast<std::size_t>(p.places));
    temporary_at_ = take<index_t>(memory, static_cast<std::size_t>(p.temporaries) + 1);
    slots_ = take<bound_slot>(memory, p.slots.size());
    steps_ = take<bound_step>(memory, p.steps.size());
    repeated_ = take<std::uint8_t>(memory, p.ops.size());
    bind(p, arguments);
  }

  place const& place_of(tile_plan const& p, int node) const {
    return places_[p.place_of[static_cast<std::size_t>(node)]];
  }
  /// The slots of an elementwise step.
  bound_slot const* slots(step const& s) const { return slots_ + s.first_slot; }
  bound_step const& bound(std::size_t step) const { return steps_[step]; }
  /// Of each op of a step which operands are packets.
  std::uint8_t const* repeated(tile_step const& s) const { return repeated_ + s.first_op; }
  /// Whether steps write all results where they belong.
  bool is_direct() const { return is_direct_; }
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
    for (std::size_t r = 0; r < g.outputs.size(); ++r)
      is_direct_ = is_direct_ && nodes[g.outputs[r]].at.base == g.arguments + static_cast<int>(r);
  }
  void put_step(tile_plan const& p, binder const& nodes, std::size_t s) {
    tile_step const& now = p.steps[s];
    int const root = now.what.root;
    bound_step& to = steps_[s];
    to.skipped = now.what.kind == step_kind::contiguous && nodes.put_reshaped(root, false);
    if (to.skipped) return;
    index_t const size = nodes.put_result(root, now.buffer);
    to.count = nodes[root].extents.count();
    to.at = nodes[root].at;
    if (now.buffer >= 0 && temporary_at_[now.buffer] < size) temporary_at_[now.buffer] = size;
    if (now.what.kind == step_kind::elementwise) put_formula(p, nodes, now, to);
  }
  void put_formula(tile_plan const& p, binder const& nodes, tile_step const& now, bound_step& to) {
    to.has_buffers = now.constants > 0;
    for (int k = 0; k < now.what.slots; ++k) {
      int const number = now.what.first_slot + k, node = p.slot(now.what, k);
      bound_slot& slot = slots_[number];
      slot.walk.bind(nodes[now.what.root].extents, nodes[node].layout);
      bound_slot::kind_t const single = p.fills[static_cast<std::size_t>(number)] ? bound_slot::filled
                                                                                  : bound_slot::packet;
      slot.kind = slot.walk.is_in_place() ? bound_slot::in_place
                  : slot.walk.is_repeated() ? single
                                            : bound_slot::packed;
      to.packs = to.packs || slot.kind == bound_slot::packed;
      to.has_buffers = to.has_buffers || slot.kind != bound_slot::in_place;
      slot.size = size_of(p.graph[node].type);
      slot.at = nodes[node].at;
    }
    for (int k = now.first_op; k < now.first_op + now.ops; ++k) {
      tile_op const& op_of_k = p.ops[static_cast<std::size_t>(k)];
      repeated_[k] = op_of_k.repeated;
      for (unsigned i = 0; i < static_cast<unsigned>(op_of_k.arity); ++i)
        if (int const v = op_of_k.in[i];
            v < now.what.slots && slots_[now.what.first_slot + v].kind == bound_slot::packet)
          repeated_[k] = static_cast<std::uint8_t>(repeated_[k] | 1u << i);
    }
  }

  index_t* symbols_ = nullptr;
  place* places_ = nullptr;
  index_t* temporary_at_ = nullptr;
  bound_slot* slots_ = nullptr;
  bound_step* steps_ = nullptr;
  std::uint8_t* repeated_ = nullptr;
  bool is_direct_ = true;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
