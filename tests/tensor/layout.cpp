// guardjit: tests/tensor/layout.cpp: spans and hashes over all ranks
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/tensor.hpp>
#include <guardjit/tensor/views.hpp>

#include <doctest/doctest.h>

namespace gj = guardjit;
using gj::any_layout, gj::index_t, gj::shape;

TEST_CASE("NUM-060: required span of reversed, expanded, rank 0 and empty layouts") {
  auto const span = [](any_layout const& l) {
    auto const s = gj::span_of(l.view());
    return s.end - s.begin;
  };
  auto const reversed = gj::sliced(any_layout(shape{4}).view(), 0, 3, -5, -1);
  CHECK(reversed.layout.stride(0) == -1);
  CHECK(reversed.offset == 3);
  CHECK(gj::span_of(reversed.layout.view()).begin == -3);
  CHECK(span(reversed.layout) == 4);
  CHECK(span(gj::expanded(any_layout(shape{3, 1}).view(), {3, 5}).layout) == 3);
  CHECK(span(any_layout{}) == 1);
  CHECK(span(any_layout(shape{2, 0, 3})) == 0);
}

TEST_CASE("layout: every rank keeps extents, strides and hash through any_layout") {
  gj::for_each_index<gj::max_rank + 1>([](auto k) {
    constexpr int rank = k();
    typename gj::layout<rank>::values extents{}, strides{};
    shape s;
    s.rank = rank;
    for (unsigned d = 0; d < unsigned{rank}; ++d) {
      s.extents[d] = extents[d] = 2 + index_t{d} % 3;
      strides[d] = index_t{d} * 7 - 11;
    }
    gj::layout<rank> const typed(extents, strides);
    any_layout const any(typed.view());
    CHECK(any.shape() == s);
    CHECK(any.hash() == typed.hash());
    for (int d = 0; d < rank; ++d) CHECK(any.stride(d) == typed.stride(d));
    CHECK(gj::layout<rank>(extents).view().count() == s.count());
  });
}

TEST_CASE("layout: one changed extent or stride changes the hash") {
  any_layout const base(shape{3, 5, 7});
  for (int d = 0; d < 3; ++d)
    for (index_t change : {-1, 1, 2}) {
      shape s = base.shape();
      s[d] += change;
      CHECK(any_layout(s, base.strides()).hash() != base.hash());
      auto strides = base.strides();
      strides[static_cast<unsigned>(d)] += change;
      CHECK(any_layout(base.shape(), strides).hash() != base.hash());
    }
}
