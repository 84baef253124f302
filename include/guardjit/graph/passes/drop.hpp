// guardjit: graph/passes/drop.hpp: nodes that no output needs go
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_DROP_HPP
#define GUARDJIT_GRAPH_PASSES_DROP_HPP

#include <guardjit/graph/graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Which nodes the outputs depend on. Operands stand before their readers.
template <int Size> constexpr std::array<bool, Size> needed_nodes(graph_view const& g) {
  std::array<bool, Size> needed{};
  for (std::int16_t output : g.outputs) needed[static_cast<unsigned>(output)] = true;
  for (int k = Size - 1; k >= 0; --k)
    if (needed[static_cast<unsigned>(k)])
      for (std::int16_t operand : g[k].in)
        if (operand >= 0) needed[static_cast<unsigned>(operand)] = true;
  return needed;
}

namespace detail {
template <auto const& Graph> constexpr int needed_count() {
  int count = 0;
  for (bool needed : needed_nodes<Graph.view().size()>(Graph.view())) count += needed ? 1 : 0;
  return count;
}
template <graph_size Size> constexpr graph_size with_nodes(int nodes) {
  graph_size s = Size;
  s.nodes = nodes;
  s.requirements = s.conditions = s.scopes = s.passing = s.breaks = 0;
  return s;
}
template <graph_size Size> constexpr graph_size size_of_graph(graph<Size> const&) { return Size; }
}  // namespace detail

/// `Graph` without the nodes that its outputs do not need, and without requirements,
/// conditions and scopes: the trace has these, of dropped nodes as well.
template <auto const& Graph> constexpr auto drop() {
  constexpr unsigned size = static_cast<unsigned>(Graph.view().size());
  constexpr graph_size old = detail::size_of_graph(Graph);
  graph<detail::with_nodes<old>(detail::needed_count<Graph>())> result;
  auto const needed = needed_nodes<static_cast<int>(size)>(Graph.view());
  std::array<std::int16_t, size> moved{};
  unsigned count = 0;
  for (unsigned k = 0; k < size; ++k) {
    if (!needed[k]) continue;
    node n = Graph.nodes[k];
    for (std::int16_t& operand : n.in)
      if (operand >= 0) operand = moved[static_cast<unsigned>(operand)];
    moved[k] = static_cast<std::int16_t>(count);
    result.nodes[count++] = n;
  }
  result.shapes = Graph.shapes;
  result.extents = Graph.extents;
  result.extra = Graph.extra;
  for (unsigned k = 0; k < Graph.view().outputs.size(); ++k)
    result.outputs[k] = moved[static_cast<unsigned>(Graph.outputs[k])];
  result.arguments = Graph.arguments;
  return result;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
