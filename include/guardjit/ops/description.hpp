// guardjit: ops/description.hpp: functions described by calls on placeholders
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_DESCRIPTION_HPP
#define GUARDJIT_OPS_DESCRIPTION_HPP

#include <guardjit/tensor/operators.hpp>

#include <concepts>
#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// Argument number `Index` of the function that a description describes.
template <int Index> struct placeholder;

/// A call of `Function` on parts: placeholders, other calls, scalars and attributes. All members are
/// public, since a description may be a template argument.
template <class Function, class... Parts> struct described_call;

namespace detail {
template <class Value> inline constexpr bool is_description = false;
template <int Index> inline constexpr bool is_description<placeholder<Index>> = true;
template <class Function, class... Parts>
inline constexpr bool is_description<described_call<Function, Parts...>> = true;
}  // namespace detail

/// A function written down as an expression over placeholders: `0.5f * arg<0> * tanh(arg<1>)`.
template <class Value>
concept description = detail::is_description<std::remove_cvref_t<Value>>;

namespace detail {

/// A scalar of a description by its bits: clang 16 takes no floats in template arguments.
template <class Scalar> struct described_scalar {
  std::uint64_t bits;
  constexpr explicit described_scalar(Scalar value) : bits(0) {
    if constexpr (std::is_floating_point_v<Scalar>)
      bits = __builtin_bit_cast(std::uint64_t, static_cast<double>(value));
    else bits = static_cast<std::uint64_t>(value);
  }
  constexpr Scalar value() const {
    if constexpr (std::is_floating_point_v<Scalar>)
      return static_cast<Scalar>(__builtin_bit_cast(double, bits));
    else return static_cast<Scalar>(bits);
  }
};

template <class Part> struct described_part {
  using type = Part;
};
template <scalar_side Part> struct described_part<Part> {
  using type = described_scalar<Part>;
};

/// Part number `Index` of a call.
template <int Index, class Part> struct indexed_part {
  typename described_part<Part>::type value;
};
template <class Indices, class... Parts> struct indexed_parts;
template <int... Index, class... Parts>
struct indexed_parts<std::integer_sequence<int, Index...>, Parts...> : indexed_part<Index, Parts>... {
};

template <int Index, class First, class... Rest>
constexpr decltype(auto) nth_value(First const& first, Rest const&... rest) {
  if constexpr (Index == 0) return (first);
  else return nth_value<Index - 1>(rest...);
}

/// How many arguments a description needs.
template <class Part> inline constexpr int described_arity = 0;
template <int Index> inline constexpr int described_arity<placeholder<Index>> = Index + 1;
template <class Function, class... Parts>
inline constexpr int described_arity<described_call<Function, Parts...>> = [] {
  int arity = 0;
  ((arity = described_arity<Parts> > arity ? described_arity<Parts> : arity), ...);
  return arity;
}();

/// What a description is made of: tensors are arguments of the function.
template <class Part>
concept part_of_description = description<Part> || !tensor_side<Part>;

/// A description is called with an argument for each placeholder.
template <class Description, int Arguments>
concept has_argument_for_each_placeholder = described_arity<Description> <= Arguments;

/// A part of a description for given arguments.
template <class Part> constexpr Part const& part_for(Part const& attribute, auto const&...) {
  return attribute;
}
template <class Scalar>
constexpr Scalar part_for(described_scalar<Scalar> const& scalar, auto const&...) {
  return scalar.value();
}
template <description Part>
constexpr decltype(auto) part_for(Part const& part, auto const&... arguments) {
  return part.for_arguments(arguments...);
}

/// A function that also takes descriptions; it is then written down, with the line.
/// `Self` is the function object, without state.
template <class Self> struct describable {
  template <description A>
  constexpr auto operator()(A const& a, source_line where = std::source_location::current()) const {
    return described_call<Self, A>(where, a);
  }
  template <class A, class B>
    requires(!std::convertible_to<B, source_line> && (description<A> || description<B>))
  constexpr auto operator()(A const& a, B const& b,
                            source_line where = std::source_location::current()) const {
    return described_call<Self, A, B>(where, a, b);
  }
  template <class A, class B, class C>
    requires(!std::convertible_to<C, source_line> &&
             (description<A> || description<B> || description<C>))
  constexpr auto operator()(A const& a, B const& b, C const& c,
                            source_line where = std::source_location::current()) const {
    return described_call<Self, A, B, C>(where, a, b, c);
  }
  template <class A, class B, class C, class... More>
    requires(sizeof...(More) > 0 &&
             (description<A> || description<B> || description<C> || (description<More> || ...)))
  constexpr auto operator()(A const& a, B const& b, C const& c, More const&... more) const {
    return described_call<Self, A, B, C, More...>(source_line{}, a, b, c, more...);
  }
};

}  // namespace detail

template <int Index> struct placeholder : tensor_operators<placeholder<Index>> {
  template <class... Arguments> constexpr auto operator()(Arguments const&... arguments) const {
    static_assert(detail::has_argument_for_each_placeholder<placeholder, int{sizeof...(Arguments)}>,
                  "guardjit: e(arguments...): an argument for each placeholder of e");
    return for_arguments(arguments...);
  }
  constexpr auto const& for_arguments(auto const&... arguments) const {
    return detail::nth_value<Index>(arguments...);
  }
};

template <class Function, class... Parts>
struct described_call : tensor_operators<described_call<Function, Parts...>> {
  static_assert((detail::part_of_description<Parts> && ...),
                "guardjit: an expression over placeholders: tensors are arguments of the described "
                "function: arg<1> in their place, and compile(e, bind(w))");

  detail::indexed_parts<std::make_integer_sequence<int, int{sizeof...(Parts)}>, Parts...> parts;
  std::uint32_t line;

  constexpr explicit described_call(source_line where, Parts const&... values)
      : parts{{typename detail::described_part<Parts>::type(values)}...}, line(where.line) {}

  /// The described function of these arguments: in a trace its nodes, on tensors an expression, on
  /// placeholders another description.
  template <class... Arguments> constexpr auto operator()(Arguments const&... arguments) const {
    static_assert(
        detail::has_argument_for_each_placeholder<described_call, int{sizeof...(Arguments)}>,
        "guardjit: e(arguments...): an argument for each placeholder of e");
    return for_arguments(arguments...);
  }
  constexpr auto for_arguments(auto const&... arguments) const {
    return with_parts(std::make_integer_sequence<int, int{sizeof...(Parts)}>{}, arguments...);
  }

 private:
  template <int... Index>
  constexpr auto with_parts(std::integer_sequence<int, Index...>, auto const&... arguments) const {
    source_line const where("", line);
    return call(where,
                detail::part_for(
                    static_cast<detail::indexed_part<Index, Parts> const&>(parts).value,
                    arguments...)...);
  }
  /// Functions of a line take it last.
  static constexpr auto call(source_line const& where, auto const&... values) {
    if constexpr (requires { Function{}(values..., where); }) return Function{}(values..., where);
    else return Function{}(values...);
  }
};

/// The arguments of a described function: `compile<0.5f * arg<0> * (1.0f + tanh(arg<0>))>()`.
template <int Index> inline constexpr placeholder<Index> arg{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
