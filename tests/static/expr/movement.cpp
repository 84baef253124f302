// guardjit: tests/static/expr/movement.cpp: indexing, and ops that move elements, in traces and in the compiler
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/graph/evaluate_constant.hpp>

using namespace guardjit;

namespace {

struct four_parts {
  constexpr auto operator()(auto const& x) const { return concat(x, x + 1.0f, x, x * 2.0f, 0); }
};
struct part_read_twice {
  constexpr auto operator()(auto const& x) const {
    auto const both = concat(x, x, 0);
    return concat(both, both, 0);
  }
};
struct lower_triangle {
  constexpr auto operator()(auto const& x) const { return tril(x, 1); }
};
struct indexed {
  constexpr auto operator()(auto const& x) const { return x(1, newaxis, range(1, x.extent(1)), full_extent); }
};

using floats = call_signature<argument_type{dtype::f32, false, {dyn, 5}}>;
using cube = call_signature<argument_type{dtype::f32, false, {dyn, dyn, 3}}>;

constexpr int count(graph_view g, op id) {
  int n = 0;
  for (node const& k : g.nodes) n += k.id == id ? 1 : 0;
  return n;
}
/// A backend that fuses, for its programs alone.
struct fusing {
  static constexpr bool fuses = true;
};
template <class F> using kernels_of = program<traced<F, floats>, fusing>;

// Concats along one axis are one kernel, which reads what others computed.
constexpr auto const& four = kernels_of<four_parts>::kernels;
static_assert(count(traced<four_parts, floats>::graph.view(), op::concat) == 3);
static_assert(four.count == 3 && four.steps[2].kind == step_kind::joined && four.steps[2].slots == 4);
// What has two readers is stored once.
constexpr auto const& twice = kernels_of<part_read_twice>::kernels;
static_assert(twice.count == 2 && twice.steps[1].kind == step_kind::joined && twice.steps[1].slots == 2);
// Plain loops run op by op.
static_assert(program<traced<four_parts, floats>, backends::reference>::kernels.count == 5);

// A triangle is one elementwise kernel over two counted vectors.
constexpr auto const& triangle = kernels_of<lower_triangle>::kernels;
static_assert(triangle.count == 3 && triangle.steps[2].kind == step_kind::elementwise);
static_assert(triangle.steps[0].kind == step_kind::counted);

// Axes of extent 1 are put in and taken out without a step that may copy.
constexpr graph_view views = traced<indexed, cube>::graph.view();
static_assert(!traced<indexed, cube>::graph.wrong);
static_assert(count(views, op::select) == 1 && count(views, op::reshape) == 1 && count(views, op::slice) == 1);
static_assert(program<traced<indexed, cube>, backends::reference>::steps == 0);

// Indices of a tensor that is known by its type.
static_assert(std::is_same_v<decltype(std::declval<tensor<float, 2, 3>>()(0, newaxis)), tensor<float, dyn, dyn>>);
static_assert(std::is_same_v<decltype(std::declval<any_tensor>()(0, ellipsis)), any_tensor>);
static_assert(!std::is_assignable_v<any_tensor, any_tensor> && std::is_assignable_v<any_tensor&, any_tensor>);
static_assert(std::is_same_v<decltype(zeros_like(std::declval<tensor<float, 2, dyn>>())), tensor<float, 2, dyn>>);
static_assert(sizeof(tensor<float>) == sizeof(storage) + sizeof(float*) + sizeof(tensor<float>::layout_type));

// The compiler moves elements, too.
using pair = literal_tensor<float, 2>;
using matrix = literal_tensor<float, 2, 2>;
constexpr matrix square{{1, 2, 3, 4}};
constexpr literal_tensor<std::int64_t, 3> places{{1, -2, 1}};
static_assert(evaluate_constant([](auto x) { return concat(x, x + 1.0f, 0); }, pair{{1, 2}}) ==
              literal_tensor<float, 4>{{1, 2, 2, 3}});
static_assert(evaluate_constant([](auto x) { return stack(x, x * 2.0f, 1); }, pair{{1, 2}}) == matrix{{1, 2, 2, 4}});
static_assert(evaluate_constant([](auto x, auto i) { return take(x, i, 0); }, square, places) ==
              literal_tensor<float, 3, 2>{{3, 4, 1, 2, 3, 4}});
static_assert(evaluate_constant([](auto x, auto i) { return gather(x, i, 1); }, square,
                                literal_tensor<std::int32_t, 2, 1>{{-1, 0}}) == literal_tensor<float, 2, 1>{{2, 3}});
static_assert(evaluate_constant([](auto x) { return tril(x); }, square) == matrix{{1, 0, 3, 4}});
static_assert(evaluate_constant([](auto x) { return x(-1) + flip(x)(1); }, square) == pair{{5, 5}});
static_assert(evaluate_constant([](auto x) { return pad(x, {{1, 1}}, reflect); }, literal_tensor<float, 3>{{1, 2, 3}}) ==
              literal_tensor<float, 5>{{2, 1, 2, 3, 2}});
static_assert(evaluate_constant([](auto i) { return one_hot(i, 2); }, literal_tensor<std::int64_t, 2>{{1, -2}}) ==
              literal_tensor<std::int64_t, 2, 2>{{0, 1, 1, 0}});
static_assert(evaluate_constant([](auto x) { return dot(x, x) + outer(x, x)(1, 1); }, pair{{1, 2}}) == 9.0f);
static_assert(evaluate_constant([](auto x) { return x + arange(0, x.extent(0)); }, pair{{1, 2}}) == pair{{1, 3}});

}  // namespace
