// guardjit: tests/graph/traces.hpp: short ways to trace a lambda and to look at its graph
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_GRAPH_TRACES_HPP
#define GUARDJIT_TESTS_GRAPH_TRACES_HPP

#include <guardjit/graph/trace.hpp>

namespace traces {

/// The type of a tensor argument: `of<dtype::f32>(dyn, 64)`.
template <guardjit::dtype Type = guardjit::dtype::f32> consteval guardjit::argument_type of(auto... extents) {
  guardjit::argument_type a{Type, false, {}};
  ((a.extents[a.extents.rank++] = extents), ...);
  return a;
}
template <guardjit::dtype Type = guardjit::dtype::f32> consteval guardjit::argument_type scalar() {
  return {Type, true, {}};
}

/// The trace of a lambda under argument types, on the path where every branch is false.
template <auto const& F, guardjit::argument_type... Arguments>
using trace_of = guardjit::traced<std::remove_cvref_t<decltype(F)>, guardjit::call_signature<Arguments...>>;

constexpr int count_of(guardjit::graph_view const& g, guardjit::op id) {
  int n = 0;
  for (guardjit::node const& k : g.nodes) n += k.id == id ? 1 : 0;
  return n;
}
/// The first node of an op, or -1.
constexpr int find(guardjit::graph_view const& g, guardjit::op id) {
  for (int k = 0; k < g.size(); ++k)
    if (g[k].id == id) return k;
  return -1;
}
constexpr guardjit::node const& result_of(guardjit::graph_view const& g) { return g[g.outputs[0]]; }
constexpr guardjit::shape const& shape_of(guardjit::graph_view const& g) { return g.shape_of(g.outputs[0]); }

/// The extents of the result when argument `k` has the extents `arguments[k]`.
template <int Count> constexpr guardjit::shape bound_shape(guardjit::graph_view const& g,
                                                           guardjit::shape const (&arguments)[Count]) {
  guardjit::index_t values[64]{};
  guardjit::evaluate_extents(g.extents, values, [&](int k) { return arguments[k].extents.data(); });
  guardjit::shape s = shape_of(g);
  for (int d = 0; d < s.rank; ++d) s[d] = guardjit::value_of(s[d], values);
  return s;
}

}  // namespace traces

#endif
