// guardjit: tests/expr/division.cpp: whole quotients, remainders, shifts, fmax and fmin against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "loop_bodies.hpp"

using namespace eager;
using gj::op;
using gj::backends::reference;

namespace {

using integers = gj::type_list<std::uint8_t, std::int32_t, std::int64_t>;
using floats = gj::type_list<float, double>;

/// In more bits than operands have, so that nothing overflows.
template <class T> struct whole {
  __extension__ typedef __int128 wide;
  static wide quotient(T a, T b) { return b == 0 ? wide(0) : wide(a) / wide(b); }
  static wide rest(T a, T b) { return b == 0 ? wide(0) : wide(a) % wide(b); }
  static bool is_above(T a, T b) { return rest(a, b) != 0 && (rest(a, b) < 0) != (b < 0); }
};

/// Where POL-30 says nothing else: what Python does.
template <class T> T python_floor(T a, T b) {
  if (b == 0) return a / b;
  T const m = std::fmod(a, b);
  T q = std::nearbyint((a - m) / b);
  if (m != 0 && std::signbit(m) != std::signbit(b)) q -= 1;
  return q == 0 ? std::copysign(T(0), a / b) : q;
}
template <class T> T python_rest(T a, T b) {
  T const m = std::fmod(a, b);
  if (m == 0) return std::copysign(T(0), b);
  return std::signbit(m) != std::signbit(b) ? m + b : m;
}

}  // namespace

TEST_CASE("integers: floor_divide, trunc_divide, remainder and fmod") {
  gj::for_each_type(integers{}, []<class T>(std::type_identity<T>) {
    using w = whole<T>;
    check_op<reference, op::trunc_divide, T>([](T a, T b) { return static_cast<T>(w::quotient(a, b)); });
    check_op<reference, op::fmod, T>([](T a, T b) { return static_cast<T>(w::rest(a, b)); });
    check_op<reference, op::floor_divide, T>(
        [](T a, T b) { return static_cast<T>(w::quotient(a, b) - (w::is_above(a, b) ? 1 : 0)); });
    check_op<reference, op::remainder, T>(
        [](T a, T b) { return static_cast<T>(w::rest(a, b) + (w::is_above(a, b) ? b : T(0))); });
  });
}

TEST_CASE("floats: floor_divide, trunc_divide, remainder and fmod") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    check_op<reference, op::trunc_divide, T>([](T a, T b) { return std::trunc(a / b); });
    check_op<reference, op::fmod, T>([](T a, T b) { return std::fmod(a, b); });
    check_op<reference, op::floor_divide, T>(python_floor<T>);
    check_op<reference, op::remainder, T>(python_rest<T>);
  });
  CHECK_THROWS_AS(gj::remainder(make<bool>({2}, form::contiguous), true), gj::dtype_error);
}

TEST_CASE("u8 by its largest value") {
  any_tensor const a = gj::tensor<std::uint8_t, 3>{254, 255, 1};
  CHECK(elements<std::uint8_t>(gj::floor_divide(a, 255)) == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(elements<std::uint8_t>(gj::trunc_divide(a, 255)) == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(elements<std::uint8_t>(gj::remainder(a, 255)) == std::vector<std::uint8_t>{254, 0, 1});
  CHECK(elements<std::uint8_t>(gj::fmod(a, 255)) == std::vector<std::uint8_t>{254, 0, 1});
}

TEST_CASE("shifts: a count that is negative or too large leaves no bit, the sign comes in from above") {
  gj::for_each_type(integers{}, []<class T>(std::type_identity<T>) {
    constexpr int width = 8 * int{sizeof(T)};
    check_op<reference, op::shift_left, T>([](T a, T n) {
      bool const fits = n >= 0 && n < static_cast<T>(width);
      return fits ? static_cast<T>(static_cast<std::uint64_t>(a) << n) : T(0);
    });
    check_op<reference, op::shift_right, T>([](T a, T n) {
      bool const fits = n >= 0 && n < static_cast<T>(width);
      return fits ? static_cast<T>(a >> n) : a < 0 ? static_cast<T>(-1) : T(0);
    });
  });
  any_tensor const flags = make<bool>({2}, form::contiguous), reals = make<float>({2}, form::contiguous);
  CHECK_THROWS_AS(gj::shift_left(flags, flags), gj::dtype_error);
  CHECK_THROWS_AS(gj::shift_right(reals, 1), gj::dtype_error);
  CHECK(gj::shift_left(flags, 3).type() == gj::dtype::i64);
}

TEST_CASE("fmax and fmin leave NaN out") {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    auto const by = [](bool largest) {
      return [largest](T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if constexpr (std::is_floating_point_v<T>)
          if (a == b && a == T(0)) return std::signbit(a) == largest ? b : a;
        return (a < b) == largest ? b : a;
      };
    };
    check_op<reference, op::fmax, T>(by(true));
    check_op<reference, op::fmin, T>(by(false));
  });
}
