// guardjit: tensor/operators.hpp: operators of tensors, which know the user's line
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_OPERATORS_HPP
#define GUARDJIT_TENSOR_OPERATORS_HPP

#include <guardjit/base/source_line.hpp>

#include <type_traits>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The operand that owns an operator. It is not deduced, so that it may arrive by a conversion, and
/// the conversion notes the user's line.
/// Lifetime: one full expression.
template <class Operand> struct located {
  Operand& value;
  source_line where;
  bool is_temporary = false;
  constexpr located(Operand& x, std::source_location l = std::source_location::current()) noexcept
      : value(x), where(l) {}
  constexpr located(std::remove_const_t<Operand>&& x,
                    std::source_location l = std::source_location::current()) noexcept
    requires std::is_const_v<Operand>
      : value(x), where(l), is_temporary(true) {}
};

/// The operand, moved from where it is a temporary: a chain of operators hands its operands on.
template <class Operand> constexpr std::remove_const_t<Operand> taken(located<Operand> const& x) {
  using type = std::remove_const_t<Operand>;
  return x.is_temporary ? type(static_cast<type&&>(const_cast<type&>(x.value))) : type(x.value);
}
/// What is evaluated later, as it arrived: each copy of an expression would be code that each op has.
template <class Operand>
  requires requires { typename Operand::result_type; }
constexpr located<Operand> const& taken(located<Operand> const& x) {
  return x;
}
template <class Operand> constexpr source_line line_of(located<Operand> const& x) { return x.where; }
/// An operand that knows its line by itself.
template <class Operand> constexpr Operand const& taken(Operand const& x) { return x; }
template <class Operand> constexpr source_line line_of(Operand const& x) { return x.line(); }

/// Names an operator for `apply_operator`, which argument-dependent lookup finds in a later layer: by
/// its sign, or `l` for `<=`, `g` for `>=`, `!` for `!=`, `=` for `==`.
template <char Sign> struct operator_tag {};

template <class Value>
concept tensor_side = requires {
  typename std::remove_cvref_t<Value>::has_tensor_operators;
};
template <class Value>
concept scalar_side = std::is_arithmetic_v<std::remove_cvref_t<Value>>;
template <class Value>
concept operator_side = scalar_side<Value> || tensor_side<Value>;

}  // namespace detail

/// The operators `+ - * /`, unary `-`, `< > <= >= == !=` and `& | ^ ~`, element by element, of a
/// tensor type that derives from it. The other side is a tensor of any type or a C++ scalar. `Side`
/// is how the operand that owns an operator arrives.
///
/// Line of a call: that of the operator. `a == b` and `a != b` for tensors of two types have no line;
/// `eq(a, b)` has one.
/// Modes: each is the op of its function form. Rules: M22.
template <class Derived, class Side = detail::located<Derived const>>
class tensor_operators {
 public:
  using has_tensor_operators = Derived;

  template <detail::operator_side Other> friend constexpr auto operator+(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'+'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator+(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'+'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator-(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'-'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator-(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'-'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator*(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'*'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator*(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'*'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator/(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'/'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator/(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'/'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator<(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'<'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator<(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'<'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator>(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'>'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator>(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'>'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator<=(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'l'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator<=(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'l'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator>=(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'g'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator>=(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'g'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator&(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'&'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator&(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'&'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator|(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'|'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator|(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'|'>{}, detail::line_of(b), a, detail::taken(b));
  }
  template <detail::operator_side Other> friend constexpr auto operator^(Side a, Other&& b) {
    return apply_operator(detail::operator_tag<'^'>{}, detail::line_of(a), detail::taken(a),
                          std::forward<Other>(b));
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator^(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'^'>{}, detail::line_of(b), a, detail::taken(b));
  }
  friend constexpr auto operator-(Side a) {
    return apply_operator(detail::operator_tag<'-'>{}, detail::line_of(a), detail::taken(a));
  }
  friend constexpr auto operator~(Side a) {
    return apply_operator(detail::operator_tag<'~'>{}, detail::line_of(a), detail::taken(a));
  }

  // `==` may be called with its sides exchanged, so that a converted side on the left and a deduced
  // one on the right would be ambiguous between two tensor types. `!=` must match as well, or it would
  // be made of `==`.
  friend constexpr auto operator==(Side a, Side b) {
    return apply_operator(detail::operator_tag<'='>{}, detail::line_of(a), detail::taken(a),
                          detail::taken(b));
  }
  template <detail::tensor_side Other>
  requires(!std::is_same_v<Other, Derived>) friend constexpr auto operator==(Derived const& a,
                                                                             Other const& b) {
    return apply_operator(detail::operator_tag<'='>{}, source_line{}, a, b);
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator==(Side a, Scalar b) {
    return apply_operator(detail::operator_tag<'='>{}, detail::line_of(a), detail::taken(a), b);
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator==(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'='>{}, detail::line_of(b), a, detail::taken(b));
  }
  friend constexpr auto operator!=(Side a, Side b) {
    return apply_operator(detail::operator_tag<'!'>{}, detail::line_of(a), detail::taken(a),
                          detail::taken(b));
  }
  template <detail::tensor_side Other>
  requires(!std::is_same_v<Other, Derived>) friend constexpr auto operator!=(Derived const& a,
                                                                             Other const& b) {
    return apply_operator(detail::operator_tag<'!'>{}, source_line{}, a, b);
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator!=(Side a, Scalar b) {
    return apply_operator(detail::operator_tag<'!'>{}, detail::line_of(a), detail::taken(a), b);
  }
  template <detail::scalar_side Scalar> friend constexpr auto operator!=(Scalar a, Side b) {
    return apply_operator(detail::operator_tag<'!'>{}, detail::line_of(b), a, detail::taken(b));
  }
};

/// The operators `+= -= *= /=` of a tensor type, which write into its elements.
/// Modes: as the op of the same sign. Rules: M22, N53.
template <class Derived> class in_place_operators {
  using place = detail::located<Derived>;

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
