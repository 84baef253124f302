// guardjit: tests/conformance/numerics/integers.cpp: cases of integers
// SPDX-License-Identifier: BSL-1.0
#include "paths.hpp"

using namespace paths;

namespace {

using whole_types = gj::type_list<std::uint8_t, std::int32_t, std::int64_t>;
using signed_types = gj::type_list<std::int32_t, std::int64_t>;

constexpr auto divisions = [](auto const& a, auto const& b, auto const& k) {
  return chosen(k, 0, gj::floor_divide(a, b), gj::trunc_divide(a, b), gj::remainder(a, b), gj::fmod(a, b));
};
constexpr auto lowest_ones = [](auto const& x, auto const& minus_one, auto const& k) {
  return chosen(k, 0, gj::abs(x), gj::neg(x), gj::remainder(x, minus_one));
};
constexpr auto shifts = [](auto const& x, auto const& n, auto const& k) {
  return chosen(k, 0, gj::shift_left(x, n), gj::shift_right(x, n));
};

}  // namespace

TEST_CASE("NUM-010: division by zero gives 0, in every integer dtype and at every length") {
  gj::for_each_type(whole_types{}, []<class T>(std::type_identity<T>) {
    auto const g = gj::compile(divisions, gj::dynamic::all);
    for (std::size_t n = 1; n <= 40; ++n) {
      auto const a = row(repeated<T>({1, 0, 100, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()}, n));
      auto const b = row(std::vector<T>(n, 0));
      for (int k = 0; k < 4; ++k) {
        CAPTURE(n);
        CAPTURE(k);
        std::vector<T> const zeros(n, 0);
        CHECK(elements<T>(g(a, b, k)) == zeros);
        if (n % 13 == 1) expect(zeros, divisions, a, b, k);
      }
    }
  });
}

TEST_CASE("NUM-011: the lowest number: abs and neg give it back, the remainder by -1 is 0") {
  gj::for_each_type(signed_types{}, []<class T>(std::type_identity<T>) {
    T const lowest = std::numeric_limits<T>::min();
    auto const x = row(std::vector<T>(19, lowest)), minus_one = row(std::vector<T>(19, -1));
    for (int k = 0; k < 3; ++k)
      expect(std::vector<T>(19, k < 2 ? lowest : T(0)), lowest_ones, x, minus_one, k);
  });
}

TEST_CASE("NUM-013: 7 and -7 by 3 and -3") {
  std::vector<int> const want[] = {{2, -3, -3, 2}, {2, -2, -2, 2}, {1, -2, 2, -1}, {1, 1, -1, -1}};
  gj::for_each_type(signed_types{}, [&]<class T>(std::type_identity<T>) {
    auto const a = row<T>({7, 7, -7, -7}), b = row<T>({3, -3, 3, -3});
    // The order of the case: 7 by 3, 7 by -3, -7 by 3, -7 by -3.
    for (int k = 0; k < 4; ++k)
      expect(std::vector<T>(want[k].begin(), want[k].end()), divisions, a, b, k);
  });
}

TEST_CASE("NUM-014: shifts by less than nothing, nothing, and as many places as there are or more") {
  gj::for_each_type(signed_types{}, []<class T>(std::type_identity<T>) {
    T const w = 8 * sizeof(T), lowest = std::numeric_limits<T>::min();
    std::vector<T> const counts{-1, 0, static_cast<T>(w - 1), w, static_cast<T>(2 * w)};
    std::vector<T> x, n;
    for (T value : {T(1), T(-1), T(-8)})
      for (T count : counts) {
        x.push_back(value);
        n.push_back(count);
      }
    expect<T>({0, 1, lowest, 0, 0, 0, -1, lowest, 0, 0, 0, -8, 0, 0, 0}, shifts, row(x), row(n), 0);
    expect<T>({0, 1, 0, 0, 0, -1, -1, -1, -1, -1, -1, -8, -1, -1, -1}, shifts, row(x), row(n), 1);
  });
  auto const bytes = row<std::uint8_t>({129, 129, 129, 129}), places = row<std::uint8_t>({0, 7, 8, 16});
  expect<std::uint8_t>({129, 128, 0, 0}, shifts, bytes, places, 0);
  expect<std::uint8_t>({129, 1, 0, 0}, shifts, bytes, places, 1);
  CHECK_THROWS_AS(gj::eval(gj::shift_left(bytes, -1)), gj::dtype_error);
  CHECK_THROWS_AS(gj::shift_right(gj::any_tensor(bytes), -1), gj::dtype_error);
  auto const by = gj::compile([](auto const& x, auto const& n) { return gj::shift_left(x, n); });
  CHECK_THROWS_AS(by(bytes, -1), gj::dtype_error);
}

TEST_CASE("NUM-015: neg of u8 wraps, bool is refused") {
  constexpr auto opposite = [](auto const& x) { return -x; };
  expect<std::uint8_t>({255, 0, 128}, opposite, row<std::uint8_t>({1, 0, 128}));
  // Typed operands and traces: tests/compile_fail/graph/dtype.cpp.
  CHECK_THROWS_AS(gj::neg(gj::any_tensor(row<std::uint8_t>({1})) == 1), gj::dtype_error);
}

TEST_CASE("NUM-016: powers of i32") {
  std::int32_t cube = 1;
  for (int k = 0; k < 40; ++k) cube = static_cast<std::int32_t>(static_cast<std::uint32_t>(cube) * 3u);
  expect<std::int32_t>({INT32_MIN, cube, 0, -1, 1}, [](auto const& a, auto const& b) { return gj::pow(a, b); },
                       row<std::int32_t>({2, 3, 2, -1, 0}), row<std::int32_t>({31, 40, -1, -3, 0}));
}
