// guardjit: expr/composite/split.hpp: pieces of a tensor along one axis
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_SPLIT_HPP
#define GUARDJIT_EXPR_COMPOSITE_SPLIT_HPP

#include <guardjit/expr/composite/unsqueeze.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// Extents of the pieces of `split`: `sizes(2, 0, 5)`; in a trace also `sizes(x.extent(0) - 1, 1)`.
template <int Count> struct sizes {
  std::array<index_t, Count> list{};
  template <extent_like... Extent>
    requires(sizeof...(Extent) == Count && Count > 0)
  constexpr explicit sizes(Extent const&... extent) : list{to_extent(extent)...} {}
};
template <extent_like... Extent> sizes(Extent const&...) -> sizes<static_cast<int>(sizeof...(Extent))>;

namespace detail {

/// `extent + more`; in a trace of symbols.
template <class X> constexpr index_t sum_of_extents(X const& x, index_t extent, index_t more) {
  if constexpr (std::is_same_v<X, sym>) return x.trace()->add(extent, more);
  else return extent + more;
}
template <class X>
constexpr index_t part_of_extent(X const& x, index_t extent, index_t parts, source_line where) {
  if constexpr (std::is_same_v<X, sym>) {
    x.trace()->begin(op::slice, where);
    x.trace()->require_multiple(extent, parts);
    return x.trace()->div(extent, parts);
  } else {
    known_extents context{op::slice};
    context.require_multiple(extent, parts);
    if (context.wrong) raise_mistake(context.wrong, fixed_text{} << "; " << where);
    return extent / parts;
  }
}

/// The piece from `start` to `stop`, whose extents are at hand.
template <class X> constexpr auto piece_of(X const& x, int axis, index_t start, index_t stop,
                                           source_line where) {
  attributes extra;
  extra.axis = static_cast<std::int8_t>(axis);
  extra.start = start;
  extra.stop = stop;
  return apply_op(op_tag<op::slice>{}, extra, where, x);
}

template <class X, int Count, int... Piece>
constexpr auto pieces_of(X const& x, int axis, std::array<index_t, Count + 1> const& bounds,
                         source_line where, std::integer_sequence<int, Piece...>) {
  return std::array{piece_of(x, axis, bounds[Piece], bounds[Piece + 1], where)...};
}

}  // namespace detail

/// Views of the named extents along an axis, as an array: `split(x, sizes(2, 0, 5), 1)`.
/// Throws: `index_error` where there is no such axis; `shape_error` where the sizes are negative or
/// do not add up to its extent.
/// Modes: `slice`, once a piece. Rules: N2, N5, N50.
template <tensor_operand X, int Count>
constexpr auto split(X const& x, sizes<Count> const& named, int axis = -1,
                     source_line where = std::source_location::current()) {
  int const along = detail::normal_axes(x, op::slice, axes(axis), where)[0];
  std::array<index_t, Count + 1> bounds{};
  for (unsigned k = 0; k < Count; ++k) {
    index_t const size = named.list[k];
    if (size < 0 && !is_symbol(size))
      detail::refuse_axis(x, op::slice, static_cast<int>(size), 0, mistake_kind::extent_is_negative,
                          where);
    bounds[k + 1] = detail::sum_of_extents(x, bounds[k], size);
  }
  detail::require_extent(x, op::slice, bounds[Count], detail::extents_of(x)[along],
                         mistake_kind::pieces_miss_extent, along, where);
  return detail::pieces_of<X, Count>(x, along, bounds, where,
                                     std::make_integer_sequence<int, Count>{});
}

/// `Pieces` views of equal extents along an axis, as an array: `split<3>(x)`.
/// Throws: `index_error` where there is no such axis; `shape_error` where the number of pieces does
/// not divide its extent.
/// Modes: `slice`, once a piece. Rules: N2, N5, N50.
template <int Pieces, tensor_operand X>
  requires(Pieces > 0)
constexpr auto split(X const& x, int axis = -1,
                     source_line where = std::source_location::current()) {
  int const along = detail::normal_axes(x, op::slice, axes(axis), where)[0];
  index_t const part = detail::part_of_extent(x, detail::extents_of(x)[along], Pieces, where);
  std::array<index_t, Pieces + 1> bounds{};
  for (unsigned k = 0; k < Pieces; ++k) bounds[k + 1] = detail::sum_of_extents(x, bounds[k], part);
  return detail::pieces_of<X, Pieces>(x, along, bounds, where,
                                      std::make_integer_sequence<int, Pieces>{});
}

/// Views of extent `size` along an axis, the last one of what is left. Their number is known at run
/// time only, so that a trace has no such form.
/// Throws: `index_error` where there is no such axis; `shape_error` where `size` is not positive;
/// `std::bad_alloc`.
/// Modes: `slice`, once a piece. Rules: N5, N50.
template <tensor_operand X>
  requires(detail::eager_operands<X>)
auto split(X const& x, index_t size, int axis, source_line where = std::source_location::current()) {
  int const along = detail::normal_axes(x, op::slice, axes(axis), where)[0];
  if (size <= 0) raise_mistake({mistake_kind::step_is_zero, op::slice, 0, 0, along, {}},
                               fixed_text{} << "; " << where);
  index_t const extent = detail::extents_of(x)[along];
  std::vector<decltype(detail::piece_of(x, along, 0, size, where))> pieces;
  for (index_t start = 0; start < extent; start += size)
    pieces.push_back(detail::piece_of(x, along, start, extent - start < size ? extent : start + size,
                                      where));
  return pieces;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
