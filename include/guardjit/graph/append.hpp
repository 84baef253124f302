// guardjit: graph/append.hpp: what the ops do in a trace: append a node
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_APPEND_HPP
#define GUARDJIT_GRAPH_APPEND_HPP

#include <guardjit/graph/sym.hpp>
#include <guardjit/ops/shape_rules.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The node of one op whose operands are nodes already. After a mistake the trace goes on with a
/// value of the right kind, so that one mistake gives one error.
constexpr node node_of(graph_builder& t, op id, attributes const& extra, source_line where,
                       std::span<int const> in) {
  auto const count = static_cast<unsigned>(in.size());
  int const* const operands = in.data();
  node n;
  n.id = id;
  n.where = where;
  std::int16_t* const links = n.in.data();
  operand_type types[max_node_operands]{};
  bool alike = is_elementwise(id);
  for (unsigned k = 0; k < count; ++k) {
    node const& operand = t[operands[k]];
    links[k] = static_cast<std::int16_t>(operands[k]);
    types[k] = {operand.type, operand.weak};
    if (n.source == host_source) n.source = operand.source;
    if (k == 0) n.form = operand.form;
    else alike = alike && operand.form == n.form;
  }
  t.begin(id, where);
  mistake wrong;
  typed_op const typed = dtypes_of(id, {types, count}, extra, wrong);
  if (wrong) t.fail(wrong.kind, 0, 0, 0, wrong.type);
  for (unsigned k = 0; k < count; ++k)
    if (types[k].weak && types[k].type == dtype::i64 && t[operands[k]].id == op::constant)
      if (auto const value = static_cast<index_t>(t[operands[k]].bits); !is_in_range(value, typed.compute))
        t.fail(mistake_kind::scalar_out_of_range, value, 0, 0, typed.compute);
  n.type = typed.result;
  n.weak = typed.weak;
  if (!alike) {
    shape shapes[max_node_operands]{};
    for (unsigned k = 0; k < count; ++k) shapes[k] = t.shape_of(operands[k]);
    n.form = t.add_shape(shape_of_result(t, id, {shapes, count}, extra));
  }
  if (is_factory(id)) n.source = extra.beside;
  if (has_attributes(id)) n.attribute = t.add_attributes(extra);
  return n;
}

/// Appends one op: to the graph, or, where modes are applied, on its way through them.
constexpr int append_node(tracer& t, op id, attributes const& extra, source_line where,
                          std::span<int const> in) {
  if (t.is_full()) return in.empty() ? 0 : in[0];
  if (t.walk()) return t.walk()->run(t, id, extra, where, in);
  node n = node_of(t, id, extra, where, in);
  n.scope = t.scope();
  return t.push(n);
}

template <class... Operands>
constexpr sym append_op(op id, attributes const& extra, source_line where, Operands const&... operands) {
  tracer* t = nullptr;
  ((t = operands.trace() ? operands.trace() : t), ...);
  int const in[] = {operands.node_in(*t)...};
  return {t, append_node(*t, id, extra, where, in)};
}

/// The operators' way: the line is the first operand's.
template <class... Operands> constexpr sym append(op id, sym_operand const& a, Operands const&... more) {
  return append_op(id, attributes{}, a.where(), a, more...);
}

/// A wrong axis in a trace is recorded with the user's line.
constexpr void refuse_axis(sym const& x, op id, int axis, int rank, mistake_kind kind, source_line where) {
  x.trace()->begin(id, where);
  x.trace()->fail(kind, axis, rank, axis);
}

template <class... Operands>
concept traced_operands = ((std::is_same_v<Operands, sym> || std::is_same_v<Operands, extent_sym>) || ...);

}  // namespace detail

/// An op in a trace. Complexity: constant in the size of the graph.
template <op Id, int Dims, class To, class... Operands>
  requires detail::traced_operands<Operands...>
constexpr sym apply_op(op_tag<Id, Dims, To>, attributes const& extra, source_line where,
                       Operands const&... in) {
  return detail::append_op(Id, extra, where, sym_operand(in, where)...);
}

/// A factory in a trace: one of the extents belongs to a symbol. `value` is what `full` fills with.
template <op Id, int Dims, class To, class Value, class... Extents>
  requires(std::is_same_v<Extents, extent_sym> || ...)
constexpr sym apply_factory(op_tag<Id, Dims, To>, attributes const& extra, source_line, Value value,
                            Extents const&... extents) {
  extent_sym const* known = nullptr;
  auto const find = [&](auto const& e) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(e)>, extent_sym>) known = &e;
  };
  (find(extents), ...);
  tracer& t = *known->trace();
  if constexpr (info_of(Id).arity == 0) {
    return {&t, detail::append_node(t, Id, extra, known->line(), {})};
  } else {
    int const in[] = {sym_operand(value, known->line()).node_in(t)};
    return {&t, detail::append_node(t, Id, extra, known->line(), in)};
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
