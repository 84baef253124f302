// guardjit: ops/lane.hpp: one element as the lane type that formulas are written over
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_LANE_HPP
#define GUARDJIT_OPS_LANE_HPP

#include <guardjit/tensor/dtype.hpp>

#include <cmath>  // the float functions
#include <limits>

namespace guardjit::inline GUARDJIT_ABI {

/// The inexact functions of the C++ library: what a `lane` calls when nothing else is named.
struct standard_math {
  template <class T> GUARDJIT_HD static T exp(T v) { return std::exp(v); }
  template <class T> GUARDJIT_HD static T log(T v) { return std::log(v); }
  template <class T> GUARDJIT_HD static T tanh(T v) { return std::tanh(v); }
  template <class T> GUARDJIT_HD static T expm1(T v) { return std::expm1(v); }
  template <class T> GUARDJIT_HD static T log1p(T v) { return std::log1p(v); }
  template <class T> GUARDJIT_HD static T pow(T v, T exponent) { return std::pow(v, exponent); }
  template <class T> GUARDJIT_HD static T sin(T v) { return std::sin(v); }
  template <class T> GUARDJIT_HD static T cos(T v) { return std::cos(v); }
  template <class T> GUARDJIT_HD static T erf(T v) { return std::erf(v); }
  template <class T> GUARDJIT_HD static T erfc(T v) { return std::erfc(v); }
};

/// A lane of one element. A lane type offers `of(double)`, the operators + - * / and unary -,
/// `max_ min_ relu_ abs_ floor_ ceil_ round_ sqrt_ fmod_`, the functions of `standard_math` as `exp_` and
/// so on, the comparisons `lt_ gt_ le_ eq_` which give a `mask` lane, and `select_(mask, a, b)`; masks offer
/// `& | ^` and `not_`, as integers do. Vector backends model the same names over packets, and name as
/// `Math` the functions that give one element the bits of a packet's lane (POL-17).
/// Rules: POL-3 (integers wrap), POL-5 and POL-15 (NaN and signed zero in max and min).
template <element T, class Math = standard_math> struct lane {
  using value_type = T;
  using mask = lane<bool, Math>;
  T value{};

  GUARDJIT_HD static constexpr lane of(double v) { return {static_cast<T>(v)}; }
};

namespace detail {
template <class T> using wrapping_t =
    typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                std::make_unsigned<T>, std::type_identity<T>>::type;

/// Applies `f` in a type in which it cannot overflow: integers go through their unsigned twin.
template <class T, class M, class F>
GUARDJIT_HD constexpr lane<T, M> wrapped(lane<T, M> a, lane<T, M> b, F f) {
  using U =
      std::common_type_t<wrapping_t<T>, std::conditional_t<std::is_integral_v<T>, unsigned, T>>;
  return {static_cast<T>(f(static_cast<U>(a.value), static_cast<U>(b.value)))};
}
/// `std::numeric_limits` as constants, since device code may not call its functions.
template <class T> struct limits_of {
  static constexpr T lowest = std::numeric_limits<T>::lowest();
  static constexpr T largest = std::numeric_limits<T>::max();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  /// From here on floats have no digits behind the point.
  static constexpr T no_fraction =
      std::is_floating_point_v<T> ? T(1) / std::numeric_limits<T>::epsilon() : T(0);
};
/// Whether the sign bit is set; the built-in is no constant expression in clang 16.
GUARDJIT_HD constexpr bool is_negative(float v) { return __builtin_bit_cast(std::int32_t, v) < 0; }
GUARDJIT_HD constexpr bool is_negative(double v) { return __builtin_bit_cast(std::int64_t, v) < 0; }
template <class T> inline constexpr bool is_bool_v = std::is_same_v<T, bool>;
}  // namespace detail

template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator+(lane<T, M> a, lane<T, M> b) {
  if constexpr (detail::is_bool_v<T>) return {a.value || b.value};
  else return detail::wrapped(a, b, [](auto x, auto y) { return x + y; });
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator-(lane<T, M> a, lane<T, M> b) {
  return detail::wrapped(a, b, [](auto x, auto y) { return x - y; });
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator*(lane<T, M> a, lane<T, M> b) {
  if constexpr (detail::is_bool_v<T>) return {a.value && b.value};
  else return detail::wrapped(a, b, [](auto x, auto y) { return x * y; });
}
/// Requires: a floating T; division by zero is IEEE's (POL-24), in constant evaluation too.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator/(lane<T, M> a, lane<T, M> b) {
  if (__builtin_is_constant_evaluated() && b.value == T(0)) {
    using limits = detail::limits_of<T>;
    if (a.value != a.value || a.value == T(0)) return {limits::nan};
    bool const negative = (a.value < T(0)) != detail::is_negative(b.value);
    return {negative ? -limits::infinity : limits::infinity};
  }
  return {a.value / b.value};
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator-(lane<T, M> a) {
  if constexpr (std::is_floating_point_v<T>) return {-a.value};
  else return lane<T, M>{} - a;
}

/// Bits of integers, and of bool, which has one.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator&(lane<T, M> a, lane<T, M> b) {
  return {static_cast<T>(a.value & b.value)};
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator|(lane<T, M> a, lane<T, M> b) {
  return {static_cast<T>(a.value | b.value)};
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> operator^(lane<T, M> a, lane<T, M> b) {
  return {static_cast<T>(a.value ^ b.value)};
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> not_(lane<T, M> a) {
  if constexpr (detail::is_bool_v<T>) return {!a.value};
  else return {static_cast<T>(~a.value)};
}

template <class T, class M> GUARDJIT_HD constexpr lane<T, M> max_(lane<T, M> a, lane<T, M> b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a.value != a.value) return a;
    if (b.value != b.value) return b;
    if (a.value == b.value) return detail::is_negative(a.value) ? b : a;
  }
  return a.value > b.value ? a : b;
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> min_(lane<T, M> a, lane<T, M> b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a.value != a.value) return a;
    if (b.value != b.value) return b;
    if (a.value == b.value) return detail::is_negative(a.value) ? a : b;
  }
  return a.value < b.value ? a : b;
}
/// max_(a, +0), which packets have a shorter way for.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> relu_(lane<T, M> a) {
  return max_(a, lane<T, M>::of(0));
}

/// The lowest integer is its own.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> abs_(lane<T, M> a) {
  if constexpr (std::is_floating_point_v<T>) return {detail::is_negative(a.value) ? -a.value : a.value};
  else if constexpr (std::is_signed_v<T>) return a.value < 0 ? -a : a;
  else return a;
}

namespace detail {
/// `a` rounded by `round_of(whole, rest)`, which gets its whole part and what is left of it; integers and
/// floats that have no other digits stay. The sign stays, of zeros too.
template <class T, class M, class Round>
GUARDJIT_HD constexpr lane<T, M> rounded(lane<T, M> a, Round round_of) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(abs_(a).value < limits_of<T>::no_fraction)) return a;
    T const whole = static_cast<T>(static_cast<std::int64_t>(a.value));
    T const result = abs_(lane<T, M>{round_of(whole, a.value - whole)}).value;
    return {is_negative(a.value) ? -result : result};
  } else {
    return a;
  }
}
}  // namespace detail

template <class T, class M> GUARDJIT_HD constexpr lane<T, M> floor_(lane<T, M> a) {
  return detail::rounded(a, [](auto whole, auto rest) { return rest < 0 ? whole - 1 : whole; });
}
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> ceil_(lane<T, M> a) {
  return detail::rounded(a, [](auto whole, auto rest) { return rest > 0 ? whole + 1 : whole; });
}
/// Ties go to even.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> round_(lane<T, M> a) {
  return detail::rounded(a, [](auto whole, auto rest) {
    auto const half = static_cast<decltype(rest)>(0.5);
    bool const odd = (static_cast<std::int64_t>(whole) & 1) != 0;
    if (rest > half || (rest == half && odd)) return whole + 1;
    return rest < -half || (rest == -half && odd) ? whole - 1 : whole;
  });
}

/// Exact, with the sign of `a`.
template <class T, class M> GUARDJIT_HD inline lane<T, M> fmod_(lane<T, M> a, lane<T, M> b) {
  return {std::fmod(a.value, b.value)};
}

template <class T, class M> GUARDJIT_HD inline lane<T, M> exp_(lane<T, M> a) {
  return {M::exp(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> log_(lane<T, M> a) {
  return {M::log(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> tanh_(lane<T, M> a) {
  return {M::tanh(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> expm1_(lane<T, M> a) {
  return {M::expm1(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> log1p_(lane<T, M> a) {
  return {M::log1p(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> sin_(lane<T, M> a) {
  return {M::sin(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> cos_(lane<T, M> a) {
  return {M::cos(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> erf_(lane<T, M> a) {
  return {M::erf(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> erfc_(lane<T, M> a) {
  return {M::erfc(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> sqrt_(lane<T, M> a) {
  return {std::sqrt(a.value)};
}
/// Integers by repeated squares, in which they wrap. Rules: POL-23.
template <class T, class M> GUARDJIT_HD constexpr lane<T, M> pow_(lane<T, M> a, lane<T, M> b) {
  if constexpr (std::is_floating_point_v<T>) {
    return {M::pow(a.value, b.value)};
  } else {
    lane<T, M> const one{T(1)};
    bool const odd = (b.value & 1) != 0;
    if (b.value < T(0)) return a.value == T(1) ? one : (-a).value == T(1) ? (odd ? a : one) : lane<T, M>{};
    lane<T, M> result = one;
    for (T left = b.value; left != 0; left = static_cast<T>(left >> 1), a = a * a)
      if ((left & 1) != 0) result = result * a;
    return result;
  }
}

template <class T, class M> GUARDJIT_HD constexpr lane<bool, M> lt_(lane<T, M> a, lane<T, M> b) {
  return {a.value < b.value};
}
template <class T, class M> GUARDJIT_HD constexpr lane<bool, M> gt_(lane<T, M> a, lane<T, M> b) {
  return {a.value > b.value};
}
template <class T, class M> GUARDJIT_HD constexpr lane<bool, M> le_(lane<T, M> a, lane<T, M> b) {
  return {a.value <= b.value};
}
template <class T, class M> GUARDJIT_HD constexpr lane<bool, M> eq_(lane<T, M> a, lane<T, M> b) {
  return {a.value == b.value};
}
template <class T, class M>
GUARDJIT_HD constexpr lane<T, M> select_(lane<bool, M> c, lane<T, M> a, lane<T, M> b) {
  return c.value ? a : b;
}

/// Converts one element between dtypes: floats truncate and saturate into integers, NaN gives 0,
/// anything but zero is true, integers wrap. Rules: POL-3, POL-8.
template <element To, element From> GUARDJIT_HD constexpr To convert(From v) {
  if constexpr (std::is_same_v<To, bool>) {
    return v != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using limits = detail::limits_of<To>;
    if (v != v) return To(0);
    if (v <= static_cast<From>(limits::lowest)) return limits::lowest;
    if (v >= static_cast<From>(limits::largest)) return limits::largest;
    return static_cast<To>(v);
  } else {
    return static_cast<To>(v);
  }
}
template <element To, element From, class M>
GUARDJIT_HD constexpr lane<To, M> convert_(lane<From, M> a) {
  return {convert<To>(a.value)};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
