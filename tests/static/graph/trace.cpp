// guardjit: tests/static/graph/trace.cpp: nodes, lines and dtypes of traced functions
// SPDX-License-Identifier: BSL-1.0
#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::op, gj::shape;
using namespace traces;

namespace {

// Equal values are one node, whatever the lambda calls them.
constexpr auto squares = [](auto x) { return x * x + x * x; };
static_assert(trace_of<squares, of(dyn)>::graph.view().size() == 3);
constexpr auto twice = [](auto x) { return gj::sum(x, gj::axes(0)) - gj::sum(x, gj::axes(-2)); };
static_assert(count_of(trace_of<twice, of(4, 8)>::graph.view(), op::sum) == 1);
constexpr auto apart = [](auto x) { return gj::sum(x, gj::axes(0)) - gj::sum(x, gj::axes(0), gj::keepdims); };
static_assert(count_of(trace_of<apart, of(4, 8)>::graph.view(), op::sum) == 2);
constexpr auto order_matters = [](auto x, auto y) { return (x - y) * (y - x); };
static_assert(count_of(trace_of<order_matters, of(4), of(4)>::graph.view(), op::sub) == 2);

// Loops unroll, helpers inline, aggregates pass through.
struct pair {
  gj::sym a, b;
};
constexpr pair step(pair p) { return {p.b, p.a + p.b}; }
constexpr auto fibonacci = [](auto x) {
  pair p{x, x};
  for (int i = 0; i < 10; ++i) p = step(p);
  return p.b;
};
static_assert(count_of(trace_of<fibonacci, of(4)>::graph.view(), op::add) == 10);

// Lines of operators, functions, factories and leaves.
constexpr int first = __LINE__;
constexpr auto lines = [](auto x, auto w) {
  auto a = x + w;                              // first + 2
  auto b = gj::maximum(a, w);                  // first + 3
  auto c = gj::ones<float>(x.extent(0));       // first + 4
  auto d = -b;                                 // first + 5
  auto e = gj::sum(d, gj::axes(0));            // first + 6
  return gj::where(a < 2, c * e,               // first + 7
                   gj::reshape(b, {-1}));      // first + 8
};
using lines_graph = trace_of<lines, of(8), of(8)>;
template <op Id> constexpr int line_of() {
  auto const g = lines_graph::graph.view();
  return static_cast<int>(g[find(g, Id)].where.line) - first;
}
static_assert(line_of<op::add>() == 2);
static_assert(line_of<op::maximum>() == 3);
static_assert(line_of<op::ones>() == 4);
static_assert(line_of<op::neg>() == 5);
static_assert(line_of<op::sum>() == 6);
static_assert(line_of<op::lt>() == 7);
static_assert(line_of<op::mul>() == 7);
static_assert(line_of<op::where>() == 7 || line_of<op::where>() == 8);
static_assert(line_of<op::reshape>() == 8);
static_assert(lines_graph::graph.view()[0].where.line == 0);

// C++ scalars are weak inside their kind (POL-14).
template <auto const& F, gj::argument_type... Arguments>
constexpr dtype result = result_of(trace_of<F, Arguments...>::graph.view()).type;
constexpr auto times_float = [](auto x) { return x * 2.0f; };
constexpr auto times_double = [](auto x) { return x * 2.0; };
constexpr auto times_int = [](auto x) { return 2 * x; };
constexpr auto times_bool = [](auto x) { return x * true; };
static_assert(result<times_double, of(4)> == dtype::f32);
static_assert(result<times_float, of<dtype::f64>(4)> == dtype::f64);
static_assert(result<times_int, of<dtype::u8>(4)> == dtype::u8);
static_assert(result<times_float, of<dtype::i64>(4)> == dtype::f32);
static_assert(result<times_double, of<dtype::u8>(4)> == dtype::f64);
static_assert(result<times_bool, of<dtype::boolean>(4)> == dtype::boolean);
constexpr auto scalar_first = [](auto s, auto x) { return s * 2.0 * x; };
static_assert(result<scalar_first, scalar(), of(4)> == dtype::f32);
static_assert(result<scalar_first, of(), of(4)> == dtype::f32);
static_assert(result<scalar_first, of<dtype::f64>(), of(4)> == dtype::f64);
constexpr auto converted = [](auto s, auto x) { return gj::to<double>(s) * x; };
static_assert(result<converted, scalar(), of(4)> == dtype::f64);

// Extents are scalar operands of ops; a static one is a number, a run-time one an input.
constexpr auto by_extent = [](auto x, auto n) { return x * x.extent(0) + gj::to<float>(n.extent(-1)); };
static_assert(count_of(trace_of<by_extent, of(4, 2), of(2)>::graph.view(), op::constant) == 2);
using dynamic_extent_graph = trace_of<by_extent, of(dyn, 2), of(2)>;
static_assert(count_of(dynamic_extent_graph::graph.view(), op::input) == 3);
static_assert(result<by_extent, of(dyn, 2), of(2)> == dtype::f32);
static_assert(result<by_extent, of<dtype::u8>(dyn, 2), of(2)> == dtype::f32);

// Symbols know their rank and dtype, so branches on these are decided without a condition.
constexpr auto by_rank = [](auto x) {
  if (x.rank() == 2 && x.type() == dtype::f32) return gj::sum(x);
  return gj::amax(x);
};
static_assert(result_of(trace_of<by_rank, of(dyn, dyn)>::graph.view()).id == op::sum);
static_assert(result_of(trace_of<by_rank, of(dyn)>::graph.view()).id == op::amax);
static_assert(trace_of<by_rank, of(dyn, dyn)>::graph.conditions.size() == 1 &&
              trace_of<by_rank, of(dyn, dyn)>::graph.view().conditions.empty());

// A function may return an argument, a number, or an extent.
constexpr auto identity = [](auto x) { return x; };
constexpr auto number = [](auto) { return 2.5f; };
constexpr auto extent = [](auto x) { return x.extent(0); };
static_assert(result_of(trace_of<identity, of(4)>::graph.view()).id == op::input);
static_assert(result_of(trace_of<number, of(4)>::graph.view()).id == op::constant);
static_assert(result_of(trace_of<extent, of(dyn)>::graph.view()).type == dtype::i64);

// The trace has exactly the size of its parts.
static_assert(trace_of<squares, of(dyn)>::graph.nodes.size() == 3);
static_assert(trace_of<squares, of(dyn)>::graph.view().extents.size() == 1);
static_assert(trace_of<squares, of(4)>::graph.view().extents.empty());

}  // namespace
