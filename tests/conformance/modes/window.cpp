// guardjit: tests/conformance/modes/window.cpp: cases of what may happen while a call looks up or compiles
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "conformance/modes/fixtures.hpp"
#include "support/fault_sweep.hpp"
#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::count_ob;
using fixtures::count_rt;
using fixtures::pass1;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::vec;

namespace {

struct twice {
  constexpr auto operator()(auto x) const { return x * 2; }
};

/// Whether this thread's stack has `depth` slots, with `top` above, and nothing else is changed.
bool is_as_at_entry(int depth, gj::function_mode const* top) {
  return gj::mode_stack::depth() == depth && gj::mode_stack::top() == top && gj::mode_stack::enabled() &&
         !gj::is_inert();
}

}  // namespace

TEST_CASE("MODE-037: a user predicate that throws") {
  bool throws = false;
  auto const g = gj::compile(twice{}, gj::name<"g">,
                             gj::user_guard(
                                 [&throws](auto const&) {
                                   if (throws) throw std::runtime_error("no luck");
                                   return true;
                                 },
                                 "lucky"));
  auto const x = vec(3);
  count_ob mode;
  gj::mode_scope const scope(mode);
  g(x);
  throws = true;
  CHECK(g.explain_miss(x).to_string() == "g/0: lucky: no luck");
  CHECK(is_as_at_entry(1, &mode));
  CHECK(g.find(x).empty());
  CHECK(is_as_at_entry(1, &mode));
  int const told = mode.told;
  CHECK_THROWS_WITH_AS(g(x),
                       "guardjit: g: a user guard is false on the call that needs an entry: lucky: no luck",
                       gj::guard_error);
  CHECK(is_as_at_entry(1, &mode));
  CHECK(mode.told == told);
  throws = false;
  CHECK(g.find(x) == "g/0");
}

TEST_CASE("MODE-038: a user predicate that calls tensor functions, with a mode on the stack") {
  int asked = 0;
  auto const adds = [&asked](auto const& v) {
    ++asked;
    tensor<float, dyn> const y = v + 1.0f;
    return y(0) > 0 && gj::mode_stack::depth() == 1 && !gj::mode_stack::active();
  };
  auto const g = gj::compile(twice{}, gj::user_guard(adds, "adds"));
  auto const x = vec(3);
  SUBCASE("an observer") {
    count_ob mode;
    gj::mode_scope const scope(mode);
    for (int k = 1; k < 4; ++k) {
      g(x);
      CHECK(mode.told == k);  // the function's own op
      CHECK(asked == k);
    }
    CHECK_FALSE(g.find(x).empty());
    static_cast<void>(g.explain_miss(x));
    CHECK(mode.told == 3);
    CHECK(is_as_at_entry(1, &mode));
  }
  SUBCASE("a runtime mode: nothing is looked up, so nothing is asked") {
    count_rt mode;
    gj::mode_scope const scope(mode);
    CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
    CHECK(mode.told == 1);
    CHECK(asked == 0);
    CHECK(g.find(x).empty());
    CHECK(asked == 0);
    CHECK(mode.told == 1);
  }
  SUBCASE("dispatch is disabled") {
    count_rt mode;
    gj::mode_scope const scope(mode);
    gj::dispatch_disabled const disabled;
    g(x);
    CHECK(mode.told == 0);
    CHECK(g.compiles() == 1);
  }
}

TEST_CASE("MODE-069: the backend throws in build under modes") {
  using fragile = support::fragile_backend<69>;
  auto const g = gj::compile(twice{}, gj::backend(fragile{}), gj::name<"g">, gj::inline_modes<pass1>);
  auto const x = vec(3);
  auto out = vec(3, 50);
  count_ob low, mode;
  pass1 inlined;
  gj::device const other{gj::device_kind::cpu, 1};
  gj::default_device_scope const device_scope(other);
  gj::mode_scope const low_scope(low);
  gj::mode_scope const inlined_scope(inlined);
  gj::mode_scope const scope(mode);
  fragile::fails = true;
  for (int k = 0; k < 2; ++k) {
    CHECK_THROWS_WITH_AS(g.into(out, x), "guardjit: g: backend fragile failed: no plan for 3 nodes",
                         gj::backend_error);
    CHECK(is_as_at_entry(3, &mode));
    CHECK(&gj::mode_stack::at(0) == &low);
    CHECK(&gj::mode_stack::at(1) == &inlined);
    CHECK(gj::default_device() == other);
    CHECK(g.entries().empty());
  }
  CHECK(mode.told == 0);
  CHECK(elements(out) == elements(vec(3, 50)));
  fragile::fails = false;
  g.into(out, x);
  CHECK(elements(out) == std::vector<float>{2, 4, 6});
  CHECK(g.entries().size() == 1);
  CHECK(g.compiles() == 3);
  CHECK(mode.told == 1);
}

TEST_CASE("MODE-073: clear() and reset() under an active mode") {
  auto const g = gj::compile(twice{});
  auto const x = vec(3);
  count_ob mode;
  gj::mode_scope const scope(mode);
  for (bool all : {false, true}) {
    g(x);
    CHECK(g.entries().size() == 1);
    int const told = mode.told;
    if (all) gj::reset();
    else g.clear();
    CHECK(g.entries().empty());
    CHECK(g.compiles() == 0);
    CHECK(is_as_at_entry(1, &mode));
    CHECK(mode.told == told);
    g(x);
    CHECK(g.compiles() == 1);
  }
  gj::dispatch_disabled const disabled;
  gj::reset();
  CHECK(gj::mode_stack::depth() == 1);
  CHECK_FALSE(gj::mode_stack::enabled());
}

TEST_CASE("MODE-077: bad_alloc at each allocation of a compiling call in turn, under modes") {
  auto const f = [](auto x, auto w) { return gj::relu(gj::matmul(x, w)) + gj::softmax(x, 1); };
  auto const x = support::mat(40, 40, -9), w = support::mat(40, 40);
  auto const right = elements(gj::compile(f)(x, w));
  using function = decltype(gj::compile(f));
  struct subject {
    function g;
    tensor<float, dyn, dyn> out = support::mat(40, 40, 50);
  };
  auto const make = [&f] { return subject{gj::compile(f)}; };
  auto const returned = [&](auto& s) { return s.g(x, w); };
  auto const written = [&](auto& s) {
    s.g.into(s.out, x, w);
    return s.out;
  };
  auto const check = [&](auto const& s, bool failed) {
    auto const entries = s.g.entries().size();
    CHECK(entries <= 1);
    CHECK(s.g.find(x, w).empty() == (entries == 0));
    if (failed) CHECK(elements(s.out) == elements(support::mat(40, 40, 50)));
    CHECK(elements(x) == elements(support::mat(40, 40, -9)));
  };
  count_ob observer;
  count_rt runtime;
  auto const sweep = [&](int least) {
    CHECK(support::sweep_faults(make, returned, right, check).faults >= least);
    CHECK(support::sweep_faults(make, written, right, check).faults >= least);
  };
  SUBCASE("an observer") {
    gj::mode_scope const scope(observer);
    sweep(10);
    CHECK(observer.told > 0);
  }
  SUBCASE("a runtime mode, of which the call must not know") {
    gj::mode_scope const scope(runtime);
    gj::mode_scope const above(observer);
    gj::dispatch_disabled const disabled;
    sweep(10);
    CHECK(runtime.told == 0);
  }
  SUBCASE("a runtime mode") {
    gj::mode_scope const scope(runtime);
    sweep(10);
    CHECK(runtime.told > 0);
  }
}

TEST_CASE("with fullgraph a runtime mode is an error that names it") {
  auto const g = gj::compile(twice{}, gj::fullgraph, gj::name<"g">);
  auto const x = vec(3);
  auto out = vec(3, 50);
  count_rt mode;
  count_ob above;
  {
    gj::mode_scope const scope(mode);
    gj::mode_scope const above_scope(above);
    std::string text;
    try {
      g(x);
    } catch (gj::mode_error const& e) {
      text = e.what();
    }
    CAPTURE(text);
    CHECK(text.find("guardjit: compile(f, fullgraph): g must run as one graph, but mode ") == 0);
    CHECK(text.find("count_rt needs the real values") != std::string::npos);
    CHECK_THROWS_AS(g.into(out, x), gj::mode_error);
    CHECK(is_as_at_entry(2, &above));
    gj::dispatch_disabled const disabled;
    CHECK(elements(g(x)) == std::vector<float>{2, 4, 6});
  }
  CHECK(elements(out) == elements(vec(3, 50)));
  CHECK(mode.told == 0);
  CHECK(above.told == 0);
  gj::mode_scope const scope(above);
  g.into(out, x);
  CHECK(above.told == 1);
  CHECK(g.compiles() == 1);
}
