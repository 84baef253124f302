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
  if (g[operand].type == compute) return operand;
  node const n = g[operand];
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

/// The dtype that an elementwise op or a product computes in. It is that of the result, but for
/// comparisons and conversions.
constexpr dtype compute_type(graph_view const& from, node const& n) {
  if (n.id == op::to) return from[n.in[0]].type;
  if (info_of(n.id).types != dtype_rule::boolean) return n.type;
  node const& a = from[n.in[0]];
  if (n.in[1] < 0) return a.type;
  node const& b = from[n.in[1]];
  return promote(operand_type{a.type, a.weak}, operand_type{b.type, b.weak}).type;
}

/// Adds node `k` of `from`, whose operands have the numbers `moved` in `to`.
constexpr int rebuild(graph_view const& from, int k, int const* moved, graph_builder& to) {
  node n = from[k];
  op_form const form = info_of(n.id).form;
  if (form == op_form::leaf) return to.push(n);
  bool const computes =
      form == op_form::elementwise || form == op_form::contraction || n.id == op::concat;
  dtype const compute = computes ? compute_type(from, n) : n.type;
  for (std::int16_t& in : n.in) {
    if (in < 0) break;
    bool const as_is = !computes || n.id == op::to || (n.id == op::where && &in == &n.in[0]);
    int const operand = moved[in];
    in = static_cast<std::int16_t>(as_is ? operand : converted(to, operand, compute, n.where));
  }
  if (form == op_form::elementwise)
    if (int const folded = fold(to, n, compute); folded >= 0) return folded;
  attributes extra = from.attributes_of(k);
  if (int const same = simplify(to, n, extra); same >= 0) return same;
  return to.push(n);
}

template <auto const& Graph> constexpr auto optimize() {
  constexpr int size = Graph.view().size();
  constexpr int capacity = capacity_for(Graph.view());
  graph_view const from = Graph.view();
  graph_buffer<capacity> buffer;
  std::array<std::int32_t, graph_builder::table_size(capacity)> table{};
  graph_builder to(buffer, table.data());
  to.adopt(from);

  auto const needed = needed_nodes<size>(from);
  std::array<int, size> moved{};
  for (int k = 0; k < size; ++k)
    if (needed[static_cast<unsigned>(k)])
      moved[static_cast<unsigned>(k)] = rebuild(from, k, moved.data(), to);
  for (std::int16_t output : from.outputs)
    buffer.outputs[static_cast<unsigned>(buffer.size.outputs++)] =
        static_cast<std::int16_t>(moved[static_cast<unsigned>(output)]);
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
