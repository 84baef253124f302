// SPDX-License-Identifier: BSL-1.0
#include <guardjit/ops/lane.hpp>

#include <doctest/doctest.h>

using namespace guardjit;

namespace {
template <class T> using limits = std::numeric_limits<T>;
constexpr auto i64_min = limits<std::int64_t>::min(), i64_max = limits<std::int64_t>::max();
constexpr auto i32_min = limits<std::int32_t>::min(), i32_max = limits<std::int32_t>::max();
}  // namespace

TEST_CASE("POL-2, POL-3: lanes of integers wrap") {
  CHECK((lane<std::int64_t>{i64_max} + lane<std::int64_t>{1}).value == i64_min);
  CHECK((lane<std::int64_t>{i64_min} - lane<std::int64_t>{1}).value == i64_max);
  CHECK((lane<std::int64_t>{i64_min} * lane<std::int64_t>{-1}).value == i64_min);
  CHECK((-lane<std::int64_t>{i64_min}).value == i64_min);
  CHECK((lane<std::int32_t>{i32_max} + lane<std::int32_t>{1}).value == i32_min);
  CHECK((lane<std::int32_t>{65536} * lane<std::int32_t>{65536}).value == 0);
  CHECK((-lane<std::int32_t>{i32_min}).value == i32_min);
  CHECK((lane<std::uint8_t>{250} + lane<std::uint8_t>{7}).value == 1);
  CHECK((lane<std::uint8_t>{200} * lane<std::uint8_t>{200}).value == 64);
  CHECK((-lane<std::uint8_t>{1}).value == 255);
}

TEST_CASE("POL-8: conversions of floats truncate and saturate, NaN gives 0, and is true") {
  CHECK(convert<std::int64_t>(1e300) == i64_max);
  CHECK(convert<std::int64_t>(-1e300) == i64_min);
  CHECK(convert<std::int64_t>(9223372036854775808.0f) == i64_max);
  CHECK(convert<std::int64_t>(-1.9) == -1);
  CHECK(convert<std::int32_t>(2147483648.0f) == i32_max);
  CHECK(convert<std::int32_t>(2147483646.9) == i32_max - 1);
  CHECK(convert<std::int32_t>(-2147483648.9) == i32_min);
  CHECK(convert<std::int32_t>(std::int64_t{1} << 32 | 7) == 7);
  CHECK(convert<std::int64_t>(limits<double>::quiet_NaN()) == 0);
  CHECK(convert<std::uint8_t>(-0.9f) == 0);
  CHECK(convert<std::uint8_t>(-3.0f) == 0);
  CHECK(convert<std::uint8_t>(255.5f) == 255);
  CHECK(convert<std::uint8_t>(256.0) == 255);
  CHECK(convert<bool>(limits<float>::quiet_NaN()));
  CHECK(convert<bool>(limits<float>::denorm_min()));
  CHECK(!convert<bool>(-0.0));
  CHECK(convert<std::uint8_t>(std::int64_t(-1)) == 255);
  CHECK(convert<float>(1e300) == limits<float>::infinity());
}

TEST_CASE("POL-24: division by zero in a constant expression") {
  constexpr auto one = lane<double>{1}, zero = lane<double>{0}, minus = lane<double>{-0.0};
  constexpr double up = (one / zero).value, down = (one / minus).value, none = (zero / minus).value;
  CHECK(up == limits<double>::infinity());
  CHECK(down == -limits<double>::infinity());
  CHECK(none != none);
}

TEST_CASE("a lane calls the functions that its second parameter names") {
  struct doubling {
    static float exp(float v) { return 2 * v; }
  };
  CHECK(exp_(lane<float, doubling>{3}).value == 6);
  CHECK(exp_(lane<float, doubling>{1} + lane<float, doubling>::of(1)).value == 4);
}

TEST_CASE("POL-15: maximum and minimum of zeros in a constant expression") {
  constexpr lane<float> plus{0.0f}, minus{-0.0f};
  constexpr float high = max_(minus, plus).value, low = min_(plus, minus).value;
  CHECK(!std::signbit(high));
  CHECK(std::signbit(low));
}
