// guardjit: tests/conformance/guards/user_guards.cpp: cases of guards that the user writes
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::plain;
using fixtures::twice;
using gj::any_tensor;
using gj::dyn;
using gj::tensor;
using support::contains;
using support::elements;
using support::heap_calls_of;
using support::mat;
using support::vec;

namespace {

/// A predicate that counts how often it is asked, and answers as it is told.
struct steered {
  int* asked;
  bool const* answer;
  bool operator()(auto const&...) const { return ++*asked, *answer; }
};

struct counting {
  std::shared_ptr<int> calls = std::make_shared<int>(0);
  bool operator()(auto const&) const { return ++*calls, true; }
};

std::string text_of(auto const& call) {
  try {
    call();
  } catch (gj::guard_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("GRD-066: a user guard that is false on the creating call") {
  int asked = 0;
  bool answer = false;
  auto const g =
      gj::compile(twice{}, plain, gj::user_guard(steered{&asked, &answer}, "steered"), gj::name<"g">);
  auto const x = vec(3);
  CHECK(text_of([&] { g(x); }) ==
        "guardjit: g: a user guard is false on the call that needs an entry: steered: expected true, got "
        "false");
  CHECK(g.compiles() == 1);
  CHECK(g.entries().empty());
  CHECK(asked == 1);
  answer = true;
  CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
  CHECK(g.compiles() == 2);
  REQUIRE(g.entries().size() == 1);
  CHECK(g.entries()[0].id == "g/1");
  CHECK_FALSE(g.entries()[0].dynamic);  // the call that failed is not remembered

  auto out = vec(4, 50);
  answer = false;
  CHECK(contains(text_of([&] { g.into(out, vec(4)); }), "steered"));
  CHECK(elements(out) == elements(vec(4, 50)));
}

TEST_CASE("GRD-067: a user guard that throws on the second call") {
  bool throws = false;
  auto const g = gj::compile(twice{}, plain, gj::dynamic::none, gj::name<"g">,
                             gj::user_guard([](auto const&) { return true; }, "first"),
                             gj::user_guard(
                                 [&throws](auto const&) {
                                   if (throws) throw std::runtime_error("no luck");
                                   return true;
                                 },
                                 "second"),
                             gj::user_guard([&throws](auto const&) { return !throws; }, "third"));
  g(vec(3));
  throws = true;
  CHECK(g.find(vec(3)).empty());
  auto const report = g.explain_miss(vec(4));
  REQUIRE(report.entries.size() == 1);
  CHECK(report.entries[0].reasons == std::vector<std::string>{"arg[0].extent(0): expected 3, got 4",
                                                              "second: no luck",
                                                              "third: expected true, got false"});
  CHECK(g.explain_miss(vec(3)).to_string() == "g/0: second: no luck");
  std::string const text = text_of([&] { g(vec(3)); });
  CAPTURE(text);
  CHECK(contains(text, "second: no luck: third: expected true, got false"));
  CHECK(g.entries().size() == 1);
  throws = false;
  CHECK(g.find(vec(3)) == "g/0");
}

TEST_CASE("a user guard is asked once a call, by hits of every kind too") {
  int asked = 0;
  bool answer = true;
  auto const guard = gj::user_guard(steered{&asked, &answer}, "steered");
  auto const asked_by = [&asked](auto const& call) {
    int const before = asked;
    call();
    return asked - before;
  };
  auto const chain = [](auto x) { return gj::relu(x * 2) + x; };
  SUBCASE("typed, static and dynamic entries, with and without a memo") {
    auto const g = gj::compile(chain, guard);
    auto out = vec(5);
    for (int n : {5, 6, 7, 7, 8, 7, 5}) {
      auto const x = vec(n);
      CHECK(asked_by([&] { g(x); }) == 1);
      auto fresh = vec(n);
      CHECK(asked_by([&] { g.into(fresh, x); }) == 1);
      CHECK(elements(fresh) == elements(tensor<float, dyn>(vec(n) * 3)));
    }
    CHECK(g.compiles() == 2);
    CHECK(asked_by([&] { g.into(out, vec(5)); }) == 1);
  }
  SUBCASE("static extents, whose kernel is inlined") {
    auto const g = gj::compile(chain, guard);
    tensor<float, 4> x, out;
    CHECK(asked_by([&] { g.into(out, x); }) == 1);
    CHECK(asked_by([&] { g.into(out, x); }) == 1);
    answer = false;
    CHECK_THROWS_AS(g.into(out, x), gj::guard_error);
    CHECK(g.entries().size() == 1);
  }
  SUBCASE("questions") {
    auto const g = gj::compile(chain, guard);
    g(vec(2));
    CHECK(asked_by([&] { static_cast<void>(g.find(vec(2))); }) == 1);
    CHECK(asked_by([&] { static_cast<void>(g.explain_miss(vec(2))); }) == 1);
    CHECK(asked_by([&] { static_cast<void>(g.workspace_bytes(vec(2))); }) == 1);
    CHECK(asked_by([&] { static_cast<void>(g.entries()); }) == 0);
  }
  SUBCASE("kernels that test indices") {
    auto const g = gj::compile([](auto x, auto at) { return gj::take(x, at, 0); }, guard);
    tensor<std::int64_t, dyn> const at{1, 0};
    CHECK(asked_by([&] { g(vec(3), at); }) == 1);
    CHECK(asked_by([&] { g(vec(3), at); }) == 1);
    answer = false;
    auto out = vec(2, 50);
    CHECK_THROWS_AS(g.into(out, vec(3), at), gj::guard_error);
    CHECK(elements(out) == elements(vec(2, 50)));
    CHECK(g.entries().size() == 1);
    g.clear();
    CHECK_THROWS_AS(g.into(out, vec(3), at), gj::guard_error);
    CHECK(elements(out) == elements(vec(2, 50)));
  }
}

TEST_CASE("a user guard sees the arguments as they are given, without bound values") {
  int seen = 0;
  auto const note = [&seen](auto const& x, auto const& y) {
    using x_type = std::remove_cvref_t<decltype(x)>;
    if constexpr (requires(x_type t) { t.extent(0); })
      seen += static_cast<int>(x.extent(0)) + (y > 1 ? 100 : 0);
    else seen += 1000 * static_cast<int>(std::get<0>(x).extent(0));
    return true;
  };
  auto const scaled = [](auto x, auto s, auto b) { return x * s + b; };
  auto const g = gj::compile(scaled, plain, gj::bind(1.0f), gj::user_guard(note, "note"),
                             gj::signature<tensor<float, dyn>, float>);
  CHECK(g(vec(3), 2.0f)(0) == 3);
  CHECK(seen == 103);
  CHECK(g(vec(3) + 1.0f, 0.0f)(0) == 1);
  CHECK(seen == 106);
  any_tensor const any = vec(4);
  CHECK(g(any, 2.0f).as<float, dyn>()(0) == 3);
  CHECK(seen == 210);

  auto const sum = gj::compile([](auto p, auto s) { return std::get<0>(p) + std::get<1>(p) * s; }, plain,
                               gj::user_guard(note, "note"));
  CHECK(sum(std::tuple(vec(2), vec(2)), 1)(1) == 4);
  CHECK(seen == 2210);
}

TEST_CASE("user guards keep their state with the function, and copies share it") {
  counting const predicate;
  {
    auto const g = gj::compile(twice{}, plain, gj::user_guard(predicate, "counting"));
    auto const copy = g;
    g(vec(2));
    copy(vec(2));
    CHECK(g.compiles() == 1);
    CHECK(predicate.calls.use_count() == 2);
  }
  CHECK(*predicate.calls == 2);
  CHECK(predicate.calls.use_count() == 1);
}

TEST_CASE("a hit with user guards allocates nothing with into; one that throws takes no heap of its own") {
  bool throws = false;
  auto const g = gj::compile(twice{}, gj::user_guard(
                                          [&throws](auto const& x) {
                                            if (throws) throw 1;
                                            return x.extent(0) < 100;
                                          },
                                          "short"));
  auto const x = vec(8);
  auto out = vec(8);
  g.into(out, x);
  CHECK(heap_calls_of([&] { g.into(out, x); }) == 0);
  throws = true;
  CHECK(g.explain_miss(x).entries[0].reasons.front() == "short: an exception that is no std::exception");
}

TEST_CASE("at a limit a call whose user guard is false runs all the same") {
  int asked = 0;
  bool answer = true;
  auto const g = gj::compile(twice{}, plain, gj::user_guard(steered{&asked, &answer}, "steered"),
                             gj::recompile_limit{1});
  g(vec(3));
  answer = false;
  CHECK(elements(g(vec(3))) == std::vector<float>{2, 4, 6});
  CHECK(g.uncached_calls() == 1);
  CHECK(g.entries().size() == 1);
}

TEST_CASE("a recompile that a user guard asks for tells its reason") {
  bool answer = true;
  int asked = 0;
  auto const g =
      gj::compile(twice{}, plain, gj::name<"g">, gj::user_guard(steered{&asked, &answer}, "steered"));
  g(vec(3));
  answer = false;
  std::vector<std::string> told;
  int begun = 0, ended = 0;
  {
    gj::subscription const s{[&](gj::event const& e) {
      if (e.kind == gj::event_kind::guard_failure || e.kind == gj::event_kind::recompile)
        told.emplace_back(e.text);
      begun += e.kind == gj::event_kind::compile_begin ? 1 : 0;
      ended += e.kind == gj::event_kind::compile_end ? 1 : 0;
    }};
    CHECK_THROWS_AS(g(vec(3)), gj::guard_error);
  }
  CHECK(told == std::vector<std::string>{"g/0: steered: expected true, got false",
                                         "g/0: steered: expected true, got false"});
  CHECK(begun == 1);
  CHECK(ended == 1);
}

TEST_CASE("the fast and the explained check agree on user guards") {
  unsigned bits = 7;
  auto const bit = [&bits](unsigned k) { return [&bits, k](auto const&) { return (bits >> k & 1u) != 0; }; };
  auto const g = gj::compile(
      twice{}, plain, gj::user_guard(bit(0), "a"), gj::user_guard(bit(1), "b"), gj::user_guard(bit(2), "c"),
      gj::guard_filter([](auto const& one) { return one.text != "b"; }), gj::recompile_limit{4});
  for (int n : {2, 3, 5}) g(vec(n));
  g(support::viewed(vec(9), 0, {4}, {2}));
  REQUIRE(g.entries().size() == 3);
  std::mt19937 random(1);
  int disagreements = 0, wrong = 0;
  for (int k = 0; k < 2000; ++k) {
    bits = static_cast<unsigned>(random() % 8);
    auto const n = static_cast<gj::index_t>(1 + random() % 6),
               stride = static_cast<gj::index_t>(1 + random() % 3);
    auto const x = support::viewed(vec(n * stride), 0, {n}, {stride});
    bool const found = !g.find(x).empty();
    bool explained = false;
    for (auto const& e : g.explain_miss(x).entries) explained = explained || e.reasons.empty();
    disagreements += found == explained ? 0 : 1;
    wrong += found && (bits & 5u) != 5u ? 1 : 0;
  }
  CHECK(disagreements == 0);
  CHECK(wrong == 0);
  bits = 5;
  CHECK_FALSE(g.find(vec(3)).empty());
}
