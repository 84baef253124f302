// SPDX-License-Identifier: BSL-1.0
#include <guardjit/ops/attributes.hpp>
#include <guardjit/reference/accumulate.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace guardjit;

namespace {

/// A sum that remembers its additions: the longest chain of them on the way of any element.
struct depth {
  int longest = 0;
  friend depth operator+(depth a, depth b) {
    return {1 + (a.longest > b.longest ? a.longest : b.longest)};
  }
};

}  // namespace

TEST_CASE("N21: runs enter a binary tree") {
  for (int runs = 1; runs < 300; ++runs) {
    tree_sum<depth> tree;
    for (int k = 0; k < runs; ++k) tree.add_run({});
    int levels = 0;
    while ((1 << levels) < runs) ++levels;
    CHECK(tree.total({}).longest <= levels + 1);
  }
  tree_sum<int> whole;
  for (int k = 1; k <= 100; ++k) whole.add_run(k);
  CHECK(whole.total(7) == 5057);
}

TEST_CASE("POL-9: the mean of whole numbers is rounded once") {
  auto const mean = [](std::initializer_list<std::int64_t> values) {
    accumulator<op::mean, std::int64_t> total;
    for (auto v : values) total.add(v);
    return total.result(static_cast<index_t>(values.size()));
  };
  CHECK(mean({1, 2}) == 1.5);
  CHECK(mean({-1, -2, -2}) == -5.0 / 3);
  CHECK(mean({0, 0}) == 0);
  std::int64_t const big = std::int64_t(1) << 53;
  CHECK(mean({big + 1, big + 1}) == 9007199254740992.0);  // a tie goes to the even neighbour
  CHECK(mean({big + 1, big + 2, big + 3}) == 9007199254740994.0);
  CHECK(mean({big + 1, big + 1, big + 2}) == 9007199254740994.0);  // above the tie by a third
  CHECK(mean({std::numeric_limits<std::int64_t>::min(),
              std::numeric_limits<std::int64_t>::min()}) == -9223372036854775808.0);
}

TEST_CASE("a sum of floats by runs is more exact than one by one") {
  accumulator<op::sum, float> all{};
  for (int k = 0; k < 1 << 25; ++k) all.add(1.0f);
  CHECK(all.result(1 << 25) == 33554432.0f);
}

namespace {
template <op Id, class T> auto accumulated(std::initializer_list<T> values) {
  accumulator<Id, T> total{};
  for (T v : values) total.add(v);
  return total.result(static_cast<index_t>(values.size()));
}
}  // namespace

TEST_CASE("accumulators of products, extremes, their places and truth") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(accumulated<op::prod, float>({}) == 1);
  CHECK(accumulated<op::prod, std::uint8_t>({100, 100, 100}) == 1000000);
  CHECK(accumulated<op::prod, bool>({true, false}) == 0);
  CHECK(accumulated<op::amin, float>({}) == std::numeric_limits<float>::infinity());
  CHECK(accumulated<op::amin, std::int32_t>({}) == std::numeric_limits<std::int32_t>::max());
  CHECK(accumulated<op::argmax, float>({1, nan, 3, nan}) == 1);
  CHECK(accumulated<op::argmin, float>({nan, 0}) == 0);
  CHECK(accumulated<op::argmin, float>({0.0f, -0.0f}) == 0);
  CHECK(accumulated<op::argmax, bool>({false, true, true}) == 1);
  CHECK(accumulated<op::any, float>({0, nan}));
  CHECK_FALSE(accumulated<op::any, float>({-0.0f}));
  CHECK(accumulated<op::all, std::int64_t>({}));
  // 2^5 runs of 32 factors: an exact power of two in any order.
  accumulator<op::prod, double> twos{};
  for (int k = 0; k < 1000; ++k) twos.add(2);
  CHECK(twos.result(1000) == std::ldexp(1.0, 1000));
}

TEST_CASE("N22: what a mean divides by") {
  CHECK(mean_divisor(4, 0) == 4);
  CHECK(mean_divisor(4, 1) == 3);
  CHECK(mean_divisor(4, 4) == 0);
  CHECK(mean_divisor(4, 5) == 0);
  CHECK(mean_divisor(0, -1) == 0);
  CHECK(accumulator<op::mean, float>{}.result(0) != accumulator<op::mean, float>{}.result(0));
}
