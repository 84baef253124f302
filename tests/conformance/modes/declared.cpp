// guardjit: tests/conformance/modes/declared.cpp: cases of compiled functions under declared stacks
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"
#include "support/allocation_counter.hpp"

namespace gj = guardjit;
using namespace fixtures;
using support::same_bits;

namespace {

/// A sum and a product, so that each fixture has something to do.
struct square_plus {
  constexpr auto operator()(auto const& x) const { return (x + 3) * x; }
};

struct derived1 : pass1 {
  using inlined_mode = derived1;
};

int alive = 0;
struct owned : gj::pure_mode<owned> {
  owned() { ++alive; }
  owned(owned const&) = delete;
  ~owned() { --alive; }
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};

/// Whether compiled and eager code agree under whatever modes are there.
template <class G, class F> bool agree(G const& g, F const& f, matrix const& x) {
  matrix const eager = f(x), compiled = g(x);
  return same_bits(eager, compiled);
}

int runs_of_all() { return runs<zero> + runs<one> + runs<plus100> + runs<pass1> + runs<pass2> + runs<scale>; }

}  // namespace

TEST_CASE("MODE-032: each declared stack has entries of its own, and comes back to them") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<pass1>, gj::inline_modes<pass1, pass2>,
                             gj::inline_modes<pass2, pass1>);
  auto const x = ones22();
  matrix const expected = square_plus{}(x);
  pass1 first;
  pass2 second;
  auto const call = [&](int compiles) {
    CHECK(same_bits(g(x), expected));
    CHECK(g.compiles() == compiles);
  };
  auto const under_first = [&](int compiles) {
    gj::mode_scope const a(first);
    call(compiles);
  };
  call(1);
  under_first(2);
  {
    gj::mode_scope const a(first);
    gj::mode_scope const b(second);
    call(3);
  }
  {
    gj::mode_scope const b(second);
    gj::mode_scope const a(first);
    call(4);
  }
  under_first(4);
  call(4);
}

TEST_CASE("MODE-033: another object of a type is a hit, a class derived from it is not") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<pass1>, gj::inline_modes<derived1>);
  auto const x = ones22();
  pass1 a, b;
  for (pass1* mode : {&a, &b}) {
    gj::mode_scope const scope(*mode);
    g(x);
    CHECK(g.compiles() == 1);
  }
  derived1 c;
  gj::mode_scope const scope(c);
  CHECK(agree(g, square_plus{}, x));
  CHECK(g.compiles() == 2);
}

TEST_CASE("MODE-034: with dispatch disabled a call is one without modes") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<pass1>);
  auto const x = ones22();
  pass1 mode;
  std::string first;
  {
    gj::mode_scope const scope(mode);
    {
      gj::dispatch_disabled const off;
      g(x);
      CHECK(g.compiles() == 1);
      CHECK(gj::mode_stack::depth() == 1);
      first = g.find(x);
    }
    g(x);
    CHECK(g.compiles() == 2);
    CHECK(g.find(x) != first);
  }
  CHECK(!first.empty());
  CHECK(g.find(x) == first);
  g(x);
  CHECK(g.compiles() == 2);
}

TEST_CASE("MODE-036: no handler runs in a compiling call, a hit, a miss, its explanation, or at the limit") {
  // pytorch#172088
  auto const g = gj::compile(square_plus{}, gj::inline_modes<zero>, gj::recompile_limit{1}, gj::dynamic::none);
  zero mode;
  gj::mode_scope const scope(mode);
  int const before = runs<zero>;
  auto const small = ones22();
  auto const large = support::counted(matrix(3, 2), 1, 0);
  CHECK(g(small)(0, 0) == 0);
  CHECK(g.compiles() == 1);
  CHECK(g(small)(0, 0) == 0);  // a hit
  CHECK(g.find(large).empty());
  CHECK(!g.explain_miss(large).entries.empty());
  CHECK(g(large)(2, 1) == 0);  // a miss, at the limit
  CHECK(g.compiles() == 1);
  CHECK(g.uncached_calls() == 1);
  auto out = large.clone();
  g.into(out, large);
  CHECK(runs<zero> == before);
  matrix const eager = square_plus{}(small);
  CHECK(runs<zero> == before + 2);
}

TEST_CASE("MODE-039: entries do not keep modes alive") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<owned>);
  auto const x = ones22();
  {
    owned mode;
    gj::mode_scope const scope(mode);
    g(x);
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
  CHECK(agree(g, square_plus{}, x));
  CHECK(g.entries().size() == 2);
}

TEST_CASE("MODE-048: a subscriber may run tensor functions, which no mode is told of") {
  // pytorch#175857
  auto const g = gj::compile(square_plus{}, gj::inline_modes<zero>);
  auto const x = ones22();
  zero mode;
  count_ob counter;
  int events = 0;
  gj::subscription const listener([&](gj::event const&) {
    ++events;
    gj::eval(x + x);
    gj::compile(square_plus{})(x);
  });
  gj::mode_scope const scope(mode);
  gj::mode_scope const above(counter);
  int const before = runs<zero>;
  CHECK(g(x)(0, 0) == 0);
  CHECK(events > 0);
  CHECK(runs<zero> == before);
  CHECK(counter.told == 2);  // by the call itself
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-057: under a stack that is not declared the call runs op by op, and says so") {
  auto const g = gj::compile(square_plus{}, gj::name<"square_plus">);
  auto const x = ones22();
  matrix const expected = square_plus{}(x);
  std::vector<std::string> told;
  gj::subscription const listener([&](gj::event const& e) {
    if (e.kind == gj::event_kind::eager_call)
      told.push_back(std::string(e.name) + "|" + e.reason + "|" + e.text);
  });
  pass1 mode;
  gj::mode_scope const scope(mode);
  int const before = runs<pass1>;
  CHECK(same_bits(g(x), expected));
  CHECK(runs<pass1> == before + 2);
  auto out = ones22();
  g.into(out, x);
  CHECK(same_bits(out, expected));
  CHECK(g.compiles() == 0);
  CHECK(g.entries().empty());
  REQUIRE(told.size() == 2);
  for (std::string const& text : told) {
    CHECK(text.find("square_plus|modes_not_declared|") == 0);
    CHECK(text.find("[fixtures::pass1]") != std::string::npos);
  }
}

TEST_CASE("MODE-070: a call in a handler is guarded on the modes below it") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<plus100>);
  auto const x = ones22();
  struct calling final : gj::function_mode {
    decltype(g) const& function;
    matrix const& x;
    matrix given{};
    int told = 0;
    calling(decltype(g) const& f, matrix const& argument) : function(f), x(argument) {}
    gj::op_result handle(gj::op_call& call) override {
      ++told;
      given = function(x);
      return call();
    }
  };
  plus100 below;
  calling above(g, x);
  {
    gj::mode_scope const a(below);
    gj::mode_scope const b(above);
    gj::eval(gj::tanh(x));
  }
  CHECK(above.told == 1);
  CHECK(above.given(1, 1) == 104);
  CHECK(g.compiles() == 1);
  {
    gj::mode_scope const a(below);
    CHECK(g(x)(0, 0) == 104);
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-072: an infra mode is no part of a compiled call") {
  // pytorch#171817
  auto const g = gj::compile(square_plus{}, gj::inline_modes<zero>);
  auto const x = ones22();
  count_in infra;
  zero mode;
  g(x);
  auto const around = [&] {
    gj::mode_scope const scope(infra);
    gj::eval(x + 1);
    CHECK(g(x)(0, 0) == 4);
    gj::eval(x * 2);
  };
  around();
  CHECK(infra.told == 2);
  CHECK(g.compiles() == 1);
  g(x);
  CHECK(g.compiles() == 1);
  gj::mode_scope const scope(mode);
  CHECK(g(x)(0, 0) == 0);
  CHECK(g.compiles() == 2);
  gj::mode_scope const between(infra);
  CHECK(g(x)(0, 0) == 0);
  CHECK(g.compiles() == 2);
  CHECK(infra.told == 2);
}

TEST_CASE("MODE-076: at the limit other stacks run by their own graphs, uncached") {
  auto const g = gj::compile(square_plus{}, gj::recompile_limit{1}, gj::inline_modes<zero>, gj::inline_modes<plus100>,
                             gj::inline_modes<pass1, scale>);
  auto const x = ones22();
  int limits = 0;
  gj::subscription const listener(
      [&limits](gj::event const& e) { limits += e.kind == gj::event_kind::limit ? 1 : 0; });
  zero first;
  plus100 second;
  pass1 below;
  scale above(5);
  auto const call = [&](float expected, auto&... modes) {
    under([&] { CHECK(g(x)(0, 1) == expected); }, modes...);
  };
  call(0, first);
  int const before = runs_of_all();
  for (int k = 0; k < 2; ++k) {
    call(104, second);
    call(20, below, above);
    call(4);
  }
  CHECK(limits == 1);
  CHECK(g.compiles() == 1);
  CHECK(g.uncached_calls() == 6);
  call(0, first);
  CHECK(g.uncached_calls() == 6);
  CHECK(runs_of_all() == before);
}

TEST_CASE("M81: a hit under declared modes and an observer goes to no heap") {
  auto const g = gj::compile(square_plus{}, gj::inline_modes<pass1>);
  auto const x = ones22();
  auto out = ones22();
  pass1 mode;
  count_ob counter;
  gj::mode_scope const a(mode);
  {
    gj::mode_scope const b(counter);
    g.into(out, x);
    CHECK(support::heap_calls_of([&] { g.into(out, x); }) == 0);
    CHECK(counter.told == 4);
  }
  CHECK(support::heap_calls_of([&] { g.into(out, x); }) == 0);
  CHECK(out(0, 0) == 4);
  CHECK(g.compiles() == 1);
}
