// guardjit: tests/conformance/guards/specialized.cpp: cases of scalar arguments that are guarded by value
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::guard_kind;
using support::elements;
using support::vec;

namespace {

constexpr auto by_reference = gj::backend(gj::backends::reference{});
using values = std::vector<float>;

struct scaled_by {
  constexpr auto operator()(auto x, auto s) const { return x * s; }
};
/// Branches on the scalar alone, and on the scalar and an extent.
struct branching {
  constexpr auto operator()(auto x, auto n) const {
    if (n > 3) return x + 1;
    if (x.extent(0) > n) return x - 1;
    return x * 0;
  }
};

std::size_t count_of(std::vector<gj::guard> const& guards, guard_kind kind) {
  return static_cast<std::size_t>(
      std::count_if(guards.begin(), guards.end(), [kind](gj::guard const& g) { return g.kind == kind; }));
}

}  // namespace

TEST_CASE("GRD-047: a specialized scalar has an entry for each value, by its bits") {
  auto const g = gj::compile(scaled_by{}, by_reference, gj::specialize<1>, gj::name<"g">);
  auto const x = vec(2);
  for (int n : {3, 4, 3}) CHECK(elements(g(x, n)) == values{static_cast<float>(n), static_cast<float>(2 * n)});
  CHECK(g.compiles() == 2);
  CHECK(g.find(x, 3) == "g/0");
  CHECK(g.find(x, 4) == "g/1");
  CHECK(g.find(x, 5).empty());
  CHECK(g.explain_miss(x, 5).to_string() == "g/0: arg[1]: expected 3, got 5\ng/1: arg[1]: expected 4, got 5");
  CHECK(count_of(g.entries()[0].guards, guard_kind::scalar_is) == 1);
  CHECK(g.entries()[0].guards.back().argument == 1);

  g.clear();
  CHECK_FALSE(std::signbit(g(x, 0.0)(0)));
  CHECK(std::signbit(g(x, -0.0)(0)));
  CHECK(g.compiles() == 2);
  CHECK(g.explain_miss(x, 0.1).to_string() == "g/0: arg[1]: expected 0, got 0.1\ng/1: arg[1]: expected -0, got 0.1");

  g.clear();
  float const nan = std::numeric_limits<float>::quiet_NaN();
  for (int call = 0; call < 2; ++call) CHECK(std::isnan(g(x, nan)(0)));
  CHECK(g.compiles() == 1);
  CHECK(g.explain_miss(x, 0.1f).to_string() == "g/0: arg[1]: expected nan (0x7fc00000), got 0.1");
}

TEST_CASE("GRD-128: a value whose guard the filter dropped stays the one of the entry") {
  auto const drops = gj::drop_kind<guard_kind::scalar_is>;
  auto const g = gj::compile(scaled_by{}, by_reference, gj::specialize<1>, drops);
  auto const x = vec(2);
  CHECK(elements(g(x, 3)) == values{3, 6});
  CHECK(elements(g(x, 4)) == values{3, 6});
  CHECK(g.compiles() == 1);
  gj::entry_info const info = g.entries()[0];
  CHECK(count_of(info.guards, guard_kind::scalar_is) == 0);
  REQUIRE(info.dropped.size() == 1);
  CHECK(info.dropped[0].kind == guard_kind::scalar_is);
  CHECK(info.dropped[0].argument == 1);
  CHECK(info.dropped[0].expected == 3);
  auto out = vec(2);
  g.into(out, x, 5);
  CHECK(elements(out) == values{3, 6});
  g.into(out, out, 5);  // another relation of memory: an entry of its own, which records 5
  CHECK(elements(out) == values{15, 30});

  // Dynamic entries, which a thread remembers by the layouts of a call, and branches, which are taken as
  // the recorded value takes them.
  auto const open = gj::compile(branching{}, by_reference, gj::specialize<1>, drops, gj::dynamic::all);
  CHECK(elements(open(vec(3), 2)) == values{0, 1, 2});
  for (int call = 0; call < 3; ++call) {
    CHECK(elements(open(vec(4), 5)) == values{0, 1, 2, 3});
    CHECK(elements(open(vec(3), 9)) == values{0, 1, 2});
  }
  CHECK(open.compiles() == 1);
  CHECK(elements(open(vec(2), 9)) == values{2, 3});  // another extent, another path; the scalar is not fixed yet
  CHECK(open.compiles() == 2);
  auto const product = gj::compile(scaled_by{}, by_reference, gj::specialize<1>, drops, gj::dynamic::all);
  for (int n = 2; n < 6; ++n) CHECK(elements(product(vec(2), n)) == values{2, 4});
  CHECK(product.compiles() == 1);
}

TEST_CASE("branches on a specialized scalar are decided when its entry is made") {
  auto const g = gj::compile(branching{}, by_reference, gj::specialize<1>, gj::dynamic::none);
  auto const x = vec(3);
  for (int call = 0; call < 2; ++call) {
    CHECK(elements(g(x, 4)) == values{2, 3, 4});
    CHECK(elements(g(x, 2)) == values{0, 1, 2});
    CHECK(elements(g(x, 3)) == values{0, 0, 0});
  }
  CHECK(g.compiles() == 3);
  for (gj::entry_info const& e : g.entries()) CHECK(count_of(e.guards, guard_kind::path_is) == 0);
  auto out = vec(3);
  g.into(out, x, 2);
  CHECK(support::heap_calls_of([&] { g.into(out, x, 2); }) == 0);
  CHECK(elements(out) == values{0, 1, 2});

  auto const open = gj::compile(branching{}, by_reference, gj::specialize<1>, gj::dynamic::all, gj::name<"h">);
  for (int n : {1, 2, 5, 4}) CHECK(elements(open(vec(n), 2)).back() == static_cast<float>(n > 2 ? n - 1 : 0));
  CHECK(open.compiles() == 2);
  CHECK(open.explain_miss(vec(5), 1).to_string() ==
        "h/0: arg[1]: expected 2, got 1\nh/1: arg[1]: expected 2, got 1");
}

TEST_CASE("specialized scalars: limits count their entries; what nobody reads and constants have no guard") {
  auto const limited = gj::compile(scaled_by{}, by_reference, gj::specialize<1>, gj::recompile_limit{2});
  auto const x = vec(2);
  for (int n : {1, 2, 3, 4}) CHECK(limited(x, n)(1) == static_cast<float>(2 * n));
  CHECK(limited.compiles() == 2);
  CHECK(limited.uncached_calls() == 2);

  auto const ignored = gj::compile([](auto a, auto) { return a + a; }, by_reference, gj::specialize<1>);
  for (int n : {1, 2}) CHECK(ignored(x, n)(0) == 2);
  CHECK(ignored.compiles() == 1);

  auto const loop = [](auto a, auto count) {
    auto sum = a;
    for (int k = 1; k < count; ++k) sum = sum + a;
    return sum;
  };
  auto const constant = gj::compile(loop, by_reference, gj::specialize<1>);
  CHECK(elements(constant(x, std::integral_constant<int, 3>{})) == values{3, 6});
  CHECK(count_of(constant.entries()[0].guards, guard_kind::scalar_is) == 0);

  auto const paired = gj::compile([](auto const& p, auto s) { return std::get<0>(p) * std::get<1>(p) + s; }, by_reference,
                                  gj::specialize<1>, gj::name<"p">);
  CHECK(paired(std::pair(x, 2.0f), true)(1) == 5);
  CHECK(paired(std::pair(x, 3.0f), true)(1) == 7);
  CHECK(paired.compiles() == 1);
  CHECK(paired.explain_miss(std::pair(x, 3.0f), false).to_string() == "p/0: arg[1]: expected true, got false");
}
