// guardjit: tests/conformance/guards/option_pairs.cpp: compile(g), export_graph and reasons, with options at once
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/compile/export_graph.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <utility>

#include "conformance/guards/fixtures.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats, fixtures::none, fixtures::plain, fixtures::product, fixtures::texts, fixtures::twice;
using gj::stance, gj::stance_scope, gj::tensor;
using support::contains, support::elements, support::vec;

namespace {

using exported_row = tensor<float, gj::dyn>;

struct exported_update {
  constexpr auto operator()(auto& state, auto x, auto rate) const {
    state = state * rate + x;
    return std::tuple(gj::sum(state), x * 2);
  }
};
struct exported_mode : gj::pure_mode<exported_mode> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const value = call();
    return gj::neg(value);
  }
};
bool refuses_hits(bool) { return false; }

}  // namespace

TEST_CASE("G103: compile(compile(f)) takes options anew, and keeps what is bound") {
  auto const inner = gj::compile(product{}, gj::bind(3.0f), plain, gj::name<"inner">, gj::disabled);
  auto const outer = gj::compile(inner, plain, none, gj::hot_extent<0, 0, 4>, gj::recompile_limit{1},
                                 gj::on_limit{gj::limit_action::eager});
  for (int n : {4, 5, 6}) CHECK(elements(outer(vec(n))) == elements(tensor(vec(n) * 3.0f)));
  CHECK(outer.compiles() == 2);
  CHECK(inner.compiles() == 0);
  CHECK_THROWS_AS(outer.with(stance::fail_on_recompile)(vec(6)), gj::recompile_error);
  auto const third = gj::compile(gj::compile(outer), plain, gj::dynamic::all, gj::shape_of<0, gj::multiple<2>>);
  CHECK_THROWS_AS(third(vec(3)), gj::shape_error);
  CHECK(elements(third.with(stance::fail_on_recompile, gj::allow_first)(vec(2))) == floats{3, 6});
  CHECK(elements(third.with(stance::fail_on_recompile)(vec(4))) == floats{3, 6, 9, 12});
  CHECK(gj::explain(third)(vec(2)).entries.size() == 1);
  CHECK(contains(gj::export_graph(third, vec(2)).to_string(), "bound[0]"));
}

TEST_CASE("A120: export_graph depends on options that say what the graph is, and on no others") {
  auto const base = gj::export_graph(product{}, plain, vec(4), 2.0f).to_string(false);
  bool asked = false;
  auto const same = [&](auto... options) {
    CHECK(gj::export_graph(product{}, plain, options..., vec(4), 2.0f).to_string(false) == base);
  };
  same(gj::hot_extent<0, 0, 4>);
  same(none, gj::disabled, gj::inline_modes<exported_mode>);
  same(gj::signature<exported_row, float>, gj::fullgraph);
  static support::backend_log log;
  {
    stance_scope const forced{stance::normal, gj::force_backend(support::op_by_op{&log})};
    same();
    stance_scope const strict(stance::fail_on_recompile);
    exported_mode mode;
    gj::mode_scope const scope(mode);
    same();
  }
  CHECK(log.built.load() == 0);
  auto const specialized = gj::export_graph(product{}, plain, gj::specialize<1>, vec(4), 2.0f).to_string(false);
  CHECK(specialized != base);
  CHECK(contains(specialized, "arg[1] = 2"));
  auto const guarded = gj::export_graph(
      product{}, plain, gj::user_guard([&asked](auto const&, auto) { return asked = true; }, "mine"), vec(4), 2.0f);
  CHECK(contains(guarded.to_string(false), "mine"));
  auto const typed = gj::compile(product{}, plain, gj::signature<exported_row, exported_row>);
  auto const frozen = gj::freeze(vec(4));
  CHECK(gj::export_graph(typed, gj::any_tensor(vec(4)), gj::any_tensor(vec(4))).to_string(false) ==
        gj::export_graph(product{}, plain, vec(4), vec(4)).to_string(false));
  CHECK(contains(gj::export_graph(product{}, plain, vec(4), frozen).to_string(false), "mul(%0, %1)"));
  CHECK(contains(gj::export_graph(exported_update{}, plain, vec(4), vec(4), 2.0f).to_string(false), "to arg[0]"));
  CHECK_THROWS_AS(gj::export_graph(typed, vec(4), vec(5)), gj::shape_error);
  // A compiled function takes options anew, as compile does.
  CHECK(gj::export_graph(typed, plain, gj::specialize<1>, vec(4), 2.0f).to_string(false) == specialized);
}

TEST_CASE("G41: reasons and lines of recompiles by other backends, stances and the guard collective") {
  auto const g = gj::compile(twice{}, plain, none, gj::name<"g">, gj::recompile_limit{1}, gj::on_limit{gj::limit_action::error});
  texts told;
  gj::subscription const listening{[&](gj::event const& e) {
    if (e.kind == gj::event_kind::recompile || e.kind == gj::event_kind::limit || e.kind == gj::event_kind::miss)
      told.push_back(std::string(e.kind == gj::event_kind::miss ? "miss " : e.kind == gj::event_kind::limit ? "limit " : "recompile ") +
                     e.reason + ": " + e.text);
  }};
  static support::backend_log log;
  auto const b = gj::backend(support::op_by_op{&log, 5});
  auto const since = [&] {
    std::string all;
    for (std::string const& line : std::exchange(told, {})) all += line + "\n";
    return all;
  };
  g.with(b)(vec(2));
  CHECK(since() == "miss first_call: there is no entry yet\n");
  g(vec(2));
  CHECK(since() == "recompile backend: g/0: backend: expected op_by_op, got reference\n");
  CHECK_THROWS_AS(g.with(b)(vec(3)), gj::limit_error);
  since();
  gj::set_guard_collective(refuses_hits);
  // The limit does not count: the new entry takes the place of the refused one.
  CHECK(elements(g(vec(2))) == floats{2, 4});
  CHECK(since() == "recompile collective: g/0: backend: expected op_by_op, got reference\n"
                   "g/1: the guard collective says that this is a miss\n");
  CHECK(elements(g.with(b)(vec(2))) == floats{2, 4});
  CHECK(g.entries().size() == 2);
  CHECK_THROWS_AS(g(vec(3)), gj::limit_error);
  CHECK_THROWS_AS(g.with(stance::fail_on_recompile, gj::allow_first)(vec(2)), gj::recompile_error);
  CHECK(elements(g.with(stance::eager_on_recompile)(vec(2))) == floats{2, 4});
  CHECK(elements(g.with(stance::eager_then_compile)(vec(2))) == floats{2, 4});
  CHECK(elements(g.with(stance::force_eager)(vec(2))) == floats{2, 4});
  gj::set_guard_collective(nullptr);
  CHECK(g.compiles() == 5);
  CHECK(g.entries().size() == 2);
}
