// guardjit: tests/compile/values.cpp: compiled ops against plain loops: layouts, static types, backends
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "support/loops.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::all_layouts;
using support::folded;
using support::how;
using support::laid_out;
using support::mapped;
using support::near;

namespace {

struct arithmetic {
  constexpr auto operator()(auto a, auto b) const {
    return gj::maximum(a + b, a - b) * gj::minimum(a, b) / (gj::relu(b) + 1.5f) - (-a);
  }
  static float one(float a, float b) { return std::fmax(a + b, a - b) * std::fmin(a, b) / (std::fmax(b, 0.0f) + 1.5f) + a; }
};
struct exponentials {
  constexpr auto operator()(auto a, auto b) const { return gj::log(gj::exp(a) + 1) + gj::tanh(b) * gj::sqrt(b * b + 1); }
  static float one(float a, float b) { return std::log(std::exp(a) + 1) + std::tanh(b) * std::sqrt(b * b + 1); }
};
struct comparisons {
  constexpr auto operator()(auto a, auto b) const {
    return gj::where(a < b, a, gj::where(gj::gt(b, 0), b, a + b)) + gj::to<float>(gj::eq(a, b)) * 10;
  }
  static float one(float a, float b) { return (a < b ? a : b > 0 ? b : a + b) + (a == b ? 10.0f : 0.0f); }
};

/// A function of two operands in every pair of layouts: made, hit, written.
template <class F, class Backend, class X, class Y> void check_pairs(std::array<index_t, X::rank()> m, std::array<index_t, Y::rank()> n) {
  constexpr int rank = X::rank();
  auto const g = gj::compile(F{}, gj::backend(Backend{}), gj::recompile_limit{100});
  auto const run = [&]<class T, index_t... E>(std::type_identity<tensor<T, E...>>, how p, how q) {
    auto const x = laid_out<T, E...>(p, m, -1.5, 0.25);
    auto const y = [&]<class U, index_t... D>(std::type_identity<tensor<U, D...>>) {
      return laid_out<U, D...>(q, n, -0.75, 0.5);
    }(std::type_identity<Y>{});
    gj::shape s = x.shape();
    for (int d = 0; d < Y::rank(); ++d)
      if (int const axis = rank - Y::rank() + d; s[axis] == 1) s[axis] = y.extent(d);
    auto const expected = mapped<T, rank>(s, F::one, x, y);
    CHECK(near(g(x, y), expected));
    auto out = g(x, y);
    out = out.clone();
    for (index_t k = 0; k < out.size(); ++k) out.data()[k] = -77;
    g.into(out, x, y);
    CHECK(near(out, expected));
  };
  for (how p : all_layouts)
    for (how q : all_layouts) {
      CAPTURE(support::name_of(p));
      CAPTURE(support::name_of(q));
      run(std::type_identity<X>{}, p, q);
    }
}

using matrix = tensor<float, dyn, dyn>;

}  // namespace

TEST_CASE_TEMPLATE("elementwise ops in all layouts", Backend, gj::backends::reference, gj::backends::eigen) {
  check_pairs<arithmetic, Backend, matrix, matrix>({3, 5}, {3, 5});
  check_pairs<exponentials, Backend, matrix, matrix>({3, 5}, {3, 5});
  check_pairs<comparisons, Backend, matrix, matrix>({3, 5}, {3, 5});
}

TEST_CASE_TEMPLATE("broadcast, rank 0, empty and odd sizes", Backend, gj::backends::reference, gj::backends::eigen) {
  check_pairs<arithmetic, Backend, matrix, matrix>({1, 17}, {4, 1});
  check_pairs<arithmetic, Backend, matrix, matrix>({1, 1}, {2, 33});
  check_pairs<arithmetic, Backend, matrix, matrix>({0, 4}, {1, 4});
  check_pairs<arithmetic, Backend, matrix, tensor<float, dyn>>({5, 3}, {3});
  check_pairs<arithmetic, Backend, tensor<float>, tensor<float>>({}, {});
  check_pairs<arithmetic, Backend, tensor<float, dyn, dyn, dyn>, tensor<float>>({2, 3, 4}, {});
}

TEST_CASE_TEMPLATE("static and mixed extents", Backend, gj::backends::reference, gj::backends::eigen) {
  check_pairs<arithmetic, Backend, tensor<float, 3, 5>, tensor<float, 3, 5>>({3, 5}, {3, 5});
  check_pairs<arithmetic, Backend, tensor<float, dyn, 5>, tensor<float, 3, dyn>>({3, 5}, {3, 5});
  check_pairs<arithmetic, Backend, tensor<float, 0, 5>, tensor<float, 5>>({0, 5}, {5});
}

TEST_CASE_TEMPLATE("reductions in all layouts", Backend, gj::backends::reference, gj::backends::eigen) {
  constexpr auto with = gj::backend(Backend{});
  auto const limit = gj::recompile_limit{100};
  auto const sum = gj::compile([](auto x) { return gj::sum(x, gj::axes(0)); }, with, limit);
  auto const mean = gj::compile([](auto x) { return gj::mean(x, gj::axes(1)); }, with, limit);
  auto const amax = gj::compile([](auto x) { return gj::amax(x, gj::axes(2), gj::keepdims); }, with, limit);
  auto const all = gj::compile([](auto x) { return gj::sum(gj::amax(x * 2, gj::axes(0)), gj::axes(0, 1)); }, with, limit);
  auto const add = [](double a, double b) { return a + b; };
  auto const larger = [](double a, double b) { return a > b ? a : b; };
  for (how l : all_layouts) {
    CAPTURE(support::name_of(l));
    auto const x = laid_out<float, dyn, dyn, dyn>(l, {3, 4, 5}, -2, 0.125);
    CHECK(near(sum(x), folded<float>(x, 0, 0, add)));
    CHECK(near(mean(x), folded<float>(x, 1, 0, add, 1.0 / 4)));
    auto largest = folded<float>(x, 2, -1e30, larger);
    CHECK(near(amax(x), tensor<float, 3, 4, 1>::adopt(largest.storage(), largest.data(), gj::layout<3>({3, 4, 1}))));
    CHECK(near(all(x), folded<float>(folded<float>(folded<float>(x, 0, -1e30, larger), 0, 0, add), 0, 0, add, 2)));
  }
  auto const empty = laid_out<float, dyn, dyn, dyn>(how::contiguous, {0, 4, 5});
  CHECK(near(sum(empty), folded<float>(empty, 0, 0, add)));
  CHECK_THROWS_AS(all(empty), gj::shape_error);
}

TEST_CASE_TEMPLATE("products in all layouts and ranks", Backend, gj::backends::reference, gj::backends::eigen) {
  constexpr auto with = gj::backend(Backend{});
  auto const g = gj::compile([](auto x, auto y) { return gj::matmul(x, y); }, with, gj::recompile_limit{200});
  auto const product = [](auto const& x, auto const& y) {
    return mapped<float, 2>({x.extent(0), y.extent(1)}, [&, k = index_t{0}]() mutable {
      index_t const i = k / y.extent(1), j = k % y.extent(1);
      ++k;
      float dot = 0;
      for (index_t p = 0; p < x.extent(1); ++p) dot += x(i, p) * y(p, j);
      return dot;
    });
  };
  for (how p : all_layouts)
    for (how q : all_layouts) {
      CAPTURE(support::name_of(p));
      CAPTURE(support::name_of(q));
      auto const x = laid_out<float, dyn, dyn>(p, {3, 4}, -1, 0.25), y = laid_out<float, dyn, dyn>(q, {4, 5}, -0.5, 0.125);
      CHECK(near(g(x, y), product(x, y)));
      CHECK(near(g(x, y), product(x, y)));
    }
  auto const none = laid_out<float, dyn, dyn>(how::contiguous, {3, 0}), wide = laid_out<float, dyn, dyn>(how::contiguous, {0, 5});
  CHECK(near(g(none, wide), product(none, wide)));
  auto const x = support::counted(tensor<float, 2, 3>(), -1);
  auto const y = support::counted(tensor<float, 3, 2>());
  CHECK(near(g(x, y), product(x, y)));
  auto const v = support::vec(3);
  CHECK(support::elements(g(x, v)) == std::vector<float>{2, 20});
  CHECK(g(v, v).item() == 14);
  auto const batch = g(support::counted(tensor<float, dyn, dyn, dyn>(2, 2, 3)), y);
  CHECK(batch.shape() == gj::shape{2, 2, 2});
  CHECK(batch(1, 1, 0) == 10 * 1 + 11 * 3 + 12 * 5);
}
