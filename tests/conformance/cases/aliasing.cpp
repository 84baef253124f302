// guardjit: tests/conformance/cases/aliasing.cpp: cases of sides that overlap
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::elements;

TEST_CASE("CASE-011: a tensor takes its own transpose") {
  tensor<float, dyn, dyn> x{{0, 1, 1, 1}};
  auto y = x;
  x = gj::transpose(x);
  CHECK(x.shape() == gj::shape{4, 1});
  CHECK(elements(x) == std::vector<float>{0, 1, 1, 1});
  auto const named = gj::transpose(y);
  y = named;
  CHECK(elements(y) == std::vector<float>{0, 1, 1, 1});
}

TEST_CASE("CASE-014: one corner of a matrix onto the other") {
  tensor<float, 3, 3> f;
  f(1, 1) = 2;
  gj::slice(gj::slice(f, 0, 1), 1, 1) = gj::slice(gj::slice(f, 0, 0, 2), 1, 0, 2);
  CHECK(elements(f) == std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 2});
}

TEST_CASE("CASE-016: a column is taken from each column, its own included") {
  tensor<float, dyn, dyn> a{{1, 2, 3}, {4, 5, 6}};
  a -= gj::slice(a, 1, 0, 1);
  CHECK(elements(a) == std::vector<float>{0, 1, 2, 0, 1, 2});
  for (index_t width : {16, 17}) {
    tensor<float, dyn, dyn> ones = gj::ones<float>({2, width});
    ones -= gj::slice(ones, 1, 0, 1);
    for (float v : elements(ones)) CHECK(v == 0);
  }
}

TEST_CASE("CASE-017: nothing is written to one element that is seen ten times") {
  tensor<float, 1> const one{5};
  CHECK_THROWS_AS((gj::expand(one, {10}) = support::vec(10, 0)), gj::overlap_error);
  CHECK(one(0) == 5);
}

TEST_CASE("CASE-020: a view of a view of a row") {
  auto x = support::counted(tensor<float, 3, 3>(), 0);
  auto const row = gj::slice(x, 0, 1, 2);
  gj::slice(row, 1, 0, 1) = -2;
  CHECK(elements(x) == std::vector<float>{0, 1, 2, -2, 4, 5, 6, 7, 8});
}

TEST_CASE("CASE-034: a scalar through a reversed view of all elements but the outer ones") {
  auto x = support::vec(7);
  gj::slice(gj::slice(x, 0, 1, 6), 0, -1, gj::slice_end, -1) = 0;
  CHECK(elements(x) == std::vector<float>{1, 0, 0, 0, 0, 0, 7});
}
