// guardjit: tests/ops/dtype_rules.cpp: dtypes of every op over a table
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/ops/dtype_rules.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace gj = guardjit;
using gj::dtype, gj::mistake_kind, gj::op, gj::operand_type;

namespace {

struct outcome {
  gj::typed_op typed;
  gj::mistake wrong;
};
outcome of(op id, std::initializer_list<operand_type> operands, gj::attributes const& extra = {}) {
  outcome o;
  o.typed = gj::dtypes_of(id, {operands.begin(), operands.size()}, extra, o.wrong);
  return o;
}
dtype result(op id, std::initializer_list<operand_type> operands) { return of(id, operands).typed.result; }

constexpr operand_type strong(dtype t) { return {t, false}; }
constexpr operand_type weak(dtype t) { return {t, true}; }
constexpr dtype all[] = {dtype::boolean, dtype::u8, dtype::i32, dtype::i64, dtype::f32, dtype::f64};

}  // namespace

TEST_CASE("promoted ops: symmetric, associative, the higher kind, then the wider type") {
  dtype const table[6][6] = {
      {dtype::boolean, dtype::u8, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
      {dtype::u8, dtype::u8, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
      {dtype::i32, dtype::i32, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
      {dtype::i64, dtype::i64, dtype::i64, dtype::i64, dtype::f32, dtype::f64},
      {dtype::f32, dtype::f32, dtype::f32, dtype::f32, dtype::f32, dtype::f64},
      {dtype::f64, dtype::f64, dtype::f64, dtype::f64, dtype::f64, dtype::f64},
  };
  for (op id : {op::add, op::mul, op::maximum, op::minimum})
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) {
        CAPTURE(gj::name_of(id));
        outcome const o = of(id, {strong(all[a]), strong(all[b])});
        CHECK(o.typed.result == table[a][b]);
        CHECK(o.typed.compute == table[a][b]);
        CHECK_FALSE(o.wrong);
      }
}

TEST_CASE("weak scalars keep the dtype of a tensor within one kind") {
  CHECK(result(op::mul, {strong(dtype::f32), weak(dtype::f64)}) == dtype::f32);
  CHECK(result(op::mul, {weak(dtype::f64), strong(dtype::f32)}) == dtype::f32);
  CHECK(result(op::mul, {strong(dtype::u8), weak(dtype::i64)}) == dtype::u8);
  CHECK(result(op::mul, {strong(dtype::i32), weak(dtype::i64)}) == dtype::i32);
  CHECK(result(op::mul, {strong(dtype::i64), weak(dtype::f32)}) == dtype::f32);
  CHECK(result(op::mul, {strong(dtype::boolean), weak(dtype::i64)}) == dtype::i64);
  CHECK(of(op::mul, {weak(dtype::f32), weak(dtype::f64)}).typed.weak);
  CHECK(result(op::mul, {weak(dtype::f32), weak(dtype::f64)}) == dtype::f64);
  CHECK_FALSE(of(op::mul, {strong(dtype::f32), weak(dtype::f64)}).typed.weak);
}

TEST_CASE("division and functions of floats: integers and bool give f64") {
  for (op id : {op::exp, op::log, op::tanh, op::sqrt, op::rsqrt, op::expm1, op::log1p, op::sin, op::cos, op::erf,
                op::sigmoid, op::silu, op::softplus, op::gelu, op::gelu_tanh, op::reciprocal}) {
    CAPTURE(gj::name_of(id));
    for (dtype t : {dtype::boolean, dtype::u8, dtype::i32, dtype::i64, dtype::f64}) CHECK(result(id, {strong(t)}) == dtype::f64);
    CHECK(result(id, {strong(dtype::f32)}) == dtype::f32);
  }
  CHECK(result(op::div, {strong(dtype::u8), strong(dtype::u8)}) == dtype::f64);
  CHECK(of(op::div, {strong(dtype::u8), strong(dtype::i64)}).typed.compute == dtype::f64);
  CHECK(result(op::div, {strong(dtype::u8), strong(dtype::f32)}) == dtype::f32);
}

TEST_CASE("comparisons compute in the promoted dtype and give bool") {
  for (op id : {op::lt, op::gt, op::eq, op::le, op::ge, op::ne, op::logical_and}) {
    CAPTURE(gj::name_of(id));
    gj::typed_op const typed = of(id, {strong(dtype::u8), strong(dtype::f32)}).typed;
    CHECK(typed.compute == dtype::f32);
    CHECK(typed.result == dtype::boolean);
  }
}

TEST_CASE("where takes a bool and promotes the others") {
  // As in eager code: only what is made of scalars alone is weak.
  CHECK_FALSE(of(op::where, {strong(dtype::boolean), weak(dtype::f64), weak(dtype::f64)}).typed.weak);
  CHECK(of(op::where, {weak(dtype::boolean), weak(dtype::f64), weak(dtype::f64)}).typed.weak);
  CHECK(result(op::where, {strong(dtype::boolean), strong(dtype::u8), weak(dtype::f32)}) == dtype::f32);
  CHECK(of(op::where, {strong(dtype::u8), strong(dtype::u8), strong(dtype::u8)}).wrong.kind == mistake_kind::dtype_is_no_bool);
}

TEST_CASE("reductions and products: widened, averaged, the same, indices, bool") {
  for (dtype t : all) {
    CAPTURE(gj::name_of(t));
    bool const floating = gj::is_floating(t);
    CHECK(result(op::sum, {strong(t)}) == (floating ? t : dtype::i64));
    CHECK(result(op::mean, {strong(t)}) == (floating ? t : dtype::f64));
    CHECK(result(op::amax, {strong(t)}) == t);
    CHECK(result(op::amin, {strong(t)}) == t);
    CHECK(result(op::prod, {strong(t)}) == (floating ? t : dtype::i64));
    for (op id : {op::argmax, op::argmin}) CHECK(result(id, {strong(t)}) == dtype::i64);
    for (op id : {op::any, op::all}) CHECK(result(id, {strong(t)}) == dtype::boolean);
    CHECK(of(op::argmax, {strong(t)}).typed.compute == t);
    CHECK(of(op::any, {strong(t)}).typed.compute == t);
    CHECK(result(op::matmul, {strong(t), strong(t)}) == (floating ? t : dtype::i64));
    CHECK(of(op::sum, {strong(t)}).typed.compute == t);
    CHECK(of(op::matmul, {strong(t), strong(t)}).typed.compute == (floating ? t : dtype::i64));
  }
}

TEST_CASE("ops that have no meaning for bool refuse it") {
  for (op id : {op::neg, op::relu, op::sign, op::floor, op::ceil, op::round}) CHECK(of(id, {strong(dtype::boolean)}).wrong.kind == mistake_kind::dtype_is_refused);
  outcome const o = of(op::sub, {strong(dtype::boolean), strong(dtype::boolean)});
  CHECK(o.wrong.kind == mistake_kind::dtype_is_refused);
  CHECK_FALSE(of(op::sub, {strong(dtype::boolean), strong(dtype::u8)}).wrong);
  gj::fixed_text text;
  text << o.wrong;
  CHECK(std::string_view(text.c_str()) == "guardjit: sub(a, b): the dtype is not allowed: bool");
}

TEST_CASE("abs and square keep the dtype, clip and pow promote") {
  for (dtype t : all) {
    for (op id : {op::abs, op::square}) CHECK(result(id, {strong(t)}) == t);
    CHECK(result(op::clip, {strong(t), weak(dtype::boolean), weak(dtype::boolean)}) == t);
  }
  CHECK(result(op::clip, {strong(dtype::u8), strong(dtype::i32), strong(dtype::f32)}) == dtype::f32);
  CHECK(result(op::clip, {strong(dtype::f32), weak(dtype::i64), weak(dtype::f64)}) == dtype::f32);
  CHECK(result(op::pow, {strong(dtype::i32), weak(dtype::i64)}) == dtype::i32);
  CHECK(of(op::pow, {strong(dtype::boolean), strong(dtype::boolean)}).wrong.kind == mistake_kind::dtype_is_refused);
}

TEST_CASE("ops on bits take bool and integers") {
  for (op id : {op::bitwise_and, op::bitwise_or, op::bitwise_xor}) {
    CAPTURE(gj::name_of(id));
    CHECK(result(id, {strong(dtype::boolean), strong(dtype::boolean)}) == dtype::boolean);
    CHECK(result(id, {strong(dtype::u8), strong(dtype::i32)}) == dtype::i32);
    outcome const o = of(id, {strong(dtype::i32), weak(dtype::f32)});
    CHECK(o.wrong.kind == mistake_kind::dtype_is_refused);
    CHECK(o.wrong.type == dtype::f32);
  }
  for (dtype t : {dtype::boolean, dtype::f32})
    CHECK(of(op::shift_left, {strong(t), strong(t)}).wrong.kind == mistake_kind::dtype_is_refused);
  CHECK(result(op::shift_right, {strong(dtype::u8), strong(dtype::i32)}) == dtype::i32);
  CHECK(of(op::bitwise_not, {strong(dtype::f64)}).wrong.kind == mistake_kind::dtype_is_refused);
  CHECK(result(op::logical_not, {strong(dtype::f64)}) == dtype::boolean);
}

TEST_CASE("views keep the dtype, factories and conversions name it") {
  for (op id : {op::permute, op::reshape, op::expand, op::slice, op::select})
    for (dtype t : all) CHECK(result(id, {strong(t)}) == t);
  gj::attributes extra;
  for (dtype t : all) {
    extra.type = t;
    CHECK(of(op::to, {strong(dtype::u8)}, extra).typed.result == t);
    CHECK(of(op::to, {strong(dtype::u8)}, extra).typed.compute == dtype::u8);
    CHECK(of(op::zeros, {}, extra).typed.result == t);
  }
}

TEST_CASE("concat promotes; take and gather have the dtype of what is indexed, by i32 or i64") {
  CHECK(result(op::concat, {strong(dtype::u8), strong(dtype::i32)}) == dtype::i32);
  CHECK(result(op::concat, {strong(dtype::boolean), strong(dtype::boolean)}) == dtype::boolean);
  for (op id : {op::take, op::gather})
    for (dtype x : all)
      for (dtype i : all) {
        outcome const o = of(id, {strong(x), strong(i)});
        CHECK(o.typed.result == x);
        bool const index = i == dtype::i32 || i == dtype::i64;
        CHECK(o.wrong.kind == (index ? mistake_kind::none : mistake_kind::dtype_is_no_index));
        if (!index) CHECK(o.wrong.type == i);
      }
}

TEST_CASE("integer scalars must be values of the integer dtype that an op computes in") {
  CHECK(gj::is_in_range(255, dtype::u8));
  CHECK_FALSE(gj::is_in_range(256, dtype::u8));
  CHECK_FALSE(gj::is_in_range(-1, dtype::u8));
  CHECK(gj::is_in_range(-2147483648LL, dtype::i32));
  CHECK_FALSE(gj::is_in_range(2147483648LL, dtype::i32));
  CHECK(gj::is_in_range(INT64_MIN, dtype::i64));
  CHECK_FALSE(gj::is_in_range(UINT64_MAX, dtype::i64));
  CHECK(gj::is_in_range(UINT64_MAX, dtype::f32));
  CHECK(gj::is_in_range(7, dtype::boolean));
}
