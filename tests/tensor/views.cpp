// guardjit: tests/tensor/views.cpp: permuted, sliced, expanded and reshaped layouts
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/any_tensor.hpp>
#include <guardjit/tensor/views.hpp>

#include <doctest/doctest.h>
#include <support/thrown.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace gj = guardjit;
using gj::any_layout, gj::index_t, gj::shape;

namespace {

/// Positions of the elements of a view, in row-major order.
std::vector<index_t> positions(any_layout const& l, index_t offset = 0) {
  std::vector<index_t> all;
  auto const visit = [&](auto const& self, int d, index_t at) -> void {
    if (d == l.rank()) return all.push_back(at);
    for (index_t i = 0; i < l.extent(d); ++i) self(self, d + 1, at + i * l.stride(d));
  };
  visit(visit, 0, offset);
  return all;
}

std::vector<index_t> slice(index_t extent, index_t start, index_t stop, index_t step) {
  auto const v = gj::sliced(any_layout(shape{extent}).view(), 0, start, stop, step);
  return positions(v.layout, v.offset);
}

using list = std::vector<index_t>;
constexpr index_t least = std::numeric_limits<index_t>::min();
constexpr index_t most = std::numeric_limits<index_t>::max();

}  // namespace

TEST_CASE("NUM-054: slices clamp as in Python, a step of 0 is refused") {
  CHECK(slice(8, 10, 2, -3) == list{7, 4});
  CHECK(slice(8, -100, 100, 1) == list{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(slice(8, 5, 5, 1).empty());
  CHECK(support::contains(support::thrown<gj::shape_error>([] { slice(8, 0, 8, 0); }), "step is 0"));
}

TEST_CASE("views: slices agree with their definition for all small bounds and steps") {
  for (index_t n : {0, 1, 4})
    for (index_t start = -6; start <= 6; ++start)
      for (index_t stop = -6; stop <= 6; ++stop)
        for (index_t step : {-5, -2, -1, 1, 2, 5}) {
          list expected;
          index_t const low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
          auto const clamp = [&](index_t x) {
            return std::max(low, std::min(high, x < 0 ? x + n : x));
          };
          for (index_t k = clamp(start); step > 0 ? k < clamp(stop) : k > clamp(stop); k += step)
            expected.push_back(k);
          REQUIRE(slice(n, start, stop, step) == expected);
        }
}

TEST_CASE("views: the largest bounds and steps do not overflow") {
  CHECK(slice(4, 0, most, most) == list{0});
  CHECK(slice(4, most, least, -1) == list{3, 2, 1, 0});
  CHECK(slice(4, most, least, least) == list{3});
  CHECK(slice(4, least, most, 2) == list{0, 2});
}

TEST_CASE("views: slices of slices, of any axis, reach the right elements") {
  any_layout const base(shape{4, 6});
  auto const rows = gj::sliced(base.view(), 0, 3, least, -2);
  auto const both = gj::sliced(rows.layout.view(), -1, 1, 6, 3);
  CHECK(both.layout.shape() == shape{2, 2});
  CHECK(positions(both.layout, rows.offset + both.offset) == list{19, 22, 7, 10});
  CHECK_THROWS_AS(gj::sliced(base.view(), 2, 0, 1, 1), gj::index_error);
  CHECK(gj::sliced(base.view(), 0, 9, 2, 1).offset == 0);
}

TEST_CASE("views: permuted moves axes and refuses what is no permutation") {
  any_layout const base(shape{2, 3, 4});
  int const order[] = {-1, 0, 1};
  auto const v = gj::permuted(base.view(), order);
  CHECK(v.layout.shape() == shape{4, 2, 3});
  CHECK(positions(v.layout)[1] == 4);
  CHECK(positions(v.layout)[6] == 1);
  CHECK(gj::permuted(any_layout{}.view(), {}).layout == any_layout{});

  int const shorter[] = {0, 1}, twice[] = {0, 1, -2}, outside[] = {0, 1, 3};
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { gj::permuted(base.view(), shorter); }),
                        "2 axes, expected 3"));
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { gj::permuted(base.view(), twice); }),
                        "axis 1 is named twice"));
  CHECK(support::contains(support::thrown<gj::index_error>([&] { gj::permuted(base.view(), outside); }),
                        "axis 3 is out of range for rank 3"));
}

TEST_CASE("views: expanded stretches extents 1 and missing axes") {
  any_layout const column(shape{3, 1});
  CHECK(positions(gj::expanded(column.view(), {3, 2}).layout) == list{0, 0, 1, 1, 2, 2});
  CHECK(positions(gj::expanded(any_layout{}.view(), {2, 2}).layout) == list{0, 0, 0, 0});
  CHECK(gj::expanded(column.view(), {3, 0}).layout.shape() == shape{3, 0});
  CHECK(gj::expanded(column.view(), {3, 1}).layout == column);
  auto const virtually_huge = gj::expanded(any_layout{}.view(), {index_t{1} << 40, 1 << 20}).layout;
  CHECK(gj::span_of(virtually_huge.view()).end == 1);

  auto const refused = [&](shape const& to) {
    return support::thrown<gj::shape_error>([&] { gj::expanded(column.view(), to); });
  };
  CHECK(support::contains(refused({4, 2}),
                        "(3, 1) does not expand to (4, 2): axis 0 has extent 3, asked for 4"));
  CHECK(support::contains(refused({3}), "fewer axes"));
  CHECK(support::contains(refused({-2, 3, 1}), "axis 0 has extent 1, asked for -2"));
  CHECK(support::contains(refused({most, 3, 2}), "more than 2^63-1 elements"));
}

TEST_CASE("views: broadcast strides agree with expanded") {
  any_layout const from(shape{3, 1}, {2, 9});
  auto const strides = gj::broadcast_strides(from.view(), {5, 3, 4});
  CHECK(strides[0] == 0);
  CHECK(strides[1] == 2);
  CHECK(strides[2] == 0);
}

TEST_CASE("NUM-055: reshape resolves one -1, and refuses what does not divide or is ambiguous") {
  any_layout const base(shape{2, 6});
  CHECK(gj::reshaped(base.view(), {-1, 4}).layout == any_layout(shape{3, 4}));
  auto const refused = [&](shape const& to) {
    return support::thrown<gj::shape_error>([&] { gj::reshaped(base.view(), to); });
  };
  CHECK(support::contains(refused({5, -1}), "(2, 6) of 12 elements does not reshape to (5, -1)"));
  CHECK(support::contains(refused({0, -1}), "no extent in place of -1"));
  CHECK(support::contains(refused({-1, -1}), "more than one -1"));
  CHECK(support::contains(refused({-2, -6}), "below -1"));
  CHECK(support::contains(refused({3, 5}), "number of elements differs"));
  CHECK(support::contains(refused({most, most}), "more than 2^63-1 elements"));
  CHECK(gj::reshaped(any_layout(shape{0, 3}).view(), {-1, 3}).layout.shape() == shape{0, 3});
}

TEST_CASE("views: reshaped is a view exactly where the strides allow one") {
  auto const same_elements = [](any_layout const& from, shape const& to) {
    auto const r = gj::reshaped(from.view(), to);
    REQUIRE(r.possible);
    CHECK(positions(r.layout) == positions(from));
  };
  any_layout const base(shape{4, 6});
  same_elements(base, {24});
  same_elements(base, {2, 2, 1, 3, 2});
  same_elements(base, {1, 4, 6, 1});
  same_elements(any_layout{}, {1, 1});
  same_elements(any_layout(shape{1, 1}), {});

  int const swap[] = {1, 0};
  auto const transposed = gj::permuted(base.view(), swap).layout;
  same_elements(transposed, {2, 3, 4});
  same_elements(transposed, {6, 2, 2});
  auto const flat = gj::reshaped(transposed.view(), {24});
  CHECK_FALSE(flat.possible);
  CHECK(flat.layout == any_layout(shape{24}));
  CHECK_FALSE(gj::reshaped(transposed.view(), {4, 6}).possible);

  auto const stepped = gj::sliced(base.view(), 1, 0, 6, 2).layout;
  same_elements(stepped, {12});  // rows of 6 hold three steps of 2, without a break
  auto const cut = gj::sliced(base.view(), 1, 0, 4, 1).layout;
  CHECK_FALSE(gj::reshaped(cut.view(), {16}).possible);
  same_elements(cut, {2, 2, 2, 2});
  auto const reversed = gj::sliced(any_layout(shape{6}).view(), 0, 5, least, -1).layout;
  same_elements(reversed, {2, 3});
  auto const repeated = gj::expanded(any_layout(shape{1}).view(), {6}).layout;
  same_elements(repeated, {2, 3});
  CHECK(gj::reshaped(any_layout(shape{0, 3}, {5, 5}).view(), {3, 0, 2}).possible);
}
