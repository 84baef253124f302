// guardjit: expr/composite/logsumexp.hpp: the logarithm of the sum of exponentials, without overflow
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_LOGSUMEXP_HPP
#define GUARDJIT_EXPR_COMPOSITE_LOGSUMEXP_HPP

#include <guardjit/expr/composite/row_maximum.hpp>
#include <guardjit/expr/row_expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

struct logsumexp_body {
  static constexpr op checks = op::amax;
  /// Over one axis, or over others than a row.
  static constexpr auto call(auto const& x, int axis, source_line line) { return over(x, axes(axis), line); }
  static constexpr auto over(auto const& x, auto named, source_line line) {
    auto const values = as_floating(x, line);
    auto const largest = row_maximum(values, named, line);
    // An infinite one is not subtracted: infinities and NaN then come out of the sum.
    auto const base = guardjit::where(lt(abs(largest, line), row_infinity, line), largest, 0, line);
    auto const total = reduced<op::sum, true>(exp(sub(values, base, line), line), named, line);
    return add(log(total, line), base, line);
  }
};

struct logsumexp_function : describable<logsumexp_function> {
  using describable<logsumexp_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X const& x, source_line where = std::source_location::current()) const {
    return of<row_shape::dropped>(x, every_axis{}, where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X const& x, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return of<row_shape::one>(x, every_axis{}, where);
  }
  template <tensor_operand X, int Count>
  constexpr auto operator()(X const& x, axes<Count> named,
                            source_line where = std::source_location::current()) const {
    return of<row_shape::dropped>(x, named, where);
  }
  template <tensor_operand X, int Count>
  constexpr auto operator()(X const& x, axes<Count> named, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return of<row_shape::one>(x, named, where);
  }

 private:
  template <row_shape Shape, class Axes>
  static constexpr auto of(auto const& x, Axes named, source_line where) {
    if constexpr (axis_count<Axes> == 1) return apply_row<logsumexp_body, Shape>(named[0], where, x);
    else if constexpr (Shape == row_shape::one) return logsumexp_body::over(x, named, where);
    else return without_axes(logsumexp_body::over(x, named, where), op::amax, named, where);
  }
};

}  // namespace detail

/// log(sum(exp(x))) over all or the named axes: `logsumexp(x, axes(1), keepdims)`. Of no elements, and of
/// -inf alone, it is -inf; +inf without NaN gives +inf.
/// Shapes: N20. Dtypes: floats; integers and bool give f64.
/// Throws: `index_error` where there is no such axis.
/// Complexity: along one axis one kernel, along others three.
/// Modes: `amax`, `abs`, `lt`, `where`, `sub`, `exp`, `sum`, `log`, `add`, `to` for integers and bool, and
/// without `keepdims` `reshape`. Rules: N20, POL-7, POL-10.
inline constexpr detail::logsumexp_function logsumexp{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
