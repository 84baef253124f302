// guardjit: graph/passes/fold.hpp: ops on constants become constants
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_FOLD_HPP
#define GUARDJIT_GRAPH_PASSES_FOLD_HPP

#include <guardjit/graph/builder.hpp>
#include <guardjit/graph/passes/scalar.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Whether every element of a node is one known value.
constexpr bool is_splat(graph_builder const& g, int k) {
  op const id = g[k].id;
  return id == op::constant || id == op::zeros || id == op::ones ||
         (id == op::full && g[g[k].in[0]].id == op::constant);
}

/// That value, in the node's dtype, from a graph or one in the making. Precondition: `is_splat`.
constexpr scalar_bits splat_value(auto const& g, int k) {
  node const& n = g[k];
  if (n.id == op::constant) return {n.bits};
  if (n.id == op::full) return convert_bits({g[n.in[0]].bits}, g[n.in[0]].type, n.type);
  return filling(n.id, n.type);
}

constexpr int add_constant(graph_builder& g, dtype type, scalar_bits value, bool weak, source_line where) {
  node n;
  n.id = op::constant;
  n.type = type;
  n.weak = weak;
  n.bits = value.bits;
  n.where = where;
  n.form = g.add_shape({});
  return g.push(n);
}

/// A node that is one value everywhere instead of `n`, or -1. Operands of `n` are nodes of `g` and
/// have the dtype it computes in. Only exact ops are folded. Rules: POL-22.
constexpr int fold(graph_builder& g, node const& n, dtype compute) {
  if (!has_constant_formula(n.id, compute)) return -1;
  std::array<scalar_bits, max_node_operands> in{};
  unsigned count = 0;
  for (std::int16_t operand : n.in) {
    if (operand < 0) break;
    if (!is_splat(g, operand)) return -1;
    in[count++] = splat_value(g, operand);
  }
  scalar_bits const value = evaluate_scalar(n.id, compute, n.type, {in.data(), count});
  int const constant = add_constant(g, n.type, value, n.weak, n.where);
  if (g.shape_of(constant) == g.shape_of_form(n.form)) return constant;
  node everywhere;
  everywhere.id = op::full;
  everywhere.type = n.type;
  everywhere.in[0] = static_cast<std::int16_t>(constant);
  everywhere.form = n.form;
  everywhere.where = n.where;
  return g.push(everywhere);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
