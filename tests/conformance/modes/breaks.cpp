// guardjit: tests/conformance/modes/breaks.cpp: cases of opaque callables between two graphs
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "conformance/modes/fixtures.hpp"


namespace gj = guardjit;
using fixtures::scale;
using fixtures::zero;
using gj::dyn;
using support::vec;
using samples = gj::tensor<float, dyn>;

namespace {

/// A pure mode that counts what its handler is told at run time.
struct counted_pass : gj::pure_mode<counted_pass> {
  static inline int told = 0;
  template <class Call> static constexpr auto handle(Call& call) {
    if constexpr (!Call::tracing) ++told;
    return call();
  }
};

/// What the stack was when a callable ran.
struct seen_stack {
  int depth = -1;
  bool is_zero = false, enabled = false;
  void look() {
    depth = gj::mode_stack::depth();
    is_zero = dynamic_cast<zero*>(gj::mode_stack::top()) != nullptr;
    enabled = gj::mode_stack::enabled();
  }
} seen;

struct failure {};
bool throws = false;
int calls = 0;

/// All elements but the first: how many there are is known when it has returned.
constexpr auto rest_of = [](samples const& x) {
  seen.look();
  ++calls;
  if (throws) throw failure();
  samples rest(x.extent(0) - 1);
  for (gj::index_t k = 0; k < rest.extent(0); ++k) rest(k) = x(k + 1);
  return rest;
};
constexpr auto cut = [](auto const& x) {
  auto const y = gj::eval(x * 2.0f);
  auto const rest = gj::opaque(rest_of)(y + 1.0f);
  return rest * 3.0f + gj::sum(y);
};
constexpr auto cut_under_zero = [](auto const& x) {
  return gj::with_modes(zero{})([](auto const& a) {
    auto const o = gj::opaque(rest_of)(a);
    return gj::add(o, 3.0f);
  })(x);
};

samples eager(auto const& f, samples const& x) { return gj::eval(f(x)); }

}  // namespace

TEST_CASE("GRD-113: a function with one opaque callable has two plans") {
  std::string breaks;
  auto sink = [&](gj::event const& e) {
    if (e.kind == gj::event_kind::graph_break)
      breaks += std::string(e.reason) + ' ' + std::to_string(e.where.line);
  };
  auto const g = gj::compile(cut);
  samples const x = vec(5, -2);
  samples const expected = eager(cut, x);
  {
    gj::subscription const watched(sink);
    CHECK(support::same_bits(g(x), expected));
  }
  CHECK(g.compiles() == 2);
  CHECK(g.entries().size() == 2);
  CHECK(breaks.substr(0, 7) == "opaque ");
  calls = 0;
  CHECK(support::same_bits(g(x), expected));
  CHECK(calls == 1);
  CHECK(g.compiles() == 2);
  samples out = vec(4);
  g.into(out, x);
  CHECK(support::same_bits(out, expected));
}

TEST_CASE("GRD-114: an opaque callable is known by its type") {
  auto const g = gj::compile([](auto const& x) {
    return gj::opaque<samples>([](auto const& y) { return y * 2.0f; })(x + 1);
  });
  samples const x = vec(3, 1);
  for (int k = 0; k < 5; ++k) CHECK(g(x)(0) == 4);
  // What stands behind the callable is its result as it is.
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-116: a compiled function in an opaque callable compiles for itself") {
  static auto const inner = gj::compile([](auto const& x) { return x * 5.0f; });
  auto const g = gj::compile([](auto const& x) {
    return gj::opaque<samples>([](gj::any_tensor const& y) { return inner(y.as<float, dyn>()); })(
               x + 1.0f) -
           1.0f;
  });
  samples const x = vec(3, 1);
  for (int k = 0; k < 3; ++k) CHECK(g(x)(0) == 9);
  CHECK(inner.compiles() == 1);
  CHECK(g.compiles() == 2);
}

TEST_CASE("MODE-064: an opaque callable inside with_modes sees the mode") {
  auto const g = gj::compile(cut_under_zero);
  samples const x = vec(4, 1);
  samples const expected = eager(cut_under_zero, x);
  CHECK(seen.depth == 1);
  seen = {};
  CHECK(support::same_bits(g(x), expected));
  CHECK(seen.depth == 1);
  CHECK(seen.is_zero);
  CHECK(expected(0) == 0);
  CHECK(gj::mode_stack::depth() == 0);
}

TEST_CASE("MODE-065: ops of an opaque callable go through the declared stack at run time") {
  auto const g = gj::compile(
      [](auto const& x) {
        return gj::opaque<samples>([](gj::any_tensor const& y) { return gj::add(y, 1); })(x * 2.0f);
      },
      gj::inline_modes<counted_pass>);
  samples const x = vec(3, 1);
  counted_pass mode;
  gj::mode_scope const scope(mode);
  for (int k = 0; k < 3; ++k) {
    counted_pass::told = 0;
    CHECK(g(x)(0) == 3);
    CHECK(counted_pass::told == 1);
  }
}

TEST_CASE("MODE-066: what an opaque callable throws reaches the caller, and nothing is changed") {
  // pytorch#182317
  auto const g = gj::compile(cut_under_zero);
  samples const x = vec(4, 1);
  samples out = vec(3, 7);
  samples const before = out.clone();
  gj::op_counter counter;
  gj::mode_scope const scope(counter);
  throws = true;
  CHECK_THROWS_AS(g.into(out, x), failure);
  CHECK_THROWS_AS(g(x), failure);
  throws = false;
  CHECK(support::same_bits(out, before));
  CHECK(gj::mode_stack::depth() == 1);
  CHECK(gj::mode_stack::active());
  g.into(out, x);
  CHECK(out(0) == 0);
}

TEST_CASE("MODE-067: a scope that an opaque callable leaves behind is unlinked") {
  static zero left;
  static std::optional<gj::mode_scope<zero&>> kept;
  int leaks = 0;
  auto sink = [&](gj::event const& e) {
    leaks += e.kind == gj::event_kind::mode_error && std::string(e.reason) == "leaked_scope";
  };
  auto const g = gj::compile([](auto const& x) {
    return gj::opaque<samples>([](gj::any_tensor const& y) {
             kept.emplace(left);
             return y;
           })(x * 2.0f) +
           1.0f;
  });
  samples const x = vec(3, 1);
  {
    gj::subscription const watched(sink);
    CHECK(g(x)(0) == 3);
  }
  CHECK(leaks == 1);
  CHECK(gj::mode_stack::depth() == 0);
  kept.reset();
  CHECK(gj::mode_stack::depth() == 0);
}

TEST_CASE("MODE-068: an opaque callable runs in the dispatch state of the caller") {
  // pytorch#186874
  auto const g = gj::compile([](auto const& x) {
    return gj::opaque<samples>([](gj::any_tensor const& y) {
      seen.look();
      return gj::add(y, 1);
    })(x);
  });
  samples const x = vec(3, 1);
  counted_pass mode;
  gj::mode_scope const scope(mode);
  counted_pass::told = 0;
  {
    gj::dispatch_disabled const off;
    CHECK(g(x)(0) == 2);
    CHECK_FALSE(seen.enabled);
    CHECK(seen.depth == 1);
    CHECK_FALSE(gj::mode_stack::enabled());
  }
  CHECK(counted_pass::told == 0);
  CHECK(gj::mode_stack::enabled());
  g(x);
  CHECK(seen.enabled);
  CHECK(counted_pass::told == 1);
}

TEST_CASE("M96: a key is read once for all segments") {
  auto const g = gj::compile(cut, gj::inline_modes<scale>);
  samples const x = vec(5, -2);
  scale mode(3);
  gj::mode_scope const scope(mode);
  for (float k : {3.0f, -1.0f, 0.5f}) {
    mode.k = k;
    CHECK(support::same_bits(g(x), eager(cut, x)));
  }
  CHECK(g.compiles() == 2);
}

TEST_CASE("M105: an observer is told the ops of all segments and of the callable between them") {
  auto const told = [](auto const& call) {
    gj::op_counter counter;
    gj::mode_scope const scope(counter);
    call();
    return counter;
  };
  auto const g = gj::compile(cut);
  samples const x = vec(5, -2);
  gj::op_counter const expected = told([&] { eager(cut, x); });
  CHECK(expected.total() == 5);
  for (int k = 0; k < 3; ++k) CHECK(told([&] { g(x); }) == expected);
}
