// guardjit: tests/conformance/guards/entries.cpp: cases of entries, selection, limits, reasons and events
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::ids_of;
using fixtures::plain;
using fixtures::texts;
using fixtures::product;
using fixtures::twice;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::elements;
using support::mat;
using support::vec;
using support::viewed;

namespace {

/// Events of one kind: how many, and their texts.
struct events_of {
  gj::event_kind kind;
  std::vector<std::string> texts{};
  gj::subscription<std::function<void(gj::event const&)>> listener{[this](gj::event const& e) {
    if (e.kind == kind) texts.emplace_back(e.text);
  }};
};


}  // namespace

TEST_CASE("GRD-014: each compile has a cache of its own, copies share one") {
  auto const a = gj::compile(twice{}, plain), b = gj::compile(twice{}, plain);
  CHECK(a(vec(2))(1) == 4);
  CHECK(b(vec(2))(1) == 4);
  CHECK(a.compiles() == 1);
  CHECK(b.compiles() == 1);
  auto const copy = a;
  CHECK(copy(vec(2))(1) == 4);
  CHECK(copy.compiles() == 1);
  auto assigned = gj::compile(twice{}, plain);
  assigned = a;
  CHECK_FALSE(assigned.find(vec(2)).empty());
}

TEST_CASE("GRD-057: the reason of another extent") {
  auto const g = gj::compile(twice{}, plain, gj::dynamic::none);
  g(vec(3));
  auto const report = g.explain_miss(vec(2));
  REQUIRE(report.entries.size() == 1);
  REQUIRE(report.entries[0].failures.size() == 1);
  gj::guard_failure const failure = report.entries[0].failures[0];
  CHECK(failure.kind == gj::guard_kind::extent_is);
  CHECK(failure.argument == 0);
  CHECK(failure.dim == 0);
  CHECK(failure.expected == 3);
  CHECK(failure.actual == 2);
}

TEST_CASE("GRD-062: the default reason is the first argument's, the long one has all") {
  auto const g = gj::compile(product{}, plain, gj::dynamic::none, gj::name<"name">);
  g(vec(3), vec(3));
  events_of failures{gj::event_kind::guard_failure};
  auto const report = g.explain_miss(vec(4), vec(5));
  CHECK(report.to_string() == "name/0: arg[0].extent(0): expected 3, got 4");
  REQUIRE(report.entries.size() == 1);
  CHECK(report.entries[0].reasons == texts{"arg[0].extent(0): expected 3, got 4", "arg[1].extent(0): expected 3, got 5"});
  CHECK(failures.texts.empty());
}

TEST_CASE("GRD-069: each guarded property alone, and each other one") {
  auto const g = gj::compile([](auto x, auto y, auto) { return gj::matmul(x, y); }, plain, gj::dynamic::none);
  auto const x = mat(3, 4), y = viewed(mat(4, 8), 0, {4, 5}, {8, 1});
  auto const z = vec(6);
  g(x, y, z);
  CHECK_FALSE(g.find(x, y, z).empty());

  // Extents of what is read, and strides that the plan assumes.
  CHECK(g.find(mat(2, 4), y, z).empty());
  CHECK(g.find(x, viewed(mat(4, 8), 0, {4, 6}, {8, 1}), z).empty());
  CHECK(g.find(viewed(mat(3, 5), 0, {3, 4}, {5, 1}), y, z).empty());
  CHECK(g.find(x, mat(4, 5), z).empty());
  CHECK(g.find(x, viewed(mat(4, 9), 0, {4, 5}, {9, 1}), z).empty());

  // Values, addresses, offsets, and what nobody reads.
  CHECK_FALSE(g.find(mat(3, 4, 7), y, z).empty());
  CHECK_FALSE(g.find(viewed(mat(5, 4), 3, {3, 4}, {4, 1}), y, z).empty());
  CHECK_FALSE(g.find(x, viewed(mat(5, 8), 9, {4, 5}, {8, 1}), z).empty());
  CHECK_FALSE(g.find(x, y, vec(9)).empty());
  CHECK_FALSE(g.find(x, y, viewed(vec(9), 8, {3}, {-3})).empty());
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-070: the fast and the explained check agree") {
  auto const g = gj::compile(product{}, plain, gj::recompile_limit{5});
  auto const pool = vec(400);
  auto const random_view = [&pool](auto& random) {
    index_t const m = 1 + static_cast<index_t>(random() % 3), n = 1 + static_cast<index_t>(random() % 3);
    index_t const inner = 1 + static_cast<index_t>(random() % 2), outer = random() % 2 ? n * inner : 9;
    return tensor<float, dyn, dyn>::adopt(pool.storage(), const_cast<float*>(pool.data()), gj::layout<2>({m, n}, {outer, inner}));
  };
  std::mt19937 random(1);
  int calls = 0, hits = 0, disagreements = 0;
  for (int k = 0; k < 100000; ++k) {
    auto const x = random_view(random), y = random_view(random);
    bool const fits = (x.extent(0) == y.extent(0) || x.extent(0) == 1 || y.extent(0) == 1) &&
                      (x.extent(1) == y.extent(1) || x.extent(1) == 1 || y.extent(1) == 1);
    if (fits && calls < 5) ++calls, g(x, y);
    bool explained = false;
    if (k % 10 == 0) {
      std::string const found = g.find(x, y);
      for (auto const& e : g.explain_miss(x, y).entries) explained = explained || e.reasons.empty();
      disagreements += explained == found.empty() ? 1 : 0;
      hits += found.empty() ? 0 : 1;
    }
  }
  CHECK(disagreements == 0);
  CHECK(hits > 100);
  CHECK(hits < 9900);
}

TEST_CASE("GRD-080: the static entry serves its length whatever was called between") {
  // pytorch#166926
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  g(vec(3));
  g(vec(5));
  for (int k = 0; k < 100; ++k) {
    CHECK(g.find(vec(3)) == "twice/0");
    g(vec(5));
  }
  CHECK(g.find(vec(3)) == "twice/0");
  CHECK(g(vec(3))(2) == 6);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-081: entries are listed in lookup order") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  for (auto const& x : {mat(4, 5), mat(4, 6), mat(5, 7)}) g(x);
  CHECK(ids_of(g) == texts{"twice/0", "twice/1", "twice/2"});

  // As many static extents: more conditions come first, here two strides against a class.
  auto const h = gj::compile([](auto x, auto y) { return gj::sum(x) * y; }, plain, gj::name<"h">);
  auto const pool = mat(2, 8), narrow = viewed(pool, 0, {2, 3}, {5, 1}), wide = viewed(pool, 0, {2, 3}, {7, 1});
  h(narrow, vec(4));
  h(narrow, vec(5));
  h(wide, vec(5));
  CHECK(ids_of(h) == texts{"h/0", "h/1", "h/2"});
  CHECK(h.find(narrow, vec(9)) == "h/1");
}

TEST_CASE("GRD-082: which entry serves a call does not depend on history") {
  auto const g = gj::compile(twice{}, plain);
  std::vector<tensor<float, dyn, dyn>> const calls{mat(4, 5), mat(4, 6), mat(5, 7), mat(4, 5), mat(9, 9),
                                                   mat(1, 1), mat(0, 3), mat(4, 1), mat(5, 5), support::transposed(mat(5, 4))};
  for (auto const& x : calls) g(x);
  std::vector<std::string> expected;
  for (auto const& x : calls) expected.push_back(g.find(x));
  std::vector<unsigned> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::mt19937 random(2);
  bool equal = true;
  for (int round = 0; round < 2000; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned k : order) {
      equal = equal && g.find(calls[k]) == expected[k];
      g(calls[k]);
    }
  }
  CHECK(equal);
}

TEST_CASE("calls of a function with many static entries find their own, in every order") {
  auto const g = gj::compile(twice{}, plain, gj::dynamic::none, gj::recompile_limit{64});
  std::mt19937 random(5);
  bool right = true;
  for (int k = 0; k < 2000; ++k) {
    auto const n = static_cast<index_t>(random() % 64);
    right = right && support::same_bits(g(vec(n)), support::counted(vec(n), 2, 2));
  }
  CHECK(right);
  CHECK(g.compiles() == 64);
}

TEST_CASE("GRD-083: find and explain_miss change nothing") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  g(vec(2));
  int events = 0;
  gj::subscription const s{[&events](gj::event const&) { ++events; }};
  CHECK(g.find(vec(9)).empty());
  CHECK(g.find(vec(2)) == "twice/0");
  CHECK(g.explain_miss(vec(9)).entries.size() == 1);
  CHECK(events == 0);
  CHECK(g.compiles() == 1);
  CHECK(ids_of(g) == texts{"twice/0"});
}

TEST_CASE("GRD-087: what entries() tells of a static and of a dynamic entry") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  g(vec(2));
  g(vec(3));
  auto const entries = g.entries();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == "twice/0");
  CHECK_FALSE(entries[0].dynamic);
  CHECK(entries[0].backend == std::string("reference"));
  CHECK(entries[1].id == "twice/1");
  CHECK(entries[1].dynamic);
  auto const fixes_extents = [](gj::entry_info const& e) {
    return std::any_of(e.guards.begin(), e.guards.end(), [](auto const& one) { return one.kind == gj::guard_kind::extent_is; });
  };
  CHECK(fixes_extents(entries[0]));
  CHECK_FALSE(fixes_extents(entries[1]));
}

TEST_CASE("GRD-088: a compile that failed counts, and leaves nothing else") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  auto const x = vec(3);
  int failed = 0;
  {
    support::failing_heap const failing(2);  // the table of the signature, the entry
    try {
      g(x);
    } catch (std::bad_alloc const&) {
      ++failed;
    }
  }
  CHECK(failed == 1);
  CHECK(g.entries().empty());
  CHECK(g.find(x).empty());
  REQUIRE(g.compiles() == 1);
  CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
  CHECK(g.compiles() == 2);
  CHECK(ids_of(g) == texts{"twice/1"});
}

TEST_CASE("GRD-089: at the limit calls run by plans that are not kept, and one event says so") {
  auto const g = gj::compile(twice{}, plain, gj::recompile_limit{2}, gj::dynamic::none);
  events_of limits{gj::event_kind::limit};
  for (int n = 1; n <= 10; ++n) CHECK(g(vec(n))(n - 1) == static_cast<float>(2 * n));
  CHECK(g.compiles() == 2);
  CHECK(g.uncached_calls() == 8);
  REQUIRE(limits.texts.size() == 1);
  CAPTURE(limits.texts[0]);
  CHECK(limits.texts[0].find("recompile_limit 2") != std::string::npos);
  CHECK(limits.texts[0].find("entries.cpp:") != std::string::npos);
  CHECK(limits.texts[0].find("arg[0].extent(0): expected 2, got 3") != std::string::npos);
}

TEST_CASE("GRD-090: behind the limit entries are served, and nothing is told") {
  auto const g = gj::compile(twice{}, plain, gj::recompile_limit{2}, gj::dynamic::none);
  int told = 0;
  {
    events_of limits{gj::event_kind::limit};
    for (int n = 1; n <= 10; ++n) g(vec(n));
    told = static_cast<int>(limits.texts.size());
  }
  CHECK(told == 1);
  events_of limits{gj::event_kind::limit};
  events_of failures{gj::event_kind::guard_failure};
  for (int n : {1, 2}) {
    CHECK_FALSE(g.find(vec(n)).empty());
    CHECK(g(vec(n))(0) == 2);
  }
  CHECK(g.uncached_calls() == 8);
  CHECK(g(vec(11))(10) == 22);
  CHECK(g.uncached_calls() == 9);
  CHECK(limits.texts.empty());
  CHECK(failures.texts.empty());
  g.clear();
  for (int n = 1; n <= 3; ++n) g(vec(n));
  CHECK(limits.texts.size() == 1);
}

TEST_CASE("GRD-094: the limit of one function does not bind another") {
  // pytorch#177355
  auto const a = gj::compile(twice{}, plain, gj::recompile_limit{1}, gj::dynamic::none);
  auto const b = gj::compile(twice{}, plain, gj::recompile_limit{1}, gj::dynamic::none);
  a(vec(2));
  a(vec(3));
  CHECK(a.compiles() == 1);
  CHECK(a.uncached_calls() == 1);
  b(vec(3));
  CHECK(b.compiles() == 1);
  CHECK(b.uncached_calls() == 0);
}

TEST_CASE("GRD-095: the limit counts per signature") {
  auto const g = gj::compile(twice{}, plain, gj::recompile_limit{1});
  CHECK(g(vec(2))(1) == 4);
  CHECK(g(tensor<double, dyn>{1.0, 2.0})(1) == 4);
  CHECK(g.compiles() == 2);
  CHECK(g.uncached_calls() == 0);
}

TEST_CASE("GRD-097: guard failures are told at a recompile only, an entry each") {
  auto const g = gj::compile(twice{}, plain, gj::dynamic::none, gj::name<"twice">);
  events_of failures{gj::event_kind::guard_failure};
  g(vec(8));
  CHECK(failures.texts.empty());
  for (int n : {9, 10, 11}) g(vec(n));
  failures.texts.clear();
  g(vec(12));
  CHECK(failures.texts == texts{"twice/0: arg[0].extent(0): expected 8, got 12", "twice/1: arg[0].extent(0): expected 9, got 12",
                                "twice/2: arg[0].extent(0): expected 10, got 12", "twice/3: arg[0].extent(0): expected 11, got 12"});
  failures.texts.clear();
  for (int n : {8, 9, 10, 11, 12}) g(vec(n));
  CHECK(failures.texts.empty());
}

TEST_CASE("GRD-098: the text of one failed guard") {
  auto const g = gj::compile(twice{}, plain, gj::dynamic::none, gj::name<"name">);
  g(vec(8));
  CHECK(g.explain_miss(vec(12)).to_string() == "name/0: arg[0].extent(0): expected 8, got 12");
}

TEST_CASE("clear() drops entries, history and counters") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">, gj::recompile_limit{2});
  for (int n : {2, 3}) g(vec(n));
  g(mat(2, 2));
  g.clear();
  CHECK(g.compiles() == 0);
  CHECK(g.entries().empty());
  g(vec(5));
  REQUIRE(g.entries().size() == 1);
  CHECK_FALSE(g.entries()[0].dynamic);
  CHECK(ids_of(g) == texts{"twice/0"});
}

TEST_CASE("a wrong shape at run time has the words of the static error, and changes nothing") {
  auto const g = gj::compile([](auto x, auto w) { return gj::relu(gj::matmul(x, w)); }, plain, gj::name<"layer">);
  auto const x = mat(2, 3), w = mat(3, 2);
  g(x, w);
  auto const before = g.entries();
  for (auto const& wrong : {mat(4, 2), mat(2, 3)}) {
    std::string text;
    try {
      g(x, wrong);
    } catch (gj::shape_error const& e) {
      text = e.what();
    }
    CAPTURE(text);
    CHECK(text.find("matmul(a, b): inner extents must be equal: 3 and " + std::to_string(wrong.extent(0))) != std::string::npos);
    CHECK(text.find("shapes (2, 3) (" + std::to_string(wrong.extent(0))) != std::string::npos);
    CHECK(text.find("entries.cpp:") != std::string::npos);
    auto out = mat(2, 2, 9);
    CHECK_THROWS_AS(g.into(out, x, wrong), gj::shape_error);
    CHECK(elements(out) == elements(mat(2, 2, 9)));
    CHECK(elements(wrong) == elements(mat(wrong.extent(0), wrong.extent(1))));
  }
  CHECK(g.compiles() == 1);
  CHECK(g.entries().size() == before.size());
  CHECK(gj::mode_stack::depth() == 0);
  CHECK(g.find(x, w) == "layer/0");
  // A third length is the second one that is met: history was not touched by the errors.
  g(mat(5, 3), w);
  CHECK(g.entries()[1].guards.size() > 0);
  CHECK_FALSE(g.find(mat(6, 3), w).empty());
}
