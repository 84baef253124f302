// guardjit: tests/kernels/panels.cpp: products with a right matrix in packed form, against plain loops
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen/panels.hpp>
#include <guardjit/tensor/storage.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace guardjit;

namespace {

/// A product whose operands lie as strides say, with room between their elements.
template <class T> struct packed_case {
  matmul_nest nest;
  std::vector<T> left, right, out, expected;
  storage form;

  packed_case(index_t m, index_t n, index_t k, bool left_turned, bool right_turned, index_t gap) {
    nest.m = m, nest.n = n, nest.k = k;
    nest.left_row = left_turned ? 1 + gap : k + gap, nest.left_column = left_turned ? m * (1 + gap) : 1;
    nest.right_row = right_turned ? 1 + gap : n + gap, nest.right_column = right_turned ? k * (1 + gap) : 1;
    left = whole(m * k * (1 + gap) + (m + k) * gap + 1, 1);
    right = whole(n * k * (1 + gap) + (n + k) * gap + 1, 5);
    expected.resize(static_cast<std::size_t>(m * n));
    out.assign(static_cast<std::size_t>(m * n) + 64, T(77));
  }
  /// Whole numbers, so that sums are exact in any order.
  static std::vector<T> whole(index_t count, index_t first) {
    std::vector<T> x(static_cast<std::size_t>(count));
    for (T& v : x) v = static_cast<T>((first = first * 7 % 31) - 15);
    return x;
  }
  void pack() {
    form = storage::allocate(std::max(eigen_packed_bytes<T>(nest), index_t{1}));
    eigen_pack<T>(nest, form.data(), right.data());
  }
  void multiply() {
    eigen_packed_matmul<T>(nest, out.data(), left.data(), form.data());
    reference_product<T>(nest, expected.data(), left.data(), right.data());
  }
  /// The product is right, and nothing behind it was written.
  bool is_right() const {
    return std::equal(expected.begin(), expected.end(), out.begin()) &&
           std::all_of(out.begin() + nest.m * nest.n, out.end(), [](T v) { return v == T(77); });
  }
};

template <class T> void check_sizes() {
  index_t const width = detail::packet_width<T>;
  index_t const rows[] = {1, 2, 3, 5, 8, 11, detail::most_panel_rows};
  index_t const columns[] = {2, width - 1, width, width + 1, 2 * width, 3 * width, 3 * width + 1, 4 * width + 3, 131};
  index_t const lengths[] = {1, 2, 3, 5, 64, 67};
  int wrong = 0, checked = 0;
  for (index_t m : rows)
    for (index_t n : columns)
      for (index_t k : lengths)
        for (int how = 0; how < 4; ++how) {
          if (n < 2) continue;
          packed_case<T> one(m, n, k, how == 1 || how == 3, how >= 2, how == 3 ? 2 : 0);
          REQUIRE(eigen_packed_bytes<T>(one.nest) >= n * k * index_t{sizeof(T)});
          one.pack();
          one.multiply();
          wrong += one.is_right() ? 0 : 1;
          ++checked;
        }
  CHECK(wrong == 0);
  CHECK(checked > 1000);
}

}  // namespace

TEST_CASE("N33: panels give the products of plain loops, for all tails and strides") {
  check_sizes<float>();
  check_sizes<double>();
}

TEST_CASE("N31: panels are for matrices with elements, few rows and several columns") {
  for (auto [m, n, k] : {std::array<index_t, 3>{0, 4, 4}, {4, 0, 4}, {4, 4, 0}, {4, 1, 4},
                         {detail::most_panel_rows + 1, 4, 4}})
    CHECK(eigen_packed_bytes<float>(packed_case<float>(m, n, k, false, false, 0).nest) == 0);
  CHECK(eigen_packed_bytes<std::int64_t>(packed_case<float>(4, 4, 4, false, false, 0).nest) == 0);
}

TEST_CASE("POL-3: NaN and infinity in one row or column go where plain loops bring them") {
  float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (float special : {nan, inf, -inf})
    for (index_t m : {1, 9})
      for (bool in_left : {false, true}) {
        packed_case<float> one(m, 21, 6, false, false, 0);
        (in_left ? one.left[3] : one.right[21 * 2 + 20]) = special;
        one.pack();
        one.multiply();
        bool same = true;
        for (std::size_t k = 0; k < one.expected.size(); ++k)
          same = same && (one.expected[k] == one.out[k] || (one.expected[k] != one.expected[k] && one.out[k] != one.out[k]));
        CHECK(same);
        CHECK(one.out[static_cast<std::size_t>(m * 21)] == 77);
      }
}

TEST_CASE("a batch of left matrices shares one packed form") {
  packed_case<double> one(3, 5, 4, false, false, 0);
  one.nest.batch.add_inner(4, {15, 12, 0});
  one.left = packed_case<double>::whole(4 * 12, 3);
  one.out.assign(60 + 8, 77);
  one.expected.resize(60);
  one.pack();
  eigen_packed_matmul<double>(one.nest, one.out.data(), one.left.data(), one.form.data());
  for (std::size_t b = 0; b < 4; ++b)
    reference_product<double>(one.nest, one.expected.data() + 15 * b, one.left.data() + 12 * b, one.right.data());
  CHECK(std::equal(one.expected.begin(), one.expected.end(), one.out.begin()));
  CHECK(one.out[60] == 77);
}
