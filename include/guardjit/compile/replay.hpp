// guardjit: compile/replay.hpp: a graph executed op by op through the visible mode stack
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_REPLAY_HPP
#define GUARDJIT_COMPILE_REPLAY_HPP

#include <guardjit/compile/op_kernel.hpp>
#include <guardjit/compile/op_sequence.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The kernel of each node of a graph, by the backend's one-node kernels; leaves have none.
template <class Traced, class Backend> struct node_kernels {
  static constexpr graph_view g = Traced::graph.view();
  static constexpr int size = Traced::graph.view().size();

  template <int Node> static constexpr op_kernel kernel() {
    constexpr node n = g[Node];
    if constexpr (info_of(n.id).form == op_form::leaf) {
      return nullptr;
    } else {
      return &op_kernel_of<Backend, n.id, compute_type(Node), n.type>;
    }
  }
  static constexpr dtype compute_type(int k) {
    std::array<operand_type, max_node_operands> types{};
    auto const count = static_cast<unsigned>(g.operands(k));
    for (unsigned i = 0; i < count; ++i) types[i] = {g[g[k].in[i]].type, g[g[k].in[i]].weak};
    mistake none;
    return dtypes_of(g[k].id, {types.data(), count}, g.attributes_of(k), none).compute;
  }
  static constexpr auto list = []<int... Node>(std::integer_sequence<int, Node...>) {
    return std::array<op_kernel, static_cast<unsigned>(size)>{kernel<Node>()...};
  }(std::make_integer_sequence<int, size>{});
};

/// A scalar node as an operand of a call.
inline operand scalar_operand_of(dtype type, std::uint64_t bits) {
  if (is_floating(type)) {
    double const value = __builtin_bit_cast(double, bits);
    return type == dtype::f32 ? operand(static_cast<float>(value)) : operand(value);
  }
  auto const value = static_cast<std::int64_t>(bits);
  return type == dtype::boolean ? operand(value != 0) : operand(value);
}

template <class Traced, class Frame>
operand leaf_operand(path_values<Traced> const& values, Frame const& frame, int k) {
  node const& n = path_values<Traced>::g[k];
  auto const word = static_cast<index_t>(n.bits);
  if (n.id == op::constant) return scalar_operand_of(n.type, n.bits);
  if (is_symbol(word)) return operand(value_of(word, values.extents));
  auto const at = static_cast<unsigned>(word);
  if (n.weak) {
    double const value = scalar_value(frame.scalars[at], n.type);
    if (n.type == dtype::i64) {
      std::int64_t exact;
      __builtin_memcpy(&exact, &frame.scalars[at], sizeof exact);
      return operand(exact);
    }
    return n.type == dtype::boolean ? operand(value != 0)
           : n.type == dtype::f32   ? operand(static_cast<float>(value))
                                    : operand(value);
  }
  return operand(any_tensor::adopt(*frame.owners[at], frame.bases[at], n.type, any_layout(frame.layouts[at])));
}

}  // namespace detail

/// Executes one path of a function op by op, in the order of `op_order`, through the mode stack.
/// What "eager" means for a compiled function: values are bit-equal to the fused kernels' and modes
/// are told the same ops.
/// Throws: what ops and handlers throw. Rules: G9, M97.
template <class Traced, class Backend, class Frame> [[gnu::noinline]] any_tensor replay(Frame const& frame) {
  static constexpr detail::op_order<Traced> order;
  constexpr graph_view g = Traced::graph.view();
  detail::path_values<Traced> const values(frame);
  std::vector<any_tensor> results(static_cast<unsigned>(g.size()));
  auto const operand_at = [&](int k) {
    return info_of(g[k].id).form == op_form::leaf ? detail::leaf_operand<Traced>(values, frame, k)
                                                  : operand(results[static_cast<unsigned>(k)]);
  };
  for (int i = 0; i < order.count; ++i) {
    int const k = order.list[static_cast<unsigned>(i)];
    if (info_of(g[k].id).form == op_form::leaf) continue;
    std::vector<operand> in;
    for (int o = 0; o < g.operands(k); ++o) in.push_back(operand_at(g.operand(k, o)));
    attributes const extra = detail::attributes_in_call<Traced>(values, k);
    op_promise const promise{g[k].type, detail::shape_in_call<Traced>(values, k)};
    op_call call({.id = g[k].id,
                  .operands = in,
                  .attribute = &extra,
                  .kernel = detail::node_kernels<Traced, Backend>::list[static_cast<unsigned>(k)],
                  .where = g[k].where,
                  .promise = &promise});
    results[static_cast<unsigned>(k)] = dispatch(call);
  }
  if (info_of(g[g.output].id).form != op_form::leaf) return results[static_cast<unsigned>(g.output)];
  operand const leaf = operand_at(g.output);
  if (!leaf.is_scalar()) return leaf.tensor();
  attributes extra;
  extra.type = leaf.type();
  operand const in[] = {leaf};
  op_call fill({.id = op::full, .operands = in, .attribute = &extra, .kernel = nullptr});
  return detail::fill_for_call(fill);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
