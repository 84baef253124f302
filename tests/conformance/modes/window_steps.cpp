// guardjit: tests/conformance/modes/window_steps.cpp: stack and inert counter in each step of a compiled call
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "conformance/modes/fixtures.hpp"
#include "modes/fake_ops.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::count_rt;
using support::elements;
using support::vec;

namespace {

/// Where user code ran, in order: the step, the depth of the visible stack, and whether ops reach no mode.
std::string seen;
bool lucky = true;
double sums = 0;

/// Notes the step, once where it is asked several times in a row, and computes something: an op that a
/// mode must not be told of.
void note(char const* what) {
  bool const inert = gj::is_inert();
  auto const now = what + (' ' + std::to_string(gj::mode_stack::depth())) + (inert ? " inert; " : "; ");
  if (!seen.ends_with(now)) seen += now;
  if (inert) sums += fake::value_of(fake::add(fake::number(1), 2));
}

/// The plain loops; `build` is one of the steps.
struct probing : gj::backends::reference {
  static constexpr char const* name = "probing";
  static void build(gj::graph_view const&) { note("build"); }
  static void reset() {}
};

struct watch final : gj::observer_mode {
  int told = 0;
  void observe(gj::op_record const&) override {
    ++told;
    note("observe");
  }
};

constexpr auto lucky_guard = [](auto const&) {
  note("predicate");
  return lucky;
};
constexpr auto note_and_keep = [](gj::guard_description const&) {
  note("filter");
  return true;
};
constexpr auto twice = [](auto const& x) { return x * 2; };

/// `twice` with user code in each step.
auto probed() {
  return gj::compile(twice, gj::backend(probing{}), gj::user_guard(lucky_guard, "lucky"),
                     gj::guard_filter(note_and_keep), gj::name<"g">);
}
/// The steps of a call.
std::string steps_of(auto const& call) {
  seen.clear();
  call();
  return seen;
}
/// Misses, and what calls are told to be.
struct note_misses {
  void operator()(gj::event const& e) const {
    if (e.kind == gj::event_kind::miss) note("miss");
    if (e.kind == gj::event_kind::recompile) note("recompile");
  }
};

}  // namespace

TEST_CASE("M82: user code in a compiling call finds the stack of its step, and reaches no mode") {
  auto const g = probed();
  auto const x = vec(3), longer = vec(5);
  watch mode;
  gj::mode_scope const scope(mode);
  note_misses sink;
  gj::subscription const heard(sink);
  int told = 0;
  auto const check = [&](std::string const& expected, auto const& argument) {
    CHECK(steps_of([&] { g(argument); }) == expected);
    CHECK(mode.told == ++told);  // the function's own op
    CHECK(gj::mode_stack::depth() == 1);
    CHECK_FALSE(gj::is_inert());
  };
  check("predicate 1 inert; miss 1 inert; build 0 inert; filter 1 inert; observe 0; ", x);
  check("predicate 1 inert; observe 0; ", x);
  check("predicate 1 inert; recompile 1 inert; build 0 inert; filter 1 inert; observe 0; ", longer);
  check("predicate 1 inert; observe 0; ", x);
  CHECK(g.compiles() == 2);
  CHECK(sums > 0);
}

TEST_CASE("M70: an entry whose guard fails on the call that made it is not kept; the next call starts anew") {
  auto const g = probed();
  auto const x = vec(3);
  auto out = vec(3, 50);
  watch mode;
  gj::mode_scope const scope(mode);
  lucky = false;
  for (int k = 0; k < 2; ++k) {
    CHECK(steps_of([&] { CHECK_THROWS_AS(g.into(out, x), gj::guard_error); }) ==
          "predicate 1 inert; build 0 inert; filter 1 inert; ");
    CHECK(g.entries().empty());
    CHECK(gj::mode_stack::depth() == 1);
    CHECK_FALSE(gj::is_inert());
  }
  CHECK(mode.told == 0);
  CHECK(elements(out) == elements(vec(3, 50)));
  lucky = true;
  CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
  CHECK(g.entries().size() == 1);
}

namespace {
/// Looks at the output when it is told, and may refuse.
struct refusing final : gj::observer_mode {
  float const* out = nullptr;
  float saw = 0;
  bool refuses = false;
  void observe(gj::op_record const&) override {
    if (out) saw = *out;
    if (refuses) throw 5;
  }
};
}  // namespace

TEST_CASE("M105: observers are told before the kernels run, and an exception of one keeps them from it") {
  auto const g = gj::compile(twice, gj::backend(probing{}));
  auto const x = vec(3);
  for (bool compiles : {true, false}) {
    CAPTURE(compiles);
    auto out = vec(3, 50);
    refusing mode;
    mode.out = out.data();
    gj::mode_scope const scope(mode);
    g.into(out, x);
    CHECK(mode.saw == 50);
    CHECK(elements(out) == std::vector<float>{2, 4, 6});
    mode.refuses = true;
    auto untouched = vec(3, 70);
    CHECK_THROWS_AS(g.into(untouched, x), int);
    CHECK_THROWS_AS(g(x), int);
    CHECK(elements(untouched) == elements(vec(3, 70)));
    CHECK(gj::mode_stack::depth() == 1);
    CHECK_FALSE(gj::is_inert());
    mode.refuses = false;
    CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
  }
}

TEST_CASE("M98: under a runtime mode nothing is looked up or compiled, whether there is an entry or not") {
  auto const g = probed();
  auto const x = vec(3);
  auto out = vec(3);
  count_rt mode;
  for (int entries : {0, 1}) {
    CAPTURE(entries);
    {
      gj::mode_scope const scope(mode);
      for (int k = 0; k < 2; ++k) {
        mode.told = 0;
        CHECK(steps_of([&] { CHECK(elements(g(x)) == std::vector<float>{2, 4, 6}); }).empty());
        CHECK(steps_of([&] { g.into(out, x); }).empty());
        CHECK(elements(out) == std::vector<float>{2, 4, 6});
        CHECK(mode.told == 2);
        CHECK(g.compiles() == entries);
      }
    }
    g(x);
    CHECK(g.compiles() == 1);
  }
}

TEST_CASE("M66: a compiled function that a sink calls compiles as without modes, though there is one") {
  auto const outer = gj::compile(twice, gj::backend(probing{}));
  auto const inner = gj::compile([](auto const& x) { return x * 3; }, gj::backend(probing{}));
  auto const x = vec(3);
  count_rt mode;
  gj::mode_scope const scope(mode);
  int calls = 0;
  auto sink = [&](gj::event const& e) {
    if (e.kind != gj::event_kind::eager_call) return;
    ++calls;
    CHECK(elements(inner(x)) == std::vector<float>{3, 6, 9});
  };
  gj::subscription const heard(sink);
  outer(x);
  CHECK(calls == 1);
  CHECK(mode.told == 1);
  CHECK(inner.compiles() == 1);
  CHECK(outer.compiles() == 0);
}

namespace {
/// Keyed; notes how often its key is read, and what its handlers got. The key is another one each time.
struct moving_key final : gj::keyed_mode<moving_key> {
  static inline int reads = 0, next = 0;
  static inline std::vector<int> got;
  std::tuple<int> key() const noexcept {
    ++reads;
    return {++next};
  }
  template <class Call> static constexpr auto handle(Call& call) {
    if constexpr (!Call::tracing) got.push_back(call.template key<0>());
    return call();
  }
};
}  // namespace

TEST_CASE("M96: a replay reads a key once for all its ops, and the next op of the caller reads it again") {
  auto const g = gj::compile([](auto const& x) { return (x * 2 + 1) * 3; }, gj::backend(probing{}));
  auto const x = vec(3);
  moving_key keyed;
  count_rt above;
  gj::mode_scope const lower(keyed);
  gj::mode_scope const upper(above);
  moving_key::reads = moving_key::next = 0;
  moving_key::got.clear();
  g(x);
  g(x);
  CHECK(moving_key::got == std::vector<int>{1, 1, 1, 2, 2, 2});
  CHECK(moving_key::reads == 2);
  fake::add(fake::number(1), 2);
  fake::add(fake::number(1), 2);
  CHECK(moving_key::got == std::vector<int>{1, 1, 1, 2, 2, 2, 3, 4});
  CHECK(above.told == 8);
}
