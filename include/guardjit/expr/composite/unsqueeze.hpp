// guardjit: expr/composite/unsqueeze.hpp: axes of extent 1 put in and taken out
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_UNSQUEEZE_HPP
#define GUARDJIT_EXPR_COMPOSITE_UNSQUEEZE_HPP

#include <guardjit/expr/eager.hpp>
#include <guardjit/graph/append.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The rank of an operand where its type tells, else -1.
template <class X> constexpr int rank_of_type() {
  if constexpr (requires { typename std::integral_constant<int, X::rank()>; }) return X::rank();
  else return -1;
}

/// The extents of an operand; in a trace symbols.
template <class X> constexpr shape extents_of(X const& x) {
  if constexpr (std::is_same_v<X, sym>) return x.trace()->shape_of(x.id());
  else return x.shape();
}

/// Refuses an extent that is not the one asked for: in eager code now, in a trace when a call binds.
template <class X>
constexpr void require_extent(X const& x, op id, index_t extent, index_t asked, mistake_kind kind,
                              int axis, source_line where) {
  if constexpr (std::is_same_v<X, sym>) {
    x.trace()->begin(id, where);
    x.trace()->require_equal(extent, asked, kind, axis);
  } else if (extent != asked) {
    raise_mistake({kind, id, extent, asked, axis, {}}, fixed_text{} << ", " << where);
  }
}

/// A reshape to a rank that is a type where that of the operand is one.
template <int Rank, class X> constexpr auto reshape_to(X&& x, shape const& target, source_line where) {
  attributes extra;
  extra.target = target;
  return apply_op(op_tag<op::reshape, (Rank < 0 ? 0 : Rank)>{}, extra, where, std::forward<X>(x));
}

struct unsqueeze_function : describable<unsqueeze_function> {
  using describable<unsqueeze_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis,
                            source_line where = std::source_location::current()) const {
    constexpr int rank = rank_of_type<std::remove_cvref_t<X>>();
    shape const from = extents_of(x);
    int const place = axis < 0 ? axis + from.rank + 1 : axis;
    if (place < 0 || place > from.rank)
      refuse_axis(x, op::reshape, axis, from.rank + 1, mistake_kind::axis_out_of_range, where);
    if (from.rank == max_rank)
      refuse_axis(x, op::reshape, max_rank + 1, max_rank, mistake_kind::rank_too_high, where);
    shape to;
    for (int d = 0; d < from.rank || to.rank == place; ++d) {
      if (to.rank == place) to[to.rank++] = 1;
      if (d < from.rank) to[to.rank++] = from[d];
    }
    return reshape_to<(rank < 0 ? -1 : rank + 1)>(std::forward<X>(x), to, where);
  }
};

struct squeeze_function : describable<squeeze_function> {
  using describable<squeeze_function>::operator();

  template <tensor_operand X, int Count>
  constexpr auto operator()(X&& x, axes<Count> named,
                            source_line where = std::source_location::current()) const {
    constexpr int rank = rank_of_type<std::remove_cvref_t<X>>();
    shape const from = extents_of(x);
    axes<Count> const normal = normal_axes(x, op::reshape, named, where);
    unsigned goes = 0;
    for (int k = 0; k < Count && normal[k] < from.rank; ++k) {
      require_extent(x, op::reshape, from[normal[k]], 1, mistake_kind::extent_is_not_one, normal[k],
                     where);
      goes |= 1u << normal[k];
    }
    return reshape_to<(rank < Count ? -1 : rank - Count)>(std::forward<X>(x), without(from, goes),
                                                          where);
  }
  /// All extents that are 1, where the rank is known at run time only.
  template <std::same_as<any_tensor> X>
  X operator()(X const& x, source_line where = std::source_location::current()) const {
    unsigned goes = 0;
    for (int d = 0; d < x.rank(); ++d)
      if (x.extent(d) == 1) goes |= 1u << d;
    return reshape_to<-1>(x, without(x.shape(), goes), where);
  }

 private:
  static constexpr shape without(shape const& from, unsigned goes) {
    shape to;
    for (int d = 0; d < from.rank; ++d)
      if ((goes >> d & 1u) == 0) to[to.rank++] = from[d];
    return to;
  }
};

}  // namespace detail

/// A view with a new axis of extent 1 at place `axis`; -1 is behind the last one.
/// Throws: `index_error` where there is no such place; `shape_error` for more than 8 axes.
/// Modes: `reshape`, once. Rules: N5, N50.
inline constexpr detail::unsqueeze_function unsqueeze{};

/// A view without the named axes, whose extents are 1: `squeeze(x, axes(0, -1))`; of an `any_tensor`
/// also without all that are 1: `squeeze(x)`.
/// Throws: `index_error` where there is no such axis; `shape_error` where an extent is not 1 or an
/// axis is named twice.
/// Modes: `reshape`, once. Rules: N5, N50.
inline constexpr detail::squeeze_function squeeze{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
