// guardjit: expr/composite/softmax.hpp: exponentials of a row, divided by their sum
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_SOFTMAX_HPP
#define GUARDJIT_EXPR_COMPOSITE_SOFTMAX_HPP

#include <guardjit/expr/composite/as_floating.hpp>
#include <guardjit/expr/row_expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
struct softmax_body {
  static constexpr row_shape shape = row_shape::same;
  static constexpr op checks = op::amax;
  static constexpr auto call(auto const& x, int axis, source_line where) {
    auto const values = as_floating(x, where);
    auto const powers = exp(sub(values, amax(values, axes(axis), keepdims, where), where), where);
    return div(powers, sum(powers, axes(axis), keepdims, where), where);
  }
};
}  // namespace detail

/// exp(x - amax(x)) / sum of these, along `axis`.
/// Shapes: as x. Dtypes: floats; integers and bool give f64.
/// Throws: `index_error` where there is no such axis; `shape_error` where its extent is 0.
/// Modes: `amax`, `sub`, `exp`, `sum`, `div`, and `to` for integers and bool. Rules: POL-10.
inline constexpr detail::row_function<detail::softmax_body> softmax{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
