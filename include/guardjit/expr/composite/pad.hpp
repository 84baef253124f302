// guardjit: expr/composite/pad.hpp: elements put before and behind those of each axis
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_PAD_HPP
#define GUARDJIT_EXPR_COMPOSITE_PAD_HPP

#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/expr/composite/like.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// `pad` with what lies beside the border, which is not repeated: `3 2 | 1 2 3`.
struct reflect_t {};
inline constexpr reflect_t reflect{};
/// `pad` with the elements of the border: `1 1 | 1 2 3`.
struct replicate_t {};
inline constexpr replicate_t replicate{};
/// `pad` with the elements of the other end: `2 3 | 1 2 3`.
struct circular_t {};
inline constexpr circular_t circular{};

namespace detail {

/// What a padded value is between its axes, so that all have one type.
template <class X> struct padded_value { using type = X; };
template <class X>
  requires typed_operands<X>
struct padded_value<X> {
  using type = dynamic_tensor_t<element_t<X::type()>, X::rank()>;
};

template <class Mode>
concept pad_mode = scalar_operand<Mode> || std::same_as<Mode, reflect_t> ||
                   std::same_as<Mode, replicate_t> || std::same_as<Mode, circular_t>;

/// The widths of a `pad` in a description.
template <int Rank> struct widths_list {
  index_t list[Rank][2];
};

struct pad_function {
  template <description X, int Rank, pad_mode Mode = bool>
  constexpr auto operator()(X const& x, index_t const (&widths)[Rank][2], Mode mode = {},
                            source_line where = std::source_location::current()) const {
    widths_list<Rank> kept{};
    for (int d = 0; d < Rank; ++d)
      for (int side : {0, 1}) kept.list[d][side] = widths[d][side];
    return described_call<pad_function, X, widths_list<Rank>, Mode>(where, x, kept, mode);
  }
  template <tensor_operand X, int Rank, pad_mode Mode>
  constexpr auto operator()(X const& x, widths_list<Rank> const& widths, Mode mode,
                            source_line where) const {
    return (*this)(x, widths.list, mode, where);
  }
  template <tensor_operand X, int Rank, pad_mode Mode = bool>
  constexpr auto operator()(X const& x, index_t const (&widths)[Rank][2], Mode mode = {},
                            source_line where = std::source_location::current()) const {
    using value = typename padded_value<X>::type;
    if (Rank != x.rank())
      refuse_axis(x, op::concat, Rank, x.rank(), mistake_kind::axis_out_of_range, where);
    value result = eval(x);
    for (int d = 0; d < Rank && d < x.rank(); ++d)
      for (int side : {0, 1}) {
        index_t const width = widths[d][side];
        if (width < 0)
          refuse_axis(x, op::concat, static_cast<int>(width), 0, mistake_kind::extent_is_negative, where);
        // Both sides look at the axis as it was: the second one skips what the first one added.
        index_t const before = side == 1 ? widths[d][0] : 0;
        if (width <= 0) continue;
        value const border = made(result, d, side == 1, width, before, mode, where);
        result = side == 0 ? value(eval(concat_two(border, result, d, where)))
                           : value(eval(concat_two(result, border, d, where)));
      }
    return result;
  }

 private:
  /// `width` elements along axis `d` of x without its first `skipped` ones.
  template <class Value, class Mode>
  static constexpr Value made(Value const& padded, int d, bool behind, index_t width, index_t skipped,
                              Mode mode, source_line where) {
    if constexpr (scalar_operand<Mode>) {
      shape form = extents_of(padded);
      form[d] = width;
      return made_like<op::full, Value>(padded, form, mode, where);
    } else {
      Value const x = skipped == 0 ? padded : Value(slice(padded, d, skipped, slice_end, 1, where));
      index_t const n = extents_of(x)[d];
      if constexpr (std::is_same_v<Mode, reflect_t>) {
        require_elements(x, width, n, d, where);
        return behind ? slice(x, d, -2, -2 - width, -1, where) : slice(x, d, width, 0, -1, where);
      } else if constexpr (std::is_same_v<Mode, circular_t>) {
        require_elements(x, width - 1, n, d, where);
        return behind ? slice(x, d, 0, width, 1, where) : slice(x, d, -width, slice_end, 1, where);
      } else {
        require_elements(x, 0, n, d, where);
        attributes extra;
        extra.target = extents_of(x);
        extra.target[d] = width;
        auto const edge = behind ? slice(x, d, -1, slice_end, 1, where) : slice(x, d, 0, 1, 1, where);
        constexpr int rank = rank_of_type<Value>();
        return apply_op(op_tag<op::expand, (rank < 0 ? 0 : rank)>{}, extra, where, edge);
      }
    }
  }
  /// Element `last` must be there.
  template <class X>
  static constexpr void require_elements(X const& x, index_t last, index_t n, int d, source_line where) {
    constexpr mistake_kind kind = mistake_kind::padding_too_wide;
    if constexpr (std::is_same_v<X, sym>) {
      x.trace()->begin(op::concat, where);
      x.trace()->require_index(last, n, d, kind);
    } else if (last >= n) {
      raise_mistake({kind, op::concat, last, n, d, {}}, fixed_text{} << "; " << where);
    }
  }
};

}  // namespace detail

/// x with elements before and behind those of each axis, `pad(x, {{1, 2}, {0, 3}})`: zeros; the value
/// `v` in `pad(x, widths, v)`; or elements of x: `pad(x, widths, reflect)`, `replicate`, `circular`.
/// Axes are padded in order, so that corners come from both. Eager code runs at once.
/// Shapes: each extent grows by its two widths. Dtypes: as x.
/// Throws: `shape_error` for a negative width and one that x has not enough elements for: reflected are
/// less than the extent, circular at most as many; `index_error` where there is not a pair for each axis;
/// `dtype_error` for an integer that the dtype does not hold.
/// Modes: for each side with a width `full`, or `slice` and for `replicate` `expand`, then `concat`.
inline constexpr detail::pad_function pad{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
