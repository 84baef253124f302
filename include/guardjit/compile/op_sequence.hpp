// guardjit: compile/op_sequence.hpp: the ops of a function in the order that modes are told
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OP_SEQUENCE_HPP
#define GUARDJIT_COMPILE_OP_SEQUENCE_HPP

#include <guardjit/compile/path.hpp>
#include <guardjit/modes/dispatch.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The device of the argument that a factory follows, as `zeros_like` does; for all else null.
inline device const* requested_device(node const& n, frame_view const& f, device& room) {
  if (!is_factory(n.id) || n.source == default_source) return nullptr;
  room = device_in_call(n.source, f);
  return &room;
}

/// Tells one op to the observers that have `below` modes of the filtered stack below them, or to all.
inline void tell_op(graph_view const& g, node const& n, path_values const& values, frame_view const& f,
                    int below) {
  std::array<operand_info, max_node_operands> operands;
  unsigned count = 0;
  auto const info = [&](node const& of) -> operand_info {
    return {of.type, of.weak, shape_in_call(g, of, values.symbols)};
  };
  for (std::int16_t operand : n.in)
    if (operand >= 0) operands[count++] = info(g[operand]);
  attributes const extra = attributes_in_call(g, n, values.symbols);
  device room;
  tell_observers({.id = n.id,
                  .operands = {operands.data(), count},
                  .result = info(n),
                  .attribute = &extra,
                  .where = n.where,
                  .device = requested_device(n, f, room)},
                 below);
}

}  // namespace detail

/// Tells observers the ops of one call, as eager code would: each those of its place among the inlined
/// modes. Rules: M25, M97, M105.
inline void tell_ops(path_spec const& path, path_values const& values, frame_view const& f) {
  graph_view const& g = path.graph;
  if (path.is_rewritten()) {
    for (passing_op const& p : g.passing) detail::tell_op(g, p.what, values, f, p.below);
    return;
  }
  for (std::int16_t k : path.order)
    if (info_of(g[k].id).overridable && !g[k].weak) detail::tell_op(g, g[k], values, f, 0);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
