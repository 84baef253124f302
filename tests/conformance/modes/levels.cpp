// guardjit: tests/conformance/modes/levels.cpp: what observers between inlined modes are told
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"

namespace gj = guardjit;
using namespace fixtures;
using support::same_bits;

namespace {

struct several_ops {
  constexpr auto operator()(auto const& x) const {
    auto const y = x * 2 + gj::tanh(x);
    return gj::sum(y * y + 1, gj::axes(0)) + gj::matmul(y, x);
  }
};

/// Wants `mul` alone.
struct half_of_products : gj::pure_mode<half_of_products> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    return call(call.arg(0), gj::mul(call.arg(1), 0.5f));
  }
};

/// Observers at every place among modes; the first one lowest.
struct watched {
  log_ob at[4];
};

template <class Run, class... Modes> void watch(watched& told, Run const& run, Modes&... modes) {
  std::size_t next = 0;
  auto const place = [&]<class Self>(Self const& self, auto&... rest) -> void {
    gj::mode_scope const scope(told.at[next++]);
    if constexpr (sizeof...(rest) == 0) {
      run();
    } else {
      [&](auto& first, auto&... others) {
        gj::mode_scope const mode(first);
        self(self, others...);
      }(rest...);
    }
  };
  place(place, modes...);
}

template <class G, class... Modes> void check_levels(G const& g, matrix const& x, Modes&... modes) {
  watched eager, compiled;
  matrix expected, found;
  watch(eager, [&] { expected = several_ops{}(x); }, modes...);
  for (int call = 0; call < 2; ++call) {
    compiled = {};
    watch(compiled, [&] { found = g(x); }, modes...);
    CHECK(support::near(found, expected));
    for (std::size_t k = 0; k <= sizeof...(modes); ++k) {
      CAPTURE(k);
      CHECK(!eager.at[k].seen.empty());
      CHECK(compiled.at[k].seen == eager.at[k].seen);
    }
  }
}

struct thrown {};
struct throwing_ob final : gj::observer_mode {
  int left = 2;
  void observe(gj::op_record const&) override {
    if (left-- == 0) throw thrown{};
  }
};

}  // namespace

TEST_CASE("M105: an observer is told the ops of its place among the inlined modes") {
  auto const g = gj::compile(several_ops{}, gj::inline_modes<zero>, gj::inline_modes<plus100, one>,
                             gj::inline_modes<zero, scale, pass1>, gj::inline_modes<plus100, plus100>,
                             gj::inline_modes<half_of_products, scale>,
                             gj::inline_modes<gj::compute_in<double, gj::op::mul, gj::op::matmul>, half_of_products>);
  auto const x = support::counted(matrix(2, 2), -1, 0.5);
  zero a;
  one b;
  plus100 c, again;
  scale d(3);
  pass1 e;
  half_of_products h;
  gj::compute_in<double, gj::op::mul, gj::op::matmul> wide;
  check_levels(g, x);
  check_levels(g, x, a);
  check_levels(g, x, c, b);
  check_levels(g, x, a, d, e);
  check_levels(g, x, c, again);
  check_levels(g, x, c, c);  // one object, two slots
  check_levels(g, x, h, d);
  check_levels(g, x, wide, h);
  CHECK(g.compiles() == 7);
}

TEST_CASE("M105: under a stack that is not declared observers are told the same") {
  auto const g = gj::compile(several_ops{});
  auto const x = support::counted(matrix(2, 2), -1, 0.5);
  plus100 a;
  scale b(3);
  zero c;
  check_levels(g, x, a, b);
  check_levels(g, x, b, c, a);
  CHECK(g.compiles() == 0);
}

TEST_CASE("M105: an exception of an observer between modes reaches the caller, and no kernel runs") {
  auto const g = gj::compile(several_ops{}, gj::inline_modes<pass1, zero>);
  auto const x = ones22();
  auto out = support::counted(matrix(2, 2), 7, 0);
  auto const untouched = out.clone();
  pass1 below;
  zero above;
  throwing_ob between;
  auto const call = [&] { under([&] { g.into(out, x); }, below, between, above); };
  CHECK_THROWS_AS(call(), thrown);
  CHECK(same_bits(out, untouched));
  CHECK(gj::mode_stack::depth() == 0);
  call();
  CHECK(!same_bits(out, untouched));
}

TEST_CASE("M97: an observer in two places is told of each in turn") {
  auto const g = gj::compile(several_ops{}, gj::inline_modes<plus100>);
  auto const x = ones22();
  plus100 mode;
  log_ob eager, compiled;
  matrix y;
  under([&] { y = several_ops{}(x); }, eager, mode, eager);
  under([&] { y = g(x); }, compiled, mode, compiled);
  CHECK(compiled.seen == eager.seen);
}
