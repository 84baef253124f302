// guardjit: tests/static/graph/passes/simplify.cpp: what changes no bit goes, all else stays
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::op;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
constexpr gj::graph_view graph = gj::optimized<trace_of<F, Arguments...>>::graph.view();
/// Whether the function is its first argument.
template <auto const& F, gj::argument_type... Arguments>
constexpr bool is_identity = result_of(graph<F, Arguments...>).id == op::input && graph<F, Arguments...>.size() == 1;
template <auto const& F, gj::argument_type... Arguments> constexpr op result = result_of(graph<F, Arguments...>).id;

constexpr auto times_one = [](auto x) { return 1.0f * x * 1; };
constexpr auto over_one = [](auto x) { return x / 1.0f; };
constexpr auto minus_zero = [](auto x) { return x - 0.0f; };
constexpr auto plus_negative_zero = [](auto x) { return -0.0f + x; };
constexpr auto plus_zero = [](auto x) { return x + 0.0f; };
constexpr auto minus_negative_zero = [](auto x) { return x - (-0.0f); };
constexpr auto times_zero = [](auto x) { return x * 0.0f; };
constexpr auto minus_itself = [](auto x) { return x - x; };
constexpr auto over_itself = [](auto x) { return x / x; };
constexpr auto twice_negative = [](auto x) { return -(-x); };
constexpr auto twice_relu = [](auto x) { return gj::relu(gj::relu(x)); };
constexpr auto largest_of_one = [](auto x) { return gj::maximum(x, x); };
constexpr auto same_choice = [](auto x) { return gj::where(x > 0, x, x); };
constexpr auto same_type = [](auto x) { return gj::to<float>(x); };
constexpr auto there_and_back = [](auto x) { return gj::to<float>(gj::to<double>(x)); };
constexpr auto same_shape = [](auto x) { return gj::reshape(gj::expand(x, {x.extent(0), 4}), {x.extent(0), 4}); };
constexpr auto whole = [](auto x) { return gj::slice(x, 0, 0); };
constexpr auto backwards = [](auto x) { return gj::slice(x, 0, -1, gj::slice_end, -1); };
constexpr auto turned_twice = [](auto x) { return gj::permute(gj::permute(x, gj::axes(1, 0)), gj::axes(1, 0)); };
constexpr auto reshaped_twice = [](auto x) { return gj::reshape(gj::reshape(x, {-1}), {4, -1}); };
constexpr auto rolled = [](auto x) { return gj::permute(gj::permute(x, gj::axes(1, 2, 0)), gj::axes(1, 2, 0)); };
constexpr auto stretched = [](auto x) { return gj::ones<float>(x.extent(0), 4) * x; };

// These give the argument, bit by bit.
static_assert(is_identity<times_one, of(dyn, 4)> && is_identity<times_one, of<dtype::u8>(4)> == false);
static_assert(is_identity<over_one, of(4)>);
static_assert(is_identity<minus_zero, of(4)> && is_identity<plus_negative_zero, of(4)>);
static_assert(is_identity<twice_negative, of(4)> && is_identity<twice_negative, of<dtype::i64>(4)>);
static_assert(result<twice_relu, of(4)> == op::relu && count_of(graph<twice_relu, of(4)>, op::relu) == 1);
static_assert(is_identity<largest_of_one, of(4)> && is_identity<same_choice, of(4)>);
static_assert(is_identity<same_type, of(4)> && !is_identity<same_type, of<dtype::f64>(4)>);
static_assert(is_identity<same_shape, of(dyn, 4)> && is_identity<whole, of(dyn, 4)>);
static_assert(is_identity<turned_twice, of(dyn, 4)>);

// These do not: -0 + 0 is +0, NaN and infinity times 0 are NaN, 0 / 0 is NaN.
static_assert(result<plus_zero, of(4)> == op::add);
static_assert(is_identity<plus_zero, of<dtype::f64>(4)> == false);
static_assert(result<minus_negative_zero, of(4)> == op::sub);
static_assert(result<times_zero, of(4)> == op::mul);
static_assert(result<minus_itself, of(4)> == op::sub && result<over_itself, of(4)> == op::div);
static_assert(result<backwards, of(dyn)> == op::slice);
// A conversion there and back may lose nothing here, but it is not the compiler's to say.
static_assert(count_of(graph<there_and_back, of(4)>, op::to) == 2);
// A factor of ones that stretches the other operand is not nothing.
static_assert(result<stretched, of(dyn, 1)> == op::mul);
static_assert(is_identity<stretched, of(dyn, 4)>);

// Views of views read further up.
static_assert(count_of(graph<reshaped_twice, of(8)>, op::reshape) == 1);
static_assert(graph<reshaped_twice, of(8)>.size() == 2);
static_assert(count_of(graph<rolled, of(2, 3, 4)>, op::permute) == 1);
static_assert(graph<rolled, of(2, 3, 4)>.attributes_of(1).order[0] == 2);
static_assert(shape_of(graph<rolled, of(2, 3, 4)>) == gj::shape(4, 2, 3));

// Conversions that were implied are nodes: the operands of every op have one dtype.
constexpr auto mixed = [](auto x, auto y) { return (x + y) * 2; };
static_assert(graph<mixed, of<dtype::u8>(4), of(4)>.size() == 6);
static_assert(count_of(graph<mixed, of<dtype::u8>(4), of(4)>, op::to) == 1);
constexpr auto compared = [](auto x, auto y) { return x < y; };
static_assert(graph<compared, of<dtype::i64>(4), of(4)>[2].type == dtype::f32);
constexpr auto quotient = [](auto x, auto y) { return x / y; };
static_assert(count_of(graph<quotient, of<dtype::u8>(4), of<dtype::i64>(4)>, op::to) == 2);
constexpr auto wide_product = [](auto x, auto y) { return gj::matmul(x, y); };
static_assert(count_of(graph<wide_product, of<dtype::u8>(2, 2), of<dtype::boolean>(2, 2)>, op::to) == 2);

// A sum of 35 matrices of run-time shapes: more extents than nodes.
constexpr auto sum_of_all = [](auto first, auto... rest) {
  ((first = first + rest), ...);
  return first;
};
template <int... K> constexpr gj::graph_view sum_of_matrices(std::integer_sequence<int, K...>) {
  return graph<sum_of_all, of(dyn + 0 * K, dyn)...>;
}
static_assert(sum_of_matrices(std::make_integer_sequence<int, 35>{}).size() == 69);
static_assert(sum_of_matrices(std::make_integer_sequence<int, 35>{}).extents.size() > 96);

}  // namespace
