// guardjit: tests/compile/exceptions.cpp: calls that fail at any allocation leave everything as it was
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>

#include "compile/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::count_ob;
using fixtures::network;
using fixtures::plain;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::failing_heap;
using support::mat;

namespace {

/// How often `call` failed before it succeeded, with one more allocation each time.
template <class Check, class Call> int failures_until_success(Call const& call, Check const& after_failure) {
  for (int allowed = 0;; ++allowed) {
    REQUIRE(allowed < 200);
    try {
      failing_heap const failing(allowed);
      call();
      return allowed;
    } catch (std::bad_alloc const&) {
    }
    after_failure();
  }
}

}  // namespace

TEST_CASE("no memory in a compiling call: nothing is cached, and a retry is right") {
  auto const x = mat(3, 3), w = mat(3, 3, -4);
  std::vector<float> const right = elements(gj::compile(network{}, plain)(x, w));
  count_ob low, high;
  gj::mode_scope const low_scope(low), high_scope(high);
  gj::dispatch_disabled const disabled;

  SUBCASE("a function for each try") {
    int tries = 0;
    for (int allowed = 0;; ++allowed, ++tries) {
      auto const g = gj::compile(network{}, plain);
      bool failed = false;
      try {
        failing_heap const failing(allowed);
        g(x, w);
      } catch (std::bad_alloc const&) {
        failed = true;
      }
      CHECK(gj::mode_stack::depth() == 2);
      CHECK_FALSE(gj::mode_stack::enabled());
      CHECK(gj::mode_stack::top() == &high);
      CHECK(g.entries().size() <= 1);
      CHECK(g.find(x, w).empty() == g.entries().empty());
      int const before = g.compiles();
      bool const had_entry = !g.entries().empty();
      CHECK(elements(g(x, w)) == right);
      CHECK(g.compiles() == before + (had_entry ? 0 : 1));
      CHECK(g.entries().size() == 1);
      CHECK_FALSE(g.entries()[0].dynamic);
      if (!failed) break;
      REQUIRE(allowed < 200);
    }
    CHECK(tries >= 3);
  }
  SUBCASE("one function") {
    auto const g = gj::compile(network{}, plain);
    auto out = mat(3, 3, 50);
    int const failures = failures_until_success([&] { g.into(out, x, w); },
                                                [&] { CHECK(elements(out) == elements(mat(3, 3, 50))); });
    CHECK(failures >= 3);
    CHECK(elements(out) == right);
    CHECK(g.entries().size() == 1);
  }
  SUBCASE("a recompile") {
    auto const g = gj::compile(network{}, plain, gj::name<"network">);
    g(x, w);
    auto const x4 = mat(4, 4), w4 = mat(4, 4);
    auto const expected = elements(gj::compile(network{}, plain)(x4, w4));
    tensor<float, dyn, dyn> y;
    int const failures = failures_until_success(
        [&] { y = g(x4, w4); },
        [&] {
          CHECK(g.entries().size() <= 2);
          CHECK(g.find(x, w) == "network/0");
          CHECK(elements(g(x, w)) == right);
        });
    CHECK(failures >= 2);
    CHECK(elements(y) == expected);
    CHECK(g.entries().size() == 2);
    CHECK(g.entries()[1].dynamic);
    CHECK(elements(g(mat(5, 5), mat(5, 5))).size() == 25);
    CHECK(g.entries().size() == 2);
  }
}

TEST_CASE("no memory while somebody listens") {
  auto const x = mat(3, 3), w = mat(3, 3);
  int begun = 0, ended = 0;
  auto const count = [&](gj::event const& e) {
    begun += e.kind == gj::event_kind::compile_begin ? 1 : 0;
    ended += e.kind == gj::event_kind::compile_end ? 1 : 0;
  };
  gj::subscription const s{count};
  auto const g = gj::compile(network{}, plain, gj::dynamic::none);
  CHECK(failures_until_success([&] { g(x, w); }, [] {}) >= 3);
  auto const x4 = mat(4, 4), w4 = mat(4, 4);
  CHECK(failures_until_success([&] { g(x4, w4); }, [] {}) >= 3);
  CHECK(g.entries().size() == 2);
  CHECK(begun == ended);
  CHECK(begun >= 2);
}

TEST_CASE("clear() needs no memory") {
  auto const g = gj::compile(network{}, plain);
  auto const x = mat(3, 3);
  g(x, x);
  g(mat(4, 4), mat(4, 4));
  {
    failing_heap const failing(0);
    g.clear();
  }
  CHECK(g.entries().empty());
}

TEST_CASE("a mode that throws stops the call before any kernel, and changes nothing") {
  struct throwing final : gj::observer_mode {
    void observe(gj::op_record const&) override { throw std::runtime_error("no"); }
  } mode;
  auto const g = gj::compile(network{}, plain);
  auto const x = mat(3, 3), w = mat(3, 3);
  auto out = mat(3, 3, 50);
  {
    gj::mode_scope const scope(mode);
    for (int k = 0; k < 2; ++k) {
      CHECK_THROWS_WITH_AS(g.into(out, x, w), "no", std::runtime_error);
      CHECK(gj::mode_stack::depth() == 1);
    }
  }
  CHECK(elements(out) == elements(mat(3, 3, 50)));
  g.into(out, x, w);
  CHECK(g.compiles() == 1);
  CHECK_FALSE(elements(out) == elements(mat(3, 3, 50)));
}
