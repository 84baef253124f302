// guardjit: tests/conformance/guards/stance_breaks.cpp: stances and erased backends with late conditions and failures
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/late_fixtures.hpp"
#include "conformance/guards/stance_pairs.hpp"
#include "support/fragile_backend.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::none, fixtures::obeys_stances, fixtures::plain;
using gj::stance, gj::stance_scope;
using late::with_positive;
using support::contains, support::elements, support::thrown, support::vec;

namespace {

/// A branch behind the break, in-out arguments, and two ways of different segments.
struct stance_kept {
  constexpr auto operator()(auto& state, auto x) const {
    auto const k = gj::opaque(late::positive)(x * 2);
    state = state + x;
    if (k.extent(0) > 2) return gj::eval(k * 10 + gj::sum(x));
    return gj::eval(k - 1);
  }
};

}  // namespace

TEST_CASE("G71, G101: stances of functions with late conditions, segment by segment") {
  auto const g = gj::compile(stance_kept{}, plain, gj::name<"g">, gj::user_guard([](auto const&, auto const& x) {
                               return x.extent(0) < 7;
                             }, "short"));
  auto const call_with = [&g](int count) {
    auto state = vec(5);
    auto const k = g(state, with_positive(count, 5));
    return std::tuple(elements(k), elements(state));
  };
  auto const expected_of = [](int count) {
    auto state = vec(5);
    auto const k = stance_kept{}(state, with_positive(count, 5));
    return std::tuple(elements(k), elements(state));
  };
  for (int count : {3, 1, 0}) obeys_stances(g, [&] { return call_with(count); }, expected_of(count), 2);

  // The way that was not gone yet asks for an entry of its last segment alone, behind the callable.
  g.clear();
  call_with(3);
  late::calls = 0;
  auto state = vec(5);
  auto const few = with_positive(1, 5);
  CHECK(contains(thrown<gj::recompile_error>([&] { g.with(stance::fail_on_recompile)(state, few); }), "there is no entry yet"));
  CHECK(late::calls == 1);
  CHECK(elements(state) == elements(vec(5)));
  CHECK(g.compiles() == 2);
  g.with(stance::fail_on_recompile, gj::allow_first)(state, few);
  CHECK(g.compiles() == 3);
}

TEST_CASE("G71, G72, G73: what throws under a stance leaves stance, word and entries") {
  using weak = support::fragile_backend<121>;
  bool throws = false;
  auto const guard = [&throws](auto const&, auto const&) {
    if (throws) throw std::runtime_error("no answer");
    return true;
  };
  auto const g = gj::compile(stance_kept{}, gj::backend(weak{}), none, gj::user_guard(guard, "asked"));
  auto state = vec(5);
  auto const x = with_positive(3, 5);
  g(state, x);
  auto const before = elements(state);
  auto const word = gj::current_word();
  auto const check = [&](stance s) {
    CHECK(gj::current_stance() == s);
    CHECK(g.entries().size() == 2);
    CHECK(elements(state) == before);
  };
  auto const fails = [&](auto const& call) {
    late::throws = true;
    CHECK_THROWS_AS(call(state, x), std::runtime_error);
    late::throws = false;
  };
  for (stance const s : {stance::fail_on_recompile, stance::eager_on_recompile, stance::eager_then_compile, stance::force_eager}) {
    stance_scope const scope(s);
    fails(g);
    check(s);
    fails(g.with(stance::normal));
    check(s);
    throws = s != stance::force_eager;
    if (throws) CHECK_THROWS_AS(g.with(stance::normal)(state, x), gj::guard_error);
    throws = false;
    weak::fails = true;
    auto longer = vec(6);
    CHECK_THROWS_AS(g.with(stance::normal)(longer, with_positive(3, 6)), gj::backend_error);
    weak::fails = false;
    check(s);
  }
  CHECK(gj::current_word() == word);
  static support::backend_log log;
  log.fails_to_build = true;
  stance_scope const forced{stance::normal, gj::force_backend(support::op_by_op{&log})};
  CHECK_THROWS_AS(g(state, x), gj::backend_error);
  log.fails_to_build = false, log.fails_to_run = true;
  CHECK_THROWS_AS(g(state, x), gj::backend_error);
  CHECK(elements(state) == before);
  CHECK(g.entries().size() == 3);  // that of the first segment was made before it ran
}

TEST_CASE("G105: errors of backends that are suppressed, under stances and by force") {
  using weak = support::fragile_backend<122>;
  auto const g = gj::compile(stance_kept{}, gj::backend(weak{}), none, gj::suppress_backend_errors);
  auto const x = with_positive(3, 5);
  auto expected_state = vec(5);
  auto const expected = elements(stance_kept{}(expected_state, x));
  static support::backend_log log;
  gj::erased_backend const walk = support::op_by_op{&log, 7};
  weak::fails = true;
  int warnings = 0;
  gj::subscription const told{[&](gj::event const& e) { warnings += e.kind == gj::event_kind::warning; }};
  auto const is_right = [&](auto const& call) {
    auto state = vec(5);
    warnings = 0;
    bool const same = elements(call(state, x)) == expected;
    return same && elements(state) == elements(expected_state);
  };
  CHECK(is_right(g));
  CHECK(warnings == 2);
  CHECK(is_right(g.with(stance::eager_on_recompile)));
  CHECK(warnings == 0);  // no plan was wanted
  CHECK(is_right(g.with(stance::fail_on_recompile, gj::allow_first)));
  CHECK(warnings == 2);
  CHECK(is_right(g.with(gj::backend(walk))));  // that one does not fail
  CHECK(warnings == 0);
  log.fails_to_build = true;
  g.clear();
  CHECK(is_right(g.with(gj::backend(walk))));
  CHECK(warnings == 2);
  CHECK(g.entries().empty());
  weak::fails = log.fails_to_build = false;
  CHECK(is_right(g));
  CHECK(g.entries().size() == 2);
}
