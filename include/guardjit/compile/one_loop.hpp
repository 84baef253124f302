// guardjit: compile/one_loop.hpp: expressions over tensors that lie alike: one kernel, nothing to plan
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ONE_LOOP_HPP
#define GUARDJIT_COMPILE_ONE_LOOP_HPP

#include <guardjit/compile/flat_op.hpp>
#include <guardjit/compile/fused_group.hpp>
#include <guardjit/expr/expression_view.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The short way of an expression that one elementwise kernel computes from tensors of its own rank and
/// from scalars. Whether the tensors lie alike is found when it is evaluated.
template <class Code> struct one_loop {
  using groups = expression_groups<Code>;
  static constexpr auto const& nodes = groups::nodes;
  static constexpr int rank = nodes.back().rank;

  /// Whether the code has that form.
  static constexpr bool possible = [] {
    expression_node const& last = nodes.back();
    if (groups::plan.count != 1 || last.kind != part_kind::op || !is_elementwise(last.id)) return false;
    bool any = false;
    for (expression_node const& n : nodes) {
      if (n.kind != part_kind::tensor) continue;
      if (n.rank != rank) return false;
      any = true;
    }
    return any;
  }();

  /// A tensor as all of them lie: row-major, on one device; null where they do not.
  static leaf_view const* common(leaf_view const* leaves) {
    leaf_view const* first = nullptr;
    index_t differs = 0;
    for (expression_node const& n : nodes) {
      if (n.kind != part_kind::tensor) continue;
      leaf_view const& x = leaves[n.leaf];
      if (!first) {
        first = &x;
        if (!is_contiguous({rank, x.extents, x.strides, x.hash})) return nullptr;
      } else {
        differs |= difference(x, first->extents, first->strides);
        if (!(x.where() == first->where())) return nullptr;
      }
    }
    return differs == 0 ? first : nullptr;
  }

  /// Whether the elements of `to` may be written while the tensors, which lie as `x`, are read.
  /// Rules: POL-12.
  static bool may_write(leaf_view const* leaves, leaf_view const& x, memory_view const& to) {
    if (to.layout.rank != rank || difference(x, to.layout.extents, to.layout.strides) != 0) return false;
    auto const begin = reinterpret_cast<std::uintptr_t>(to.data);
    auto const count = static_cast<std::uintptr_t>(to.layout.count());
    auto const element = static_cast<std::uintptr_t>(to.element);
    bool meets = false;
    for (expression_node const& n : nodes) {
      if (n.kind != part_kind::tensor) continue;
      auto const from = reinterpret_cast<std::uintptr_t>(leaves[n.leaf].data);
      auto const size = static_cast<std::uintptr_t>(size_of(n.type));
      bool const apart = from + count * size <= begin || begin + count * element <= from;
      meets = meets || !(apart || (from == begin && size == element));
    }
    return !meets;
  }

  /// Computes all elements. Precondition: `common(leaves)`.
  template <class Backend>
  static void run(leaf_view const* leaves, std::uint64_t const* scalars, void* out, index_t count) {
    if (count == 0) return;
    using formula = typename groups::template formula<0>;
    constexpr auto inputs = static_cast<unsigned>(formula::inputs);
    std::uint64_t room[inputs];
    void const* data[inputs];
    [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
      ((data[Slot] = slot_data<Slot>(leaves, scalars, room[Slot])), ...);
    }
    (std::make_integer_sequence<int, formula::inputs>{});
    flat_elements<Backend, formula>(out, data, count);
  }

 private:
  /// Not 0 where a tensor has other extents or strides.
  static index_t difference(leaf_view const& x, index_t const* extents, index_t const* strides) {
    index_t differs = 0;
    for (int d = 0; d < rank; ++d)
      differs |= (x.extents[d] ^ extents[d]) | (x.strides[d] ^ strides[d]);
    return differs;
  }

  template <int Slot>
  static void const* slot_data(leaf_view const* leaves, std::uint64_t const* scalars, std::uint64_t& room) {
    constexpr group_slot slot = groups::plan.slots[static_cast<unsigned>(Slot)];
    constexpr expression_node n = nodes[static_cast<unsigned>(slot.part)];
    if constexpr (n.kind == part_kind::tensor) {
      return leaves[n.leaf].data;
    } else {
      using T = element_t<slot.type>;
      T value;
      if constexpr (is_floating(n.type)) value = convert<T>(__builtin_bit_cast(double, scalars[n.leaf]));
      else value = convert<T>(static_cast<std::int64_t>(scalars[n.leaf]));
      __builtin_memcpy(&room, &value, sizeof value);
      return &room;
    }
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
