// guardjit: compile/usage.hpp: what of its arguments a function reads, over all paths
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_USAGE_HPP
#define GUARDJIT_COMPILE_USAGE_HPP

#include <guardjit/graph/declared_extent.hpp>
#include <guardjit/graph/passes/drop.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Of each argument: whether its elements are read, and which of its extents (bit d: dim d). What
/// nobody reads is not guarded. Rules: G25.
template <int Arguments> struct argument_usage {
  std::array<bool, Arguments == 0 ? 1 : Arguments> elements{};
  std::array<std::uint8_t, Arguments == 0 ? 1 : Arguments> extents{};

  constexpr void merge(argument_usage const& o) {
    for (unsigned k = 0; k < elements.size(); ++k) {
      elements[k] = elements[k] || o.elements[k];
      extents[k] = static_cast<std::uint8_t>(extents[k] | o.extents[k]);
    }
  }
};

namespace detail {

constexpr void use_extent(graph_view const& g, index_t extent, auto& usage) {
  if (!is_symbol(extent)) return;
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (n.id == extent_op::input) {
    auto& bits = usage.extents[static_cast<unsigned>(n.left)];
    bits = static_cast<std::uint8_t>(bits | 1u << n.right);
    return;
  }
  use_extent(g, n.left, usage);
  use_extent(g, n.right, usage);
}

}  // namespace detail

/// What one path of a function reads.
template <class Traced> constexpr auto usage_of() {
  graph_view const g = Traced::graph.view();
  argument_usage<Traced::graph.arguments> usage;
  auto const needed = needed_nodes<Traced::graph.view().size()>(g);
  for (int k = 0; k < g.size(); ++k) {
    if (!needed[static_cast<unsigned>(k)]) continue;
    auto const word = static_cast<index_t>(g[k].bits);
    if (g[k].id == op::input && is_symbol(word)) detail::use_extent(g, word, usage);
    else if (g[k].id == op::input) usage.elements[static_cast<unsigned>(word)] = true;
    shape const& s = g.shape_of(k);
    for (int d = 0; d < s.rank; ++d) detail::use_extent(g, s[d], usage);
  }
  for (requirement const& r : g.requirements) {
    detail::use_extent(g, r.left, usage);
    detail::use_extent(g, r.right, usage);
  }
  for (condition const& c : g.conditions)
    for (term const& t : {c.left, c.right})
      if (t.kind == term::extent) detail::use_extent(g, t.value, usage);
      else if (t.kind == term::scalar) usage.elements[static_cast<unsigned>(t.value)] = true;
  if constexpr (requires { Traced::declared; })
    for (declared_extent const& e : Traced::declared) {
      auto& bits = usage.extents[static_cast<unsigned>(e.argument)];
      if (e.is_checked()) bits = static_cast<std::uint8_t>(bits | 1u << e.dim);
    }
  return usage;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
