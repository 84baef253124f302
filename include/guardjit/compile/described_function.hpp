// guardjit: compile/described_function.hpp: descriptions as functions that can be traced
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_DESCRIBED_FUNCTION_HPP
#define GUARDJIT_COMPILE_DESCRIBED_FUNCTION_HPP

#include <guardjit/ops/description.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A description that is a constant.
template <auto E> struct described_function {
  constexpr auto operator()(auto const&... arguments) const { return E(arguments...); }
};

/// Whether the type of a description says all but its scalars. A tensor, which `described_call` refused, is
/// no second mistake.
template <class Part> inline constexpr bool type_says_all =
    scalar_side<Part> || std::is_empty_v<Part> || !part_of_description<Part>;
template <class Function, class... Parts>
inline constexpr bool type_says_all<described_call<Function, Parts...>> = (type_says_all<Parts> && ...);
template <class Description>
concept describable_by_type = type_says_all<Description>;

/// The scalars of a description, left to right.
template <class Part> constexpr auto scalars_of(Part const&) { return std::tuple<>{}; }
template <class Scalar> constexpr auto scalars_of(described_scalar<Scalar> const& scalar) {
  return std::tuple<Scalar>{scalar.value()};
}
template <class Function, class... Parts>
constexpr auto scalars_of(described_call<Function, Parts...> const& f) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple_cat(scalars_of(static_cast<indexed_part<K, Parts> const&>(f.parts).value)...);
  }(std::make_integer_sequence<int, int{sizeof...(Parts)}>{});
}

/// The described function over its arguments and scalars: those of part `Part` are numbers `First`
/// and on.
template <class Part, int First> struct part_of_type {
  static constexpr int scalars = scalar_side<Part> ? 1 : 0;
  static constexpr auto value(auto const&... values) {
    if constexpr (scalar_side<Part>) return nth_value<First>(values...);
    else if constexpr (description<Part>) return Part{}(values...);
    else return Part{};
  }
};
template <class Function, class... Parts, int First>
struct part_of_type<described_call<Function, Parts...>, First> {
  static constexpr int scalars = (0 + ... + part_of_type<Parts, 0>::scalars);
  template <int Part> static constexpr int first_of() {
    int first = First, k = 0;
    ((first += k++ < Part ? part_of_type<Parts, 0>::scalars : 0), ...);
    return first;
  }
  template <int... Part>
  static constexpr auto called(std::integer_sequence<int, Part...>, auto const&... values) {
    return Function{}(part_of_type<Parts, first_of<Part>()>::value(values...)...);
  }
  static constexpr auto value(auto const&... values) {
    return called(std::make_integer_sequence<int, int{sizeof...(Parts)}>{}, values...);
  }
};
/// `Description` as a function of its arguments, then its scalars.
template <class Description> struct function_of_type {
  constexpr auto operator()(auto const&... values) const {
    using whole = part_of_type<Description, 0>;
    constexpr int first = int{sizeof...(values)} - whole::scalars;
    return part_of_type<Description, first>::value(values...);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
