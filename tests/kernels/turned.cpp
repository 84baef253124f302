// guardjit: tests/kernels/turned.cpp: elementwise kernels over transposed and permuted inputs
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/tensors.hpp"

#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;
using support::counted;
using support::elements;

namespace {

constexpr index_t turned_sizes[] = {0, 1, 7, 8, 15, 16, 17, 33, 64, 130, 259};

/// Values as plain loops of single elements give them.
template <class... X> auto by_loops(auto const& f, X const&... x) {
  return elements(gj::compile(f, gj::backend(gj::reference))(x...));
}

}  // namespace

TEST_CASE_TEMPLATE("columns that lie one after another, beside rows, columns, scalars", T, float, double) {
  using matrix = tensor<T, dyn, dyn>;
  auto const f = [](auto const& x, auto const& y, auto const& column, auto const& row, auto s) {
    return (gj::transpose(x) - y) * s + column * row;
  };
  auto const g = gj::compile(f, gj::dynamic::all);
  for (index_t m : turned_sizes)
    for (index_t n : turned_sizes) {
      CAPTURE(m);
      CAPTURE(n);
      matrix const x = counted(matrix(n, m), 1, 0.25), y = counted(matrix(m, n), -5, 0.5);
      auto const column = counted(tensor<T, dyn, 1>(m), 3);
      auto const row = counted(tensor<T, dyn>(n), -2);
      T const s = T(0.75);
      auto const want = by_loops(f, x, y, column, row, s);
      CHECK(elements(g(x, y, column, row, s)) == want);
      CHECK(elements(gj::eval(f(x, y, column, row, s))) == want);
      matrix z = y.clone();
      z.view() = f(x, z, column, row, s);
      CHECK(elements(z) == want);
    }
}

TEST_CASE("planes of a permuted tensor, with rows of any distance") {
  auto const f = [](auto const& x, auto const& y) { return gj::permute(x, gj::axes(2, 0, 1)) * y + gj::permute(y, gj::axes(0, 2, 1)); };
  auto const g = gj::compile(f);
  for (index_t n : {1, 16, 40, 131}) {
    CAPTURE(n);
    using cube = tensor<float, dyn, dyn, dyn>;
    cube const x = counted(cube(n, n, 3)), y = counted(cube(3, n, n), 0.5);
    CHECK(elements(g(x, y)) == by_loops(f, x, y));
    cube const wide = counted(cube(3, n, n + 5), 0.5);
    auto const part = gj::slice(wide, 2, 2, n + 2);
    CHECK(elements(g(x, part)) == by_loops(f, x, part));
  }
}

TEST_CASE("comparisons and conversions of transposed inputs") {
  auto const f = [](auto const& x, auto const& y) { return gj::where(gj::transpose(x) < y, gj::to<double>(gj::transpose(x)), 2.0); };
  using matrix = tensor<float, dyn, dyn>;
  for (index_t n : {1, 16, 37}) {
    matrix const x = counted(matrix(n, n)), y = counted(matrix(n, n), -3, 1.5);
    CHECK(elements(gj::compile(f)(x, y)) == by_loops(f, x, y));
  }
}
