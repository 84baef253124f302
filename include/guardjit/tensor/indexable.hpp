// guardjit: tensor/indexable.hpp: the marks in x(…), and the call operator that takes them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_INDEXABLE_HPP
#define GUARDJIT_TENSOR_INDEXABLE_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/tensor/shape.hpp>

#include <concepts>
#include <type_traits>

namespace guardjit::inline GUARDJIT_ABI {

/// The start of a `range` that begins where the axis does: at its last element where the step is
/// negative.
struct slice_begin_t {};
inline constexpr slice_begin_t slice_begin{};
/// In `x(…)`: an axis as it is.
struct full_extent_t {};
inline constexpr full_extent_t full_extent{};
/// In `x(…)`: a new axis of extent 1.
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};
/// In `x(…)`: as many axes as the other indices leave, as they are.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

namespace detail {
template <class Bound>
concept number_bound = std::integral<Bound> && !std::same_as<Bound, bool>;
/// A bound: a number, or in a trace an extent.
template <class Bound>
concept range_bound = number_bound<Bound> || requires(Bound const& b) {
  { to_extent(b) } -> std::same_as<index_t>;
};
template <range_bound Bound> constexpr index_t bound_of(Bound const& bound) {
  if constexpr (number_bound<Bound>) return static_cast<index_t>(bound);
  else return to_extent(bound);
}
}  // namespace detail

/// In `x(…)`: the elements `start`, `start + step`, … before `stop` of an axis, as in Python:
/// `range(1, -1)`, `range(3, slice_end)`, `range(slice_begin, slice_end, -1)`. Rules: N40.
struct range {
  index_t start = 0, stop = INT64_MAX, step = 1;

  template <detail::range_bound Start, detail::range_bound Stop>
  constexpr range(Start const& from, Stop const& to, index_t by = 1)
      : start(detail::bound_of(from)), stop(detail::bound_of(to)), step(by) {}
  template <detail::range_bound Stop>
  constexpr range(slice_begin_t, Stop const& to, index_t by = 1)
      : start(by < 0 ? -1 : 0), stop(detail::bound_of(to)), step(by) {}
};

/// What may stand in `x(…)`.
template <class Index>
concept index_like = detail::number_bound<Index> || std::same_as<Index, range> ||
                     std::same_as<Index, full_extent_t> || std::same_as<Index, newaxis_t> ||
                     std::same_as<Index, ellipsis_t>;

namespace detail {

/// An index that is not there.
struct no_index {};
template <class Index>
concept optional_index = index_like<Index> || std::same_as<Index, no_index>;

/// Whether indices name one element of a tensor of rank `Rank`.
template <int Rank, class... Index>
inline constexpr bool names_element = ((number_bound<Index> || std::same_as<Index, no_index>)&&...) &&
                                      Rank == (0 + ... + int{number_bound<Index>});

/// The call operator `x(index, …)` that gives views, of a type that derives from it: `x(1)`,
/// `x(full_extent, range(0, 3))`, `x(ellipsis, -1)`. `ElementRank` is the rank for which indices name
/// an element, which the type gives itself; -1: there is none. It is one template, not a pack, so that
/// the line can stand behind.
template <class Derived, int ElementRank = -1> struct indexable {
  /// Throws: `index_error` for an index out of range or one too many; `shape_error` for a step of 0.
  /// Modes: `select`, `slice`, `reshape`, one for each index but `full_extent` and `ellipsis`.
  /// Lifetime: keeps the storage of a tensor alive. Rules: N40, N50, POL-11.
  template <index_like A, optional_index B = no_index, optional_index C = no_index,
            optional_index D = no_index, optional_index E = no_index, optional_index F = no_index,
            optional_index G = no_index, optional_index H = no_index>
    requires(!names_element<ElementRank, A, B, C, D, E, F, G, H>)
  constexpr auto operator()(A const& a, B const& b = {}, C const& c = {}, D const& d = {},
                            E const& e = {}, F const& f = {}, G const& g = {}, H const& h = {},
                            source_line where = std::source_location::current()) const {
    return apply_index(static_cast<Derived const&>(*this), where, a, b, c, d, e, f, g, h);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
