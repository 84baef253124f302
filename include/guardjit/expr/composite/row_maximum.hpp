// guardjit: expr/composite/row_maximum.hpp: what functions of rows begin with: largest element, mask
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_ROW_MAXIMUM_HPP
#define GUARDJIT_EXPR_COMPOSITE_ROW_MAXIMUM_HPP

#include <guardjit/expr/composite/as_floating.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

inline constexpr float row_infinity = limits_of<float>::infinity;

/// The largest element along axes, which stay; -inf of none.
template <class X, class Axes> constexpr auto row_maximum(X const& x, Axes named, source_line line) {
  attributes extra;
  extra.lowest_of_none = true;
  return reduced<op::amax, true>(x, named, line, extra);
}

/// Whether places take part: where a bool mask is true, a float mask not -inf.
template <class Mask> constexpr auto mask_takes(Mask const& mask, source_line line) {
  if constexpr (typed_operand<Mask>) {
    if constexpr (is_floating(Mask::type())) return ne(mask, -row_infinity, line);
    else return mask;
  } else {
    return is_floating(mask.type()) ? ne(mask, -row_infinity, line) : mask;
  }
}
/// What a mask makes of the places that take part: a float mask is added.
template <class X, class Mask>
constexpr auto mask_adds(X const& x, Mask const& mask, source_line line) {
  if constexpr (typed_operand<X> && typed_operand<Mask>) {
    if constexpr (is_floating(Mask::type())) return add(x, mask, line);
    else return x;
  } else {
    return is_floating(mask.type()) ? add(x, mask, line) : decltype(add(x, mask, line))(x);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
