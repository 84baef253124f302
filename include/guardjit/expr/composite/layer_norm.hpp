// guardjit: expr/composite/layer_norm.hpp: elements less their mean, divided by their standard deviation
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_LAYER_NORM_HPP
#define GUARDJIT_EXPR_COMPOSITE_LAYER_NORM_HPP

#include <guardjit/expr/composite/as_floating.hpp>
#include <guardjit/expr/row_expression.hpp>
#include <guardjit/tensor/any_tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// In place of an operand that is left out.
struct nothing_t {};
inline constexpr nothing_t nothing{};

namespace detail {

template <class W>
concept weights_or_nothing = tensor_operand<W> || std::same_as<W, nothing_t>;
/// Weights have an axis for each named one.
template <class W, int Count>
concept weights_for_axes = !typed_operand<W> || requires { requires W::rank() == Count; };

/// How many elements lie along the axes whose bits are set, one at least; an extent of a trace is a symbol.
constexpr auto count_along(auto const& x, unsigned bits) {
  int axis = 0;
  while ((bits >> axis & 1u) == 0) ++axis;
  auto count = x.extent(axis);
  for (++axis; axis < x.rank(); ++axis)
    if ((bits >> axis & 1u) != 0) count = count * x.extent(axis);
  return count;
}

struct normalized_body {
  static constexpr op checks = op::sum;
  static constexpr auto call(auto const& x, auto eps, int axis, source_line line) {
    return over(x, eps, axes(axis), line);
  }
  static constexpr auto over(auto const& x, auto const& eps, auto named, source_line line) {
    auto const values = as_floating(x, line);
    auto const count = count_along(values, axis_bits(values, op::sum, named, line));
    auto const mean_of = [&](auto const& v) {
      return div(reduced<op::sum, true>(v, named, line), count, line);
    };
    auto const first = sub(values, mean_of(values), line);
    // The mean was rounded: what is left of it counts where elements differ by less than their size.
    auto const apart = sub(first, mean_of(first), line);
    auto const variance = mean_of(square(apart, line));
    return mul(apart, rsqrt(add(variance, eps, line), line), line);
  }
};

/// `w`, whose axes are the named ones of x in their order, as a view that broadcasts to x.
template <class X, class W, int Count>
constexpr auto along_axes(X const& x, W const& w, axes<Count> named, source_line line) {
  static_assert(weights_for_axes<W, Count>,
                "guardjit: layer_norm(x, axes, w, b): w and b must have an axis for each named one");
  if constexpr (std::same_as<X, any_tensor> && !std::same_as<W, any_tensor>) {
    return along_axes(x, any_tensor(w), named, line);
  } else {
    unsigned const bits = axis_bits(x, op::sum, named, line);
    if (w.rank() != Count)
      refuse_axis(w, op::expand, w.rank(), Count,
                  w.rank() < Count ? mistake_kind::rank_too_low : mistake_kind::rank_too_high, line);
    attributes apart, whole, last;
    int next = 0;
    for (int d = 0; d < x.rank(); ++d) {
      bool const is_named = (bits >> d & 1u) != 0;
      apart.target[apart.target.rank++] = is_named && next < w.rank() ? to_extent(w.extent(next++)) : 1;
      whole.target[whole.target.rank++] = is_named ? to_extent(x.extent(d)) : 1;
      if (is_named) last.target[last.target.rank++] = to_extent(x.extent(d));
    }
    // Named axes that are the last ones need no others between them, where the rank is no type.
    if constexpr (!typed_operand<X>)
      if (bits >> (x.rank() - Count) == (1u << Count) - 1)
        return apply_op(op_tag<op::expand>{}, last, line, w);
    constexpr int rank = rank_without<X, axes<0>>();
    return apply_op(op_tag<op::expand, rank>{}, whole, line,
                    apply_op(op_tag<op::reshape, rank>{}, apart, line, w));
  }
}

struct layer_norm_function : describable<layer_norm_function> {
  using describable<layer_norm_function>::operator();

  template <tensor_operand X, int Count, weights_or_nothing W = nothing_t, weights_or_nothing B = nothing_t>
  constexpr auto operator()(X const& x, axes<Count> named, W const& w = {}, B const& b = {},
                            double eps = 1e-5,
                            source_line where = std::source_location::current()) const {
    auto const result = normalized(x, named, eps, where);
    if constexpr (std::same_as<W, nothing_t> && std::same_as<B, nothing_t>) {
      return result;
    } else if constexpr (std::same_as<B, nothing_t>) {
      return mul(result, along_axes(x, w, named, where), where);
    } else if constexpr (std::same_as<W, nothing_t>) {
      return add(result, along_axes(x, b, named, where), where);
    } else {
      return add(mul(result, along_axes(x, w, named, where), where), along_axes(x, b, named, where), where);
    }
  }

 private:
  template <int Count>
  static constexpr auto normalized(auto const& x, axes<Count> named, double eps, source_line where) {
    if constexpr (Count == 1) return apply_row<normalized_body>(named[0], where, x, eps);
    else return normalized_body::over(x, eps, named, where);
  }
};

}  // namespace detail

/// (x - mean) / sqrt(variance + eps) over the named axes, with correction 0, times `w`, plus `b`:
/// `layer_norm(x, axes(-1), w, b, eps)`. `nothing` stands for weights that are left out before others.
/// Shapes: as x; `w` and `b` have the named axes, in the order of x. Dtypes: floats; integers and bool give
/// f64. f32 computes in f32, so that elements from 2^63 on overflow.
/// Throws: `index_error` for a wrong axis, `shape_error` for weights of another shape.
/// Complexity: in a compiled function one kernel along the last axis.
/// Modes: `sum` and `div` three times, `sub` twice, `square`, `add`, `rsqrt`, `mul`, `to` for integers and
/// bool; for weights `expand`, `mul` and `add`, and `reshape` where their axes are not the last. Rules: N20.
inline constexpr detail::layer_norm_function layer_norm{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
