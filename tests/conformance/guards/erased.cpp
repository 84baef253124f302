// guardjit: tests/conformance/guards/erased.cpp: cases of backends that are chosen at run time
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>
#include <guardjit/guards/advice.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

#include "conformance/guards/fixtures.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::none, fixtures::plain, fixtures::texts;
using gj::dyn, gj::force_backend, gj::stance, gj::stance_scope, gj::tensor;
using support::backend_log, support::elements, support::new_log, support::op_by_op, support::vec, support::viewed;

namespace {

struct shifted_product {
  constexpr auto operator()(auto x, auto y) const { return x * y + 1; }
};
bool is_shifted_product(auto const& z, auto const& x, auto const& y) {
  bool same = z.size() == x.size();
  for (gj::index_t k = 0; same && k < x.size(); ++k) same = z(k) == x(k) * y(k) + 1;
  return same;
}
texts backends_of(auto const& g) {
  texts names;
  for (gj::entry_info const& e : g.entries()) names.emplace_back(e.backend);
  return names;
}
/// For tensors that are elsewhere.
struct distant : op_by_op {
  static gj::device device() { return {gj::device_kind::cuda, 1}; }
};
/// The kinds of events, and their reasons.
struct told_kinds {
  std::string text;
  void operator()(gj::event const& e) {
    if (e.kind == gj::event_kind::recompile) text += std::string("recompile ") + e.reason + '\n';
    if (e.kind == gj::event_kind::guard_failure) text += std::string(e.text) + '\n';
    if (e.kind == gj::event_kind::eager_call) text += std::string("eager ") + e.reason + '\n';
  }
};

}  // namespace

TEST_CASE("GRD-084: an equal backend hits, another one is a miss with reason backend") {
  auto const g = gj::compile(shifted_product{}, plain, gj::name<"g">);
  auto const x = vec(8), y = vec(8, 2);
  backend_log& log = new_log();
  {
    stance_scope const first{stance::normal, force_backend(op_by_op{&log})};
    CHECK(is_shifted_product(g(x, y), x, y));
    CHECK(g.compiles() == 1);
    CHECK(log.last_is_fixed.load());
  }
  {
    stance_scope const equal{stance::normal, force_backend(gj::erased_backend(op_by_op{&log}))};
    CHECK(g.find(x, y) == "g/0");
    CHECK(is_shifted_product(g(x, y), x, y));
    CHECK(log.built.load() == 1);
    CHECK(log.ran.load() == 2);
  }
  stance_scope const another{stance::normal, force_backend(op_by_op{&log, 1})};
  CHECK(g.find(x, y).empty());
  gj::miss_report const report = g.explain_miss(x, y);
  REQUIRE(report.entries.size() == 1);
  CHECK(report.entries[0].failures.at(0).kind == gj::guard_kind::backend);
  CHECK(report.to_string() == "g/0: backend: expected op_by_op, got another op_by_op");
  CHECK(gj::advice(report).empty());
  told_kinds told;
  {
    gj::subscription const watched(told);
    CHECK(is_shifted_product(g(x, y), x, y));
  }
  CHECK(told.text == "g/0: backend: expected op_by_op, got another op_by_op\nrecompile backend\n");
  CHECK(log.built.load() == 2);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-106: a forced backend builds once, and the function's own entries are as before") {
  backend_log& log = new_log();
  auto const forced = force_backend(op_by_op{&log});
  auto const g = gj::compile(shifted_product{}, plain, gj::name<"g">, gj::recompile_limit{1},
                             gj::on_limit{gj::limit_action::error});
  auto const x = vec(8), y = vec(8, 2);
  CHECK(is_shifted_product(g(x, y), x, y));
  SUBCASE("found again inside and after, though the limit is one entry of each") {
    {
      stance_scope const inside{stance::normal, forced};
      for (int k = 0; k < 3; ++k) CHECK(is_shifted_product(g(x, y), x, y));
      CHECK(log.built.load() == 1);
      CHECK(log.ran.load() == 3);
      CHECK_THROWS_AS(g(vec(9), vec(9)), gj::limit_error);
      CHECK(g.explain_miss(vec(9), vec(9)).to_string() ==
            "g/0: backend: expected reference, got op_by_op\ng/1: arg[0].extent(0): expected 8, got 9");
    }
    CHECK(backends_of(g) == texts{"reference", "op_by_op"});
    gj::subscription const forbidden([](gj::event const& e) { CHECK(e.kind == gj::event_kind::run); });
    CHECK(is_shifted_product(g(x, y), x, y));
    CHECK(log.ran.load() == 3);
    CHECK(g.compiles() == 2);
  }
  SUBCASE("what is evicted to make room for an entry is of the same backend") {
    auto const small = gj::compile(shifted_product{}, plain, gj::recompile_limit{1}, none,
                                   gj::on_limit{gj::limit_action::evict});
    small(x, y);
    for (gj::index_t n : {4, 5, 6})
      CHECK(is_shifted_product(small.with(gj::backend(op_by_op{&log}))(vec(n), vec(n)), vec(n), vec(n)));
    CHECK(backends_of(small) == texts{"reference", "op_by_op"});
    small(x, y);
    CHECK(small.compiles() == 4);
  }
  SUBCASE("scopes nest, and threads have their own") {
    stance_scope const outer{stance::normal, forced};
    {
      stance_scope const inner{stance::normal};
      g(x, y);
      CHECK(log.ran.load() == 0);
    }
    std::thread([&] { g(x, y); }).join();
    CHECK(log.ran.load() == 0);
    g(x, y);
    CHECK(log.ran.load() == 1);
  }
  SUBCASE("the first entry that fail_on_recompile allows is the first of the same backend") {
    auto const fresh = gj::compile(shifted_product{}, plain);
    fresh.with(gj::backend(op_by_op{&log}))(x, y);
    CHECK(is_shifted_product(fresh.with(stance::fail_on_recompile, gj::allow_first)(x, y), x, y));
    CHECK(backends_of(fresh) == texts{"op_by_op", "reference"});
  }
  SUBCASE("a backend of another memory is refused") {
    CHECK_THROWS_WITH_AS(
        g.with(gj::backend(distant{{&log}}))(x, y),
        "guardjit: g: backend op_by_op is for cuda:1, but the arguments are in host memory", gj::backend_error);
    CHECK(log.built.load() == 0);
  }
  SUBCASE("a backend that fails is named; nothing has changed then") {
    stance_scope const inside{stance::normal, forced};
    log.fails_to_build = true;
    try {
      g(x, y);
      FAIL("no exception");
    } catch (gj::backend_error const& e) {
      CHECK(std::string(e.what()) == "guardjit: g: backend op_by_op failed: no memory in the mill");
      CHECK_THROWS_AS(std::rethrow_if_nested(e), std::runtime_error);
    }
    log.fails_to_build = false;
    CHECK(is_shifted_product(g(x, y), x, y));
    CHECK(g.entries().size() == 2);
    log.fails_to_run = true;
    auto out = vec(8, 40);
    CHECK_THROWS_WITH_AS(g.into(out, x, y), "guardjit: backend op_by_op failed in a call: no power", gj::backend_error);
    CHECK(out(0) == 40);
    log.fails_to_run = false;
    CHECK(is_shifted_product(g(x, y), x, y));
    gj::reset();
    CHECK(log.resets.load() == 1);
    gj::reset();
    CHECK(log.resets.load() == 2);
  }
  SUBCASE("what its plans rely on is guarded") {
    stance_scope const inside{stance::normal, forced};
    log.needs_alignment = true;
    auto const pool = vec(64);
    auto const at_0 = viewed(pool, 0, {8}, {1}), at_1 = viewed(pool, 1, {8}, {1});
    CHECK(is_shifted_product(g(at_0, at_0), at_0, at_0));
    CHECK(log.asked.load() == 1);
    CHECK(g.find(at_0, at_0) == "g/1");
    CHECK(g.find(at_1, at_0).empty());
    CHECK(g.explain_miss(at_1, at_0).to_string() ==
          "g/1: arg[0] data: expected aligned to 64, got offset 4\ng/0: backend: expected reference, got op_by_op");
  }
}

TEST_CASE("GRD-107: a backend goes with stance normal alone") {
  backend_log& log = new_log();
  auto const forced = force_backend(op_by_op{&log});
  auto const enter = [&forced](stance s) { stance_scope const refused{s, forced}; };
  for (stance s : {stance::force_eager, stance::eager_on_recompile, stance::fail_on_recompile,
                   stance::eager_then_compile}) {
    CHECK_THROWS_AS(enter(s), gj::stance_error);
    CHECK(gj::current_stance() == stance::normal);
    CHECK(gj::current_word() == 0);
  }
  stance_scope const eager{stance::force_eager};
  CHECK_THROWS_WITH_AS(enter(stance::fail_on_recompile),
                       "guardjit: force_backend(op_by_op) goes with stance normal, not with fail_on_recompile",
                       gj::stance_error);
  CHECK(gj::current_stance() == stance::force_eager);
  auto const g = gj::compile(shifted_product{}, plain);
  auto const x = vec(4);
  CHECK(is_shifted_product(g.with(gj::backend(op_by_op{&log}))(x, x), x, x));
  CHECK(log.ran.load() == 1);  // a call of its own stance, which is normal

  auto const off = gj::compile(shifted_product{}, plain, gj::disabled);
  told_kinds told;
  gj::subscription const watched(told);
  stance_scope const inside{stance::normal, forced};
  CHECK(is_shifted_product(off(x, x), x, x));
  CHECK(is_shifted_product(off.with(gj::backend(op_by_op{&log}))(x, x), x, x));
  CHECK(told.text == "eager disabled\neager disabled\n");
  CHECK(log.ran.load() == 1);
  CHECK(off.compiles() == 0);
}
