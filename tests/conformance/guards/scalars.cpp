// guardjit: tests/conformance/guards/scalars.cpp: cases of scalar arguments, bound values, callables
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::plain;
using fixtures::product;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::mat;
using support::vec;

namespace {

template <class X> constexpr auto doubled(X x) { return x + x; }

}  // namespace

TEST_CASE("GRD-015: a tensor and a scalar in one place are two signatures") {
  auto const g = gj::compile(product{}, plain);
  int recompiles = 0;
  gj::subscription const s{[&](gj::event const& e) { recompiles += e.kind == gj::event_kind::recompile ? 1 : 0; }};
  CHECK(elements(g(vec(2), vec(2))) == floats{1, 4});
  CHECK(elements(g(vec(2), 3)) == floats{3, 6});
  CHECK(g.compiles() == 2);
  CHECK(g.entries().size() == 2);
  CHECK(recompiles == 0);
}

TEST_CASE("GRD-044: an integer argument serves all values with one entry") {
  auto const g = gj::compile(product{}, plain);
  for (int n : {5, 6, 7, 1, 0}) CHECK(elements(g(vec(2), n)) == floats{static_cast<float>(n), static_cast<float>(2 * n)});
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-045: a floating argument serves NaN and infinity with the same entry") {
  // pytorch#194976
  auto const g = gj::compile(product{}, plain);
  for (float s : {2.5f, 3.5f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 2.5f}) {
    float const got = g(vec(1, 2), s)(0), expected = 2 * s;
    CHECK((got == expected || (std::isnan(got) && std::isnan(expected))));
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-046: ten thousand values of a scalar") {
  auto const g = gj::compile(product{}, plain);
  auto const x = vec(1, 1);
  bool right = true;
  for (int n = 0; n < 10000; ++n) right = right && g(x, n)(0) == static_cast<float>(n);
  CHECK(right);
  CHECK(g.compiles() == 1);
  CHECK(g.entries().size() == 1);
}

TEST_CASE("GRD-048: a bool that is data is no path") {
  auto const g = gj::compile([](auto x, auto b) { return gj::where(b, x, -x); }, plain);
  CHECK(elements(g(vec(2), true)) == floats{1, 2});
  CHECK(elements(g(vec(2), false)) == floats{-1, -2});
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-049: f64 scalars keep all their digits") {
  auto const g = gj::compile(product{}, plain);
  tensor<double, dyn> const x{3.0};
  for (double s : {1.000000000001, 1.000000000002, 1.0000000000015}) CHECK(g(x, s)(0) == 3.0 * s);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-050: a value bound by std::ref is read at each call") {
  float k = 2;
  auto const g = gj::compile(product{}, gj::bind(std::ref(k)), plain);
  CHECK(g(vec(1, 3))(0) == 6);
  k = 5;
  CHECK(g(vec(1, 3))(0) == 15);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-051: one lambda with two bound values is two functions") {
  // pytorch#197811
  auto const f = [](auto x, auto n) { return x * n; };
  auto const two = gj::compile(f, gj::bind(2), plain), three = gj::compile(f, gj::bind(3), plain);
  CHECK(two(vec(1, 5))(0) == 10);
  CHECK(three(vec(1, 5))(0) == 15);
  CHECK(two.compiles() == 1);
  CHECK(three.compiles() == 1);
}

TEST_CASE("GRD-052: a tensor bound by std::cref may be rebound") {
  // pytorch#197218
  auto w = mat(2, 2);
  auto const g = gj::compile([](auto x, auto y) { return gj::matmul(x, y); }, gj::bind(std::cref(w)), plain);
  CHECK(elements(g(mat(1, 2))) == floats{7, 10});
  w = mat(2, 2, 10);
  CHECK(elements(g(mat(1, 2))) == floats{34, 37});
  CHECK(g.compiles() == 1);
  w = mat(2, 3);
  CHECK(elements(g(mat(1, 2))) == floats{9, 12, 15});
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-053: callables without captures compile, others are refused with the bind form") {
  // The texts are in tests/compile_fail/compile/captures.cpp and function_pointer.cpp.
  int state = 0;
  auto const capturing = [&state](auto x) { return x * state; };
  auto const captureless = [](auto x) { return doubled(x); };
  static_assert(!gj::detail::callable_without_captures<decltype(capturing)>);
  static_assert(!gj::detail::callable_without_captures<float (*)(float)>);
  static_assert(gj::detail::callable_without_captures<decltype(captureless)>);
  static_assert(gj::detail::callable_without_captures<product>);
  CHECK(elements(gj::compile(captureless, plain)(vec(2))) == floats{2, 4});
  CHECK(elements(gj::compile(product{}, gj::bind(3.0f), plain)(vec(2))) == floats{3, 6});
}

TEST_CASE("bound tensors are shared handles, and follow the arguments") {
  auto w = vec(2, 10);
  auto const g = gj::compile([](auto x, auto y, auto k) { return x * y - k; }, gj::bind(w, 1), plain);
  CHECK(elements(g(vec(2))) == floats{9, 21});
  w(0) = 20;
  CHECK(elements(g(vec(2))) == floats{19, 21});
  w = vec(2, 100);
  CHECK(elements(g(vec(2))) == floats{19, 21});
  CHECK(g.compiles() == 1);
}
