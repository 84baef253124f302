// guardjit: kernels/tiles/interpreter.hpp: runs a graph as data by the loops of a backend
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_INTERPRETER_HPP
#define GUARDJIT_KERNELS_TILES_INTERPRETER_HPP

#include <guardjit/compile/erased_backend.hpp>
#include <guardjit/kernels/tiles/tile_binding.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One run of a plan that is bound.
class tile_run {
 public:
  tile_run(tile_plan const& p, tile_binding const& b, void* const* bases, std::byte* temporaries)
      : p_(p), b_(b), g_(p.graph), bases_(bases), temporaries_(temporaries),
        tiles_(temporaries + b.temporary_at(p.temporaries)),
        base_count_(static_cast<unsigned>(workspace_base_of(p.graph))) {}

  /// Throws: `index_error`; outputs are as they were then.
  void run() const {
    for (std::size_t s = 0; s < p_.steps.size(); ++s) {
      tile_step const& now = p_.steps[s];
      if (now.what.kind == step_kind::elementwise) run_tiles(now, b_.bound(s));
      else if (!b_.bound(s).skipped) run_step(now.what, b_.bound(s));
    }
    for (std::size_t r = 0; !b_.is_direct() && r < g_.outputs.size(); ++r) copy_result(static_cast<int>(r));
  }

 private:
  void* at(operand_address const& a) const {
    if (static_cast<unsigned>(a.base) < base_count_) [[likely]]
      return static_cast<std::byte*>(bases_[a.base]) + a.offset;
    return in_own_memory(a);
  }
  /// Of a temporary, or of an extent as a value. Apart: what most addresses need stays small.
  [[gnu::noinline]] void* in_own_memory(operand_address const& a) const {
    if (a.base < 0) return temporaries_ + b_.temporary_at(-1 - a.base) + a.offset;
    return const_cast<std::byte*>(static_cast<std::byte const*>(static_cast<void const*>(b_.symbols()))) +
           a.offset;
  }
  place const& place_of(int node) const { return b_.place_of(p_, node); }
  void* address(int node) const { return at(place_of(node).at); }
  dtype type_of(int node) const { return g_[node].type; }
  static unsigned index(dtype type) { return static_cast<unsigned>(type); }

  void run_step(step const& what, bound_step const& bound) const {
    int const root = what.root;
    void* const out = at(bound.at);
    place const& to = place_of(root);
    attributes const extra = g_.attributes_of(root);
    switch (what.kind) {
      case step_kind::indexed: {
        int const x = p_.slot(what, 0), places = p_.slot(what, 1);
        return p_.loops->gather({g_[root].id, extra.axis, g_[root].where}, type_of(root), type_of(places),
                                to.layout, out, {place_of(x).layout, address(x)},
                                {place_of(places).layout, address(places)});
      }
      case step_kind::counted:
        return p_.loops->arange(static_cast<std::int64_t*>(out), to.extents[0]);
      case step_kind::joined: return join(what, to, out, extra.axis);
      default: break;
    }
    int const x = p_.slot(what, 0);
    layout_view const& from = place_of(x).layout;
    void const* const in[] = {address(x)};
    if (what.kind == step_kind::contiguous) return copy(type_of(root), from, out, in[0]);
    if (bound.count == 0) return;
    if (what.kind == step_kind::product) {
      int const right = p_.slot(what, 1);
      p_.loops->products[index(type_of(root))](matmul_nest_of(from, place_of(right).layout), out, in[0],
                                               address(right));
    } else {
      auto const loop = p_.loops->reductions[static_cast<unsigned>(g_[root].id)][index(type_of(x))];
      loop(reduce_nest_of<1>(from.shape(), extra.axes, {from}, extra.correction), out, in);
    }
  }

  /// Writes elements row-major.
  void copy(dtype type, layout_view const& from, void* out, void const* in) const {
    any_layout const packed(from.shape());
    std::array const operands{packed.view(), from};
    p_.loops->copies[index(type)](elementwise_nest(packed.shape(), operands), out, &in);
  }
  void join(step const& what, place const& to, void* out, int axis) const {
    index_t start = 0;
    dtype const type = type_of(what.root);
    for (int k = 0; k < what.slots; ++k) {
      int const part = p_.slot(what, k);
      layout_view const& from = place_of(part).layout;
      concat_part const loops = concat_part_of(to.layout, axis, start, from);
      void const* const in = address(part);
      p_.loops->copies[index(type)](loops.loops, static_cast<std::byte*>(out) + loops.offset * size_of(type),
                                    &in);
      start += from.extents[axis];
    }
  }
  void copy_result(int r) const {
    int const base = g_.arguments + r, node = g_.outputs[static_cast<std::size_t>(r)];
    place const& from = place_of(node);
    if (!bases_[base] || from.at.base == base) return;
    copy(type_of(node), from.layout, bases_[base], at(from.at));
  }

  /// All ops of a formula on one tile after another. Operands that lie as the result does are read in
  /// place; others are brought into that order, tile by tile.
  void run_tiles(tile_step const& s, bound_step const& bound) const {
    index_t const count = bound.count, length = count < s.tile ? count : s.tile;
    if (count == 0) return;
    int const slots = s.what.slots;
    bound_slot const* const slot = b_.slots(s.what);
    auto* out = static_cast<std::byte*>(at(bound.at));
    void const* value[max_tile_values];
    for (int k = 0; k < slots; ++k) value[k] = at(slot[k].at);
    std::byte* const registers = bound.has_buffers ? fill_buffers(s, slot, value, length) : tiles_;
    // An op that writes a register puts its address behind those of slots and constants.
    for (index_t begin = 0, now = length;;) {
      if (bound.packs) pack_slots(slot, slots, value, begin, now);
      run_ops(s, value, registers, out, now);
      // A formula that is one value.
      if (s.ops == 0) __builtin_memcpy(out, value[0], static_cast<std::size_t>(now * s.size));
      begin += now;
      if (begin == count) return;
      out += now * s.size;
      for (int k = 0; k < slots; ++k)
        if (slot[k].kind == bound_slot::in_place)
          value[k] = static_cast<std::byte const*>(value[k]) + now * slot[k].size;
      now = count - begin < length ? count - begin : length;
    }
  }
  /// The buffers of slots that are not read in place, and the constants. Returns where registers begin.
  [[gnu::noinline]] std::byte* fill_buffers(tile_step const& s, bound_slot const* slot, void const** value,
                                            index_t length) const {
    std::byte* room = tiles_;
    auto const next_buffer = [&room] {
      std::byte* const buffer = room;
      room += tile_bytes;
      return buffer;
    };
    int const slots = s.what.slots;
    for (int k = 0; k < slots; ++k) {
      if (slot[k].kind == bound_slot::in_place) continue;
      std::byte* const buffer = next_buffer();
      if (slot[k].kind != bound_slot::packed)
        repeat_element(buffer, value[k], slot[k].kind == bound_slot::packet ? 64 / slot[k].size : length,
                       slot[k].size);
      value[k] = buffer;
    }
    tile_constant const* const constant = p_.constants.data() + s.first_constant;
    for (int k = 0; k < s.constants; ++k) {
      value[slots + k] = constant[k].packet;
      if (!constant[k].fills) continue;
      std::byte* const buffer = next_buffer();
      repeat_element(buffer, constant[k].packet, length, constant[k].size);
      value[slots + k] = buffer;
    }
    return room;
  }
  void pack_slots(bound_slot const* slot, int slots, void const* const* value, index_t begin,
                  index_t count) const {
    for (int k = 0; k < slots; ++k)
      if (slot[k].kind == bound_slot::packed)
        slot[k].walk.pack(const_cast<void*>(value[k]), at(slot[k].at), begin, count, slot[k].size);
  }
  /// `registers` are the buffers behind `value[s.what.slots + s.constants]`.
  void run_ops(tile_step const& s, void const** value, std::byte* registers, std::byte* out,
               index_t count) const {
    tile_op const* const ops = p_.ops.data() + s.first_op;
    std::uint8_t const* const repeated = b_.repeated(s);
    int const first_register = s.what.slots + s.constants;
    for (int k = 0; k < s.ops; ++k) {
      tile_op const& now = ops[k];
      std::byte* to = out;
      if (now.out != tile_result) value[now.out] = to = registers + (now.out - first_register) * tile_bytes;
      void const* const in[] = {value[now.in[0]], value[now.in[1]], value[now.in[2]]};
      if (repeated[k] == 0) now.loop.run(to, in, count);
      else now.loop.run_repeated(to, in, repeated[k], count);
    }
  }

  tile_plan const& p_;
  tile_binding const& b_;
  graph_view const& g_;
  void* const* bases_;
  std::byte* temporaries_;
  std::byte* tiles_;
  unsigned base_count_;  ///< arguments and results
};

}  // namespace detail

/// A graph as data, run by the loops of one backend: elementwise ops that a compiled function would fuse run
/// op by op over tiles that stay in the cache, all others on whole operands. Bits are those of the backend's
/// own kernels of single ops. What depends on layouts is computed once for those of the first call.
///
/// A `graph_runner`. Move-only; several threads may run one at once.
/// Lifetime: refers to the graph.
/// Rules: POL-11, POL-17, G113.
class graph_interpreter {
 public:
  /// Throws: `backend_error` for a graph whose formulas do not fit, `std::bad_alloc`.
  graph_interpreter(graph_view const& g, path_call const& first, detail::op_loops const& loops)
      : plan_(g, loops), layouts_(static_cast<std::size_t>(g.arguments)),
        memory_(static_cast<std::size_t>(detail::tile_binding::bytes(plan_)) + 64) {
    for (std::size_t k = 0; k < layouts_.size(); ++k) {
      layouts_[k] = any_layout(first.arguments[k]);
      views_.push_back(layouts_[k].view());
    }
    void* const memory = memory_.data();
    auto const misplaced = reinterpret_cast<std::uintptr_t>(memory) % 64;
    bound_ = {plan_, views_.data(), static_cast<std::byte*>(memory) + (64 - misplaced) % 64};
  }
  graph_interpreter(graph_interpreter&&) = default;
  graph_interpreter& operator=(graph_interpreter&&) = default;

  /// Complexity: linear in the arguments for the layouts of the first call, else in the nodes.
  index_t workspace_bytes(path_call const& call) const {
    if (is_first(call)) return bound_.temporary_at(plan_.temporaries) + plan_.tile_room;
    return detail::tile_binding::bytes(plan_) +
           detail::tile_binding::temporary_bytes(plan_, call.symbols) + plan_.tile_room;
  }
  /// Complexity: no allocation, no lock.
  /// Throws: `index_error`, before an output is written.
  void run(path_call const& call, void* const* bases, std::byte* workspace) const {
    if (is_first(call)) return detail::tile_run(plan_, bound_, bases, workspace).run();
    detail::tile_binding const bound(plan_, call.arguments, workspace);
    detail::tile_run(plan_, bound, bases, workspace + detail::tile_binding::bytes(plan_)).run();
  }

 private:
  bool is_first(path_call const& call) const {
    if (call.is_fixed) return true;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      layout_view const &a = views_[k], &b = call.arguments[k];
      for (int d = 0; d < a.rank; ++d)
        if (a.extents[d] != b.extents[d] || a.strides[d] != b.strides[d]) return false;
    }
    return true;
  }

  detail::tile_plan plan_;
  std::vector<any_layout> layouts_;
  std::vector<layout_view> views_;
  std::vector<std::byte> memory_;
  detail::tile_binding bound_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
