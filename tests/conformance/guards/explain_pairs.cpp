// guardjit: tests/conformance/guards/explain_pairs.cpp: explain, with each kind of function
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/late_fixtures.hpp"
#include "support/fragile_backend.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats, fixtures::plain, fixtures::product, fixtures::twice;
using gj::dyn, gj::stance, gj::stance_scope, gj::tensor;
using late::samples, late::with_positive;
using support::contains, support::elements, support::vec;

namespace {

struct explained_update {
  constexpr auto operator()(auto& state, auto x, auto rate) const {
    state = state * rate + x;
    return std::tuple(gj::sum(state), x * 2);
  }
};
struct explained_late {
  constexpr auto operator()(auto& state, auto x) const {
    auto const k = gj::opaque(late::positive)(x * 2);
    state = state + x;
    if (k.extent(0) > 2) return gj::eval(k * 10 + gj::sum(x));
    return gj::eval(k - 1);
  }
};
struct explained_mode : gj::pure_mode<explained_mode> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const value = call();
    return gj::neg(value);
  }
};
using explained_weak = support::fragile_backend<123>;

int collective_asked = 0;
bool counts_asks(bool) { return ++collective_asked, false; }

/// All that `explain` must leave alone: `call` tells the same in a second explainer, under stances, a forced
/// backend and a guard collective, and nobody hears of it.
gj::explanation undisturbed(auto const& g, auto const& call) {
  int const compiles = g.compiles();
  std::size_t const entries = g.entries().size();
  auto const twice_told = [&] {
    auto fresh = gj::explain(g);
    call(fresh);
    return call(fresh);
  };
  gj::explanation const first = twice_told();
  auto const is_same = [&] { return twice_told().to_json(false) == first.to_json(false); };
  static support::backend_log log;
  int heard = 0;
  gj::subscription const told{[&](gj::event const&) { ++heard; }, gj::with_runs};
  collective_asked = 0;
  gj::guard_collective const former = gj::set_guard_collective(counts_asks);
  {
    stance_scope const strict(stance::fail_on_recompile);
    CHECK(is_same());
  }
  {
    stance_scope const eager(stance::force_eager);
    CHECK(is_same());
  }
  {
    stance_scope const forced{stance::normal, gj::force_backend(support::op_by_op{&log})};
    CHECK(is_same());
  }
  gj::set_guard_collective(former);
  CHECK(collective_asked == 0);
  CHECK(log.built.load() + log.ran.load() == 0);
  CHECK(heard == 0);
  CHECK(g.compiles() == compiles);
  CHECK(g.entries().size() == entries);
  return first;
}
std::int64_t counter_of(gj::explanation const& e, std::string const& name) {
  for (gj::named_count const& c : e.counters)
    if (c.name == name) return c.count;
  return -1;
}

}  // namespace

TEST_CASE("O20, G110: explain of in-out and specialized arguments, guards, and bound references") {
  auto held = vec(3);
  bool answer = true;
  auto const g = gj::compile(explained_update{}, plain, gj::name<"update">, gj::specialize<2>, gj::bind(0.5f),
                             gj::shape_of<0, gj::named<"n">>, gj::shape_of<1, gj::named<"n">>,
                             gj::user_guard([&answer](auto const&...) { return answer; }, "asked"));
  auto const call = [&](auto& ask) {
    auto const e = ask(held, vec(3, 7));
    CHECK(elements(held) == floats{1, 2, 3});
    return e;
  };
  gj::explanation const e = undisturbed(g, call);
  CHECK(e.error == "");
  CHECK(e.graph_count == 1);
  CHECK(e.ops_total == 4);
  CHECK(counter_of(e, "hits") == 1);
  CHECK(contains(e.to_string(), "bound[0]"));
  answer = false;
  auto ask = gj::explain(g);
  CHECK(contains(call(ask).error, "asked: expected true, got false"));
  answer = true;
  CHECK(call(ask).error == "");
  CHECK(elements(std::get<1>(g(held, vec(3, 7)))) == floats{14, 16, 18});
  CHECK(elements(held) == floats{7.5f, 9, 10.5f});
  CHECK(contains(ask(held, vec(4)).error, "are declared named<\"n\">, got 3 and 4"));

  // A state that is bound by reference is put back, too, and written by calls.
  auto const bound = gj::compile([](auto const& x, auto& s) { s = s + x; return s * 1; }, plain, gj::bind(std::ref(held)));
  auto explained = gj::explain(bound);
  auto const before = elements(held);
  CHECK(explained(vec(3)).error == "");
  CHECK(elements(held) == before);
  bound.with(stance::force_eager)(vec(3));
  CHECK(elements(held) == floats{8.5f, 11, 13.5f});
  bound.with(stance::fail_on_recompile, gj::allow_first)(vec(3));
  held = vec(2);
  CHECK_THROWS_AS(bound.with(stance::fail_on_recompile)(vec(2)), gj::recompile_error);
  static support::backend_log log;
  CHECK(elements(bound.with(gj::backend(support::op_by_op{&log, 3}))(vec(2))) == floats{2, 4});
  CHECK(elements(bound.with(gj::backend(gj::reference))(vec(2))) == floats{3, 6});
  CHECK(elements(held) == floats{3, 6});
}

TEST_CASE("O20: explain of late conditions, whose graph depends on the way that calls take") {
  auto const g = gj::compile(explained_late{}, plain, gj::name<"late">);
  auto state = vec(5);
  gj::explanation const e = undisturbed(g, [&](auto& ask) { return ask(state, with_positive(3, 5)); });
  CHECK(elements(state) == elements(vec(5)));
  CHECK(e.graph_count == 2);
  CHECK(e.break_count == 1);
  auto ask = gj::explain(g);
  ask(state, with_positive(3, 5));
  gj::explanation const both = ask(state, with_positive(1, 5));
  CHECK(both.graph_count == 3);
  CHECK(both.break_count == 1);
  late::throws = true;
  gj::explanation const failed = ask(state, with_positive(1, 5));
  late::throws = false;
  CHECK(failed.error == "no positive elements today");
  CHECK(failed.graph_count == 3);
  CHECK(elements(state) == elements(vec(5)));
  CHECK(ask(state, with_positive(1, 5)).error == "");
}

TEST_CASE("O20: explain of hot extents, types at run time, modes, and frozen arguments") {
  auto const g = gj::compile(product{}, plain, gj::name<"p">, gj::hot_extent<0, 0, 4>,
                             gj::signature<samples, samples>, gj::inline_modes<explained_mode>);
  gj::explanation const e = undisturbed(g, [](auto& ask) {
    ask(gj::any_tensor(vec(4)), gj::any_tensor(vec(4)));
    return ask(gj::any_tensor(vec(5)), gj::any_tensor(vec(5)));
  });
  CHECK(e.error == "");
  CHECK(e.entries.size() == 2);
  CHECK(e.variants.hot_extents == 2);
  CHECK(e.variants.mode_stacks == 2);
  CHECK(counter_of(e, "hits") == 2);
  auto ask = gj::explain(g);
  explained_mode mode;
  gj::mode_scope const scope(mode);
  gj::explanation const moded = ask(vec(5), vec(5));
  REQUIRE(moded.graphs.size() == 1);
  CHECK(contains(moded.graphs[0].modes, "explained_mode"));
  CHECK(contains(moded.graphs[0].text, "neg"));
  CHECK(moded.ops_total == 2);
  CHECK(ask(gj::any_tensor(vec(5)), gj::any_tensor(tensor<double, dyn>(5))).error != "");
  auto const frozen = gj::freeze(vec(5, 3));
  gj::explanation const cold = gj::explain(product{}, plain)(vec(5), frozen);
  CHECK(cold.error == "");
  CHECK(cold.graph_count == 1);
}

TEST_CASE("O20: explain of calls that run op by op, and of backends that fail") {
  auto const off = gj::compile(twice{}, plain, gj::disabled, gj::name<"off">);
  gj::explanation const e = undisturbed(off, [](auto& ask) { return ask(vec(3)); });
  CHECK(e.why_eager == "the function is disabled");
  CHECK(e.graph_count == 0);
  CHECK(e.entries.empty());
  CHECK(counter_of(e, "hits") == 0);
  explained_weak::fails = true;
  auto const weak = gj::compile(twice{}, gj::backend(explained_weak{}), gj::name<"weak">);
  CHECK(contains(gj::explain(weak)(vec(2)).error, "fragile"));
  gj::explanation const suppressed = gj::explain(weak, gj::suppress_backend_errors, gj::backend(explained_weak{}))(vec(2));
  explained_weak::fails = false;
  CHECK(suppressed.error == "");
  CHECK(contains(suppressed.why_eager, "reference"));
  CHECK(suppressed.entries.empty());
  CHECK(gj::explain(weak, gj::suppress_backend_errors, gj::backend(explained_weak{}))(vec(2)).graph_count == 1);
}
