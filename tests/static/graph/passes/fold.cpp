// guardjit: tests/static/graph/passes/fold.cpp: ops on constants, bit by bit
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::op, gj::scalar_bits, gj::shape;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
constexpr gj::graph_view graph = gj::optimized<trace_of<F, Arguments...>>::graph.view();

constexpr scalar_bits scalar_op(op id, dtype type, dtype result, auto... in) {
  scalar_bits const operands[] = {scalar_bits::of(in)...};
  return gj::evaluate_scalar(id, type, result, operands);
}
constexpr std::int64_t lowest = INT64_MIN;

// One op on one element, in the dtype that it computes in.
static_assert(scalar_op(op::add, dtype::u8, dtype::u8, std::uint8_t{200}, std::uint8_t{100}).as<int64_t>() == 44);
static_assert(scalar_op(op::add, dtype::i64, dtype::i64, INT64_MAX, std::int64_t{1}).as<int64_t>() == lowest);
static_assert(scalar_op(op::neg, dtype::i64, dtype::i64, lowest).as<int64_t>() == lowest);
static_assert(scalar_op(op::add, dtype::f32, dtype::f32, 16777216.0f, 1.0f).as<float>() == 16777216.0f);
static_assert(scalar_op(op::add, dtype::f64, dtype::f64, 16777216.0, 1.0).as<double>() == 16777217.0);
static_assert(scalar_op(op::add, dtype::boolean, dtype::boolean, true, true).as<bool>());
static_assert(scalar_op(op::lt, dtype::f32, dtype::boolean, 1.0f, 2.0f).as<bool>());
static_assert(!scalar_op(op::le, dtype::f64, dtype::boolean, std::numeric_limits<double>::quiet_NaN(), 2.0).as<bool>());
static_assert(scalar_op(op::ne, dtype::u8, dtype::boolean, std::uint8_t{1}, std::uint8_t{2}).as<bool>());
static_assert(scalar_op(op::logical_xor, dtype::f32, dtype::boolean, 0.5f, -0.0f).as<bool>());
static_assert(scalar_op(op::bitwise_and, dtype::i64, dtype::i64, std::int64_t{12}, std::int64_t{-6}).as<int64_t>() == 8);
static_assert(scalar_op(op::bitwise_not, dtype::boolean, dtype::boolean, true).bits == 0);
static_assert(scalar_op(op::bitwise_not, dtype::u8, dtype::u8, std::uint8_t{1}).as<int64_t>() == 254);
static_assert(scalar_op(op::round, dtype::f64, dtype::f64, -0.2).bits == scalar_bits::of(-0.0).bits);
static_assert(scalar_op(op::round, dtype::f32, dtype::f32, 2.5f).as<float>() == 2);
static_assert(scalar_op(op::floor, dtype::f64, dtype::f64, -1e300).as<double>() == -1e300);
static_assert(scalar_op(op::clip, dtype::u8, dtype::u8, std::uint8_t{9}, std::uint8_t{3}, std::uint8_t{2}).as<int64_t>() == 2);
static_assert(scalar_op(op::sign, dtype::f64, dtype::f64, -3.5).as<double>() == -1);
static_assert(scalar_op(op::abs, dtype::i64, dtype::i64, lowest).as<int64_t>() == lowest);
static_assert(scalar_op(op::pow, dtype::i32, dtype::i32, 2, 31).as<int64_t>() == INT32_MIN);
static_assert(gj::has_constant_formula(op::pow, dtype::u8) && !gj::has_constant_formula(op::pow, dtype::f32));
static_assert(!gj::has_constant_formula(op::gelu, dtype::f64) && !gj::has_constant_formula(op::sigmoid, dtype::f32));
static_assert(scalar_op(op::floor_divide, dtype::i32, dtype::i32, -7, 3).as<int64_t>() == -3);
static_assert(scalar_op(op::remainder, dtype::i64, dtype::i64, lowest, std::int64_t{-1}).bits == 0);
static_assert(scalar_op(op::shift_right, dtype::i32, dtype::i32, -8, 99).as<int64_t>() == -1);
static_assert(scalar_op(op::trunc_divide, dtype::f64, dtype::f64, -7.0, 2.0).as<double>() == -3);
static_assert(!gj::has_constant_formula(op::shift_left, dtype::boolean) && !gj::has_constant_formula(op::fmod, dtype::f32));
// Only what an op computes in, and only what the compiler can evaluate, has a formula.
static_assert(gj::has_constant_formula(op::add, dtype::boolean) && !gj::has_constant_formula(op::sub, dtype::boolean));
static_assert(!gj::has_constant_formula(op::bitwise_or, dtype::f32) && !gj::has_constant_formula(op::div, dtype::i32));
static_assert(!gj::has_constant_formula(op::exp, dtype::f32) && !gj::has_constant_formula(op::matmul, dtype::f32));
static_assert(scalar_op(op::where, dtype::f32, dtype::f32, true, 1.0f, 2.0f).as<float>() == 1.0f);
static_assert(scalar_op(op::where, dtype::f32, dtype::f32, false, 1.0f, 2.0f).as<float>() == 2.0f);
static_assert(scalar_op(op::relu, dtype::f64, dtype::f64, -0.0).bits == scalar_bits::of(0.0).bits);
static_assert(scalar_op(op::div, dtype::f64, dtype::f64, 1.0, 0.0).as<double>() > 1e300);
static_assert(scalar_op(op::minimum, dtype::f64, dtype::f64, 0.0, -0.0).bits == scalar_bits::of(-0.0).bits);

// Conversions truncate and saturate (POL-8).
static_assert(gj::convert_bits(scalar_bits::of(-2.9), dtype::f64, dtype::i64).as<int64_t>() == -2);
static_assert(gj::convert_bits(scalar_bits::of(1e30), dtype::f64, dtype::i64).as<int64_t>() == INT64_MAX);
static_assert(gj::convert_bits(scalar_bits::of(300.0), dtype::f64, dtype::u8).as<int64_t>() == 255);
static_assert(gj::convert_bits(scalar_bits::of(0.1), dtype::f64, dtype::f32).as<double>() == double{0.1f});
static_assert(gj::convert_bits(scalar_bits::of(0.5), dtype::f64, dtype::boolean).as<bool>());

// What is known of scalars and filled tensors is computed by the compiler.
constexpr auto affine = [](auto x) { return x + (gj::ones<float>(x.extent(0)) * 3.0f - 1.0f); };
static_assert(graph<affine, of(4)>.size() == 4);
static_assert(graph<affine, of(4)>[find(graph<affine, of(4)>, op::constant)].bits == scalar_bits::of(2.0).bits);
static_assert(shape_of(graph<affine, of(4)>) == shape(4));
constexpr auto chosen = [](auto x) { return gj::where(gj::zeros<float>(x.extent(0)) < 1.0f, x * 3.0f, x * 4.0f); };
static_assert(count_of(graph<chosen, of(4)>, op::lt) == 0);
// A condition that is true everywhere is kept as a value: where has no shortcut for it.
static_assert(count_of(graph<chosen, of(4)>, op::where) == 1);

// An op of one operand that gives bool takes that operand's dtype.
constexpr auto none = [](auto x) { return gj::where(gj::logical_not(gj::zeros<float>(x.extent(0))), x, -x); };
static_assert(count_of(graph<none, of(4)>, op::logical_not) == 0);

// The constant takes the dtype that the op computes in: 0.1 becomes 0.1f.
constexpr auto tenth = [](auto x) { return x * 0.1; };
static_assert(graph<tenth, of(4)>[1].type == dtype::f32);
static_assert(graph<tenth, of(4)>[1].bits == scalar_bits::of(0.1f).bits);

// Functions of the float library are left to the backend, whose bits they must have.
constexpr auto root = [](auto x) { return x * gj::sqrt(gj::ones<float>(x.extent(0)) * 4.0f); };
static_assert(count_of(graph<root, of(4)>, op::sqrt) == 1);

}  // namespace
