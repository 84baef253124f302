// guardjit: expr/composite/var.hpp: variance and standard deviation, in two passes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_VAR_HPP
#define GUARDJIT_EXPR_COMPOSITE_VAR_HPP

#include <guardjit/expr/composite/as_floating.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What may stand behind x, each once: axes, a correction, `keepdims`.
template <class Option>
concept variance_option = (axis_count<Option> >= 0) || std::same_as<Option, correction> ||
                          std::same_as<Option, keepdims_t>;
template <class... Options>
concept variance_options =
    (variance_option<Options> && ...) && (int{axis_count<Options> >= 0} + ... + 0) <= 1 &&
    (int{std::same_as<Options, correction>} + ... + 0) <= 1 &&
    (int{std::same_as<Options, keepdims_t>} + ... + 0) <= 1;

constexpr every_axis axes_among() { return {}; }
template <class First> constexpr auto axes_among(First const& first, auto const&... rest) {
  if constexpr (axis_count<First> >= 0) return first;
  else return axes_among(rest...);
}
constexpr correction correction_among() { return {}; }
template <class First> constexpr correction correction_among(First const& first, auto const&... rest) {
  if constexpr (std::same_as<First, correction>) return first;
  else return correction_among(rest...);
}

/// The variance, or its square root.
template <bool IsRoot> struct variance_function : describable<variance_function<IsRoot>> {
  using describable<variance_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X const& x, source_line where = std::source_location::current()) const {
    return of(x, where);
  }
  template <tensor_operand X, class A>
    requires variance_options<A>
  constexpr auto operator()(X const& x, A const& a,
                            source_line where = std::source_location::current()) const {
    return of(x, where, a);
  }
  template <tensor_operand X, class A, class B>
    requires variance_options<A, B>
  constexpr auto operator()(X const& x, A const& a, B const& b,
                            source_line where = std::source_location::current()) const {
    return of(x, where, a, b);
  }
  template <tensor_operand X, class A, class B, class C>
    requires variance_options<A, B, C>
  constexpr auto operator()(X const& x, A const& a, B const& b, C const& c,
                            source_line where = std::source_location::current()) const {
    return of(x, where, a, b, c);
  }

 private:
  template <class X, class... Options>
  static constexpr auto of(X const& x, source_line where, Options const&... options) {
    constexpr bool keeps = (std::same_as<Options, keepdims_t> || ...);
    auto const named = axes_among(options...);
    attributes corrected;
    corrected.correction = correction_among(options...).value;
    auto const values = as_double(x, where);
    auto const apart = sub(values, reduced<op::mean, true>(values, named, where), where);
    auto const variance = reduced<op::mean, keeps>(square(apart, where), named, where, corrected);
    if constexpr (IsRoot) return as_averaged(x, sqrt(variance, where), where);
    else return as_averaged(x, variance, where);
  }
};

}  // namespace detail

/// The variance over all or the named axes: `var(x)`, `var(x, axes(0), correction(0), keepdims)`. The sum
/// of squares is divided by the number of elements less `correction`, by default 1; not above it: NaN.
/// Dtypes: integers and bool give f64; f32 is computed in f64.
/// Complexity: two passes; in a compiled function one kernel along the last axis, else two.
/// Modes: `mean` twice, `sub`, `square`, and `to` for other dtypes than f64. Rules: N22, POL-7, POL-9.
inline constexpr detail::variance_function<false> var{};
/// The standard deviation: the square root of `var`. Modes:, Rules: as `var`, and `sqrt`.
inline constexpr detail::variance_function<true> std{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
