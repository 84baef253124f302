// guardjit: tests/conformance/guards/in_out.cpp: cases of arguments that a function writes
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/expr/composite/transpose.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::heap_calls_of;
using support::mat;
using support::vec;
using support::viewed;

namespace {

constexpr auto by_loops = gj::backend(gj::backends::reference{});
using values = std::vector<float>;

struct two_written {
  constexpr void operator()(auto& a, auto& b, auto x) const {
    a = a + x;
    b = b * x;
  }
};
std::string text_of_overlap(auto const& act) {
  try {
    act();
  } catch (gj::overlap_error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("GRD-074: an in-out argument apart from the other one, and the same tensor") {
  auto const g = gj::compile([](auto& out, auto x) { out = x + gj::transpose(x); }, by_loops, gj::name<"g">);
  auto a = mat(3, 3, 100), b = mat(3, 3);
  g(a, b);
  CHECK(g.compiles() == 1);
  CHECK(elements(a) == values{2, 6, 10, 6, 10, 14, 10, 14, 18});
  CHECK(elements(b) == elements(mat(3, 3)));
  CHECK(g.find(b, b).empty());
  CHECK(g.explain_miss(b, b).to_string().find("output and arg[1]: expected disjoint, got the same view") !=
        std::string::npos);
  g(b, b);
  CHECK(elements(b) == elements(a));
  CHECK(g.compiles() == 2);
  // Each relation has its entry by now.
  auto c = mat(3, 3);
  g(a, c);
  g(c, c);
  CHECK(elements(c) == elements(a));
  CHECK(g.compiles() == 2);
  CHECK(heap_calls_of([&] { g(a, c), g(c, c); }) == 0);
}

TEST_CASE("GRD-076: two in-out arguments that overlap") {
  auto const g = gj::compile(two_written{}, by_loops, gj::name<"g">);
  auto pool = vec(6);
  auto const x = vec(3);
  auto a = viewed(pool, 0, {3}, {1}), b = viewed(pool, 2, {3}, {1}), c = viewed(pool, 3, {3}, {1});
  CHECK(text_of_overlap([&] { g(a, b, x); }) ==
        "guardjit: g: arg[0] and arg[1], which are written, must not overlap");
  CHECK(text_of_overlap([&] { g(a, a, x); }) != "nothing was thrown");
  CHECK(elements(pool) == elements(vec(6)));
  CHECK(g.compiles() == 0);
  g(a, c, x);
  CHECK(elements(pool) == values{2, 4, 6, 4, 10, 18});
  CHECK_THROWS_AS(g(a, b, x), gj::overlap_error);
  CHECK(elements(pool) == values{2, 4, 6, 4, 10, 18});

  auto const with_result = gj::compile([](auto& s, auto y) {
    s = s + y;
    return s * 2;
  }, by_loops, gj::name<"w">);
  CHECK(text_of_overlap([&] { with_result.into(b, a, x); }) ==
        "guardjit: w: output 0 and arg[0], which are written, must not overlap");
  CHECK(elements(pool) == values{2, 4, 6, 4, 10, 18});
  with_result.into(c, a, x);
  CHECK(elements(pool) == values{3, 6, 9, 6, 12, 18});
  with_result.into(c, a, c);  // the output is an argument that is read
  CHECK(elements(pool) == values{9, 18, 27, 18, 36, 54});
  // Elements that share memory are refused, whatever else was compiled.
  auto spread = viewed(pool, 0, {3}, {0});
  CHECK(text_of_overlap([&] { g(spread, c, x); }) ==
        "guardjit: g: arg[0], which is written, must not have elements that share memory");
  CHECK(elements(pool) == values{9, 18, 27, 18, 36, 54});
}

TEST_CASE("GRD-149: a bound reference that f writes is updated by each call") {
  auto state = vec(3);
  auto const g = gj::compile([](auto x, auto& s) { s = s * 2 + x; }, gj::bind(std::ref(state)), by_loops);
  auto const x = vec(3);
  for (int k = 0; k < 3; ++k) g(x);
  CHECK(elements(state) == values{15, 30, 45});
  CHECK(g.compiles() == 1);
  CHECK(heap_calls_of([&] { g(x); }) == 0);
  state = vec(3, 0);
  g(x);
  CHECK(elements(state) == values{1, 4, 7});
  CHECK(g.compiles() == 1);
  CHECK_THROWS_AS(g(vec(2)), gj::shape_error);
  CHECK(elements(state) == values{1, 4, 7});
}

TEST_CASE("GRD-121: an opaque callable that throws leaves an in-out argument as it was") {
  static bool throws, same;
  static float seen;
  static float const* memory;
  throws = true;
  auto const g = gj::compile([](auto& s, auto x) {
    s = s + x;
    auto const y = gj::opaque<tensor<float, dyn>>([](tensor<float, dyn> const& v) {
      same = v(0) == 2 && *memory == 1;  // the value, but not yet in the argument
      if (throws) gj::raise<gj::shape_error>("refused");
      return v.clone();
    })(s);
    s = s * y;
    return y;
  }, by_loops, gj::name<"cut">);
  auto s = vec(2);
  memory = s.data();
  CHECK_THROWS_AS(g(s, vec(2)), gj::shape_error);
  CHECK(elements(s) == values{1, 2});
  throws = false;
  CHECK(elements(g(s, vec(2))) == values{2, 4});
  CHECK(same);
  CHECK(elements(s) == values{4, 16});
  tensor<float, dyn> out(2);
  s(0) = 1;
  g.into(out, s, vec(2));
  CHECK(elements(out) == values{2, 18});
  CHECK(elements(s) == values{4, 18 * 18});
  seen = s(1);
  same = false;
  CHECK(text_of_overlap([&] { g.into(s, s, vec(2)); }) ==
        "guardjit: cut: output 0 and arg[0], which are written, must not overlap");
  CHECK(seen == s(1));
  CHECK_FALSE(same);  // nothing ran
  CHECK(g.compiles() == 2);
}
