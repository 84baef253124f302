// guardjit: tests/compile/declared.cpp: arguments whose dtype and rank are known at run time
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/tensors.hpp"
#include "support/thrown.hpp"

#include <guardjit/guardjit.hpp>

#include <string>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::index_t, gj::tensor;
using support::contains;
using support::elements;
using support::mat;
using support::thrown;
using support::vec;

namespace {

constexpr auto affine = [](auto const& x, auto const& w, auto s) { return gj::relu(x * w) + s; };

template <class T> tensor<T, dyn, dyn> counted_matrix(index_t m, index_t n) {
  return support::counted(tensor<T, dyn, dyn>(m, n), -3, 0.5);
}

}  // namespace

TEST_CASE("the first signature that fits is called, and gives what a typed call gives") {
  auto const f = gj::compile(affine, gj::signature<tensor<float, dyn, dyn>, tensor<float, dyn>, float>,
                             gj::signature<tensor<double, dyn, dyn>, tensor<double, dyn, dyn>, float>);
  any_tensor const y = f(any_tensor(mat(3, 4)), any_tensor(vec(4)), 0.5f);
  CHECK(y.type() == gj::dtype::f32);
  CHECK(elements(y.as<float, dyn, dyn>()) == elements(f(mat(3, 4), vec(4), 0.5f)));
  CHECK(f.compiles() == 1);  // one signature, typed or not

  any_tensor const z = f(any_tensor(counted_matrix<double>(3, 4)), any_tensor(counted_matrix<double>(3, 4)), 0.5f);
  CHECK(z.type() == gj::dtype::f64);
  CHECK(f.compiles() == 2);
  any_tensor const mixed = f(any_tensor(mat(3, 4)), vec(4), 0.5f);
  CHECK(elements(mixed.as<float, dyn, dyn>()) == elements(y.as<float, dyn, dyn>()));
  CHECK(f.compiles() == 2);
  CHECK(f.find(any_tensor(mat(3, 4)), any_tensor(vec(4)), 0.5f) == f.find(mat(3, 4), vec(4), 0.5f));
}

TEST_CASE("static extents of a signature are part of it") {
  auto const f = gj::compile([](auto const& x) { return gj::sum(x) * static_cast<float>(x.rank()); },
                             gj::name<"f">, gj::signature<tensor<float, 3>>, gj::signature<tensor<float, dyn, 4>>);
  CHECK(f(any_tensor(vec(3))).item<float>() == 6);
  CHECK(f(any_tensor(mat(2, 4))).item<float>() == 72);
  auto const text = thrown<gj::shape_error>([&] { f(any_tensor(vec(4))); });
  CAPTURE(text);
  CHECK(contains(text, "guardjit: f: arg[0] is f32 of rank 1, shape (4), which no signature takes: (f32 (3)), (f32 (?, 4))"));
}

TEST_CASE("GRD-059: two signatures are two tables; what none takes is refused with all that were declared") {
  auto const f = gj::compile([](auto const& x) { return x * 2; }, gj::name<"twice">,
                             gj::signature<tensor<float, dyn, dyn>>, gj::signature<tensor<double, dyn, dyn>>);
  f(any_tensor(counted_matrix<float>(2, 3)));
  f(any_tensor(counted_matrix<double>(2, 3)));
  f(any_tensor(counted_matrix<float>(2, 3)));
  CHECK(f.compiles() == 2);
  CHECK(f.entries().size() == 2);
  auto const dtype = thrown<gj::dtype_error>([&] { f(any_tensor(counted_matrix<std::int32_t>(2, 3))); });
  CAPTURE(dtype);
  CHECK(contains(dtype, "arg[0] is i32 of rank 2, shape (2, 3)"));
  CHECK(contains(dtype, "(f32 (?, ?)), (f64 (?, ?))"));
  auto const shape = thrown<gj::shape_error>([&] { f(any_tensor(tensor<float, dyn, dyn, dyn>(2, 3, 4))); });
  CAPTURE(shape);
  CHECK(contains(shape, "arg[0] is f32 of rank 3, shape (2, 3, 4)"));
  CHECK_THROWS_AS(f(any_tensor()), gj::dtype_error);
  CHECK(f.compiles() == 2);
}

TEST_CASE("GRD-060: an any_tensor on another device is refused with both devices") {
  auto const f = gj::compile([](auto const& x) { return x * 2; }, gj::signature<tensor<float, dyn>>);
  gj::device const other{gj::device_kind::cuda, 1};
  auto const x = any_tensor::adopt(vec(4).storage(), nullptr, gj::dtype::f32, gj::any_layout(gj::shape{4}), other);
  auto const text = thrown<gj::device_error>([&] { f(x); });
  CAPTURE(text);
  CHECK(contains(text, "cuda:1"));
  CHECK(contains(text, "cpu:0"));
}

TEST_CASE("dtypes times ranks in short") {
  auto const f = gj::compile([](auto const& x, auto const& b) { return x + b; },
                             gj::signatures<gj::dtypes<float, double, std::int64_t>, gj::ranks<2, 1>, gj::ranks<1, 1>>);
  CHECK(f(any_tensor(mat(2, 3)), any_tensor(vec(3))).rank() == 2);
  CHECK(f(any_tensor(vec(3)), any_tensor(vec(3))).rank() == 1);
  auto const whole = support::counted(tensor<std::int64_t, dyn>(3));
  CHECK(f(any_tensor(whole), any_tensor(whole)).type() == gj::dtype::i64);
  CHECK(f(any_tensor(counted_matrix<double>(2, 3)), any_tensor(support::counted(tensor<double, dyn>(3)))).type() == gj::dtype::f64);
  CHECK_THROWS_AS(f(any_tensor(mat(2, 3)), any_tensor(whole)), gj::dtype_error);
  CHECK_THROWS_AS(f(any_tensor(vec(3)), any_tensor(mat(2, 3))), gj::shape_error);
}

TEST_CASE("outputs, results and bound values of run-time types") {
  auto const f = gj::compile([](auto const& x, auto const& w) { return std::tuple(x * w, gj::sum(x, gj::axes(0))); },
                             gj::bind(vec(3)), gj::signatures<gj::dtypes<float>, gj::ranks<2>>);
  auto const [product, sum] = f(any_tensor(mat(2, 3)));
  static_assert(std::is_same_v<decltype(product), any_tensor const>);
  CHECK(elements(product.as<float, dyn, dyn>()) == elements(gj::eval(mat(2, 3) * vec(3))));
  CHECK(sum.rank() == 1);

  auto const g = gj::compile([](auto const& x) { return x * 2; }, gj::signatures<gj::dtypes<float, double>, gj::ranks<2>>);
  any_tensor out(gj::dtype::f32, {2, 3});
  g.into(out, any_tensor(mat(2, 3)));
  CHECK(elements(out.as<float, dyn, dyn>()) == elements(gj::eval(mat(2, 3) * 2)));
  CHECK(g.workspace_bytes(any_tensor(mat(2, 3))) == 0);
  CHECK_THROWS_AS(g.into(out, any_tensor(counted_matrix<double>(2, 3))), gj::dtype_error);
  any_tensor flat(gj::dtype::f32, {6});
  CHECK_THROWS_AS(g.into(flat, any_tensor(mat(2, 3))), gj::shape_error);
  auto typed = mat(2, 3);
  g.into(typed, any_tensor(mat(2, 3)));
  CHECK(elements(typed) == elements(gj::eval(mat(2, 3) * 2)));
}

TEST_CASE("leaves of a structure may be of run-time types") {
  auto const f = gj::compile([](auto const& layer, auto const& x) { return gj::matmul(x, layer.first) + layer.second; },
                             gj::signature<std::pair<tensor<float, dyn, dyn>, tensor<float, dyn>>, tensor<float, dyn, dyn>>);
  std::pair const layer(any_tensor(mat(3, 2)), any_tensor(vec(2)));
  any_tensor const y = f(layer, any_tensor(mat(4, 3)));
  CHECK(elements(y.as<float, dyn, dyn>()) == elements(gj::eval(gj::matmul(mat(4, 3), mat(3, 2)) + vec(2))));
}
