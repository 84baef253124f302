// guardjit: tensor/operators.hpp: operators of tensors, which know the user's line
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_OPERATORS_HPP
#define GUARDJIT_TENSOR_OPERATORS_HPP

#include <guardjit/base/source_line.hpp>

#include <type_traits>

namespace guardjit::inline GUARDJIT_ABI {

template <class Derived> class tensor_operators;

namespace detail {

/// The operand that owns an operator. It is not deduced, so that it may arrive by a conversion, and
/// the conversion notes the user's line.
/// Lifetime: one full expression.
template <class Operand> struct located {
  Operand& value;
  source_line where;
  constexpr located(Operand& x, std::source_location l = std::source_location::current()) noexcept
      : value(x), where(l) {}
};

/// Names an operator for `apply_operator`, which argument-dependent lookup finds in a later layer: by
/// its sign, or `l` for `<=`, `g` for `>=`, `!` for `!=`, `=` for `==`.
template <char Sign> struct operator_tag {};

template <class Value> struct is_tensor_operand : std::is_base_of<tensor_operators<Value>, Value> {
};
template <class Value>
concept tensor_side = is_tensor_operand<Value>::value;
template <class Value>
concept scalar_side = std::is_arithmetic_v<Value>;
template <class Value>
concept operator_side = scalar_side<Value> || tensor_side<Value>;

}  // namespace detail

/// The operators `+ - * /`, unary `-`, `< > <= >= == !=`, `& | ^ ~` (element by element) and
/// `+= -= *= /=` of a tensor type that derives from it. The other side is a tensor of any type or a
/// C++ scalar.
///
/// Line of a call: that of the operator. `a == b` and `a != b` for tensors of two types have no line;
/// `eq(a, b)` has one.
/// Modes: each is the op of its function form. Rules: M22.
template <class Derived> class tensor_operators {
  using here = detail::located<Derived const>;
  using place = detail::located<Derived>;

  template <detail::operator_side Other> friend auto operator+(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'+'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator+(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'+'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator-(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'-'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator-(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'-'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator*(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'*'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator*(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'*'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator/(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'/'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator/(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'/'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator<(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'<'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator<(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'<'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator>(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'>'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator>(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'>'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator<=(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'l'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator<=(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'l'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator>=(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'g'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator>=(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'g'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator&(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'&'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator&(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'&'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator|(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'|'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator|(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'|'>{}, b.where, a, b.value);
  }
  template <detail::operator_side Other> friend auto operator^(here a, Other const& b) {
    return apply_operator(detail::operator_tag<'^'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator^(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'^'>{}, b.where, a, b.value);
  }
  friend auto operator~(here a) { return apply_operator(detail::operator_tag<'~'>{}, a.where, a.value); }
  friend auto operator-(here a) {
    return apply_operator(detail::operator_tag<'-'>{}, a.where, a.value);
  }

  // `==` may be called with its sides exchanged, so that a converted side on the left and a deduced
  // one on the right would be ambiguous between two tensor types. `!=` must match as well, or it would
  // be made of `==`.
  friend auto operator==(here a, here b) {
    return apply_operator(detail::operator_tag<'='>{}, a.where, a.value, b.value);
  }
  template <detail::tensor_side Other>
  requires(!std::is_same_v<Other, Derived>) friend auto operator==(Derived const& a,
                                                                   Other const& b) {
    return apply_operator(detail::operator_tag<'='>{}, source_line{}, a, b);
  }
  template <detail::scalar_side Scalar> friend auto operator==(here a, Scalar b) {
    return apply_operator(detail::operator_tag<'='>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator==(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'='>{}, b.where, a, b.value);
  }

  friend auto operator!=(here a, here b) {
    return apply_operator(detail::operator_tag<'!'>{}, a.where, a.value, b.value);
  }
  template <detail::tensor_side Other>
  requires(!std::is_same_v<Other, Derived>) friend auto operator!=(Derived const& a,
                                                                   Other const& b) {
    return apply_operator(detail::operator_tag<'!'>{}, source_line{}, a, b);
  }
  template <detail::scalar_side Scalar> friend auto operator!=(here a, Scalar b) {
    return apply_operator(detail::operator_tag<'!'>{}, a.where, a.value, b);
  }
  template <detail::scalar_side Scalar> friend auto operator!=(Scalar a, here b) {
    return apply_operator(detail::operator_tag<'!'>{}, b.where, a, b.value);
  }

  template <detail::operator_side Other> friend Derived& operator+=(place a, Other const& b) {
    return apply_in_place(detail::operator_tag<'+'>{}, a.where, a.value, b);
  }
  template <detail::operator_side Other> friend Derived& operator-=(place a, Other const& b) {
    return apply_in_place(detail::operator_tag<'-'>{}, a.where, a.value, b);
  }
  template <detail::operator_side Other> friend Derived& operator*=(place a, Other const& b) {
    return apply_in_place(detail::operator_tag<'*'>{}, a.where, a.value, b);
  }
  template <detail::operator_side Other> friend Derived& operator/=(place a, Other const& b) {
    return apply_in_place(detail::operator_tag<'/'>{}, a.where, a.value, b);
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
