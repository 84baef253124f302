// guardjit: tests/conformance/guards/events.cpp: cases of what is told of calls, and of runs
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::event_kind;
using gj::tensor;
using support::elements;
using support::vec;

namespace {

constexpr auto told_plain = gj::backend(gj::backends::reference{});

struct told_twice {
  constexpr auto operator()(auto x) const { return x * 2; }
};

/// An event, its texts and failures copied.
struct told_event {
  event_kind kind{};
  std::string name, reason, text;
  std::int64_t entry = -1;
  unsigned line = 0;
  std::vector<gj::guard_failure> failures{};
};
/// What is told while it lives.
struct told_events {
  std::vector<told_event> all{};

  void operator()(gj::event const& e) {
    all.push_back({e.kind, e.name, e.reason, e.text, e.entry, e.where.line,
                   {e.failures, e.failures + e.failure_count}});
  }
  /// `kind name/entry reason`, or `kind name reason` where there is no entry; then forgotten.
  std::vector<std::string> lines() {
    constexpr char const* kinds[] = {"begin", "end",   "miss", "recompile", "failure", "limit",
                                     "eager", "uncached", "break", "run",    "warning", "mode error"};
    std::vector<std::string> list;
    for (told_event const& e : all) {
      std::string line = std::string(kinds[static_cast<int>(e.kind)]) + " " + e.name;
      if (e.entry >= 0) line += "/" + std::to_string(e.entry);
      list.push_back(e.reason.empty() ? line : line + " " + e.reason);
    }
    all.clear();
    return list;
  }
};
using told_lines = std::vector<std::string>;

}  // namespace

TEST_CASE("GRD-099: what each event carries") {
  auto const g = gj::compile(told_twice{}, gj::dynamic::none, gj::recompile_limit{2}, gj::name<"g">);
  told_events told;
  gj::subscription const s{told, gj::with_runs};
  auto out = vec(3);

  g(vec(2));
  CHECK(told.lines() == told_lines{"miss g/0 first_call", "begin g/0", "end g/0 made", "run g/0 made"});
  g(vec(2));
  CHECK(told.lines() == told_lines{"run g/0 hit"});
  g.into(out, vec(3));
  REQUIRE(told.all.size() == 5);
  CHECK(told.all[1].text == "g/0: arg[0].extent(0): expected 2, got 3");
  CHECK(told.all[1].line > 0);
  CHECK(told.lines() == told_lines{"failure g/0 extent_is", "recompile g/1 extent_is", "begin g/1",
                                   "end g/1 made", "run g/1 made"});
  g.into(out, vec(3));
  CHECK(told.lines() == told_lines{"run g/1 hit"});

  // At the limit: failures of both entries, in order, with their numbers.
  g(vec(4));
  REQUIRE(told.all.size() == 5);
  REQUIRE(told.all[2].failures.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    gj::guard_failure const& f = told.all[2].failures[k];
    CHECK(f.kind == gj::guard_kind::extent_is);
    CHECK(f.argument == 0);
    CHECK(f.dim == 0);
    CHECK(f.expected == static_cast<gj::index_t>(2 + k));
    CHECK(f.actual == 4);
    REQUIRE(told.all[k].failures.size() == 1);
    CHECK(told.all[k].failures[0].expected == f.expected);
  }
  CHECK(told.lines() == told_lines{"failure g/0 extent_is", "failure g/1 extent_is", "limit g recompile_limit",
                                   "uncached g recompile_limit", "run g uncached"});
  g(vec(5));  // nothing but that is told again
  CHECK(told.lines() == told_lines{"uncached g recompile_limit", "run g uncached"});
  g.find(vec(2));
  g.explain_miss(vec(7));
  g.workspace_bytes(vec(2));
  CHECK(told.lines().empty());

  // Op by op: for a mode, and at a limit.
  {
    gj::nan_check values;
    gj::mode_scope const scope(values);
    g(vec(2));
    CHECK(told.lines() == told_lines{"eager g runtime_mode"});
  }
  auto const by_op = gj::compile(told_twice{}, told_plain, gj::dynamic::none, gj::compile_limit{1},
                                 gj::on_limit{gj::limit_action::eager}, gj::name<"ops">);
  by_op(vec(2));
  told.lines();
  by_op(vec(3));
  CHECK(told.lines() ==
        told_lines{"failure ops/0 extent_is", "limit ops compile_limit", "eager ops limit"});

  // A break between two parts, each of which runs.
  auto const parts = gj::compile(
      [](auto x) {
        return gj::opaque<tensor<float, dyn>>([](gj::any_tensor const& y) { return y; })(x + 1.0f) * 2.0f;
      },
      told_plain, gj::name<"parts">);
  parts(vec(2));
  told.lines();
  parts(vec(2));
  REQUIRE(told.all.size() == 3);
  CHECK(told.all[1].line == __LINE__ - 7);
  CHECK(told.lines() == told_lines{"run parts/0 hit", "break parts opaque", "run parts/1 hit"});
}

TEST_CASE("events: all guards that fail of one entry; the end of a compile that throws; a forbidden one") {
  using backend = support::fragile_backend<99>;
  auto const g = gj::compile([](auto x, auto y) { return x * y; }, gj::backend(backend{}), gj::dynamic::none,
                             gj::error_on_recompile, gj::name<"g">);
  told_events told;
  gj::subscription const s{told};
  backend::fails = true;
  CHECK_THROWS_AS(g(vec(3), vec(3)), gj::backend_error);
  backend::fails = false;
  CHECK(told.lines() == told_lines{"miss g/0 first_call", "begin g/0", "end g/0 failed"});
  g(vec(3), vec(3));
  g(vec(3), vec(3));  // runs are not told by default
  CHECK(told.lines() == told_lines{"miss g/1 first_call", "begin g/1", "end g/1 made"});
  CHECK_THROWS_AS(g(vec(4), vec(4)), gj::recompile_error);
  REQUIRE(told.all.size() == 2);
  REQUIRE(told.all[0].failures.size() == 2);
  CHECK(told.all[0].failures[1].argument == 1);
  CHECK(told.all[1].failures.size() == 1);
  CHECK(told.lines() == told_lines{"failure g/1 extent_is", "recompile g/2 extent_is"});
}

TEST_CASE("runs: every way of a hit is told while somebody listens, in all threads") {
  auto const g = gj::compile(told_twice{}, gj::name<"g">);  // 2: static, 3 and 4: a dynamic one
  auto const small = gj::compile(told_twice{}, gj::name<"small">);
  tensor<float, 4> const v{1, 2, 3, 4};
  tensor<float, 4> w;
  auto const any = gj::compile(told_twice{}, gj::name<"any">, gj::signatures<gj::dtypes<float>, gj::ranks<1>>);
  auto const calls = [&](auto const& made) {
    auto out = vec(2), longer = vec(4);
    for (int k = 0; k < 2; ++k) {
      g(vec(2));
      g.into(out, vec(2));
      g(vec(4));
      g.into(longer, vec(4));
      small.into(w, v);
      any(gj::any_tensor(vec(2)));
      made(vec(2));
    }
  };
  auto const other = gj::compile(told_twice{}, gj::name<"other">);
  g(vec(3));
  calls(other);
  g(vec(2));
  std::size_t heard = 0, all = 0;
  auto const sink = [&](gj::event const& e) {
    if (e.kind == event_kind::run) ++heard;
    else ++all;
  };
  for (int round = 0; round < 2; ++round) {
    {
      gj::subscription const s{sink, gj::with_runs};
      calls(other);
      CHECK(heard == 14);
      auto const fresh = gj::compile(told_twice{}, gj::name<"fresh">);
      calls(fresh);
      CHECK(heard == 28);
      std::thread([&] { calls(fresh); }).join();
      CHECK(heard == 42);
      auto const h = g.pin(vec(2));
      auto out = vec(2);
      h(vec(2));
      h.into(out, vec(2));
      CHECK(heard == 44);
      CHECK(all == 3);  // of `fresh`
    }
    calls(other);
    CHECK(heard == 44);
    CHECK(elements(w) == std::vector<float>{2, 4, 6, 8});
    heard = all = 0;
  }
}

TEST_CASE("runs: subscriptions come and go, entries are pinned and dropped, while threads call" *
          doctest::test_suite("threads")) {
  auto const g = gj::compile(told_twice{}, told_plain);
  std::atomic<int> wrong = 0, ended = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      auto const x = vec(3 + t);
      auto out = vec(3 + t);
      for (int k = 0; k < 400; ++k) {
        g.into(out, x);
        if (k % 8 != 0) continue;
        auto const h = g.pin(x);
        if (k % 16 == 0) g.clear();
        auto const y = h(x);
        for (int j = 0; j < 3 + t; ++j) wrong += y(j) == 2 * x(j) && out(j) == y(j) ? 0 : 1;
      }
      ++ended;
    });
  int heard_of_own = 0, rounds = 0;
  auto const x = vec(9);
  auto const me = std::this_thread::get_id();
  while (ended < 2) {
    std::atomic<int> runs = 0;
    auto const sink = [&](gj::event const& e) {
      if (e.kind == event_kind::run && std::this_thread::get_id() == me) ++runs;
    };
    gj::subscription const s{sink, gj::with_runs};
    g(x);
    heard_of_own += runs;
    ++rounds;
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(heard_of_own == rounds);
}
