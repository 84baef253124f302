// guardjit: tests/conformance/modes/sequences.cpp: cases of the op sequence: when ops are told, and in which order
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "modes/fake_ops.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fake::words;
using gj::mode_scope;
using support::vec;

namespace {

/// What an observer and a runtime mode are told by `call`, each alone: op names and lines.
struct told {
  words ops;
  std::vector<unsigned> lines;
  bool operator==(told const&) const = default;
};
template <class Call> told watched(Call const& call) {
  told seen;
  fake::watching_mode mode{[&](gj::op_record const& r) {
    seen.ops.push_back(gj::name_of(r.id));
    seen.lines.push_back(static_cast<unsigned>(r.where.line));
  }};
  mode_scope const scope(mode);
  call();
  return seen;
}
template <class Call> told handled(Call const& call) {
  told seen;
  fake::handler_mode mode{[&](gj::op_call& c) {
    seen.ops.push_back(gj::name_of(c.op()));
    seen.lines.push_back(static_cast<unsigned>(c.where().line));
    return c();
  }};
  mode_scope const scope(mode);
  call();
  return seen;
}

/// Eager and compiled, first call and hit, by an observer and by a runtime mode: told the same.
template <class F> told told_everywhere(F const& f) {
  auto const g = gj::compile(f);
  auto const x = vec(5);
  told const eager = watched([&] { gj::eval(f(x)); });
  CHECK(handled([&] { gj::eval(f(x)); }) == eager);
  CHECK(handled([&] { g(x); }) == eager);
  CHECK(g.compiles() == 0);
  CHECK(watched([&] { g(x); }) == eager);
  CHECK(watched([&] { g(x); }) == eager);
  CHECK(g.compiles() == 1);
  CHECK(support::same_bits(g(x), gj::eval(f(x))));
  return eager;
}

}  // namespace

TEST_CASE("MODE-021: an expression is told where it is evaluated, not where it is written") {
  auto const x = vec(3);
  auto const outside = x + 1;
  CHECK(watched([&] { gj::eval(outside); }).ops == words{"add"});

  fake::words seen;
  fake::log_mode log(seen);
  auto const inside = [&] {
    mode_scope const scope(log);
    return x * 2;
  }();
  gj::tensor const y = inside;
  CHECK(seen.empty());
  CHECK(y(2) == 6);
}

TEST_CASE("MODE-022: y + y of y = x * 2 is two ops, eager and compiled") {
  auto const f = [](auto const& x) {
    auto y = x * 2;
    return y + y;
  };
  CHECK(told_everywhere(f).ops == words{"mul", "add"});

  gj::op_counter eager, compiled;
  auto const x = vec(4);
  auto const g = gj::compile(f);
  {
    mode_scope const scope(eager);
    auto y = x * 2;
    gj::tensor const z = y + y;
    CHECK(z(3) == 16);
  }
  {
    mode_scope const scope(compiled);
    g(x);
  }
  CHECK(eager == compiled);
  CHECK(eager.total() == 2);
}

TEST_CASE("MODE-023: ops are told depth first from the output, operands left to right") {
  CHECK(told_everywhere([](auto const& x) {
          auto a = x * 2;
          auto b = x + 1;
          return b - a;
        }).ops == words{"add", "mul", "sub"});
}

TEST_CASE("MODE-081: equal ops on two lines are told once, with the first line") {
  auto const before = static_cast<unsigned>(__LINE__);
  told const seen = told_everywhere([](auto const& x) {
    auto a = x * 2;
    auto b = x * 2;
    return a + b;
  });
  CHECK(seen.ops == words{"mul", "add"});
  CHECK(seen.lines == std::vector<unsigned>{before + 2, before + 4});
}
