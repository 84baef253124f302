// guardjit: tests/static/expr/composite.cpp: functions written out of ops, in a trace
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/graph/evaluate_constant.hpp>

using namespace guardjit;

namespace {

struct softmax_of_rows {
  constexpr auto operator()(auto const& x) const { return softmax(x); }
};
struct softmax_of_columns {
  constexpr auto operator()(auto const& x) const { return softmax(x, 0); }
};
struct transposed_twice {
  constexpr auto operator()(auto const& x) const { return add(transpose(x), transpose(x, 0, -1)); }
};
struct square_of_no_square {
  constexpr auto operator()(auto const& x) const { return matmul(transpose(x), transpose(x)); }
};
struct wrong_axis {
  constexpr auto operator()(auto const& x) const { return softmax(x, 2); }
};

using floats = call_signature<argument_type{dtype::f32, false, {dyn, 5}}>;
using bytes = call_signature<argument_type{dtype::u8, false, {3, 5}}>;

constexpr bool is_sequence(graph_view g, std::initializer_list<op> ids) {
  int k = 0;
  for (op id : ids)
    if (k >= g.size() || g[k++].id != id) return false;
  return k == g.size();
}

constexpr graph_view rows = traced<softmax_of_rows, floats>::graph.view();
static_assert(!traced<softmax_of_rows, floats>::graph.wrong);
static_assert(is_sequence(rows, {op::input, op::amax, op::sub, op::exp, op::sum, op::reciprocal, op::mul}));
static_assert(rows.attributes_of(1).axes == 0b10 && rows.attributes_of(1).keepdims);
static_assert(rows[rows.outputs[0]].type == dtype::f32 && rows.shape_of(rows.outputs[0])[1] == 5);

// Integers are taken as f64 first.
constexpr graph_view columns = traced<softmax_of_columns, bytes>::graph.view();
static_assert(is_sequence(columns,
                          {op::input, op::to, op::amax, op::sub, op::exp, op::sum, op::reciprocal, op::mul}));
static_assert(columns.attributes_of(2).axes == 0b01 && columns[columns.outputs[0]].type == dtype::f64);

// Both forms of transpose are one node.
static_assert(is_sequence(traced<transposed_twice, bytes>::graph.view(),
                          {op::input, op::permute, op::add}));
static_assert(traced<square_of_no_square, bytes>::graph.wrong.kind ==
              mistake_kind::inner_extents_differ);

static_assert(traced<wrong_axis, floats>::graph.wrong.kind == mistake_kind::axis_out_of_range);

// A variance is two means; only the second has a correction. Its value is that of plain arithmetic.
struct variance_of_rows {
  constexpr auto operator()(auto const& x) const { return var(x, axes(-1), correction(2), keepdims); }
};
constexpr graph_view spread = traced<variance_of_rows, floats>::graph.view();
static_assert(is_sequence(spread, {op::input, op::to, op::mean, op::sub, op::square, op::mean, op::to}));
static_assert(spread.attributes_of(2).correction == 0 && spread.attributes_of(5).correction == 2);
static_assert(spread[spread.outputs[0]].type == dtype::f32 && spread.shape_of(spread.outputs[0])[1] == 1);
static_assert(evaluate_constant([](auto x) { return var(x); }, literal_tensor<float, 4>{{1, 2, 3, 4}}) == 5.0f / 3);
static_assert(evaluate_constant([](auto x) { return var(x, correction(0)); }, literal_tensor<bool, 2>{{true, false}}) ==
              0.25);

// Functions of rows keep the axis, or drop it by a view; a mask of bits needs no op to be one.
struct log_of_sum {
  constexpr auto operator()(auto const& x) const { return logsumexp(x, axes(1)); }
};
constexpr graph_view log_sum = traced<log_of_sum, floats>::graph.view();
static_assert(log_sum[log_sum.outputs[0]].id == op::reshape && log_sum.shape_of(log_sum.outputs[0]).rank == 1);
static_assert(log_sum.attributes_of(1).lowest_of_none);
struct masked {
  constexpr auto operator()(auto const& x, auto const& mask) const { return softmax(x, -1, mask); }
};
using places = call_signature<argument_type{dtype::f32, false, {4, 5}}, argument_type{dtype::boolean, false, {5}}>;
constexpr graph_view chosen = traced<masked, places>::graph.view();
static_assert(chosen[chosen.outputs[0]].id == op::where && chosen[2].id == op::constant && chosen[3].id == op::where);
struct normal {
  constexpr auto operator()(auto const& x, auto const& w) const { return layer_norm(x, axes(1), w); }
};
using weights = call_signature<argument_type{dtype::f32, false, {dyn, 5}}, argument_type{dtype::f32, false, {5}}>;
static_assert(optimized<traced<normal, weights>>::graph.view().size() == 17);  // no expand
using wrong_weights = call_signature<argument_type{dtype::f32, false, {dyn, 5}}, argument_type{dtype::f32, false, {4}}>;
static_assert(traced<normal, wrong_weights>::graph.wrong.kind == mistake_kind::extents_differ);
using square_weights = call_signature<argument_type{dtype::f32, false, {dyn, 5}}, argument_type{dtype::f32, false, {5, 5}}>;
static_assert(traced<normal, square_weights>::graph.wrong.kind == mistake_kind::rank_too_high);
using integers = call_signature<argument_type{dtype::f32, false, {4, 5}}, argument_type{dtype::i32, false, {5}}>;
static_assert(traced<masked, integers>::graph.wrong.kind == mistake_kind::dtype_is_no_bool);

// What types say of them; functions are without state.
static_assert(std::is_empty_v<decltype(layer_norm)> && std::is_empty_v<decltype(var)>);
static_assert(description<decltype(var(arg<0>, axes(0), correction(0), keepdims))>);

}  // namespace
