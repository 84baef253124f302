// guardjit: compile/break_point.hpp: calls an opaque callable between two segments
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BREAK_POINT_HPP
#define GUARDJIT_COMPILE_BREAK_POINT_HPP

#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/modes/mode_slot.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Goes on under the modes of `with_modes` around a break, the outermost one lowest.
[[gnu::cold]] inline void run_under_scopes(graph_view const& g, int scope, continuation next) {
  if (scope == 0) return next.run(next.context);
  trace_scope const& here = g.scopes[static_cast<unsigned>(scope - 1)];
  if (!here.mode.run_under)
    raise<mode_error>(fixed_text("guardjit: opaque<R>(h)(x...): h runs under mode ")
                      << here.mode.name << " of with_modes, whose handler needs the default backend: include "
                      << "guardjit/kernels/eigen.hpp");
  struct inner_part {
    trace_mode const& mode;
    std::array<operand, max_keys> keys;
    continuation next;
  } inner{here.mode, {operand(0), operand(0), operand(0), operand(0)}, next};
  for (unsigned k = 0; k < max_keys; ++k) {
    node const& key = g[here.mode.keys[k]];
    if (key.id == op::constant) inner.keys[k] = weak_operand(key.type, key.bits);
  }
  run_under_scopes(g, here.around,
                   {[](void* context) {
                      auto& part = *static_cast<inner_part*>(context);
                      part.mode.run_under(part.keys.data(), part.next);
                    },
                    &inner});
}

/// Calls what cuts the graph, with the modes and the dispatch state of the caller and the modes of
/// `with_modes` around it. What it leaves on the stack is unlinked.
/// Rules: M103, M104, M106.
[[gnu::cold]] inline any_tensor call_break(function_state const& fn, graph_view const& g,
                                           break_point const& b,
                                           std::span<operand const> operands) {
  if (fn.is_heard()) {
    inert_scope const inert;
    fn.tell({.kind = event_kind::graph_break,
             .reason = "opaque",
             .where = b.where,
             .text = "a callable of opaque cuts the graph: what is before and behind it is compiled apart; "
                     "operations of the library would keep it whole"});
  }
  struct callable {
    break_point const& what;
    std::span<operand const> operands;
    any_tensor result;
  } call{b, operands, {}};
  mode_frame const frame(this_thread.visible, "an opaque callable");
  run_under_scopes(g, b.scope,
                   {[](void* context) {
                      auto& c = *static_cast<callable*>(context);
                      c.result = c.what.call(c.operands, c.what.where);
                    },
                    &call});
  return std::move(call.result);
}

/// The value of an extent; `input(argument, dim)` gives those of inputs.
[[gnu::cold]] inline index_t extent_in_call(graph_view const& g, index_t extent,
                                            auto const& input) {
  if (!is_symbol(extent)) return extent;
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (n.id == extent_op::input) return input(n.left, n.right);
  return apply(n.id, extent_in_call(g, n.left, input), extent_in_call(g, n.right, input));
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
