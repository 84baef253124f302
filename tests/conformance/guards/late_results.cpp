// guardjit: tests/conformance/guards/late_results.cpp: results and arguments of functions that branch behind a break
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/late_fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::plain;
using gj::dyn;
using late::samples;
using late::with_positive;
using support::elements;
using support::vec;

namespace {

/// Multiplies by 1000 instead.
struct thousandfold : gj::pure_mode<thousandfold> {
  template <class Call> static constexpr auto handle(Call& call) {
    if (call.op() == gj::op::mul) return call(call.arg(0), 1000);
    return call();
  }
};

}  // namespace

TEST_CASE("G95: an extent that is static on one path behind a break is a run-time one") {
  auto const g = gj::compile(
      [](auto const& x) {
        auto const k = gj::opaque(late::positive)(x);
        if (k.extent(0) > 2) return gj::eval(gj::slice(k, 0, 0, 3));
        return gj::eval(k + 1);
      },
      plain, gj::dynamic::all);
  samples const many = g(with_positive(4, 5)), few = g(with_positive(1, 5));
  CHECK(elements(many) == floats{1, 2, 3});
  CHECK(elements(few) == floats{2});
  samples three = vec(3, 7), one = vec(1, 7);
  g.into(three, with_positive(5, 6));
  g.into(one, with_positive(1, 6));
  CHECK(elements(three) == floats{1, 2, 3});
  CHECK(elements(one) == floats{2});
  CHECK_THROWS_AS(g.into(one, with_positive(5, 6)), gj::shape_error);
  CHECK(elements(one) == floats{2});
}

TEST_CASE("G100: structures, bound values and scalars in branches behind a break") {
  auto const g = gj::compile(
      [](auto const& pair, auto n, auto const& w) {
        auto const k = gj::opaque(late::positive)(std::get<0>(pair) * n);
        if (k.extent(0) > w.extent(0)) return std::tuple(gj::eval(k * 2), gj::eval(gj::sum(w)));
        if (n > 3) return std::tuple(gj::eval(k - 2), gj::eval(gj::sum(k)));
        return std::tuple(gj::eval(k + 0.5f), gj::eval(gj::sum(std::get<1>(pair))));
      },
      plain, gj::bind(vec(2)), gj::dynamic::all);
  auto const check = [&g](gj::index_t count, float n, floats const& kept, float sum) {
    auto const [a, b] = g(std::tuple(with_positive(count, 5), vec(3)), n);
    CHECK(elements(a) == kept);
    CHECK(b() == sum);
  };
  for (int round = 0; round < 2; ++round) {
    check(3, 1, {2, 4, 6}, 3);
    check(1, 1, {1.5}, 6);
    check(1, 4, {2}, 4);
    CHECK(g.compiles() == 4);
  }
}

TEST_CASE("G100: types at run time and declared modes in branches behind a break") {
  auto const f = [](auto const& x) {
    auto const k = gj::opaque(late::positive)(x + 1);
    if (k.extent(0) > 2) return gj::eval(k * 2);
    return gj::eval(k * 3);
  };
  auto const g = gj::compile(f, plain, gj::signature<samples>, gj::inline_modes<thousandfold>);
  auto const call = [&g](gj::index_t count) {
    gj::any_tensor const result = g(gj::any_tensor(with_positive(count, 4)));
    return elements(result.as<float, dyn>());
  };
  CHECK(call(3) == floats{4, 6, 8});
  CHECK(call(1) == floats{6});
  thousandfold mode;
  gj::mode_scope const scope(mode);
  CHECK(call(3) == floats{2000, 3000, 4000});
  CHECK(call(1) == floats{2000});
  CHECK(elements(f(with_positive(1, 4))) == floats{2000});
}
