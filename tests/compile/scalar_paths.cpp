// guardjit: tests/compile/scalar_paths.cpp: hits of functions that branch on scalar arguments
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::counted;
using support::vec;

namespace {

/// Three paths by two scalars, of which the second question is asked on one side only.
constexpr auto clamp_or_scale = [](auto x, auto low, auto mode) {
  if (mode == 2) return x * 10;
  if (low < 0.5) return x + low;
  return gj::maximum(x, low);
};
float expected(float x, float low, int mode) {
  if (mode == 2) return x * 10;
  if (static_cast<double>(low) < 0.5) return x + low;
  return x != x || low != low ? std::numeric_limits<float>::quiet_NaN() : x < low ? low : x;
}

/// Branches on an extent as well, and on a scalar beside an extent.
constexpr auto mixed = [](auto x, auto a) {
  if (x.extent(0) > 5) return x - a;
  if (a > 1) return x * a;
  return x + a;
};
constexpr auto beside_extent = [](auto x, auto n) {
  if (n < x.extent(0)) return x + 1;
  return x - 1;
};

}  // namespace

TEST_CASE("each call takes the path of its own scalars, in every order, and a hit allocates nothing") {
  auto const g = gj::compile(clamp_or_scale, gj::dynamic::none);
  auto const x = vec(6, -2);
  auto out = vec(6);
  int compiles = 0;
  for (int round = 0; round < 4; ++round)
    for (float low : {0.25f, 1.5f, std::numeric_limits<float>::quiet_NaN(), 0.5f, -3.0f})
      for (int mode : {1, 2, 0}) {
        long const calls = support::heap_calls_of([&] { g.into(out, x, low, mode); });
        auto const result = g(x, low, mode);
        for (index_t k = 0; k < 6; ++k) {
          float const want = expected(x(k), low, mode);
          CHECK((out(k) == want || want != want) == true);
          CHECK((out(k) != out(k)) == (want != want));
          CHECK((result(k) == out(k) || want != want) == true);
        }
        if (round > 0) CHECK(calls == 0);
        compiles = g.compiles();
      }
  CHECK(compiles == 3);
  CHECK(g.entries().size() == 3);
}

TEST_CASE("branches on scalars beside branches on extents, in static and dynamic entries") {
  auto const check = [](auto const& g) {
    for (int round = 0; round < 3; ++round)
      for (index_t n : {4, 5, 6, 7, 4})
        for (double a : {0.5, 2.0}) {
          auto const x = vec(n);
          auto const y = g(x, a);
          float const f = static_cast<float>(a);
          for (index_t k = 0; k < n; ++k) CHECK(y(k) == (n > 5 ? x(k) - f : a > 1 ? x(k) * f : x(k) + f));
        }
  };
  check(gj::compile(mixed));
  check(gj::compile(mixed, gj::dynamic::none));
  check(gj::compile(mixed, gj::dynamic::all));
  auto const g = gj::compile(beside_extent);
  for (int n : {2, 3, 4, 3, 2}) CHECK(g(vec(3), n)(0) == (n < 3 ? 2 : 0));
  CHECK(g.compiles() == 2);
}

TEST_CASE("an integer argument or extent outside the range of the elements is refused at each call, as in eager code") {
  auto const text_of = [](auto const& call) -> std::string {
    try {
      call();
    } catch (gj::dtype_error const& e) {
      return e.what();
    }
    return "nothing";
  };
  auto const g = gj::compile([](auto x, auto s) { return x + s; });
  auto const x = counted(tensor<std::uint8_t, dyn>(4)), old = counted(tensor<std::uint8_t, dyn>(4), 9);
  auto out = old.clone();
  std::string const words = "guardjit: add(a, b): the scalar must be in the range of the dtype: 300 for u8; ";
  CHECK(text_of([&] { g.into(out, x, 300); }).find(words) == 0);
  CHECK(text_of([&] { gj::eval(gj::add(x, 300)); }).find(words) == 0);
  CHECK(support::same_bits(out, old));
  CHECK(g.compiles() == 0);
  for (int round = 0; round < 2; ++round) {
    g.into(out, x, 5);
    CHECK(support::elements(out) == std::vector<std::uint8_t>{6, 7, 8, 9});
    CHECK(text_of([&] { g(x, 300); }).find(words) == 0);
    CHECK(text_of([&] { g(x, -1); }).find(": -1 for u8") != std::string::npos);
    CHECK(g(vec(4), 300)(0) == 301);
  }
  CHECK(g.compiles() == 2);
  auto const h = gj::compile([](auto y) { return y * y.extent(0); });
  CHECK(h(counted(tensor<std::uint8_t, dyn>(3)))(2) == 9);
  CHECK_THROWS_AS(h(tensor<std::uint8_t, dyn>(256)), gj::dtype_error);
  gj::op_counter counter;
  gj::mode_scope const scope(counter);
  CHECK_THROWS_AS(g(x, 300), gj::dtype_error);
  CHECK(counter.total() == 0);
}
