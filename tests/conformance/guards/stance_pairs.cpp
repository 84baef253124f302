// guardjit: tests/conformance/guards/stance_pairs.cpp: each stance, and erased backends, with each kind of function
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/stance_pairs.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::erased_backends, fixtures::floats, fixtures::obeys_stances, fixtures::none, fixtures::plain, fixtures::product, fixtures::twice;
using gj::stance, gj::tensor;
using support::contains, support::elements, support::thrown, support::vec;

namespace {

using stance_row = gj::tensor<float, gj::dyn>;

/// Two vectors behind one name, as arguments and as results.
template <class T> struct stance_pair {
  T first, second;
};
struct stance_turned {
  template <class T> constexpr auto operator()(stance_pair<T> p, auto w) const {
    auto const product = p.second * w, sum = p.first + w;
    return stance_pair<std::remove_const_t<decltype(product)>>{product, sum};
  }
};
struct stance_decay {
  constexpr auto operator()(auto& state, auto x, auto rate) const {
    state = state * rate + x;
    return gj::sum(x) * rate;
  }
};
struct stance_negates : gj::pure_mode<stance_negates> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const value = call();
    return gj::neg(value);
  }
};

}  // namespace

TEST_CASE("G71: stances with declared and hot extents, specialized scalars, guards and filters") {
  auto const g = gj::compile(product{}, plain, gj::name<"g">, gj::shape_of<0, gj::extent_between{1, 8}>,
                             gj::hot_extent<0, 0, 4>, gj::specialize<1>,
                             gj::user_guard([](auto const&, auto k) { return k < 5; }, "small"),
                             gj::guard_filter([](auto const& one) { return one.text != "dropped"; }));
  for (int n : {4, 5}) obeys_stances(g, [&] { return elements(g(vec(n), 3.0f)); }, elements(tensor(vec(n) * 3.0f)));
  // A false guard is a miss; where calls look nothing up it is not asked.
  g.clear();
  g(vec(4), 3.0f);
  floats const by_six{6, 12, 18, 24};
  CHECK(elements(g.with(stance::force_eager)(vec(4), 6.0f)) == by_six);
  CHECK(elements(g.with(stance::eager_on_recompile)(vec(4), 6.0f)) == by_six);
  CHECK(contains(thrown<gj::recompile_error>([&] { g.with(stance::fail_on_recompile)(vec(4), 6.0f); }), "expected 3, got 6"));
  CHECK_THROWS_AS(g(vec(4), 6.0f), gj::guard_error);
  for (gj::erased_backend const& b : erased_backends()) CHECK_THROWS_AS(g.with(gj::backend(b))(vec(4), 6.0f), gj::guard_error);
  for (stance const s : {stance::force_eager, stance::eager_on_recompile, stance::fail_on_recompile})
    CHECK_THROWS_AS(g.with(s)(vec(9), 3.0f), gj::shape_error);
  CHECK_THROWS_AS(g.with(gj::backend(erased_backends()[0]))(vec(9), 3.0f), gj::shape_error);
  CHECK(g.entries().size() == 1);
}

TEST_CASE("G71: stances of calls that write arguments, and by types known at run time") {
  auto const g = gj::compile(stance_decay{}, plain, gj::signature<stance_row, stance_row, float>);
  stance_row const after = vec(3) * 0.5f + vec(3, 7);
  floats expected = elements(after);
  expected.push_back(12);
  obeys_stances(
      g,
      [&] {
        auto state = vec(3);
        auto const s = g(state, vec(3, 7), 0.5f);
        floats all = elements(state);
        all.push_back(s());
        return all;
      },
      expected);
  obeys_stances(
      g,
      [&] {
        auto state = vec(3);
        gj::any_tensor any = state;
        gj::any_tensor const s = g(any, gj::any_tensor(vec(3, 7)), 0.5f);
        floats all = elements(state);
        all.push_back(s.as<float>()());
        return all;
      },
      expected);
  // What refuses the call leaves the state alone.
  auto state = vec(3);
  g.clear();
  CHECK_THROWS_AS(g.with(stance::fail_on_recompile)(state, vec(3, 7), 0.5f), gj::recompile_error);
  auto stretched = support::viewed(state, 0, {3}, {0});
  for (gj::erased_backend const& b : erased_backends()) {
    CHECK_THROWS_AS(g.with(gj::backend(b))(stretched, vec(3), 0.5f), gj::overlap_error);
    CHECK(elements(state) == floats{1, 2, 3});
    auto const same = state.clone();
    auto doubled = same;
    g.with(gj::backend(b))(doubled, same, 1.0f);  // reads what it writes
    CHECK(elements(same) == floats{2, 4, 6});
  }
  CHECK(g.with(stance::force_eager)(state, state, 1.0f)() == 6);
  CHECK(elements(state) == floats{2, 4, 6});
}

TEST_CASE("G71: stances of structures, several results and frozen arguments") {
  auto const g = gj::compile(stance_turned{}, plain, none);
  auto const w = gj::freeze(vec(3, 2));
  obeys_stances(
      g,
      [&] {
        auto const out = g(stance_pair<stance_row>{vec(3), vec(3, 5)}, w);
        return std::tuple(elements(out.first), elements(out.second));
      },
      std::tuple(floats{10, 18, 28}, floats{3, 5, 7}));
  obeys_stances(
      g,
      [&] {
        stance_pair<stance_row> out{vec(4, 50), vec(4, 60)};
        g.into(out, stance_pair<stance_row>{vec(4), vec(4, 5)}, 2.0f);
        return std::tuple(elements(out.first), elements(out.second));
      },
      std::tuple(floats{10, 12, 14, 16}, floats{3, 4, 5, 6}));
}

TEST_CASE("G71, M80: stances under declared modes") {
  auto const g = gj::compile(twice{}, plain, gj::inline_modes<stance_negates>);
  obeys_stances(g, [&] { return elements(g(vec(2))); }, floats{2, 4});
  stance_negates mode;
  gj::mode_scope const scope(mode);
  obeys_stances(g, [&] { return elements(g(vec(2))); }, floats{-2, -4});
}
