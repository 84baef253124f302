// guardjit: tests/conformance/cases/indexing.cpp: cases of views by index and of ops that move elements
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace gj = guardjit;
using gj::dyn, gj::range, gj::full_extent;

TEST_CASE("by index: the upper left 2×2 of a 3×3 onto its lower right") {
  gj::tensor<float, 3, 3> f;
  f(1, 1) = 2;
  f(range(1, 3), range(1, 3)) = f(range(0, 2), range(0, 2));
  for (gj::index_t i = 0; i < 3; ++i)
    for (gj::index_t j = 0; j < 3; ++j) CHECK(f(i, j) == (i == 2 && j == 2 ? 2 : 0));
}

TEST_CASE("by index: numbers in order written to one element that is expanded") {
  gj::tensor<std::int64_t, dyn> x{5, 6};
  CHECK_THROWS_AS((gj::expand(x(range(0, 1)), {10}) = gj::arange(0, 10)), gj::overlap_error);
  CHECK(x(0) == 5);
  CHECK(x(1) == 6);
}

TEST_CASE("by index: the first element of a view of row 1 is set") {
  auto a = gj::eval(gj::reshape(gj::arange(0, 9), {3, 3}));
  auto row = a(1);
  row(range(0, 1)) = -2;
  for (gj::index_t k = 0; k < 9; ++k) CHECK(a.data()[k] == (k == 3 ? -2 : k));
}

TEST_CASE("CASE-022: a column and a row of a 3×2 tensor") {
  gj::tensor<float, 3, 2> const x;
  auto const column = x(full_extent, 1);
  auto const row = x(1);
  static_assert(column.rank() == 1 && row.rank() == 1);
  CHECK(column.stride(0) == 2);
  CHECK(row.stride(0) == 1);
}

TEST_CASE("CASE-131: concat of a run-time number of tensors is one function, whatever the number") {
  std::vector<gj::any_tensor> parts;
  CHECK_THROWS_AS(gj::concat(parts, 0), gj::shape_error);
  for (int n = 1; n <= 64; ++n) {
    parts.push_back(gj::full({1, 2}, n));
    gj::any_tensor const all = gj::concat(parts, 0);
    REQUIRE(all.shape() == gj::shape{n, 2});
    int wrong = 0;
    for (int k = 0; k < 2 * n; ++k) wrong += all.data_as<int>()[k] == k / 2 + 1 ? 0 : 1;
    CHECK(wrong == 0);
  }
}
