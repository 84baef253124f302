// guardjit: graph/passes/optimize.hpp: a graph made anew without what nobody needs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_OPTIMIZE_HPP
#define GUARDJIT_GRAPH_PASSES_OPTIMIZE_HPP

#include <guardjit/graph/passes/drop.hpp>
#include <guardjit/graph/passes/simplify.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The operand in the dtype that the op computes in: implicit conversions become nodes.
constexpr int converted(graph_builder& g, int operand, dtype compute, source_line where) {
  node const n = g[operand];
  if (n.type == compute) return operand;
  if (n.id == op::constant)
    return add_constant(g, compute, convert_bits({n.bits}, n.type, compute), n.weak, n.where);
  node to;
  to.id = op::to;
  to.type = compute;
  to.in[0] = static_cast<std::int16_t>(operand);
  to.form = n.form;
  to.where = where;
  attributes extra;
  extra.type = compute;
  to.attribute = g.add_attributes(extra);
  return g.push(to);
}

/// Adds node `k` of `from`, whose operands have the numbers `moved` in `to`.
constexpr int rebuild(graph_view const& from, int k, std::span<int const> moved, graph_builder& to) {
  node n = from[k];
  attributes extra = from.attributes_of(k);
  std::array<operand_type, max_node_operands> types{};
  unsigned count = 0;
  for (; count < max_node_operands && n.in[count] >= 0; ++count) {
    node const& operand = from[n.in[count]];
    types[count] = {operand.type, operand.weak};
    n.in[count] = static_cast<std::int16_t>(moved[static_cast<unsigned>(n.in[count])]);
  }
  if (info_of(n.id).form == op_form::leaf) return to.push(n);
  mistake none;
  dtype const compute = dtypes_of(n.id, {types.data(), count}, extra, none).compute;
  bool const computes = is_elementwise(n.id) || info_of(n.id).form == op_form::contraction;
  if (computes && n.id != op::to)
    for (unsigned i = n.id == op::where ? 1 : 0; i < count; ++i)
      n.in[i] = static_cast<std::int16_t>(converted(to, n.in[i], compute, n.where));
  if (int const folded = fold(to, n, compute); folded >= 0) return folded;
  if (int const same = simplify(to, n, extra); same >= 0) return same;
  return to.push(n);
}

template <auto const& Graph> constexpr auto optimize() {
  constexpr int size = Graph.view().size();
  constexpr int room = 2 * size + 64;
  constexpr int capacity = [] {
    int power = 64;
    while (power < room) power *= 2;
    return power;
  }();
  graph_view const from = Graph.view();
  graph_buffer<capacity> buffer;
  std::array<std::int16_t, 2 * capacity> table{};
  for (std::int16_t& slot : table) slot = -1;
  graph_builder to(buffer, table.data());
  to.adopt(from);

  auto const needed = needed_nodes<size>(from);
  std::array<int, size> moved{};
  for (int k = 0; k < size; ++k)
    if (needed[static_cast<unsigned>(k)]) moved[static_cast<unsigned>(k)] = rebuild(from, k, moved, to);
  buffer.output = moved[static_cast<unsigned>(from.output)];
  buffer.arguments = from.arguments;
  return buffer;
}

}  // namespace detail

/// `Traced::graph` after conversions were made explicit and constants, identities and repeated
/// views folded: what kernels are made from. Bit for bit the same function. Rules: POL-21, POL-22.
template <class Traced> struct optimized {
 private:
  static constexpr auto rewritten_ = detail::optimize<Traced::graph>();
  static constexpr auto kept_ = exact_graph<rewritten_>();

 public:
  static constexpr auto graph = drop<kept_>();
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
