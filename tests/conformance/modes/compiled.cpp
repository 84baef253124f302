// guardjit: tests/conformance/modes/compiled.cpp: cases of modes around compiled calls
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::count_ob;
using fixtures::count_rt;
using gj::dyn;
using gj::tensor;
using support::vec;

namespace {

struct steps {
  constexpr auto operator()(auto x) const {
    auto const y = gj::tanh(x * 2);
    return y + y;
  }
};

/// How often `counter` is told by `call`.
template <class Counter, class Call> int told_by(Counter& counter, Call const& call) {
  int const before = counter.told;
  call();
  return counter.told - before;
}

}  // namespace

TEST_CASE("MODE-043: a first call under a runtime mode is a replay") {
  // pytorch#172088
  auto const g = gj::compile([](auto x) { return gj::tanh(x); });
  auto const x = vec(5, -2);
  count_rt mode;
  tensor<float, dyn> compiled, eager;
  int replayed = 0, told = 0;
  {
    gj::mode_scope const scope(mode);
    told = told_by(mode, [&] { eager = gj::tanh(x); });
    replayed = told_by(mode, [&] { compiled = g(x); });
  }
  CHECK(replayed == told);
  CHECK(told == 1);
  CHECK(support::same_bits(compiled, eager));
  CHECK(g.compiles() == 0);
  CHECK(g.entries().empty());
}

TEST_CASE("MODE-044: each call under a runtime mode is told alike, the first one without it compiles") {
  auto const g = gj::compile(steps{});
  auto const x = vec(4, -1);
  gj::tensor const expected = steps{}(x);
  count_rt mode;
  {
    gj::mode_scope const scope(mode);
    int const eager = told_by(mode, [&] { gj::eval(steps{}(x)); });
    CHECK(eager == 3);
    for (int k = 0; k < 11; ++k) {
      CHECK(told_by(mode, [&] { CHECK(support::same_bits(g(x), expected)); }) == eager);
      CHECK(g.compiles() == 0);
    }
    auto out = vec(4);
    CHECK(told_by(mode, [&] { g.into(out, x); }) == eager);
    CHECK(support::same_bits(out, expected));
  }
  CHECK(told_by(mode, [&] { CHECK(support::near(g(x), expected)); }) == 0);
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-045: an observer is told of eleven calls alike, the compiling one included") {
  // pytorch#165012
  auto const g = gj::compile(steps{});
  auto const x = vec(4, -1);
  count_ob mode;
  gj::mode_scope const scope(mode);
  int const eager = told_by(mode, [&] { gj::eval(steps{}(x)); });
  CHECK(eager == 3);
  for (int k = 0; k < 11; ++k) CHECK(told_by(mode, [&] { g(x); }) == eager);
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-046: an observer around three compiled functions and eager ops") {
  auto const f = gj::compile(steps{});
  auto const g = gj::compile([](auto x) { return gj::exp(x) - 1; });
  auto const h = gj::compile([](auto x, auto y) { return gj::sum(x * y); });
  auto const x = vec(4, -1);
  auto const run = [&x](auto const& a, auto const& b, auto const& c) {
    auto const y = a(x);
    auto const z = b(y * 3);
    gj::eval(c(z, x) + 1);
  };
  count_ob mode;
  gj::mode_scope const scope(mode);
  auto const eager_f = [](auto const& a) { return gj::eval(steps{}(a)); };
  auto const eager_g = [](auto const& a) { return gj::eval(gj::exp(a) - 1); };
  auto const eager_h = [](auto const& a, auto const& b) { return gj::eval(gj::sum(a * b)); };
  int const eager = told_by(mode, [&] { run(eager_f, eager_g, eager_h); });
  CHECK(eager == 9);
  for (int k = 0; k < 5; ++k) CHECK(told_by(mode, [&] { run(f, g, h); }) == eager);
  CHECK(f.compiles() == 1);
  CHECK(g.compiles() == 1);
  CHECK(h.compiles() == 1);
}

TEST_CASE("scalars that a function computes stay weak in a replay, and are told to no mode") {
  constexpr auto f = [](auto const& x, auto s) { return x * (s * 2.0 - 1.0) + x; };
  auto const g = gj::compile(f);
  auto const x = vec(4, -1);
  gj::tensor const expected = gj::eval(f(x, 3.0));
  static_assert(decltype(expected)::type() == gj::dtype::f32);
  count_rt runtime;
  count_ob observer;
  gj::mode_scope const first(observer);
  CHECK(told_by(observer, [&] { gj::eval(f(x, 3.0)); }) == 2);
  CHECK(told_by(observer, [&] { CHECK(support::same_bits(g(x, 3.0), expected)); }) == 2);
  gj::mode_scope const second(runtime);
  CHECK(told_by(runtime, [&] { CHECK(support::same_bits(g(x, 3.0), expected)); }) == 2);
}
