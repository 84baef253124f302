// guardjit: tests/compile/results.cpp: factories, other dtypes, what observers are told
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <cstdint>

#include "support/programs.hpp"

namespace gj = guardjit;
using gj::dyn;
using support::check_program;
using support::how;
using support::laid_out;
using support::small;

TEST_CASE("factories, and results that need no tensor") {
  check_program([](auto x) { return x + gj::ones<float>(x.extent(0), 4) * gj::zeros<float>(1, x.extent(1)); }, small(3, 4));
  check_program([](auto x) { return gj::ones<float>(x.extent(0), x.extent(1) + 2); }, small(3, 4));
  check_program([](auto x) { return gj::full(2.5f, x.extent(0), 4) * x; }, small(3, 4));
  check_program([](auto x) { return gj::full(-0.5f, x.extent(1)); }, small(3, 4));
  check_program([](auto x) { return gj::sum(x * 2); }, small(3, 4, how::transposed));
  check_program([](auto x) { return x.extent(0) * x.extent(1) + 1; }, small(3, 4));
}

TEST_CASE("dtypes that are not f32, and their conversions") {
  auto const bytes = laid_out<std::uint8_t, dyn, dyn>(how::transposed, {3, 4}, 250, 1);
  auto const wide = laid_out<std::int64_t, dyn, dyn>(how::every_second, {3, 4}, -5, 3);
  auto const doubles = laid_out<double, dyn, dyn>(how::reversed, {3, 4}, -0.5, 0.125);
  check_program([](auto a, auto b) { return a * 3 + gj::to<std::int64_t>(b) - 7; }, wide, bytes);
  check_program([](auto a, auto b) { return gj::sum(a + b, gj::axes(0)); }, bytes, wide);
  check_program([](auto a, auto b) { return gj::mean(a, gj::axes(1)) / (gj::amax(b, gj::axes(1)) + 1); }, bytes, doubles);
  check_program([](auto a, auto b) { return gj::where(a < b, a, b); }, wide, doubles);
  check_program([](auto a, auto b) { return gj::matmul(a, gj::transpose(b)) == 0; }, wide, bytes);
  check_program([](auto a) { return gj::to<bool>(a) + (a > 252); }, bytes);
}

TEST_CASE("equal ops are told to a counter, made, hit and one by one") {
  auto const f = [](auto x, auto w) { return gj::softmax(gj::matmul(x, w) + gj::matmul(x, w)) * 2 - gj::transpose(w); };
  auto const g = gj::compile(f);
  auto const x = small(4, 4), w = small(4, 4);
  auto const counted = [](auto const& call) {
    gj::op_counter counter;
    gj::mode_scope const scope(counter);
    call();
    return counter;
  };
  auto const eager = counted([&] {
    gj::eval(f(x, w));
  });
  CHECK(eager.total() == 11);
  auto out = small(4, 4);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(counted([&] { g.into(out, x, w); }) == eager);
  support::passing_mode passing;
  gj::mode_scope const scope(passing);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(g.compiles() == 1);
}
