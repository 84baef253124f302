// guardjit: tests/conformance/guards/stances.cpp: what calls do where no entry serves them
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

#include "conformance/guards/fixtures.hpp"
#include "support/programs.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::none;
using fixtures::plain;
using fixtures::texts;
using fixtures::twice;
using gj::stance;
using gj::stance_scope;
using gj::tensor;
using support::contains;
using support::elements;
using support::thrown;
using support::vec;

namespace {

/// Reasons and texts of the events of one kind that `call` causes.
texts events_told(gj::event_kind kind, auto const& call) {
  texts list;
  gj::subscription const s{[&](gj::event const& e) {
    if (e.kind == kind) list.push_back(std::string(e.reason) + ": " + e.text);
  }};
  call();
  return list;
}
texts eager_calls(auto const& call) { return events_told(gj::event_kind::eager_call, call); }

bool doubles(auto const& g, int n) { return elements(g(vec(n))) == elements(tensor<float, gj::dyn>(vec(n) * 2)); }

/// Stances as callables of `opaque` see them, in a number: that of the thread, and one of its own.
struct seen_stances {
  tensor<float, gj::dyn> operator()(tensor<float, gj::dyn> const& x) const {
    tensor<float, gj::dyn> y = x.clone();
    y.data()[0] = static_cast<float>(gj::current_stance());
    stance_scope const own(stance::eager_on_recompile);
    y.data()[1] = static_cast<float>(gj::current_stance());
    return y;
  }
};
struct around_seen_stances {
  constexpr auto operator()(auto x) const { return gj::opaque(seen_stances{})(x * 1) * 1; }
};

/// Writes its first argument.
struct adds {
  constexpr auto operator()(auto& to, auto x) const { to = to + x; }
};

struct negates_products : gj::pure_mode<negates_products> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const value = call();
    return gj::neg(value);
  }
};

}  // namespace

TEST_CASE("GRD-101: eager_then_compile") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">);
  stance_scope const s(stance::eager_then_compile);
  CHECK(eager_calls([&] { CHECK(doubles(g, 1)); }) ==
        texts{"stance: stance eager_then_compile; there is no entry yet"});
  CHECK(g.compiles() == 0);
  for (int n : {2, 3, 1}) CHECK(doubles(g, n));
  CHECK(g.compiles() == 1);
  CHECK(g.entries()[0].dynamic);
  g.clear();
  CHECK(eager_calls([&] { CHECK(doubles(g, 4)); }).size() == 1);
  CHECK(eager_calls([&] { CHECK(doubles(g, 4)); }).empty());  // what did not vary stays fixed
  CHECK_FALSE(g.entries()[0].dynamic);
  // A call that breaks a rule leaves nothing behind.
  auto const multiplied = gj::compile(fixtures::product{}, plain);
  CHECK_THROWS_AS(multiplied(vec(2), vec(3)), gj::shape_error);
  multiplied(vec(2), vec(2));
  CHECK(multiplied.compiles() == 0);
}

TEST_CASE("GRD-102: force_eager") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">);
  CHECK(doubles(g, 2));
  {
    stance_scope const s(stance::force_eager);
    texts const eager = eager_calls([&] {
      for (int n : {2, 3}) CHECK(doubles(g, n));
      auto out = vec(2);
      g.into(out, vec(2));
      CHECK(elements(out) == floats{2, 4});
    });
    CHECK(eager == texts(3, "stance: stance force_eager"));
    CHECK(g.find(vec(2)) == "");
    CHECK(g.workspace_bytes(vec(5)) == 0);
    {
      gj::nan_check values;
      gj::mode_scope const scope(values);
      CHECK(g.workspace_bytes(vec(5)) == 0);
    }
    CHECK(thrown<gj::stance_error>([&] { g.pin(vec(2)); }) ==
          "guardjit: g.pin(arguments...): g has no entry here, since stance force_eager makes calls run op by op");
  }
  CHECK(g.compiles() == 1);
  CHECK(g.find(vec(2)) == "g/0");
  CHECK(eager_calls([&] { CHECK(doubles(g, 2)); }).empty());
  CHECK(g.compiles() == 1);
  // A pinned call runs op by op like any other.
  auto const h = g.pin(vec(2));
  stance_scope const s(stance::force_eager);
  CHECK(eager_calls([&] { CHECK(elements(h(vec(2))) == floats{2, 4}); }).size() == 1);
}

TEST_CASE("G71: force_eager under declared modes, and of written arguments") {
  auto const g = gj::compile(twice{}, plain, gj::inline_modes<negates_products>);
  auto const add = gj::compile(adds{}, plain);
  auto state = vec(2);
  {
    stance_scope const s(stance::force_eager);
    negates_products mode;
    gj::mode_scope const scope(mode);
    CHECK(elements(g(vec(2))) == floats{-2, -4});  // its handler ran once
    add(state, vec(2));
  }
  CHECK(elements(state) == floats{2, 4});
  CHECK(g.compiles() == 0);
  CHECK(add.compiles() == 0);
}

TEST_CASE("GRD-103: eager_on_recompile") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">);
  auto const whole = gj::compile(twice{}, plain, gj::fullgraph);
  CHECK(doubles(g, 1));
  stance_scope const s(stance::eager_on_recompile);
  CHECK(eager_calls([&] { CHECK(doubles(g, 1)); }).empty());
  texts const reason{"stance: stance eager_on_recompile; g/0: arg[0].extent(0): expected 1, got 2"};
  CHECK(eager_calls([&] { CHECK(doubles(g, 2)); }) == reason);
  CHECK(events_told(gj::event_kind::guard_failure, [&] { CHECK(doubles(g, 2)); }).empty());
  auto out = vec(2);
  CHECK(eager_calls([&] { g.into(out, vec(2)); }) == reason);
  CHECK(elements(out) == floats{2, 4});
  CHECK(g.compiles() == 1);
  CHECK(doubles(whole, 2));
  CHECK(whole.compiles() == 0);
  CHECK(thrown<gj::stance_error>([&] { g.pin(vec(2)); }) ==
        "guardjit: g.pin(arguments...): g has no entry here, since stance eager_on_recompile makes calls run op "
        "by op");
  CHECK(elements(g.pin(vec(1))(vec(1))) == floats{2});
}

TEST_CASE("GRD-104: fail_on_recompile") {
  auto const g = gj::compile(twice{}, plain, none, gj::name<"g">);
  auto const first = gj::compile(twice{}, plain, none);
  for (int n : {2, 4}) CHECK(doubles(g, n));
  {
    stance_scope const strict(stance::fail_on_recompile);
    CHECK(doubles(g, 2));
    std::string const text = thrown<gj::recompile_error>([&] { g(vec(3)); });
    CHECK(text.starts_with("guardjit: stance fail_on_recompile: g ("));
    CHECK(contains(text, "stances.cpp:"));
    CHECK(text.ends_with(": a call needs another entry; g/0: arg[0].extent(0): expected 2, got 3\n"
                         "g/1: arg[0].extent(0): expected 4, got 3"));
    CHECK(events_told(gj::event_kind::recompile, [&] { CHECK_THROWS_AS(g(vec(3)), gj::recompile_error); }).size() == 1);
    CHECK(events_told(gj::event_kind::guard_failure, [&] { CHECK_THROWS_AS(g(vec(3)), gj::recompile_error); }).size() == 2);
    CHECK_THROWS_AS(g.pin(vec(3)), gj::recompile_error);
    CHECK_THROWS_AS(g.workspace_bytes(vec(3)), gj::recompile_error);
    CHECK(contains(thrown<gj::recompile_error>([&] { first(vec(3)); }), "another entry; there is no entry yet"));
    auto out = vec(2, 50);
    CHECK_THROWS_AS(g.into(out, vec(3)), gj::shape_error);  // the mistake of the call comes first
    auto const multiplied = gj::compile(fixtures::product{}, plain);
    CHECK_THROWS_AS(multiplied(vec(2), vec(3)), gj::shape_error);
    auto same = vec(3, 50);
    CHECK_THROWS_AS(g.into(same, vec(3)), gj::recompile_error);
    CHECK(elements(same) == elements(vec(3, 50)));
  }
  CHECK(first.compiles() == 0);
  stance_scope const warm(stance::fail_on_recompile, gj::allow_first);
  CHECK(doubles(first, 3));
  CHECK(first.compiles() == 1);
  CHECK_THROWS_AS(first(vec(2)), gj::recompile_error);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-105: fail_on_recompile where no call would compile") {
  auto const off = gj::compile(twice{}, plain, gj::disabled, gj::name<"off">);
  auto const g = gj::compile(twice{}, plain);
  stance_scope const strict(stance::fail_on_recompile);
  CHECK(eager_calls([&] { CHECK(doubles(off, 2)); }) == texts{"disabled: the function is disabled"});
  support::passing_mode mode;
  gj::mode_scope const scope(mode);
  CHECK(eager_calls([&] { CHECK(doubles(g, 2)); }).size() == 1);
  CHECK(g.compiles() + off.compiles() == 0);
}

TEST_CASE("G73: options that do not go with a stance") {
  stance_scope const outer(stance::eager_on_recompile);
  CHECK(thrown<gj::stance_error>([] { stance_scope const s(stance::force_eager, gj::allow_first); }) ==
        "guardjit: allow_first goes with stance fail_on_recompile, not with force_eager");
  CHECK_THROWS_AS(gj::set_stance(stance::normal, gj::allow_first), gj::stance_error);
  CHECK(gj::current_stance() == stance::eager_on_recompile);
  auto const g = gj::compile(twice{}, plain);
  CHECK_THROWS_AS((void)g.with(stance::normal, gj::allow_first), gj::stance_error);
}

TEST_CASE("GRD-108: scopes restore in the right order") {
  auto const g = gj::compile(twice{}, plain);
  stance_scope const outer(stance::fail_on_recompile, gj::allow_first);
  try {
    stance_scope const middle(stance::eager_on_recompile);
    stance_scope const inner(stance::force_eager);
    CHECK(gj::current_word() != 0);
    throw std::runtime_error("leaves");
  } catch (std::runtime_error const&) {
  }
  CHECK(gj::current_stance() == stance::fail_on_recompile);
  CHECK(gj::current_word() == 0);
  CHECK(doubles(g, 2));  // with its option
  CHECK_THROWS_AS(g(vec(3)), gj::recompile_error);
  stance other{};
  std::thread([&] { other = gj::current_stance(); }).join();
  CHECK(other == stance::normal);
}

TEST_CASE("GRD-109: a scope in an opaque callable ends with it") {
  auto const g = gj::compile(around_seen_stances{}, plain);
  for (int call = 0; call < 2; ++call)
    CHECK(elements(g(vec(2))) == floats{float(stance::normal), float(stance::eager_on_recompile)});
  CHECK(gj::current_stance() == stance::normal);
}

TEST_CASE("GRD-110: eager_then_compile remembers each signature") {
  auto const g = gj::compile(twice{}, plain);
  auto const wide = [](int n) { return support::counted(tensor<double, gj::dyn>(n)); };
  stance_scope const s(stance::eager_then_compile);
  CHECK(doubles(g, 1));
  CHECK(elements(g(wide(1))) == std::vector<double>{2});
  CHECK(g.compiles() == 0);
  CHECK(doubles(g, 2));
  CHECK(elements(g(wide(2))) == std::vector<double>{2, 4});
  CHECK(g.compiles() == 2);
  for (gj::entry_info const& e : g.entries()) CHECK(e.dynamic);
}

TEST_CASE("GRD-111: set_stance, and a scope inside") {
  gj::set_stance(stance::force_eager);
  {
    stance_scope const s(stance::normal);
    CHECK(gj::current_stance() == stance::normal);
    CHECK(gj::current_word() == 0);
    gj::set_stance(stance::eager_on_recompile);
  }
  CHECK(gj::current_stance() == stance::force_eager);
  CHECK(gj::current_word() != 0);
  gj::set_stance(stance::normal);
}

TEST_CASE("GRD-112: fail_on_recompile at the recompile limit") {
  auto const g = gj::compile(twice{}, plain, none, gj::recompile_limit{1});
  for (int n : {2, 3}) CHECK(doubles(g, n));
  CHECK(g.uncached_calls() == 1);
  stance_scope const strict(stance::fail_on_recompile);
  CHECK_THROWS_AS(g(vec(3)), gj::recompile_error);
  CHECK(g.uncached_calls() == 1);
}

TEST_CASE("GRD-154: a call has a stance of its own") {
  auto const g = gj::compile(twice{}, plain, none);
  auto const x = vec(2);
  g(x);
  CHECK(elements(g.with(stance::fail_on_recompile)(x)) == floats{2, 4});
  CHECK_THROWS_AS(g.with(stance::fail_on_recompile)(vec(3)), gj::recompile_error);
  CHECK(eager_calls([&] { CHECK(doubles(g.with(stance::eager_on_recompile), 3)); }).size() == 1);
  CHECK(eager_calls([&] { CHECK(doubles(g.with(stance::force_eager), 2)); }).size() == 1);
  CHECK_THROWS_AS(g.with(stance::fail_on_recompile, gj::allow_first)(vec(3)), gj::recompile_error);
  CHECK(g.compiles() == 1);
  auto const broken = gj::compile(around_seen_stances{}, plain);
  broken(x);
  stance_scope const eager(stance::force_eager);
  texts const ran_eagerly = eager_calls([&] {
    CHECK(elements(g.with(stance::fail_on_recompile)(x)) == floats{2, 4});
    auto out = vec(2);
    g.with(stance::normal).into(out, x);
    CHECK(elements(out) == floats{2, 4});
    floats const seen{float(stance::force_eager), float(stance::eager_on_recompile)};
    CHECK(elements(broken.with(stance::fail_on_recompile)(x)) == seen);
  });
  CHECK(ran_eagerly.empty());
  CHECK_THROWS_AS(broken.with(stance::fail_on_recompile)(vec(3)), gj::recompile_error);
  CHECK(eager_calls([&] { broken.with(stance::eager_on_recompile)(vec(3)); }).size() == 2);  // of both parts
  CHECK(gj::current_stance() == stance::force_eager);
}
