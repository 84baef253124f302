// guardjit: tests/conformance/modes/eager.cpp: cases of modes around eager ops of the library
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/expr/composite/arange.hpp>
#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/expr/eager.hpp>
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/modes/op_counter.hpp>

#include <doctest/doctest.h>

#include "modes/fake_ops.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using support::contains_all;
using support::thrown;
using fake::handler_mode;
using fake::log_mode;
using fake::words;
using gj::dyn;
using gj::mode_scope;

namespace {

/// One eager call of a row of the op table; false for rows that are no function.
bool call_once(gj::op id, gj::tensor<float, dyn, dyn> const& x) {
  gj::tensor<std::int32_t, 2, 2> const n;
  switch (id) {
    case gj::op::input:
    case gj::op::constant: return false;
    case gj::op::add: gj::eval(gj::add(x, x)); break;
    case gj::op::sub: gj::eval(gj::sub(x, x)); break;
    case gj::op::mul: gj::eval(gj::mul(x, x)); break;
    case gj::op::div: gj::eval(gj::div(x, x)); break;
    case gj::op::neg: gj::eval(gj::neg(x)); break;
    case gj::op::maximum: gj::eval(gj::maximum(x, x)); break;
    case gj::op::minimum: gj::eval(gj::minimum(x, x)); break;
    case gj::op::relu: gj::eval(gj::relu(x)); break;
    case gj::op::fmax: gj::eval(gj::fmax(x, x)); break;
    case gj::op::fmin: gj::eval(gj::fmin(x, x)); break;
    case gj::op::floor_divide: gj::eval(gj::floor_divide(x, x)); break;
    case gj::op::trunc_divide: gj::eval(gj::trunc_divide(x, x)); break;
    case gj::op::remainder: gj::eval(gj::remainder(x, x)); break;
    case gj::op::fmod: gj::eval(gj::fmod(x, x)); break;
    case gj::op::shift_left: gj::eval(gj::shift_left(n, n)); break;
    case gj::op::shift_right: gj::eval(gj::shift_right(n, n)); break;
    case gj::op::abs: gj::eval(gj::abs(x)); break;
    case gj::op::sign: gj::eval(gj::sign(x)); break;
    case gj::op::square: gj::eval(gj::square(x)); break;
    case gj::op::reciprocal: gj::eval(gj::reciprocal(x)); break;
    case gj::op::clip: gj::eval(gj::clip(x, x, x)); break;
    case gj::op::floor: gj::eval(gj::floor(x)); break;
    case gj::op::ceil: gj::eval(gj::ceil(x)); break;
    case gj::op::round: gj::eval(gj::round(x)); break;
    case gj::op::exp: gj::eval(gj::exp(x)); break;
    case gj::op::log: gj::eval(gj::log(x)); break;
    case gj::op::tanh: gj::eval(gj::tanh(x)); break;
    case gj::op::sqrt: gj::eval(gj::sqrt(x)); break;
    case gj::op::rsqrt: gj::eval(gj::rsqrt(x)); break;
    case gj::op::expm1: gj::eval(gj::expm1(x)); break;
    case gj::op::log1p: gj::eval(gj::log1p(x)); break;
    case gj::op::pow: gj::eval(gj::pow(x, x)); break;
    case gj::op::sin: gj::eval(gj::sin(x)); break;
    case gj::op::cos: gj::eval(gj::cos(x)); break;
    case gj::op::erf: gj::eval(gj::erf(x)); break;
    case gj::op::sigmoid: gj::eval(gj::sigmoid(x)); break;
    case gj::op::silu: gj::eval(gj::silu(x)); break;
    case gj::op::softplus: gj::eval(gj::softplus(x)); break;
    case gj::op::gelu: gj::eval(gj::gelu(x)); break;
    case gj::op::gelu_tanh: gj::eval(gj::gelu(x, gj::tanh_form)); break;
    case gj::op::lt: gj::eval(gj::lt(x, x)); break;
    case gj::op::gt: gj::eval(gj::gt(x, x)); break;
    case gj::op::eq: gj::eval(gj::eq(x, x)); break;
    case gj::op::le: gj::eval(gj::le(x, x)); break;
    case gj::op::ge: gj::eval(gj::ge(x, x)); break;
    case gj::op::ne: gj::eval(gj::ne(x, x)); break;
    case gj::op::logical_and: gj::eval(gj::logical_and(x, x)); break;
    case gj::op::logical_or: gj::eval(gj::logical_or(x, x)); break;
    case gj::op::logical_xor: gj::eval(gj::logical_xor(x, x)); break;
    case gj::op::logical_not: gj::eval(gj::logical_not(x)); break;
    case gj::op::bitwise_and: gj::eval(gj::bitwise_and(n, n)); break;
    case gj::op::bitwise_or: gj::eval(gj::bitwise_or(n, n)); break;
    case gj::op::bitwise_xor: gj::eval(gj::bitwise_xor(n, n)); break;
    case gj::op::bitwise_not: gj::eval(gj::bitwise_not(n)); break;
    case gj::op::where: gj::eval(gj::where(gj::tensor<bool, 2, 2>(), x, x)); break;
    case gj::op::to: gj::eval(gj::to<double>(x)); break;
    case gj::op::sum: gj::eval(gj::sum(x)); break;
    case gj::op::amax: gj::eval(gj::amax(x)); break;
    case gj::op::mean: gj::eval(gj::mean(x)); break;
    case gj::op::prod: gj::eval(gj::prod(x)); break;
    case gj::op::amin: gj::eval(gj::amin(x)); break;
    case gj::op::argmax: gj::eval(gj::argmax(x, 0)); break;
    case gj::op::argmin: gj::eval(gj::argmin(x, 0)); break;
    case gj::op::any: gj::eval(gj::any(x)); break;
    case gj::op::all: gj::eval(gj::all(x)); break;
    case gj::op::matmul: gj::eval(gj::matmul(x, x)); break;
    case gj::op::permute: gj::eval(gj::permute(x, gj::axes(1, 0))); break;
    case gj::op::reshape: gj::eval(gj::reshape(x, {4})); break;
    case gj::op::expand: gj::eval(gj::expand(x, {3, 2, 2})); break;
    case gj::op::slice: gj::eval(gj::slice(x, 0, 1)); break;
    case gj::op::select: gj::select(x, 0, 1); break;
    case gj::op::arange: gj::arange(0, 4); break;
    case gj::op::concat: gj::eval(gj::concat(x, x, 0)); break;
    case gj::op::take: gj::eval(gj::take(x, n, 0)); break;
    case gj::op::gather: gj::eval(gj::gather(x, n, 0)); break;
    case gj::op::zeros: gj::eval(gj::zeros<float>({2, 2})); break;
    case gj::op::ones: gj::eval(gj::ones<float>({2, 2})); break;
    case gj::op::full: gj::eval(gj::full({2, 2}, 1.5f)); break;
  }
  return true;
}

}  // namespace

TEST_CASE("MODE-003: every overridable row of the op table is told once") {
  gj::tensor<float, dyn, dyn> const x = gj::ones<float>({2, 2});
  for (int k = 0; k < gj::op_count; ++k) {
    auto const id = static_cast<gj::op>(k);
    words seen;
    log_mode log(seen);
    bool called = false;
    {
      mode_scope scope{log};
      called = call_once(id, x);
    }
    CAPTURE(gj::name_of(id));
    CHECK(called == gj::info_of(id).overridable);
    CHECK(seen == (called ? words{gj::name_of(id)} : words{}));
  }
}

TEST_CASE("MODE-011: views, slices and casts are told once each") {
  gj::tensor<float, 2, 3> const x;
  gj::any_tensor const a(x);
  gj::op_counter typed, erased;
  {
    mode_scope scope{typed};
    gj::slice(x, 1, 0, 2);
    gj::eval(gj::to<double>(x));
    gj::permute(x, gj::axes(1, 0));
    gj::reshape(x, {3, 2});
    gj::expand(x, {2, 2, 3});
  }
  {
    mode_scope scope{erased};
    gj::slice(a, 1, 0, 2);
    gj::to<double>(a);
    gj::permute(a, gj::axes(1, 0));
    gj::reshape(a, {3, 2});
    gj::expand(a, {2, 2, 3});
  }
  CHECK(typed.total() == 5);
  for (auto const id :
       {gj::op::slice, gj::op::to, gj::op::permute, gj::op::reshape, gj::op::expand})
    CHECK(typed.count(id) == 1);
  CHECK(typed == erased);
}

TEST_CASE("MODE-014: wrong arguments are reported before a mode is asked") {
  words seen;
  log_mode log(seen);
  gj::any_tensor const wide(gj::dtype::f32, {2, 3}), narrow(gj::dtype::f32, {4}),
      flags(gj::dtype::boolean, {4});
  mode_scope scope{log};
  CHECK_THROWS_AS(gj::add(wide, narrow), gj::shape_error);
  CHECK_THROWS_AS(gj::sub(flags, flags),
                  gj::dtype_error);  // an op of this table that refuses a dtype
  CHECK(seen.empty());
  gj::add(narrow, narrow);
  CHECK(seen == words{"add"});
}

TEST_CASE("MODE-017: questions about a tensor are told to no mode") {
  words seen;
  log_mode log(seen);
  gj::tensor<float, 2, 3> const x;
  gj::any_tensor const a(x);
  mode_scope scope{log};
  CHECK(x.extent(0) + a.extent(1) == 5);
  CHECK(x.stride(0) == a.stride(0));
  CHECK(x.type() == a.type());
  CHECK(x.where() == a.where());
  CHECK(x.shape() == a.shape());
  CHECK(a.storage() == gj::any_tensor(x).storage());
  gj::fixed_text printed;
  printed << a.shape();
  CHECK(std::string(printed.c_str()) == "(2, 3)");
  CHECK(seen.empty());
  gj::eval(gj::neg(x));
  CHECK(seen == words{"neg"});
}

TEST_CASE("MODE-019: a handler's result of another dtype, rank or static extent is refused") {
  gj::any_tensor result;
  handler_mode mode{[&](gj::op_call&) { return result; }};
  gj::tensor<float, 2, dyn> const x(5);
  mode_scope scope{mode};
  auto const refusal = [&](gj::dtype type, gj::shape const& extents) {
    result = gj::any_tensor(type, extents);
    return thrown<gj::mode_error>([&] { gj::eval(gj::neg(x)); });
  };
  CHECK(contains_all(refusal(gj::dtype::f64, {2, 5}), {"neg", "handler_mode", "returned f64 (2, 5)",
                                                       "expected f32 (2, ?)", "eager.cpp:"}));
  CHECK(contains_all(refusal(gj::dtype::f32, {2}),
                     {"neg", "handler_mode", "f32 (2),", "expected f32 (2, ?)"}));
  CHECK(contains_all(refusal(gj::dtype::f32, {3, 5}),
                     {"neg", "handler_mode", "f32 (3, 5)", "expected f32 (2, ?)"}));
  CHECK(refusal(gj::dtype::f32, {2, 7}) == support::nothing_thrown);
  CHECK(result.extent(1) == 7);

  result = gj::any_tensor(gj::dtype::f64, {3});
  CHECK(gj::neg(gj::any_tensor(x)).shape() == gj::shape{3});
}

TEST_CASE("MODE-020: the kernel and lower modes see the operands that a handler goes on with") {
  std::vector<double> lower_saw;
  handler_mode lower{[&](gj::op_call& call) {
    lower_saw.push_back(call.arg(1).is_scalar() ? call.arg(1).scalar<double>() : -1);
    return call();
  }};
  handler_mode upper{[&](gj::op_call& call) { return call(call.arg(0), 40.0f); }};
  gj::tensor<float, dyn> x{1.0f, 2.0f};
  mode_scope a{lower};
  mode_scope b{upper};
  gj::tensor<float, dyn> const y = gj::add(x, 3.0f);
  CHECK(lower_saw == std::vector<double>{40});
  CHECK(y(0) == 41.0f);
  CHECK(y(1) == 42.0f);
}
