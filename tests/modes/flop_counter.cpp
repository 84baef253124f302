// guardjit: tests/modes/flop_counter.cpp: floating operations of each op, and their table
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/flop_counter.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include "operands.hpp"

namespace gj = guardjit;
using gj::attributes;
using gj::dtype;
using gj::op;
using gj::operand_info;
using gj::shape;
using operands::f32;
using operands::of;
using operands::weak;

namespace {

template <std::same_as<operand_info>... Operands>
constexpr std::int64_t flops(op id, operand_info const& result, Operands const&... in) {
  operand_info const operands[] = {in..., weak};
  return gj::flops_of({.id = id, .operands = {operands, sizeof...(in)}, .result = result});
}

// Elementwise: an operation for each element of the result, scalars and stretched operands or not.
static_assert(flops(op::add, f32(64, 10), f32(64, 10), f32(10)) == 640);
static_assert(flops(op::add, f32(5, 7), f32(5, 1), f32(1, 7)) == 35);
static_assert(flops(op::sub, f32(3), weak, f32(3)) == 3);
static_assert(flops(op::mul, f32(), f32(), f32()) == 1);
static_assert(flops(op::exp, f32(0, 9), f32(0, 9)) == 0);
static_assert(flops(op::lt, of(dtype::boolean, {3}), f32(3), f32(3)) == 3);
static_assert(flops(op::relu, f32(3), f32(3)) == 3);
// Definitions of several operations.
static_assert(flops(op::rsqrt, f32(3), f32(3)) == 6);
static_assert(flops(op::clip, f32(3), f32(3), f32(3), f32(3)) == 6);
static_assert(flops(op::floor_divide, f32(3), f32(3), f32(3)) == 6);
static_assert(flops(op::trunc_divide, f32(3), f32(3), f32(3)) == 6);
static_assert(flops(op::softplus, f32(3), f32(3)) == 9);
static_assert(flops(op::remainder, f32(3), f32(3), f32(3)) == 12);
static_assert(flops(op::fmod, f32(3), f32(3), f32(3)) == 12);
static_assert(flops(op::sigmoid, f32(3), f32(3)) == 12);
static_assert(flops(op::silu, f32(3), f32(3)) == 15);
static_assert(flops(op::gelu, f32(3), f32(3)) == 15);
static_assert(flops(op::gelu_tanh, f32(3), f32(3)) == 27);
// What chooses, converts or moves.
static_assert(flops(op::where, f32(3), of(dtype::boolean, {3}), f32(3), f32(3)) == 0);
static_assert(flops(op::to, f32(3), of(dtype::f64, {3})) == 0);
static_assert(flops(op::logical_and, of(dtype::boolean, {3}), f32(3), f32(3)) == 0);
static_assert(flops(op::permute, f32(3, 2), f32(2, 3)) == 0);
static_assert(flops(op::concat, f32(5), f32(2), f32(3)) == 0);
static_assert(flops(op::gather, f32(3), f32(9), of(dtype::i64, {3})) == 0);
static_assert(flops(op::full, f32(3), weak) == 0);
static_assert(flops(op::zeros, f32(3)) == 0);
// Reductions: n elements take n - 1, a mean one more.
static_assert(flops(op::sum, f32(), f32(4, 5)) == 19);
static_assert(flops(op::sum, f32(4), f32(4, 5)) == 16);
static_assert(flops(op::sum, f32(4, 1), f32(4, 5)) == 16);
static_assert(flops(op::sum, f32(4), f32(4, 1)) == 0);
static_assert(flops(op::sum, f32(4), f32(4, 0)) == 0);
static_assert(flops(op::prod, f32(), f32(5)) == 4);
static_assert(flops(op::amax, f32(), f32(5)) == 4);
static_assert(flops(op::amin, f32(), f32(5)) == 4);
static_assert(flops(op::argmax, of(dtype::i64, {}), f32(5)) == 4);
static_assert(flops(op::argmin, of(dtype::i64, {}), f32(5)) == 4);
static_assert(flops(op::mean, f32(4), f32(4, 5)) == 20);
static_assert(flops(op::mean, f32(4), f32(4, 0)) == 0);
static_assert(flops(op::any, of(dtype::boolean, {}), f32(5)) == 0);
static_assert(flops(op::all, of(dtype::boolean, {}), f32(5)) == 0);
// Products: 2 m n k, and 2 k for two vectors.
static_assert(flops(op::matmul, f32(64, 10), f32(64, 784), f32(784, 10)) == 2 * 64 * 10 * 784);
static_assert(flops(op::matmul, f32(8, 2, 4), f32(8, 2, 3), f32(3, 4)) == 8 * 2 * 2 * 4 * 3);
static_assert(flops(op::matmul, f32(), f32(7), f32(7)) == 14);
static_assert(flops(op::matmul, f32(2), f32(2, 3), f32(3)) == 12);
static_assert(flops(op::matmul, f32(2, 4), f32(2, 0), f32(0, 4)) == 0);
// Integers and bools have none, unless the op computes in floats.
static_assert(flops(op::add, of(dtype::i64, {3}), of(dtype::i64, {3}), of(dtype::i32, {3})) == 0);
static_assert(flops(op::matmul, of(dtype::i64, {2, 2}), of(dtype::u8, {2, 2}), of(dtype::u8, {2, 2})) == 0);
static_assert(flops(op::add, f32(3), of(dtype::i64, {3}), f32(3)) == 3);
static_assert(flops(op::mul, f32(3), of(dtype::i64, {3}), weak) == 3);
static_assert(flops(op::div, of(dtype::f64, {3}), of(dtype::i64, {3}), of(dtype::i64, {3})) == 3);
static_assert(flops(op::sqrt, of(dtype::f64, {3}), of(dtype::u8, {3})) == 3);

void tell(op id, operand_info const& result, std::vector<operand_info> const& in) {
  gj::tell_observers({.id = id, .operands = in, .result = result, .where = {"f.cpp", 3}});
}

}  // namespace

TEST_CASE("flop_counter: rows by op, dtypes and shapes; totals") {
  gj::flop_counter counter;
  {
    gj::mode_scope scope{counter};
    for (int k = 0; k < 3; ++k) {
      tell(op::add, f32(4), {f32(4), f32(4)});
      tell(op::add, f32(4), {f32(4), weak});
    }
    tell(op::sum, f32(), {f32(4)});
    tell(op::add, of(dtype::f64, {4}), {of(dtype::f64, {4}), f32(4)});
    fake::mul(fake::number(1), 2);
  }
  tell(op::add, f32(4), {f32(4), f32(4)});
  CHECK(counter.total() == 3 * 4 + 3 * 4 + 3 + 4 + 1);
  CHECK(counter.flops(op::add) == 28);
  CHECK(counter.flops(op::sum) == 3);
  CHECK(counter.flops(op::exp) == 0);
  REQUIRE(counter.rows().size() == 5);
  CHECK(counter.rows()[0].calls == 3);
  CHECK(counter.rows()[0].flops == 12);
  CHECK(counter.rows()[0].what.where.line == 3);
  CHECK(counter.rows()[1].calls == 3);
  CHECK(counter.rows()[2].what.id == op::sum);
  CHECK(counter.rows()[3].what.result == of(dtype::f64, {4}));
  CHECK(counter.rows()[4].what.id == op::mul);
  counter.reset();
  CHECK(counter.total() == 0);
  CHECK(counter.rows().empty());
}

TEST_CASE("flop_counter: its table") {
  gj::flop_counter counter;
  CHECK(counter.to_string() == "flops  calls  op\n    0      0  total\n");
  gj::mode_scope scope{counter};
  tell(op::matmul, f32(64, 10), {f32(64, 784), f32(784, 10)});
  for (int k = 0; k < 12; ++k) tell(op::add, f32(64, 10), {f32(64, 10), f32(10)});
  CHECK(counter.to_string() ==
        "  flops  calls  op\n"
        "1003520      1  matmul(f32[64, 784], f32[784, 10]) -> f32[64, 10]\n"
        "   7680     12  add(f32[64, 10], f32[10]) -> f32[64, 10]\n"
        "1011200     13  total\n");
}
