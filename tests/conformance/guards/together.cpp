// guardjit: tests/conformance/guards/together.cpp: options, written and frozen arguments, handles: several at once
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::has_kind;
using fixtures::plain;
using fixtures::product;
using fixtures::twice;
using gj::dyn;
using gj::guard_kind;
using gj::tensor;
using support::contains;
using support::elements;
using support::mat;
using support::same_bits;
using support::thrown;
using support::vec;

namespace {

struct decay {
  constexpr auto operator()(auto& state, auto x, auto rate) const { state = state * rate + x; }
};
struct layer_of {
  constexpr auto operator()(auto x, auto w) const { return gj::relu(gj::matmul(x, w)); }
};

}  // namespace

TEST_CASE("G86, G91: declared extents have hot values, which must lie in what is declared") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">, gj::shape_of<0, gj::extent_between{1, 32}, 8>,
                             gj::hot_extent<0, 0, 4, 128>);
  for (int m : {4, 5, 4, 32}) CHECK(same_bits(g(mat(m, 8)), tensor(mat(m, 8) * 2)));
  CHECK(g.entries().size() == 2);  // of 4, and of all others: a range is open at once
  CHECK(contains(thrown<gj::shape_error>([&] { g(mat(128, 8)); }), "1 to 32, got 128"));
  CHECK(contains(thrown<gj::shape_error>([&] { g(mat(4, 9)); }), "declared 8, got 9"));
  CHECK(g.entries().size() == 2);
}

TEST_CASE("G84, G91: extents of one name become hot together") {
  auto const g = gj::compile(product{}, plain, gj::shape_of<0, gj::named<"n">>, gj::shape_of<1, gj::named<"n">>,
                             gj::hot_extent<0, 0, 4>);
  for (int n : {4, 6}) CHECK(same_bits(g(vec(n), vec(n, 2)), tensor(vec(n) * vec(n, 2))));
  for (int n : {4, 6}) CHECK_THROWS_AS(g(vec(n), vec(n + 1)), gj::shape_error);
  CHECK(g.entries().size() == 2);
}

TEST_CASE("G33, G62: a pinned entry of a specialized scalar") {
  auto const g = gj::compile(product{}, plain, gj::specialize<1>);
  auto const h = g.pin(vec(3), 3.0f);
  CHECK(h.check(vec(3), 3.0f));
  CHECK_FALSE(h.check(vec(3), 4.0f));
  CHECK(same_bits(h(vec(3), 3.0f), tensor(vec(3) * 3.0f)));
  auto const checked = g.pin<true>(vec(3), 3.0f);
  CHECK(contains(thrown<gj::guard_error>([&] { checked(vec(3), 4.0f); }), "expected 3, got 4"));

  auto const open =
      gj::compile(product{}, plain, gj::specialize<1>, gj::guard_filter(gj::drop_kind<guard_kind::scalar_is>));
  auto const kept = open.pin(vec(3), 3.0f);
  CHECK(kept.check(vec(3), 4.0f));
  CHECK(same_bits(kept(vec(3), 4.0f), tensor(vec(3) * 3.0f)));  // the value that was recorded
  auto out = vec(3, 50);
  kept.into(out, vec(3), 5.0f);
  CHECK(same_bits(out, tensor(vec(3) * 3.0f)));
}

TEST_CASE("G29, G62: a pinned entry keeps the frozen tensor of its plan") {
  auto const x = mat(3, 20);
  auto const w = mat(20, 33, -40);
  tensor<float, dyn, dyn> const expected = gj::relu(gj::matmul(x, w));
  auto const is_close = [&](auto const& y) {
    for (gj::index_t k = 0; k < y.size(); ++k)
      if (std::abs(y.data()[k] - expected.data()[k]) > 1e-4f * std::abs(expected.data()[k])) return false;
    return y.shape() == expected.shape();
  };
  auto const g = gj::compile(layer_of{});
  std::optional frozen(gj::freeze(w));
  auto const h = g.pin(x, *frozen);
  CHECK(is_close(h(x, *frozen)));
  auto const other = gj::freeze(mat(20, 33, 7));
  CHECK_FALSE(h.check(x, other));
  g.clear();
  CHECK(is_close(h(x, *frozen)));
  CHECK(h.check(x, *frozen));

  // One that stays with `bind` is never a miss.
  auto const bound = gj::compile(layer_of{}, gj::bind(*frozen), gj::shape_of<0, gj::any_extent, 20>);
  frozen.reset();
  CHECK(is_close(bound(x)));
  for (int m : {1, 3, 70}) CHECK(bound(mat(m, 20)).extent(0) == m);
  CHECK(bound.entries().size() == 1);
}

TEST_CASE("G4, G80, G91: a state that is written, with declared and hot extents, and a specialized rate") {
  auto const g = gj::compile(decay{}, gj::shape_of<0, gj::extent_between{1, 16}>, gj::hot_extent<0, 0, 4>,
                             gj::specialize<2>);
  for (int n : {4, 5, 4, 9})
    for (float rate : {0.5f, 0.25f}) {
      auto state = vec(n, 8);
      tensor<float, dyn> const expected = state * rate + vec(n);
      g(state, vec(n), rate);
      CHECK(same_bits(state, expected));
      tensor<float, dyn> const twice = state * rate + state;
      g(state, state, rate);
      CHECK(same_bits(state, twice));
    }
  auto state = vec(17);
  auto const before = elements(state);
  CHECK_THROWS_AS(g(state, vec(17), 0.5f), gj::shape_error);
  CHECK(elements(state) == before);
  for (gj::entry_info const& e : g.entries()) CHECK(has_kind(e.guards, guard_kind::scalar_is));
}
