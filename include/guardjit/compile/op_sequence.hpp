// guardjit: compile/op_sequence.hpp: the ops of a function in the order that modes are told
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OP_SEQUENCE_HPP
#define GUARDJIT_COMPILE_OP_SEQUENCE_HPP

#include <guardjit/compile/path.hpp>
#include <guardjit/modes/dispatch.hpp>

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

/// Tells observers the ops of one call, as eager code would. Rules: M25, M97, M105.
inline void tell_ops(path_spec const& path, path_values const& values) {
  graph_view const& g = path.written;
  for (std::int16_t k : path.order) {
    if (!info_of(g[k].id).overridable || g[k].weak) continue;  // C++ computes with scalars by itself
    std::array<operand_info, max_node_operands> operands;
    unsigned const count = static_cast<unsigned>(g.operands(k));
    auto const info = [&](int node) -> operand_info {
      return {g[node].type, g[node].weak, shape_in_call(g, node, values.symbols)};
    };
    for (unsigned o = 0; o < count; ++o) operands[o] = info(g[k].in[o]);
    attributes const extra = attributes_in_call(g, k, values.symbols);
    tell_observers({.id = g[k].id,
                    .operands = {operands.data(), count},
                    .result = info(k),
                    .attribute = &extra,
                    .where = g[k].where});
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
