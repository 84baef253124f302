// guardjit: expr/composite/softmax.hpp: exponentials of a row, divided by their sum
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_SOFTMAX_HPP
#define GUARDJIT_EXPR_COMPOSITE_SOFTMAX_HPP

#include <guardjit/expr/composite/row_maximum.hpp>
#include <guardjit/expr/row_expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

struct softmax_body {
  static constexpr op checks = op::amax;
  static constexpr auto call(auto const& x, int axis, source_line line) {
    auto const values = as_floating(x, line);
    auto const powers = exp(sub(values, row_maximum(values, axes(axis), line), line), line);
    return mul(powers, reciprocal(sum(powers, axes(axis), keepdims, line), line), line);
  }
};

/// `finish(taken, apart, powers, total)` of a row of which a mask takes some places: which, how far each is
/// from the largest of them, e to the power of that, and its sum.
constexpr auto masked_row(auto const& x, auto const& mask, int axis, source_line line,
                          auto const& finish) {
  auto const taken = mask_takes(mask, line);
  auto const values =
      guardjit::where(taken, mask_adds(as_floating(x, line), mask, line), -row_infinity, line);
  auto const apart = sub(values, row_maximum(values, axes(axis), line), line);
  auto const powers = guardjit::where(taken, exp(apart, line), 0, line);
  return finish(taken, apart, powers, sum(powers, axes(axis), keepdims, line));
}

struct masked_softmax_body {
  static constexpr op checks = op::amax;
  static constexpr auto call(auto const& x, auto const& mask, int axis, source_line line) {
    return masked_row(x, mask, axis, line,
                      [line](auto const& taken, auto const&, auto const& powers, auto const& total) {
                        auto const scaled = mul(powers, reciprocal(total, line), line);
                        return guardjit::where(taken, scaled, 0, line);
                      });
  }
};

/// A function of a row, or of the places of a row that a mask takes.
template <class Body, class MaskedBody>
struct masked_row_function : describable<masked_row_function<Body, MaskedBody>> {
  using describable<masked_row_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X const& x, int axis = -1,
                            source_line where = std::source_location::current()) const {
    return apply_row<Body>(axis, where, x);
  }
  template <tensor_operand X, tensor_operand Mask>
  constexpr auto operator()(X const& x, int axis, Mask const& mask,
                            source_line where = std::source_location::current()) const {
    return apply_row<MaskedBody>(axis, where, x, mask);
  }
};

using softmax_function = masked_row_function<softmax_body, masked_softmax_body>;

}  // namespace detail

/// exp(x - amax(x)) / sum of these, along `axis`: `softmax(x)`, `softmax(x, 0)`. With a mask, which is
/// broadcast, `softmax(x, axis, mask)`: places that a bool mask has not set, or to which a float mask would
/// add -inf, count as absent and are 0; a float mask is added to the others.
/// Shapes: as x. Dtypes: floats; integers and bool give f64. The mask is bool or a float.
/// Throws: `index_error` where there is no such axis.
/// Modes: `amax`, `sub`, `exp`, `sum`, `reciprocal`, `mul`, and `to` for integers and bool; with a mask also
/// `where`, and for floats `ne` and `add`. Rules: POL-10.
inline constexpr detail::softmax_function softmax{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
