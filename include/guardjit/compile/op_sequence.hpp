// guardjit: compile/op_sequence.hpp: the ops of a function in the order that modes are told
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OP_SEQUENCE_HPP
#define GUARDJIT_COMPILE_OP_SEQUENCE_HPP

#include <guardjit/compile/specialization.hpp>
#include <guardjit/modes/dispatch.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Depth first from the output, operands left to right; what the output does not need is left
/// out. Leaves come, too. Rules: M25.
template <class Traced> struct op_order {
  static constexpr graph_view g = Traced::graph.view();
  static constexpr int size = Traced::graph.view().size();
  std::array<std::int16_t, static_cast<unsigned>(size)> list{};
  int count = 0;

  consteval op_order() {
    std::array<bool, static_cast<unsigned>(size)> done{};
    std::array<std::int16_t, static_cast<unsigned>(size) * 2 + 2> stack{};
    int depth = 0;
    stack[0] = static_cast<std::int16_t>(g.output);
    for (depth = 1; depth > 0;) {
      int const k = stack[static_cast<unsigned>(depth - 1)];
      int next = -1;
      for (std::int16_t operand : g[k].in)
        if (next < 0 && operand >= 0 && !done[static_cast<unsigned>(operand)]) next = operand;
      if (next >= 0) {
        stack[static_cast<unsigned>(depth++)] = static_cast<std::int16_t>(next);
        continue;
      }
      --depth;
      if (done[static_cast<unsigned>(k)]) continue;
      done[static_cast<unsigned>(k)] = true;
      list[static_cast<unsigned>(count++)] = static_cast<std::int16_t>(k);
    }
  }
};

/// The shape of a node in a call.
template <class Traced> shape shape_in_call(path_values<Traced> const& values, int node) {
  shape s = path_values<Traced>::g.shape_of(node);
  for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], values.extents);
  return s;
}

/// Attributes of a node in a call: extents are numbers.
template <class Traced> attributes attributes_in_call(path_values<Traced> const& values, int node) {
  attributes a = path_values<Traced>::g.attributes_of(node);
  for (int d = 0; d < a.target.rank; ++d) a.target[d] = value_of(a.target[d], values.extents);
  a.start = value_of(a.start, values.extents);
  a.stop = value_of(a.stop, values.extents);
  return a;
}

/// Tells observers the ops of one call, as eager code would. Rules: M25, M97, M105.
template <class Traced, class Frame> [[gnu::noinline]] void tell_ops(Frame const& frame) {
  static constexpr op_order<Traced> order;
  constexpr graph_view g = Traced::graph.view();
  path_values<Traced> const values(frame);
  for (int i = 0; i < order.count; ++i) {
    int const k = order.list[static_cast<unsigned>(i)];
    if (!info_of(g[k].id).overridable) continue;
    std::array<operand_info, max_node_operands> operands;
    unsigned const count = static_cast<unsigned>(g.operands(k));
    for (unsigned o = 0; o < count; ++o) {
      int const operand = g[k].in[o];
      operands[o] = {g[operand].type, g[operand].weak, shape_in_call<Traced>(values, operand)};
    }
    attributes const extra = attributes_in_call<Traced>(values, k);
    tell_observers({.id = g[k].id, .operands = {operands.data(), count}, .attribute = &extra, .where = g[k].where});
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
