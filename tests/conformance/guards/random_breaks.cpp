// guardjit: tests/conformance/guards/random_breaks.cpp: drawn functions with opaque callables
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "conformance/guards/fixtures.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"

/// Functions that are drawn while the test is compiled, with two breaks and two branches on a path at most.
/// 20 is thorough.
#ifndef GUARDJIT_DRAWN_FUNCTIONS
#define GUARDJIT_DRAWN_FUNCTIONS 2
#endif

namespace random_breaks {

namespace {

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
/// All values are integers below 2^53, so that sums are exact in any order.
using numbers = gj::tensor<double, dyn>;

int calls = 0;

constexpr auto positive_numbers = [](numbers const& x) {
  ++calls;
  index_t count = 0;
  for (index_t k = 0; k < x.extent(0); ++k) count += x(k) > 0 ? 1 : 0;
  numbers kept(count);
  for (index_t k = 0, to = 0; k < x.extent(0); ++k)
    if (x(k) > 0) kept(to++) = x(k);
  return kept;
};
/// As many numbers as the smaller one of both has, and an extent of the function.
constexpr auto common_numbers = [](numbers const& x, numbers const& y, double extent) {
  ++calls;
  numbers both(std::min(x.extent(0), y.extent(0)));
  for (index_t k = 0; k < both.extent(0); ++k) both(k) = x(k) - y(k) + extent;
  return both;
};

/// Draws the same numbers in a trace and in eager code.
class draw {
 public:
  constexpr explicit draw(int seed) : state_(static_cast<std::uint64_t>(seed) * 0x9E3779B97F4A7C15u + 77) {}
  constexpr int below(int bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>(state_ >> 40) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Six statements about three vectors, of which each reads what others left: ops, breaks, branches on
/// extents of arguments and of results of callables, alone and together.
template <int Seed> struct drawn {
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto const first = gj::eval(x * 1);
    std::array<std::remove_const_t<decltype(first)>, 3> v{first, gj::eval(y - 1), gj::eval(x + gj::sum(y))};
    draw next(Seed);
    int breaks = 0, branches = 0;
    for (int statement = 0; statement < 6; ++statement) {
      auto &a = v[static_cast<unsigned>(next.below(3))], &b = v[static_cast<unsigned>(next.below(3))];
      int const what = next.below(8), limit = next.below(4);
      if (what == 0) {
        a = gj::eval(a * 2 - gj::sum(b));
      } else if (what == 1) {
        a = gj::eval(gj::relu(a) + b.extent(0));
      } else if (what < 5 && breaks < 2) {
        ++breaks;
        if (what < 4) a = gj::opaque(positive_numbers)(a + limit);
        else a = gj::opaque(common_numbers)(a, b, b.extent(0) + limit);
      } else if (branches < 2) {
        ++branches;
        if (what == 5 && a.extent(0) == b.extent(0)) a = gj::eval(a - b);
        else if (what == 6 && a.extent(0) + b.extent(0) > 2 * limit) b = gj::eval(b * 3);
        else if (a.extent(0) > limit) a = gj::eval(a - limit);
        else b = gj::eval(b + gj::sum(a));
      }
    }
    return gj::eval(v[0] + gj::sum(v[1]) - gj::sum(v[2]) * 2);
  }
};

numbers drawn_vector(draw& from) {
  numbers x(from.below(6));
  for (index_t k = 0; k < x.extent(0); ++k) x(k) = from.below(9) - 4;
  return x;
}

template <int Seed> void check_drawn() {
  static constexpr drawn<Seed> f;
  auto const g = gj::compile(f, fixtures::plain, gj::dynamic::all, gj::recompile_limit{64});
  static support::backend_log walks;  // backends are kept until the program ends
  int walks_built = 0, walks_ran = 0;
  draw from(1000 + Seed);
  for (int call = 0; call < 60; ++call) {
    numbers const x = drawn_vector(from), y = drawn_vector(from);
    calls = 0;
    numbers const expected = f(x, y);
    int const expected_calls = calls;
    INFO("function " << Seed << ", call " << call << ", extents " << x.extent(0) << " and " << y.extent(0));
    CHECK(support::same_bits(g(x, y), expected));
    CHECK(calls == 2 * expected_calls);
    int const compiles = g.compiles();
    numbers out(expected.extent(0));
    g.into(out, x, y);
    CHECK(support::same_bits(out, expected));
    CHECK(calls == 3 * expected_calls);
    CHECK(g.compiles() == compiles);

    // Op by op or by the entries: with these nothing is compiled, and nothing refused.
    auto const under = static_cast<gj::stance>(1 + from.below(4));
    gj::stance_scope const scope{under};
    CHECK(support::same_bits(g(x, y), expected));
    CHECK(calls == 4 * expected_calls);
    CHECK(g.compiles() == compiles);
    // Each segment has entries of each backend.
    support::op_by_op const walker{&walks, from.below(2)};
    gj::set_stance(gj::stance::normal, gj::force_backend(walker));
    CHECK(support::same_bits(g(x, y), expected));
    int const after = g.compiles(), built = walks.built, ran = walks.ran;
    CHECK(built - walks_built == after - compiles);
    CHECK(support::same_bits(g(x, y), expected));
    CHECK(calls == 6 * expected_calls);
    CHECK(g.compiles() == after);
    CHECK(walks.ran - ran == ran - walks_ran);
    walks_built = built, walks_ran = walks.ran;
  }
}

template <int... Seed> void check_all(std::integer_sequence<int, Seed...>) { (check_drawn<Seed>(), ...); }

}  // namespace

TEST_CASE("G100: drawn functions with breaks and branches behind them equal eager code") {
  check_all(std::make_integer_sequence<int, GUARDJIT_DRAWN_FUNCTIONS>{});
}

}  // namespace random_breaks
