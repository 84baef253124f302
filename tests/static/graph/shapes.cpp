// guardjit: tests/static/graph/shapes.cpp: shape rules in traces: static, mixed and run-time extents
// SPDX-License-Identifier: BSL-1.0
#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dyn, gj::mistake_kind, gj::requirement_kind, gj::shape;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
constexpr gj::graph_view graph = trace_of<F, Arguments...>::graph.view();
template <auto const& F, gj::argument_type... Arguments>
constexpr mistake_kind wrong = trace_of<F, Arguments...>::graph.wrong.kind;
template <auto const& F, gj::argument_type... Arguments>
constexpr unsigned required = static_cast<unsigned>(graph<F, Arguments...>.requirements.size());

// Broadcasting.
constexpr auto add = [](auto x, auto y) { return x + y; };
static_assert(shape_of(graph<add, of(4, 1, 3), of(2, 3)>) == shape(4, 2, 3));
static_assert(shape_of(graph<add, of(), of(2, 3)>) == shape(2, 3));
static_assert(shape_of(graph<add, of(0, 3), of(1, 3)>) == shape(0, 3));
static_assert(wrong<add, of(4), of(3)> == mistake_kind::extents_differ);
static_assert(shape_of(graph<add, of(dyn, 1), of(dyn, 3)>)[1] == 3);
static_assert(required<add, of(dyn, 3), of(3)> == 0);
static_assert(required<add, of(dyn, 3), of(1, 3)> == 0);
// A run-time extent beside a static one: 7, unless it is neither 7 nor 1.
static_assert(shape_of(graph<add, of(dyn), of(7)>) == shape(7));
static_assert(graph<add, of(dyn), of(7)>.requirements[0].kind == requirement_kind::broadcast);
static_assert(graph<add, of(dyn), of(7)>.requirements[0].holds(1, 7));
static_assert(!graph<add, of(dyn), of(7)>.requirements[0].holds(3, 7));
static_assert(bound_shape(graph<add, of(dyn), of(dyn)>, {shape(1), shape(5)}) == shape(5));
static_assert(bound_shape(graph<add, of(dyn), of(dyn)>, {shape(5), shape(1)}) == shape(5));
static_assert(bound_shape(graph<add, of(dyn), of(dyn)>, {shape(1), shape(0)}) == shape(0));
constexpr auto add_twice = [](auto x, auto y) { return (x + y) * (x - y); };
static_assert(required<add_twice, of(dyn), of(dyn)> == 1);
// What was broadcast once fits with its parts, in any order: one symbol, one requirement.
constexpr auto add_again = [](auto x, auto y) { return ((x + y) * y + x) * (y - x); };
static_assert(required<add_again, of(dyn), of(dyn)> == 1);
static_assert(graph<add_again, of(dyn), of(dyn)>.extents.size() == 3);
static_assert(bound_shape(graph<add_again, of(dyn), of(dyn)>, {shape(1), shape(5)}) == shape(5));
constexpr auto add_third = [](auto x, auto y, auto z) { return (x + y) * (z + y); };
static_assert(required<add_third, of(dyn), of(dyn), of(dyn)> == 3);
static_assert(bound_shape(graph<add_third, of(dyn), of(dyn), of(dyn)>, {shape(1), shape(1), shape(4)}) == shape(4));

// Products.
constexpr auto product = [](auto x, auto y) { return gj::matmul(x, y); };
static_assert(shape_of(graph<product, of(2, 3), of(3, 4)>) == shape(2, 4));
static_assert(shape_of(graph<product, of(3), of(3)>) == shape{});
static_assert(shape_of(graph<product, of(3), of(3, 4)>) == shape(4));
static_assert(shape_of(graph<product, of(2, 3), of(3)>) == shape(2));
static_assert(shape_of(graph<product, of(5, 1, 2, 3), of(7, 3, 4)>) == shape(5, 7, 2, 4));
static_assert(wrong<product, of(2, 3), of(4, 4)> == mistake_kind::inner_extents_differ);
static_assert(wrong<product, of(), of(4, 4)> == mistake_kind::rank_too_low);
static_assert(wrong<product, of(2, 2, 3), of(3, 3, 4)> == mistake_kind::extents_differ);
static_assert(required<product, of(2, dyn), of(dyn, 4)> == 1);
static_assert(bound_shape(graph<product, of(dyn, 3), of(3, dyn)>, {shape(8, 3), shape(3, 9)}) == shape(8, 9));

// Reductions.
constexpr auto total = [](auto x) { return gj::sum(x); };
constexpr auto rows = [](auto x) { return gj::mean(x, gj::axes(-1), gj::keepdims); };
constexpr auto largest = [](auto x) { return gj::amax(x, gj::axes(0)); };
constexpr auto outside = [](auto x) { return gj::sum(x, gj::axes(2)); };
constexpr auto repeated = [](auto x) { return gj::sum(x, gj::axes(0, -2)); };
static_assert(shape_of(graph<total, of(2, dyn)>) == shape{});
static_assert(shape_of(graph<rows, of(2, 3)>) == shape(2, 1));
static_assert(shape_of(graph<rows, of(dyn, 3)>)[1] == 1);
static_assert(shape_of(graph<largest, of(2, 3)>) == shape(3));
static_assert(wrong<largest, of(0, 3)> == mistake_kind::reduced_extent_is_zero);
static_assert(wrong<largest, of(3, 0)> == mistake_kind::none);
static_assert(wrong<rows, of(3, 0)> == mistake_kind::none);
static_assert(graph<largest, of(dyn, 3)>.requirements[0].kind == requirement_kind::positive);
static_assert(wrong<outside, of(2, 3)> == mistake_kind::axis_out_of_range);
static_assert(wrong<repeated, of(2, 3)> == mistake_kind::axis_repeated);
static_assert(wrong<rows, of()> == mistake_kind::axis_out_of_range);

// Reshapes.
constexpr auto flat = [](auto x) { return gj::reshape(x, {-1}); };
constexpr auto quarters = [](auto x) { return gj::reshape(x, {x.extent(0) / 4, 4}); };
constexpr auto by_four = [](auto x) { return gj::reshape(x, {-1, 4}); };
static_assert(shape_of(graph<flat, of(2, 3)>) == shape(6));
static_assert(shape_of(graph<by_four, of(8)>) == shape(2, 4));
static_assert(shape_of(graph<quarters, of(8)>) == shape(2, 4));
static_assert(wrong<by_four, of(6)> == mistake_kind::count_is_no_multiple);
static_assert(wrong<quarters, of(6)> == mistake_kind::count_differs);
static_assert(bound_shape(graph<flat, of(dyn, 3)>, {shape(5, 3)}) == shape(15));
static_assert(required<flat, of(dyn, 3)> == 0);
static_assert(bound_shape(graph<by_four, of(dyn)>, {shape(12)}) == shape(3, 4));
static_assert(graph<by_four, of(dyn)>.requirements[0].kind == requirement_kind::multiple);
static_assert(graph<quarters, of(dyn)>.requirements[0].kind == requirement_kind::equal);

// Slices: Python's clamping. Most bounds settle though the extent is a run-time value.
constexpr auto every_second = [](auto x) { return gj::slice(x, 0, 1, -1, 2); };
constexpr auto backwards = [](auto x) { return gj::slice(x, 0, -1, gj::slice_end, -1); };
constexpr auto first_three = [](auto x) { return gj::slice(x, 0, 0, 3); };
constexpr auto half = [](auto x) { return gj::slice(x, 0, 0, x.extent(0) / 2); };
constexpr auto whole = [](auto x) { return gj::slice(x, 0, 0); };
static_assert(shape_of(graph<every_second, of(8, 3)>) == shape(3, 3));
static_assert(shape_of(graph<every_second, of(1, 3)>) == shape(0, 3));
static_assert(shape_of(graph<backwards, of(8)>) == shape(8));
static_assert(shape_of(graph<first_three, of(2)>) == shape(2));
static_assert(shape_of(graph<half, of(9)>) == shape(4));
static_assert(bound_shape(graph<every_second, of(dyn)>, {shape(8)}) == shape(3));
static_assert(bound_shape(graph<every_second, of(dyn)>, {shape(0)}) == shape(0));
static_assert(bound_shape(graph<backwards, of(dyn)>, {shape(8)}) == shape(8));
static_assert(bound_shape(graph<first_three, of(dyn)>, {shape(2)}) == shape(2));
static_assert(bound_shape(graph<half, of(dyn)>, {shape(9)}) == shape(4));
static_assert(graph<whole, of(dyn)>.extents.size() == 1);
constexpr auto no_step = [](auto x) { return gj::slice(x, 0, 0, 3, 0); };
static_assert(wrong<no_step, of(4)> == mistake_kind::step_is_zero);

// Permute and expand.
constexpr auto turned = [](auto x) { return gj::permute(x, gj::axes(2, 0, 1)); };
constexpr auto stretched = [](auto x) { return gj::expand(x, {4, x.extent(0), 3}); };
static_assert(shape_of(graph<turned, of(2, 3, 4)>) == shape(4, 2, 3));
static_assert(bound_shape(graph<turned, of(2, dyn, 4)>, {shape(2, 9, 4)}) == shape(4, 2, 9));
static_assert(wrong<turned, of(2, 3)> == mistake_kind::axis_out_of_range);
static_assert(shape_of(graph<stretched, of(2, 1)>) == shape(4, 2, 3));
static_assert(wrong<stretched, of(2, 2)> == mistake_kind::extents_differ);
static_assert(required<stretched, of(dyn, 1)> == 0);
static_assert(required<stretched, of(2, dyn)> == 1);
static_assert(graph<stretched, of(2, dyn)>.requirements[0].holds(1, 3));
static_assert(graph<stretched, of(2, dyn)>.requirements[0].holds(3, 3));
static_assert(!graph<stretched, of(2, dyn)>.requirements[0].holds(2, 3));

// Arithmetic on extents is integer arithmetic of the call.
constexpr auto grown = [](auto x) { return gj::zeros<float>(2 * x.extent(0) + 1, (x.extent(0) - 1) / 3, x.extent(1)); };
static_assert(shape_of(graph<grown, of(7, 2)>) == shape(15, 2, 2));
static_assert(bound_shape(graph<grown, of(dyn, dyn)>, {shape(7, 2)}) == shape(15, 2, 2));

// The first mistake is kept, with its line, and the trace goes on with a value of the right kind.
constexpr int first = __LINE__;
constexpr auto two_mistakes = [](auto x, auto y) {
  auto z = gj::matmul(x, y);  // first + 2
  return gj::matmul(z, x) + gj::sum(y, gj::axes(7));
};
constexpr auto const& both = trace_of<two_mistakes, of(4, 64), of(32, 8)>::graph;
static_assert(both.wrong.kind == mistake_kind::inner_extents_differ);
static_assert(both.wrong.left == 64 && both.wrong.right == 32);
static_assert(static_cast<int>(both.wrong_line.line) == first + 2);

}  // namespace
