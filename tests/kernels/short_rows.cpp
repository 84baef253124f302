// guardjit: tests/kernels/short_rows.cpp: reductions of many short rows, which are folded side by side
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/tensors.hpp"

#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;
using support::elements;

namespace {

constexpr index_t row_counts[] = {1, 7, 15, 16, 17, 40, 65};
constexpr index_t lengths[] = {1, 3, 8, 15, 16, 17, 33, 128, 256, 257};

/// Whole numbers and powers of two, so that sums and products are exact in any order.
template <class T> tensor<T, dyn, dyn> rows(index_t m, index_t n, bool powers) {
  tensor<T, dyn, dyn> x(m, n);
  for (index_t k = 0; k < x.size(); ++k)
    x.data()[k] = powers ? (k % 5 == 0 ? T(2) : k % 7 == 0 ? T(-0.5) : T(1)) : static_cast<T>(k % 23 - 11);
  return x;
}
template <class... X> auto by_loops(auto const& f, X const&... x) {
  return elements(gj::compile(f, gj::backend(gj::reference))(x...));
}
void check(auto const& f, auto const&... x) { CHECK(elements(gj::compile(f)(x...)) == by_loops(f, x...)); }

}  // namespace

TEST_CASE_TEMPLATE("short rows of every number and length", T, float, double) {
  for (index_t m : row_counts)
    for (index_t n : lengths) {
      CAPTURE(m);
      CAPTURE(n);
      auto const x = rows<T>(m, n, false), y = rows<T>(m, n + 3, false);
      auto const apart = gj::slice(y, 1, 2, n + 2);  // rows with a gap between them
      check([](auto const& a) { return gj::sum(a, gj::axes(1)); }, x);
      check([](auto const& a) { return gj::amax(a, gj::axes(1)); }, apart);
      check([](auto const& a) { return gj::amin(a, gj::axes(-1), gj::keepdims); }, x);
      check([](auto const& a) { return gj::prod(a, gj::axes(1)); }, rows<T>(m, n, true));
      check([](auto const& a, auto const& b) { return gj::sum(a * 2 - b, gj::axes(1)); }, x, apart);
      if (n == 16 || n == 128) check([](auto const& a) { return gj::mean(a, gj::axes(1)); }, apart);
    }
}

TEST_CASE("rows of planes, and rows with zeros of both signs, infinities and NaN") {
  tensor<float, dyn, dyn, dyn> cube(3, 20, 16);
  for (index_t k = 0; k < cube.size(); ++k) cube.data()[k] = static_cast<float>(k % 31);
  check([](auto const& a) { return gj::sum(a, gj::axes(2)); }, cube);
  check([](auto const& a) { return gj::sum(gj::permute(a, gj::axes(1, 0, 2)), gj::axes(2)); }, cube);

  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  auto x = rows<float>(33, 16, false);
  for (index_t i = 0; i < 16; ++i) {
    x.data()[i * 16 + i] = nan;
    x.data()[(i + 16) * 16 + i] = infinity;
  }
  for (index_t j = 0; j < 16; ++j) x.data()[32 * 16 + j] = j == 5 ? 0.0f : -0.0f;
  auto const most = gj::compile([](auto const& a) { return gj::amax(a, gj::axes(1)); })(x);
  auto const least = gj::compile([](auto const& a) { return gj::amin(a, gj::axes(1)); })(x);
  for (index_t i = 0; i < 16; ++i) {
    CHECK(std::isnan(most.data()[i]));
    CHECK(std::isnan(least.data()[i]));
    CHECK(most.data()[i + 16] == infinity);
  }
  CHECK_FALSE(std::signbit(most.data()[32]));
  CHECK(std::signbit(least.data()[32]));
}

TEST_CASE("N22: a mean over no more elements than its correction is NaN, in every way of reducing") {
  auto const spread = [](auto const& a, auto axes) { return gj::var(a, axes, gj::correction(5)); };
  for (index_t m : {1, 3, 17})
    for (auto const& value : elements(gj::eval(spread(rows<double>(m, 5, false), gj::axes(1))))) CHECK(std::isnan(value));
  for (index_t n : {1, 3, 17})
    for (auto const& value : elements(gj::eval(spread(rows<double>(5, n, false), gj::axes(0))))) CHECK(std::isnan(value));
  for (auto const& value : elements(gj::eval(spread(rows<float>(4, 40, false), gj::axes(0))))) CHECK(std::isnan(value));
}
