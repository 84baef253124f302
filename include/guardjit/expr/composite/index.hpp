// guardjit: expr/composite/index.hpp: what x(index, …) does: a select, slice or new axis for each index
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_INDEX_HPP
#define GUARDJIT_EXPR_COMPOSITE_INDEX_HPP

#include <guardjit/expr/composite/unsqueeze.hpp>
#include <guardjit/tensor/indexable.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Whether an index takes an axis of the operand.
template <class Index>
inline constexpr bool takes_axis = number_bound<Index> || std::is_same_v<Index, range> ||
                                   std::is_same_v<Index, full_extent_t>;

template <class X> constexpr auto index_from(X const& x, int, source_line) { return x; }

/// The indices from that of axis `axis` on. Recursive, since each view has a type of its own.
template <class X, class First, class... Rest>
constexpr auto index_from(X const& x, int axis, source_line where, First const& first,
                          Rest const&... rest) {
  if constexpr (number_bound<First>) {
    auto const place = static_cast<index_t>(first);
    return index_from(select(x, axis, place, where), axis, where, rest...);
  } else if constexpr (std::is_same_v<First, range>) {
    return index_from(slice(x, axis, first.start, first.stop, first.step, where), axis + 1, where,
                      rest...);
  } else if constexpr (std::is_same_v<First, newaxis_t>) {
    return index_from(unsqueeze(x, axis, where), axis + 1, where, rest...);
  } else if constexpr (std::is_same_v<First, ellipsis_t>) {
    constexpr int behind = (0 + ... + int{takes_axis<Rest>});
    int const next = x.rank() - behind;
    return index_from(x, next < axis ? axis : next, where, rest...);
  } else if constexpr (std::is_same_v<First, full_extent_t>) {
    normal_axes(x, op::slice, axes(axis), where);  // refuses one too many
    return index_from(x, axis + 1, where, rest...);
  } else {
    return index_from(x, axis, where, rest...);
  }
}

}  // namespace detail

/// What the call operator of tensors, expressions and symbols does.
template <tensor_operand X, class... Index>
constexpr auto apply_index(X const& x, source_line where, Index const&... indices) {
  constexpr int ellipses = (0 + ... + int{std::is_same_v<Index, ellipsis_t>});
  static_assert(ellipses <= 1, "guardjit: x(index, ...): there may be one ellipsis");
  return detail::index_from(x, 0, where, indices...);
}

/// `x(indices…)` for any number of indices, none among them, and also where they name an element.
template <tensor_operand X, index_like... Index>
constexpr auto index(X const& x, Index const&... indices) {
  return apply_index(x, source_line{}, indices...);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
