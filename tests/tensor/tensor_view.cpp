// guardjit: tests/tensor/tensor_view.cpp: views of memory that someone else owns
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/tensor.hpp>

#include <doctest/doctest.h>

namespace gj = guardjit;
using gj::dyn, gj::tensor_view;

TEST_CASE("tensor_view: row-major from extents, any layout from a layout") {
  float data[] = {0, 1, 2, 3, 4, 5};
  tensor_view<float, dyn, 3> const rows(data, 2);
  CHECK(rows.shape() == gj::shape{2, 3});
  CHECK(rows.stride(0) == 3);
  CHECK(rows(1, 0) == 3);
  rows(1, 0) = 9;
  CHECK(data[3] == 9);
  tensor_view<float const, 3, dyn> const columns(data, gj::layout<2>({3, 2}, {1, 3}));
  CHECK(columns(2, 1) == 5);
  CHECK(columns.extent(1) == 2);
  CHECK(columns.size() == 6);
  tensor_view<float> const one(data + 2, gj::layout<0>{});
  CHECK(one() == 2);
  tensor_view<float, 2, 3> const fixed(data);
  CHECK(fixed(0, 2) == 2);
}

TEST_CASE("tensor_view: negative and zero strides") {
  int const size = 4;
  std::int64_t data[size] = {0, 1, 2, 3};
  tensor_view<std::int64_t const, dyn> const reversed(data + 3, gj::layout<1>({size}, {-1}));
  tensor_view<std::int64_t const, dyn> const repeated(data + 1, gj::layout<1>({size}, {0}));
  for (int k = 0; k < size; ++k) {
    CHECK(reversed(k) == 3 - k);
    CHECK(repeated(k) == 1);
  }
}

TEST_CASE("tensor_view: a tensor's view owns nothing and sees its elements") {
  gj::tensor<float, dyn, 2> x{{1, 2}, {3, 4}};
  auto const view = x.view();
  CHECK(x.storage().unique());
  view(1, 1) = 8;
  CHECK(x(1, 1) == 8);
  tensor_view<float const, dyn, dyn> const reader = view;
  CHECK(reader.data() == x.data());
  CHECK(reader.layout() == x.layout());
}
