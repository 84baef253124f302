// guardjit: tests/compile/views.cpp: results that are views, and what they share
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/programs.hpp"

namespace gj = guardjit;
using support::check_program;
using support::elements;
using support::how;
using support::mat;
using support::small;

TEST_CASE("a transposed value in another shape") {
  auto const f = [](auto x) { return gj::reshape(gj::transpose(gj::exp(x)), {x.extent(0) * x.extent(1)}) * 2; };
  check_program(f, small(3, 4));
  check_program(f, small(3, 4, how::transposed));
  auto const g = [](auto x) { return gj::reshape(gj::transpose(x), {2, -1}) + 1; };
  check_program(g, small(3, 4));
  check_program(g, small(3, 4, how::transposed));
  check_program(g, small(3, 4, how::reversed));
}

TEST_CASE("results that are views of intermediates") {
  check_program([](auto x, auto w) { return gj::transpose(gj::matmul(x, w)); }, small(2, 3), small(3, 4));
  check_program([](auto x) { return gj::slice(gj::exp(x), 0, 1, gj::slice_end, 2); }, small(5, 3));
  check_program([](auto x) { return gj::expand(gj::exp(x), {2, 3, 4}); }, small(3, 4));
}

TEST_CASE("results that are views of arguments") {
  check_program([](auto x) { return gj::slice(gj::transpose(x), 1, -1, gj::slice_end, -1); }, small(5, 3));
  check_program([](auto x) { return gj::expand(x, {2, 3, 4}); }, small(3, 4));
  check_program([](auto x) { return gj::reshape(x, {-1}); }, small(3, 4));
  check_program([](auto x) { return gj::reshape(x, {-1}); }, small(3, 4, how::transposed));
  check_program([](auto x) { return gj::reshape(gj::reshape(x, {-1}), {2, -1}); }, small(3, 4, how::reversed));
}

TEST_CASE("expand stretches an open extent of 1; another must fit") {
  auto const wide = [](auto x) { return gj::exp(gj::expand(x, {3, 4})); };
  check_program(wide, small(1, 4));
  check_program(wide, small(3, 1, how::reversed));
  check_program([](auto x) { return gj::expand(x, {2, 3, 4}); }, small(1, 1));
  check_program([](auto x, auto y) { return gj::expand(x, {y.extent(0), 4}) * y; }, small(1, 4), small(3, 4));
  auto const f = gj::compile(wide, gj::dynamic::all);
  CHECK(support::near(f(small(3, 4)), gj::eval(gj::exp(small(3, 4)))));
  CHECK(support::near(f(small(1, 4)), gj::eval(gj::exp(gj::expand(small(1, 4), {3, 4})))));
  CHECK(support::near(f(small(3, 4)), gj::eval(gj::exp(small(3, 4)))));
  CHECK_THROWS_AS(f(small(2, 4)), gj::shape_error);
  auto const narrow = gj::compile([](auto x, auto y) { return gj::expand(x, {y.extent(0), 4}) * y; });
  CHECK_THROWS_AS(narrow(small(3, 4), small(1, 4)), gj::shape_error);
}

TEST_CASE("a view of an argument shares its storage, everything else is fresh") {
  auto const x = small(3, 4);
  auto const storage_of = [&x](auto f) { return gj::compile(f)(x).storage(); };
  CHECK(storage_of([](auto y) { return y; }) == x.storage());
  CHECK(storage_of([](auto y) { return gj::reshape(y, {-1}); }) == x.storage());
  CHECK(storage_of([](auto y) { return gj::slice(y, 0, 1); }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return y * 1; }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return y + 0; }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return gj::transpose(y) * 1; }) == x.storage());
  auto const g = gj::compile([](auto y) { return gj::reshape(y, {-1}); });
  CHECK_FALSE(g(small(3, 4, how::transposed)).storage() == x.storage());
  check_program([](auto y) { return y * 1; }, x);
  check_program([](auto y) { return gj::transpose(y) * 1; }, small(3, 4, how::expanded));
  check_program([](auto y) { return y; }, small(3, 4, how::reversed));
}

TEST_CASE("a view of an argument into the argument") {
  auto const g = gj::compile([](auto x) { return gj::transpose(x); });
  auto x = mat(3, 3);
  for (int k = 0; k < 2; ++k) g.into(x, x);
  CHECK(elements(x) == elements(mat(3, 3)));
  g.into(x, x);
  CHECK(elements(x) == std::vector<float>{1, 4, 7, 2, 5, 8, 3, 6, 9});
}
