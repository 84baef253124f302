// guardjit: compile/related_extents.hpp: which extents of arguments the shape rules of a function make equal
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_RELATED_EXTENTS_HPP
#define GUARDJIT_COMPILE_RELATED_EXTENTS_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/graph/signature.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Dims of arguments as a set: bit d of number k is dim d of argument k.
template <std::size_t Arguments> using dim_set = std::array<std::uint8_t, Arguments>;

/// Whether an extent is that of an argument; else it may be that of what `opaque` gives.
template <std::size_t Arguments> constexpr bool is_of_argument(extent_node const& n) {
  return n.id == extent_op::input && n.left < static_cast<index_t>(Arguments);
}
/// Whether an extent is one of a set, or one of them broadcast with others.
template <std::size_t Arguments>
constexpr bool is_among(graph_view const& g, index_t extent, dim_set<Arguments> const& set) {
  if (!is_symbol(extent)) return false;
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (is_of_argument<Arguments>(n)) return (set[static_cast<unsigned>(n.left)] >> n.right & 1u) != 0;
  return n.id == extent_op::broadcast && (is_among(g, n.left, set) || is_among(g, n.right, set));
}
/// Adds what an extent is, or is broadcast from.
template <std::size_t Arguments>
constexpr void add_extent(graph_view const& g, index_t extent, dim_set<Arguments>& set) {
  if (!is_symbol(extent)) return;
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (n.id == extent_op::broadcast) {
    add_extent(g, n.left, set);
    add_extent(g, n.right, set);
  } else if (is_of_argument<Arguments>(n)) {
    auto& bits = set[static_cast<unsigned>(n.left)];
    bits = static_cast<std::uint8_t>(bits | 1u << n.right);
  }
}

/// A dim and all those that an op on one of the paths wants to be equal to it, or 1.
template <std::size_t Arguments>
constexpr dim_set<Arguments> related_dims(std::span<graph_view const> paths, int argument, int dim) {
  dim_set<Arguments> set{}, before{};
  set[static_cast<unsigned>(argument)] = static_cast<std::uint8_t>(1u << dim);
  while (set != before) {
    before = set;
    for (graph_view const& g : paths)
      for (requirement const& r : g.requirements) {
        bool const relates = r.kind == requirement_kind::equal || r.kind == requirement_kind::broadcast ||
                             r.kind == requirement_kind::stretch;
        if (!relates || !(is_among(g, r.left, set) || is_among(g, r.right, set))) continue;
        add_extent(g, r.left, set);
        add_extent(g, r.right, set);
      }
  }
  return set;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
