// guardjit: tests/static/expr/composite.cpp: functions written out of ops, in a trace
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

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

using floats = signature<argument_type{dtype::f32, false, {dyn, 5}}>;
using bytes = signature<argument_type{dtype::u8, false, {3, 5}}>;

constexpr bool is_sequence(graph_view g, std::initializer_list<op> ids) {
  int k = 0;
  for (op id : ids)
    if (k >= g.size() || g[k++].id != id) return false;
  return k == g.size();
}

constexpr graph_view rows = traced<softmax_of_rows, floats>::graph.view();
static_assert(!traced<softmax_of_rows, floats>::graph.wrong);
static_assert(is_sequence(rows, {op::input, op::amax, op::sub, op::exp, op::sum, op::div}));
static_assert(rows.attributes_of(1).axes == 0b10 && rows.attributes_of(1).keepdims);
static_assert(rows[rows.outputs[0]].type == dtype::f32 && rows.shape_of(rows.outputs[0])[1] == 5);

// Integers are taken as f64 first.
constexpr graph_view columns = traced<softmax_of_columns, bytes>::graph.view();
static_assert(is_sequence(columns,
                          {op::input, op::to, op::amax, op::sub, op::exp, op::sum, op::div}));
static_assert(columns.attributes_of(2).axes == 0b01 && columns[columns.outputs[0]].type == dtype::f64);

// Both forms of transpose are one node.
static_assert(is_sequence(traced<transposed_twice, bytes>::graph.view(),
                          {op::input, op::permute, op::add}));
static_assert(traced<square_of_no_square, bytes>::graph.wrong.kind ==
              mistake_kind::inner_extents_differ);

static_assert(traced<wrong_axis, floats>::graph.wrong.kind == mistake_kind::axis_out_of_range);

}  // namespace
