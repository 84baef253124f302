// guardjit: tests/conformance/guards/late_conditions.cpp: opaque callables, and branches on their results
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/late_fixtures.hpp"
#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using gj::dyn;
using gj::index_t;
using late::positive;
using late::samples;
using late::with_positive;
using support::elements;
using support::vec;

namespace {

using weak = support::fragile_backend<120>;
/// One backend for all cases, as each costs the compiler time.
constexpr auto on_weak = gj::backend(weak{});

constexpr unsigned break_line = __LINE__ + 3;
constexpr auto by_count = [](auto const& x) {
  auto const y = gj::eval(x * 2);
  auto const k = gj::opaque(positive)(y + 0.5f);
  if (k.extent(0) > 2) return gj::eval(k * 10 + gj::sum(y));
  return gj::eval(k - 1);
};

/// Two breaks, the second one on one path only; conditions on results, on arguments and on both.
constexpr auto nested_breaks = [](auto const& x, auto const& w) {
  auto const scaled = gj::eval(w * 2);
  auto const a = gj::opaque(positive)(x * 3);
  if (a.extent(0) > 3) {
    auto const b = gj::opaque(positive)(a - 6);
    if (b.extent(0) == w.extent(0)) return gj::eval(b + w);
    return gj::eval(b * 2 + gj::sum(scaled));
  }
  if (a.extent(0) + w.extent(0) > 5) return gj::eval(a * 3);
  return gj::eval(a - gj::sum(scaled));
};

/// As long as more than one element is left, and twice at most.
constexpr auto looped_breaks = [](auto const& x) {
  auto y = gj::eval(x + 1);
  for (int round = 0; round < 2; ++round) {
    if (y.extent(0) < 2) return gj::eval(y * 100);
    y = gj::opaque(positive)(y - 2);
  }
  return gj::eval(y + gj::sum(x));
};

/// Calls `act`, which must throw, and gives what it says.
std::string text_of_throw(auto const& act) {
  try {
    act();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::string recompiles_of(auto const& act) {
  std::string text;
  auto const sink = [&text](gj::event const& e) {
    if (e.kind == gj::event_kind::recompile) text += e.text;
  };
  gj::subscription const listening(sink);
  act();
  return text;
}

}  // namespace

TEST_CASE("GRD-155: a branch on how many elements an opaque callable keeps") {
  auto const g = gj::compile(by_count, on_weak, gj::dynamic::all);
  int expected_compiles[] = {2, 3, 3}, k = 0;
  for (index_t count : {4, 1, 3}) {
    samples const x = with_positive(count, 6);
    auto const expected = elements(by_count(x));
    late::calls = 0;
    CHECK(elements(g(x)) == expected);
    CHECK(late::calls == 1);
    CHECK(g.compiles() == expected_compiles[k++]);
  }
  CHECK(elements(g(with_positive(1, 6))) == floats{1.5});
  CHECK(elements(g(with_positive(3, 3))) == floats{37, 57, 77});
  CHECK(g.compiles() == 3);
  CHECK(g.entries().size() == 3);
  samples out(1);
  g.into(out, with_positive(1, 4));
  CHECK(out(0) == 1.5f);
  samples none(0);
  g.into(none, with_positive(0, 4));
  CHECK_THROWS_AS(g.into(out, with_positive(3, 4)), gj::shape_error);
  CHECK(g.compiles() == 3);

  {  // Where a mode needs values, parts are run op by op, on the path of the call all the same.
    gj::nan_check mode;
    gj::mode_scope const scope(mode);
    CHECK(elements(g(with_positive(1, 6))) == floats{1.5});
    CHECK(elements(g(with_positive(3, 3))) == floats{37, 57, 77});
  }
  CHECK(g.compiles() == 3);

  // Each part has a table and limits of its own; the parts of other paths do not count.
  auto const fixed =
      gj::compile(by_count, on_weak, fixtures::none, gj::recompile_limit{2}, gj::name<"fixed">);
  for (index_t count : {1, 2, 3, 4}) fixed(with_positive(count, 6));
  CHECK(fixed.compiles() == 5);
  CHECK(fixed.uncached_calls() == 0);
  CHECK(recompiles_of([&] { fixed(with_positive(4, 7)); }) == "fixed/0: arg[0].extent(0): expected 6, got 7");
  CHECK(elements(fixed(with_positive(5, 7))) == elements(by_count(with_positive(5, 7))));
  CHECK(fixed.uncached_calls() == 2);
  CHECK(fixed.compiles() == 6);
}

TEST_CASE("G100: breaks on one path only, and branches on arguments behind a break") {
  auto const g = gj::compile(nested_breaks, on_weak, gj::dynamic::all);
  for (index_t count = 0; count < 8; ++count)
    for (index_t length : {1, 2, 3, 4}) {
      samples const x = with_positive(count, 8), w = vec(length);
      late::calls = 0;
      auto const expected = elements(nested_breaks(x, w));
      int const calls = late::calls;
      CHECK(elements(g(x, w)) == expected);
      CHECK(late::calls == 2 * calls);
    }
  // The first part, that in front of the second break, and four ends.
  CHECK(g.compiles() == 6);
  CHECK(g.entries().size() == 6);
}

TEST_CASE("G100: a loop that results of callables end") {
  auto const g = gj::compile(looped_breaks, on_weak, gj::dynamic::all);
  for (index_t count = 0; count < 9; ++count) {
    samples const x = with_positive(count, 9);
    auto const expected = elements(looped_breaks(x));
    CHECK(elements(g(x)) == expected);
  }
  for (index_t length : {0, 1, 2}) CHECK(elements(g(vec(length))) == elements(looped_breaks(vec(length))));
  // Two parts in front of breaks; ends without one, behind one, and behind two.
  CHECK(g.compiles() == 5);
}

TEST_CASE("G100: reasons name results of callables and values of earlier parts") {
  auto const g = gj::compile(
      [](auto const& x) {
        auto const y = gj::slice(x, 0, 1, 4);
        return gj::opaque(positive)(y) * 3 + gj::sum(y);
      },
      on_weak, gj::name<"g">);
  std::string const value = "slice[line " + std::to_string(__LINE__ - 4) + "]";
  g(with_positive(2, 4));
  CHECK(recompiles_of([&] { g(with_positive(3, 4)); }) == "g/1: opaque#1.extent(0): expected 1, got 2");
  gj::tensor<float, dyn, dyn> const columns = gj::ones<float>({4, 2});
  CHECK(recompiles_of([&] { g(gj::select(columns, 1, 0)); }) ==
        "g/0: arg[0].stride(0): expected 1, got 2" "g/1: opaque#1.extent(0): expected 1, got 3\n"
        "g/2: " + value + ".stride(0): expected 1, got 2");
}

TEST_CASE("GRD-156: an opaque callable that is not generic needs no R") {
  auto const g = gj::compile(
      [](auto const& x, auto n) {
        auto const y = gj::opaque([](samples const& v, float by, index_t more, bool twice) {
          return gj::eval(v * (by + static_cast<float>(more)) * (twice ? 2.0f : 1.0f));
        })(x, n * 2, x.extent(0) + 1, true);
        // A scalar that f computes of what only the callable knows.
        return gj::opaque([](gj::any_tensor const& v, double by) noexcept {
                 return gj::eval(v.as<float, dyn>() * by);
               })(y, y.extent(0) * n) + n;
      },
      on_weak);
  for (float n : {1.5f, -2.0f})
    for (index_t length : {3, 5}) {
      auto const extent = static_cast<float>(length);
      samples const x = vec(length);
      samples const expected = x * ((2 * n + extent + 1) * 2) * (extent * n) + n;
      CHECK(elements(g(x, n)) == elements(expected));
    }

  auto const wrong_dtype = [](auto const& x) {
    return gj::opaque<samples>([](auto const&) { return gj::zeros<double>({2}); })(x);
  };
  auto const wrong_rank = [](auto const& x) {
    return gj::opaque<samples>([](auto const&) { return gj::zeros<float>({2, 2}); })(x);
  };
  auto const wrong_extent = [](auto const& x) {
    return gj::opaque<gj::tensor<float, 3>>([](auto const& v) { return v; })(x);
  };
  samples const x = vec(4);
  CHECK_THROWS_AS(wrong_dtype(x), gj::dtype_error);
  CHECK_THROWS_AS(wrong_rank(x), gj::shape_error);
  CHECK(text_of_throw([&] { gj::compile(wrong_extent, on_weak)(x); }).find("expected (3), got (4)") !=
        std::string::npos);
  CHECK(elements(gj::compile(wrong_extent, on_weak)(vec(3))) == floats{1, 2, 3});
}

TEST_CASE("GRD-120: what a callable, a predicate and a backend throw leaves everything as it was") {
  bool refuses = false;
  auto const g = gj::compile(by_count, on_weak, gj::name<"g">,
                             gj::user_guard(
                                 [&refuses](auto const&) {
                                   if (refuses) throw std::runtime_error("no answer");
                                   return true;
                                 },
                                 "answers"));
  samples const x = with_positive(3, 5), longer = with_positive(4, 6);
  auto const expected = elements(g(x));
  auto const ids = fixtures::ids_of(g);
  auto const before = elements(x);
  samples out = vec(3, 7);
  gj::op_counter counter;
  gj::mode_scope const scope(counter);
  gj::default_device_scope const device{gj::device{gj::device_kind::cpu, 0}};
  auto const unchanged = [&] {
    CHECK(gj::mode_stack::depth() == 1);
    CHECK(gj::mode_stack::active());
    CHECK(gj::mode_stack::enabled());
    CHECK(fixtures::ids_of(g) == ids);
    CHECK(elements(x) == before);
    CHECK(elements(out) == floats{7, 8, 9});
  };
  late::throws = true;
  CHECK(text_of_throw([&] { g(x); }) == "no positive elements today");
  CHECK(text_of_throw([&] { g.into(out, x); }) == "no positive elements today");
  unchanged();
  late::throws = false;
  refuses = true;
  CHECK(text_of_throw([&] { g.into(out, x); }).find("no answer") != std::string::npos);
  unchanged();
  refuses = false;
  weak::fails = true;
  CHECK_THROWS_AS(g.into(out, longer), gj::backend_error);
  unchanged();
  weak::fails = false;
  CHECK(elements(g(x)) == expected);
  unchanged();
  CHECK(elements(g(longer)) == elements(by_count(longer)));
}

TEST_CASE("G4: arguments that f writes behind a branch on a result are written last") {
  auto const g = gj::compile(
      [](auto const& x, auto& state) {
        state = state + gj::sum(x);
        auto const k = gj::opaque(positive)(x * gj::sum(state));
        if (k.extent(0) > 2) state = state * 2;
        return k;
      },
      on_weak, gj::dynamic::all);
  auto state = vec(1);
  samples const many = with_positive(3, 3), few = with_positive(1, 1);
  late::throws = true;
  CHECK_THROWS_AS(g(many, state), std::runtime_error);
  CHECK(state(0) == 1);
  late::throws = false;
  CHECK(elements(g(many, state)) == floats{7, 14, 21});
  CHECK(state(0) == 14);
  CHECK(elements(g(few, state)) == floats{15});
  CHECK(state(0) == 15);
  CHECK(g.compiles() == 3);
}

TEST_CASE("G100: rules of ops are checked in the order of f") {
  auto const g = gj::compile(
      [](auto const& x, auto const& w) {
        auto const unused = x + w;
        auto const k = gj::opaque(positive)(x);
        if (k.extent(0) > 2) return gj::eval(k + w);
        return gj::eval(k * gj::sum(unused));
      },
      on_weak, gj::dynamic::all);
  samples const x = with_positive(3, 4), few = with_positive(2, 4);
  // The first rule is broken: nothing is called. Of the second one only the path that has it asks.
  late::calls = 0;
  CHECK(text_of_throw([&] { g(x, vec(3)); }).find("shapes (4) (3)") != std::string::npos);
  CHECK(late::calls == 0);
  CHECK(text_of_throw([&] { g(x, vec(4)); }).find("shapes (3) (4)") != std::string::npos);
  CHECK(late::calls == 1);
  CHECK(elements(g(few, vec(4))) == floats{6, 12});
  CHECK(elements(g(x, vec(1))) == floats{2, 3, 4});
}

TEST_CASE("G100: what a function with a branch behind a break tells of itself") {
  auto const g = gj::compile(by_count, on_weak, gj::name<"g">, gj::dynamic::all);
  samples const x = with_positive(3, 4);
  CHECK(g.find(x).empty());
  CHECK(g.graph(x).outputs.size() == 2);
  g(x);
  CHECK(g.find(x) == "g/0");
  CHECK(g.explain_miss(x).entries.size() == 1);
  CHECK(g.explain_miss(x).entries[0].failures.empty());
  // As data: two paths, whose first part is one, and the line of their break.
  using of_floats = gj::call_signature<gj::detail::argument_type_of<samples>()>;
  using function = gj::detail::typed_function<std::remove_const_t<decltype(by_count)>, gj::numbered_leaves,
                                              gj::option_set<gj::backend_option<weak>>>;
  constexpr auto& paths = function::spec<of_floats>::paths;
  static_assert(paths.size() == 2);
  CHECK(paths[0].segments.size() == 2);
  CHECK(paths[0].segments[0].spec == paths[1].segments[0].spec);
  CHECK(paths[0].segments[1].spec != paths[1].segments[1].spec);
  CHECK(paths[0].segments[0].graph.outputs.size() == 2);
  CHECK(paths[1].graph.breaks[0].where.line == break_line);
  CHECK_FALSE(paths[0].graph.conditions[0].outcome);
  CHECK(paths[1].graph.conditions[0].where.line == break_line + 1);

  // A function that begins with a callable.
  auto const begins = gj::compile([](auto const& v) { return gj::opaque(positive)(v) * 2; }, on_weak);
  CHECK(begins.find(x).empty());
  CHECK(begins.graph(x).outputs.empty());
  CHECK(elements(begins(x)) == floats{2, 4, 6});
  CHECK(begins.compiles() == 1);
  CHECK(begins.find(x).empty());
}
