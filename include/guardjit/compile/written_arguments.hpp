// guardjit: compile/written_arguments.hpp: which results may be computed in the memory of their arguments
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WRITTEN_ARGUMENTS_HPP
#define GUARDJIT_COMPILE_WRITTEN_ARGUMENTS_HPP

#include <guardjit/graph/passes/lower.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// For each result the argument that it is written to (G4), or -1: `InOuts` are those of the last ones.
template <int Results, int... InOuts>
constexpr std::array<int, static_cast<unsigned>(Results)> arguments_of_results(
    std::integer_sequence<int, InOuts...>) {
  std::array<int, static_cast<unsigned>(Results)> all{};
  for (int& k : all) k = -1;
  unsigned at = static_cast<unsigned>(Results) - static_cast<unsigned>(sizeof...(InOuts));
  ((all[at++] = InOuts), ...);
  return all;
}

/// The argument that a node is, or may turn out to be a view of; else -1.
constexpr int argument_under(graph_view const& g, int node) {
  while (is_view(g[node].id)) node = g[node].in[0];
  auto const word = static_cast<index_t>(g[node].bits);
  return g[node].id == op::input && !g[node].weak && !is_symbol(word) ? static_cast<int>(word) : -1;
}
/// Whether a node is an argument itself.
constexpr bool is_argument(graph_view const& g, int node, int argument) {
  return !is_view(g[node].id) && argument_under(g, node) == argument;
}

/// Whether an argument may be overwritten from step `first` on: no later step reads it, and that one, if it
/// does, reads each element before it writes the one of the same index.
template <class Lowered>
constexpr bool is_free_from(graph_view const& g, Lowered const& kernels, int first, int argument) {
  for (int s = first; s < kernels.count; ++s) {
    step const& now = kernels.steps[static_cast<unsigned>(s)];
    for (int k = 0; k < now.slots; ++k) {
      int const node = kernels.slots[static_cast<unsigned>(now.first_slot + k)];
      if (argument_under(g, node) != argument) continue;
      bool const in_order = s == first && now.kind == step_kind::elementwise &&
                            is_argument(g, node, argument) && g[node].type == g[now.root].type;
      if (!in_order) return false;
    }
  }
  return true;
}

/// Whether step `made_by` may write the final value of an argument, result `k`, into the argument itself.
template <class Lowered>
constexpr bool is_made_in_place(graph_view const& g, Lowered const& kernels, unsigned k, int made_by,
                                int argument) {
  if (made_by < 0 || g.outputs[k] != kernels.steps[static_cast<unsigned>(made_by)].root ||
      kernels.steps[static_cast<unsigned>(made_by)].kind == step_kind::contiguous)
    return false;
  // Results that lie in arguments are copied behind all steps.
  for (std::int16_t output : g.outputs)
    if (argument_under(g, output) == argument) return false;
  return is_free_from(g, kernels, made_by, argument);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
