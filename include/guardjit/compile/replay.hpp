// guardjit: compile/replay.hpp: a graph executed op by op through the visible mode stack
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_REPLAY_HPP
#define GUARDJIT_COMPILE_REPLAY_HPP

#include <guardjit/compile/op_kernel.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/path.hpp>
#include <guardjit/modes/dispatch.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The kernel of each node of a graph, by the backend's one-node kernels; leaves have none.
template <auto const& Graph, class Backend> struct node_kernels {
  static constexpr int size = Graph.view().size();

  template <int Node> static constexpr op_kernel kernel() {
    constexpr node n = Graph.view()[Node];
    if constexpr (info_of(n.id).form == op_form::leaf) return nullptr;
    else return &op_kernel_of<Backend, n.id, compute_type_of(Graph.view(), Node), n.type>;
  }
  static constexpr auto list = []<int... Node>(std::integer_sequence<int, Node...>) {
    return std::array<op_kernel, static_cast<unsigned>(size)>{kernel<Node>()...};
  }(std::make_integer_sequence<int, size>{});
};

[[gnu::cold]] inline operand leaf_operand(node const& n, path_values const& values, frame_view const& f) {
  auto const word = static_cast<index_t>(n.bits);
  if (n.id == op::constant) return weak_operand(n.type, n.bits);
  if (is_symbol(word)) return operand(value_of(word, values.symbols));
  if (n.weak)
    return visit_dtype(n.type, [&]<class T>(std::type_identity<T>) {
      T value;
      __builtin_memcpy(&value, &f.scalars[word], sizeof value);
      return operand(value);
    });
  return operand(any_tensor::adopt(*f.owners[word], f.bases[word], n.type, any_layout(f.layouts[word]),
                                   f.owners[word]->where()));
}

inline any_tensor tensor_of_operand(operand const& x) {
  return x.is_scalar() ? tensor_of_scalar(x) : x.tensor();
}

}  // namespace detail

/// Executes one path of a function op by op, in M25's order, through the mode stack: what "eager"
/// means for a compiled function. `kernels` are those of the path's nodes. Values are
/// bit-equal to the fused kernels' and modes are told the same ops. Gives the results in order.
/// Throws: what ops and handlers throw. Rules: G9, M97.
[[gnu::cold]]
inline std::vector<any_tensor> replay(path_spec const& path, op_kernel const* kernels,
                                      path_values const& values, frame_view const& f) {
  graph_view const& g = path.graph;
  std::vector<any_tensor> results(static_cast<unsigned>(g.size()));
  auto const operand_at = [&](int k) {
    if (info_of(g[k].id).form == op_form::leaf) return detail::leaf_operand(g[k], values, f);
    any_tensor const& x = results[static_cast<unsigned>(k)];
    return g[k].weak ? detail::scalar_of_tensor(x) : operand(x);
  };
  for (std::int16_t k : path.order) {
    if (info_of(g[k].id).form == op_form::leaf) continue;
    std::vector<operand> in;
    for (int o = 0; o < g.operands(k); ++o) in.push_back(operand_at(g.operand(k, o)));
    attributes const extra = attributes_in_call(g, g[k], values.symbols);
    device room;
    op_promise const promise{g[k].type, shape_in_call(g, k, values.symbols)};
    op_call call({.id = g[k].id,
                  .operands = in,
                  .attribute = &extra,
                  .kernel = kernels[k],
                  .where = g[k].where,
                  .device = detail::requested_device(g[k], f, room),
                  .promise = &promise});
    // Eager code computes with C++ scalars by itself: they stay weak, and no mode is told.
    results[static_cast<unsigned>(k)] = g[k].weak ? call.kernel()(call) : dispatch(call);
  }
  std::vector<any_tensor> outputs;
  for (std::int16_t k : g.outputs) outputs.push_back(detail::tensor_of_operand(operand_at(k)));
  return outputs;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
