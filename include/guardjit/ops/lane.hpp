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
};

/// A lane of one element. A lane type offers `of(double)`, the operators + - * / and unary -,
/// `max_ min_ relu_ exp_ log_ tanh_ sqrt_`, the comparisons `lt_ gt_ le_ eq_` which give a `mask` lane, and
/// `select_(mask, a, b)`; masks offer `& | ^` and `not_`, as integers do. Vector backends model the same
/// names over packets, and name as `Math` the functions that give one element the bits of a packet's
/// lane (POL-17).
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

template <class T, class M> GUARDJIT_HD inline lane<T, M> exp_(lane<T, M> a) {
  return {M::exp(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> log_(lane<T, M> a) {
  return {M::log(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> tanh_(lane<T, M> a) {
  return {M::tanh(a.value)};
}
template <class T, class M> GUARDJIT_HD inline lane<T, M> sqrt_(lane<T, M> a) {
  return {std::sqrt(a.value)};
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
