// guardjit: graph/node_order.hpp: the nodes of a graph in the order that modes are told of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_NODE_ORDER_HPP
#define GUARDJIT_GRAPH_NODE_ORDER_HPP

#include <guardjit/graph/graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <int Size> struct node_order {
  std::array<std::int16_t, static_cast<unsigned>(Size)> list{};
  unsigned count = 0;
};

/// Nodes depth first from each output in turn, operands left to right, leaves too; what no output needs
/// is left out. Rules: M25.
template <auto const& Graph> constexpr auto order_of() {
  constexpr int size = Graph.view().size();
  graph_view const g = Graph.view();
  node_order<size> order;
  std::array<bool, static_cast<unsigned>(size)> done{};
  std::array<std::int16_t, static_cast<unsigned>(size) + 2> stack{};
  for (std::int16_t output : g.outputs) {
    if (done[static_cast<unsigned>(output)]) continue;
    stack[0] = output;
    for (unsigned depth = 1; depth > 0;) {
      std::int16_t const k = stack[depth - 1];
      int next = -1;
      for (std::int16_t operand : g[k].in)
        if (next < 0 && operand >= 0 && !done[static_cast<unsigned>(operand)]) next = operand;
      if (next >= 0) {
        stack[depth++] = static_cast<std::int16_t>(next);
        continue;
      }
      --depth;
      done[static_cast<unsigned>(k)] = true;
      order.list[order.count++] = k;
    }
  }
  return order;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
