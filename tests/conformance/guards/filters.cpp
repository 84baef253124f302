// guardjit: tests/conformance/guards/filters.cpp: cases of guard filters
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::plain;
using fixtures::twice;
using gj::guard_description;
using gj::guard_kind;
using support::elements;
using support::mat;
using support::vec;

namespace {

constexpr auto is_short = [](auto const& x) { return x.extent(0) < 5; };

}  // namespace

TEST_CASE("GRD-129: a filter that drops what protects memory is refused by name") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">, gj::drop_kind<guard_kind::extent_is>);
  std::string text;
  try {
    g(vec(3));
  } catch (gj::option_error const& e) {
    text = e.what();
  }
  CHECK(text ==
        "guardjit: guard_filter(keep): extent_is protects memory or a path and cannot be dropped: "
        "arg[0].extent(0) = 3; g");
  CHECK(g.entries().empty());
  CHECK(g.compiles() == 1);
  auto const contiguous =
      gj::compile(twice{}, plain, gj::drop_kind<guard_kind::contiguous, guard_kind::predicate>);
  CHECK_THROWS_AS(contiguous(vec(3)), gj::option_error);
}

TEST_CASE("a user guard that the filter drops is listed, and not checked") {
  bool answer = true;
  auto const steered = [&answer](auto const&) { return answer; };
  auto const filter = gj::guard_filter([](guard_description const& g) { return g.text != "second"; });
  auto const g = gj::compile(twice{}, plain, gj::user_guard(steered, "first"),
                             gj::user_guard(is_short, "second"), filter, gj::dynamic::all);
  g(vec(3));
  REQUIRE(g.entries().size() == 1);
  auto const info = g.entries()[0];
  REQUIRE(info.dropped.size() == 1);
  CHECK(info.dropped[0].kind == guard_kind::predicate);
  CHECK(info.dropped[0].condition == 1);
  CHECK(std::count_if(info.guards.begin(), info.guards.end(),
                      [](gj::guard const& one) { return one.kind == guard_kind::predicate; }) == 1);
  CHECK(elements(g(vec(7))).back() == 14);
  CHECK_FALSE(g.find(vec(7)).empty());
  CHECK(g.explain_miss(vec(7)).entries[0].reasons.empty());
  answer = false;
  CHECK(g.find(vec(7)).empty());
  CHECK_THROWS_AS(g(vec(7)), gj::guard_error);
  CHECK(g.compiles() == 2);

  // Static entries, and a false guard that is dropped on the creating call.
  auto const fixed = gj::compile(twice{}, plain, gj::user_guard(steered, "first"),
                                 gj::drop_kind<guard_kind::predicate>, gj::dynamic::none);
  for (int k = 0; k < 2; ++k) CHECK(elements(fixed(vec(2))) == std::vector<float>{2, 4});
  CHECK(fixed.compiles() == 1);
  CHECK(fixed.entries()[0].dropped.size() == 1);
}

TEST_CASE("a filter sees each guard once per compile, by kind, argument and text") {
  std::vector<std::string> seen;
  auto const note = gj::guard_filter([&seen](guard_description const& g) {
    seen.push_back(std::string(gj::name_of(g.kind)) + " " + g.text);
    return true;
  });
  auto const yes = [](auto const&, auto const&) { return true; };
  auto const f = [](auto x, auto y) {
    if (x.extent(1) > 3) return gj::matmul(x, y);
    return gj::matmul(x, y) * 2;
  };
  auto const g = gj::compile(f, plain, gj::dynamic::none, gj::user_guard(yes, "zeta"),
                             gj::user_guard(yes, "alpha"), note);
  g(support::transposed(mat(2, 3)), mat(2, 4));
  CHECK(seen ==
        std::vector<std::string>{"extent_is arg[0].extent(0) = 3", "extent_is arg[0].extent(1) = 2",
                                 "extent_is arg[1].extent(0) = 2", "extent_is arg[1].extent(1) = 4",
                                 "contiguous arg[1] is contiguous", "strides_are arg[0].stride(0) = 1",
                                 "strides_are arg[0].stride(1) = 3", "predicate alpha", "predicate zeta"});
  CHECK(g.entries()[0].guards.back().condition == 1);  // the order in which they were given
  seen.clear();
  g(support::transposed(mat(2, 3)), mat(2, 4));
  CHECK(seen.empty());
  CHECK(g.entries()[0].dropped.empty());

  auto const open = gj::compile(f, plain, gj::dynamic::all, note);
  open(mat(3, 4), mat(4, 2));
  CHECK(std::count(seen.begin(), seen.end(), "extents_equal arg[0].extent(1) = arg[1].extent(0)") == 1);
  CHECK(std::count(seen.begin(), seen.end(), "path_is arg[0].extent(1) > 3 is true") == 1);
}

TEST_CASE("filters combine, and of several options all must keep") {
  guard_description const predicate{{.kind = guard_kind::predicate}, "first"},
      extent{{.kind = guard_kind::extent_is}, "e"};
  auto const named = [](char const* name) {
    return gj::guard_filter([name](auto const& g) { return g.text == name; });
  };
  auto const no_predicates = gj::drop_kind<guard_kind::predicate>;
  CHECK_FALSE(no_predicates(predicate));
  CHECK(no_predicates(extent));
  CHECK((!no_predicates)(predicate));
  CHECK((no_predicates || named("first"))(predicate));
  CHECK_FALSE((no_predicates || named("second"))(predicate));
  CHECK_FALSE((no_predicates && named("first"))(predicate));
  CHECK((no_predicates && named("e"))(extent));

  auto const no = [](auto const&) { return false; };
  auto const g = gj::compile(twice{}, plain, gj::user_guard(no, "first"), gj::user_guard(no, "second"),
                             !named("first"), !named("second"));
  CHECK(g(vec(2))(1) == 4);
  REQUIRE(g.entries().size() == 1);
  CHECK(g.entries()[0].dropped.size() == 2);
}

TEST_CASE("what a filter throws reaches the caller, and nothing is cached") {
  bool throws = true;
  auto const g = gj::compile(twice{}, plain, gj::guard_filter([&throws](auto const&) {
                               if (throws) throw std::runtime_error("no filter");
                               return true;
                             }));
  auto out = vec(3, 50);
  CHECK_THROWS_WITH_AS(g.into(out, vec(3)), "no filter", std::runtime_error);
  CHECK(elements(out) == elements(vec(3, 50)));
  CHECK(g.entries().empty());
  throws = false;
  g.into(out, vec(3));
  CHECK(elements(out) == std::vector<float>{2, 4, 6});
  CHECK_FALSE(g.entries()[0].dynamic);
}
