// guardjit: graph/mistakes.hpp: a mistake in a traced function as a C++ compile error
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_MISTAKES_HPP
#define GUARDJIT_GRAPH_MISTAKES_HPP

#include <guardjit/graph/graph.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// Types that are never defined. Compilers print their arguments, which is how numbers and the
/// user's line get into an error. Rules: G93.
namespace mistakes {

/// A line of the user's file, without its folders: `at<54, 't', '2', '.', 'c', 'p', 'p'>`.
template <std::uint32_t Line, char... File> struct at;
/// What to write instead.
struct use_where;
struct use_where_or_opaque;

template <op Op, index_t Left, index_t Right, int Axis, class At> struct extents_differ;
template <index_t Left, index_t Right, class At> struct matmul_inner_extents_differ;
template <op Op, index_t Rank, index_t Needed, class At> struct rank_too_low;
template <op Op, index_t Rank, index_t Allowed, class At> struct rank_too_high;
template <op Op, index_t Axis, index_t Rank, class At> struct axis_out_of_range;
template <op Op, index_t Axis, class At> struct axis_repeated;
template <op Op, int Axis, class At> struct reduced_extent_is_zero;
template <op Op, index_t Elements, index_t Wanted, class At> struct count_differs;
template <op Op, index_t Elements, index_t Divisor, class At> struct count_is_no_multiple;
template <op Op, class At> struct step_is_zero;
template <op Op, index_t Index, int Axis, index_t Extent, class At> struct index_out_of_range;
template <op Op, index_t Left, index_t Right, int Axis, class At> struct other_extents_differ;
template <op Op, index_t Index, int Axis, index_t Extent, class At> struct padding_too_wide;
template <op Op, index_t Extent, int Axis, class At> struct extent_is_not_one;
template <op Op, index_t Pieces, index_t Extent, int Axis, class At> struct pieces_miss_extent;
template <op Op, index_t Extent, int Axis, class At> struct extent_is_negative;
template <op Op, dtype Type, class At> struct dtype_is_refused;
template <op Op, dtype Type, class At> struct dtype_is_no_bool;
template <op Op, dtype Type, class At> struct dtype_is_no_index;
template <op Op, index_t Scalar, dtype Type, class At> struct scalar_out_of_range;
template <class Advice, class At> struct branch_on_data;
template <index_t Allowed, class Advice, class At> struct too_many_paths;
template <index_t Allowed, class At> struct too_many_nodes;
template <op Op, class At> struct foreign_value;
template <index_t Allowed, class At> struct too_many_breaks;
template <class At> struct break_in_handler;
template <dtype Type, class At> struct assigned_to_scalar;
template <dtype Argument, class At> struct argument_dtype_differs;
template <index_t Rank, index_t Argument, class At> struct argument_rank_differs;
template <index_t Extent, index_t Argument, int Axis, class At> struct argument_extent_differs;
template <index_t Allowed, class At> struct too_many_results;
template <class At> struct break_in_fullgraph;
template <op Op, index_t Argument, int Dim, index_t Value, class At> struct declared_extent_needs_value;
template <op Op, index_t Argument, int Dim, index_t Value, class At> struct declared_range_never_fits;
/// A mode by its type's name, and what it said, in characters.
template <char... Characters> struct mode;
template <char... Characters> struct text;
template <op Op, class Mode, class Text, class At> struct refused_by_mode;
template <op Op, dtype Expected, class Mode, class At> struct dtype_of_handler;
template <op Op, index_t Rank, index_t Expected, class Mode, class At> struct rank_of_handler;
template <op Op, index_t Extent, index_t Expected, int Axis, class Mode, class At> struct extent_of_handler;
template <op Op, index_t Bound, class Mode, class At> struct handlers_nested;
template <op Op, index_t Operands, index_t Expected, class Mode, class At> struct operands_of_handler;
template <int Count> struct paths;
template <int Count> struct mode_stacks;
template <int Count> struct signatures;
template <int Count> struct hot_extents;
template <int Allowed, class Paths, class ModeStacks, class Signatures, class HotExtents>
struct too_many_variants;
template <int First, int Second, class AtFirst, class AtSecond, int Result> struct result_ranks_differ;
template <dtype First, dtype Second, class AtFirst, class AtSecond, int Result> struct result_dtypes_differ;

}  // namespace mistakes

namespace detail {
struct nothing_wrong {};
template <class Mistake> inline constexpr bool is_fine = false;
template <> inline constexpr bool is_fine<nothing_wrong> = true;

constexpr std::size_t text_length(char const* text) {
  std::size_t n = 0;
  while (text[n] != '\0') ++n;
  return n;
}

/// `Line::value` is the line that is named.
template <class Line> struct named_line {
  static constexpr std::size_t folders(char const* text) {
    std::size_t n = text_length(text);
    while (n > 0 && text[n - 1] != '/' && text[n - 1] != '\\') --n;
    return n;
  }
  static constexpr std::size_t begin = folders(Line::value.file);
  template <std::size_t... K>
  static mistakes::at<Line::value.line, Line::value.file[begin + K]...> of(std::index_sequence<K...>);
  using type = decltype(of(std::make_index_sequence<text_length(Line::value.file) - begin>{}));
};

template <auto const& Graph> struct wrong_line_of {
  static constexpr source_line value = Graph.wrong_line;
};

/// A text as a pack of characters.
template <template <char...> class Named, class Text> struct named_text {
  static constexpr char const* value = Text::value;
  template <std::size_t... K> static Named<value[K]...> of(std::index_sequence<K...>);
  using type = decltype(of(std::make_index_sequence<text_length(value)>{}));
};
template <auto const& Graph> struct wrong_mode_of { static constexpr char const* value = Graph.wrong_mode; };
template <auto const& Graph> struct wrong_text_of { static constexpr char const* value = Graph.wrong_text; };
}  // namespace detail

/// Holds for no type of `mistakes`; an assertion on it prints them.
template <class Mistake> concept no_mistake = detail::is_fine<Mistake>;

/// One C++ compile error for `Wrong`, in the words of `sentence(Wrong.kind)`; `At` is its line.
template <mistake Wrong, class At> constexpr void require_no_mistake() {
  using enum mistake_kind;
  constexpr mistake_kind kind = Wrong.kind;
  constexpr op id = Wrong.where;
  constexpr index_t left = Wrong.left, right = Wrong.right;
  constexpr int axis = Wrong.axis;
  constexpr dtype type = Wrong.type;
  if constexpr (kind == extents_differ)
    static_assert(no_mistake<mistakes::extents_differ<id, left, right, axis, At>>,
                  "guardjit: extents must be equal or 1");
  else if constexpr (kind == inner_extents_differ)
    static_assert(no_mistake<mistakes::matmul_inner_extents_differ<left, right, At>>,
                  "guardjit: inner extents must be equal");
  else if constexpr (kind == rank_too_low)
    static_assert(no_mistake<mistakes::rank_too_low<id, left, right, At>>, "guardjit: the rank is too low");
  else if constexpr (kind == rank_too_high)
    static_assert(no_mistake<mistakes::rank_too_high<id, left, right, At>>, "guardjit: the rank is too high");
  else if constexpr (kind == axis_out_of_range)
    static_assert(no_mistake<mistakes::axis_out_of_range<id, left, right, At>>,
                  "guardjit: the axis must be within the rank");
  else if constexpr (kind == axis_repeated)
    static_assert(no_mistake<mistakes::axis_repeated<id, left, At>>, "guardjit: an axis may be named once");
  else if constexpr (kind == reduced_extent_is_zero)
    static_assert(no_mistake<mistakes::reduced_extent_is_zero<id, axis, At>>,
                  "guardjit: a reduced extent must not be 0");
  else if constexpr (kind == count_differs)
    static_assert(no_mistake<mistakes::count_differs<id, left, right, At>>,
                  "guardjit: the number of elements must stay");
  else if constexpr (kind == count_is_no_multiple)
    static_assert(no_mistake<mistakes::count_is_no_multiple<id, left, right, At>>,
                  "guardjit: the other extents must divide the number of elements");
  else if constexpr (kind == step_is_zero)
    static_assert(no_mistake<mistakes::step_is_zero<id, At>>, "guardjit: the step must not be 0");
  else if constexpr (kind == index_out_of_range)
    static_assert(no_mistake<mistakes::index_out_of_range<id, left, axis, right, At>>,
                  "guardjit: the index must be within the extent");
  else if constexpr (kind == padding_too_wide)
    static_assert(no_mistake<mistakes::padding_too_wide<id, left, axis, right, At>>,
                  "guardjit: there must be elements enough to pad with");
  else if constexpr (kind == other_extents_differ)
    static_assert(no_mistake<mistakes::other_extents_differ<id, left, right, axis, At>>,
                  "guardjit: the other extents must be equal");
  else if constexpr (kind == extent_is_not_one)
    static_assert(no_mistake<mistakes::extent_is_not_one<id, left, axis, At>>,
                  "guardjit: a squeezed extent must be 1");
  else if constexpr (kind == pieces_miss_extent)
    static_assert(no_mistake<mistakes::pieces_miss_extent<id, left, right, axis, At>>,
                  "guardjit: the pieces must add up to the extent");
  else if constexpr (kind == extent_is_negative)
    static_assert(no_mistake<mistakes::extent_is_negative<id, left, axis, At>>,
                  "guardjit: extents must not be negative");
  else if constexpr (kind == dtype_is_refused)
    static_assert(no_mistake<mistakes::dtype_is_refused<id, type, At>>, "guardjit: the dtype is not allowed");
  else if constexpr (kind == dtype_is_no_bool)
    static_assert(no_mistake<mistakes::dtype_is_no_bool<id, type, At>>,
                  "guardjit: the condition must be bool");
  else if constexpr (kind == dtype_is_no_index)
    static_assert(no_mistake<mistakes::dtype_is_no_index<id, type, At>>,
                  "guardjit: indices must be i32 or i64");
  else if constexpr (kind == scalar_out_of_range)
    static_assert(no_mistake<mistakes::scalar_out_of_range<id, left, type, At>>,
                  "guardjit: the scalar must be in the range of the dtype");
  else if constexpr (kind == branch_on_data)
    static_assert(no_mistake<mistakes::branch_on_data<mistakes::use_where, At>>,
                  "guardjit: a branch must not depend on elements; use where");
  else if constexpr (kind == too_many_paths)
    static_assert(no_mistake<mistakes::too_many_paths<left, mistakes::use_where_or_opaque, At>>,
                  "guardjit: too many branches on run-time values; use where or opaque");
  else if constexpr (kind == too_many_nodes)
    static_assert(no_mistake<mistakes::too_many_nodes<left, At>>,
                  "guardjit: the function has too many operations");
  else if constexpr (kind == foreign_value)
    static_assert(no_mistake<mistakes::foreign_value<id, At>>,
                  "guardjit: the operands belong to two traces");
  else if constexpr (kind == too_many_breaks)
    static_assert(no_mistake<mistakes::too_many_breaks<left, At>>, "guardjit: too many calls of opaque");
  else if constexpr (kind == break_in_handler)
    static_assert(no_mistake<mistakes::break_in_handler<At>>,
                  "guardjit: a handler must not call opaque in a trace");
  else if constexpr (kind == declared_extent_needs_value)
    static_assert(no_mistake<mistakes::declared_extent_needs_value<id, left, axis, right, At>>,
                  "guardjit: an extent that shape_of lets vary must not need one value");
  else if constexpr (kind == declared_range_never_fits)
    static_assert(no_mistake<mistakes::declared_range_never_fits<id, left, axis, right, At>>,
                  "guardjit: the values that shape_of declares must allow what the operation needs");
  else if constexpr (kind == assigned_to_scalar)
    static_assert(no_mistake<mistakes::assigned_to_scalar<type, At>>,
                  "guardjit: an argument that f assigns to must be a tensor");
  else if constexpr (kind == assigned_dtype_differs)
    static_assert(no_mistake<mistakes::argument_dtype_differs<type, At>>,
                  "guardjit: an argument must be assigned a value of its dtype");
  else if constexpr (kind == assigned_rank_differs)
    static_assert(no_mistake<mistakes::argument_rank_differs<left, right, At>>,
                  "guardjit: an argument must be assigned a value of its rank");
  else if constexpr (kind == assigned_extent_differs)
    static_assert(no_mistake<mistakes::argument_extent_differs<left, right, axis, At>>,
                  "guardjit: an argument must be assigned a value of its shape");
  else if constexpr (kind == too_many_results)
    static_assert(no_mistake<mistakes::too_many_results<left, At>>,
                  "guardjit: too many results and arguments that are assigned to");
  else
    static_assert(kind == none);
}

namespace detail {

/// The same for what modes do in a trace. Rules: M13, M15, M16.
template <mistake Wrong, class Mode, class Text, class At> constexpr void require_no_mode_mistake() {
  using enum mistake_kind;
  constexpr op id = Wrong.where;
  using mode = typename named_text<mistakes::mode, Mode>::type;
  if constexpr (Wrong.kind == refused_by_mode)
    static_assert(
        no_mistake<mistakes::refused_by_mode<id, mode, typename named_text<mistakes::text, Text>::type, At>>,
        "guardjit: refused by a mode");
  else if constexpr (Wrong.kind == dtype_of_handler)
    static_assert(no_mistake<mistakes::dtype_of_handler<id, Wrong.type, mode, At>>,
                  "guardjit: a mode must keep the dtype of the result");
  else if constexpr (Wrong.kind == rank_of_handler)
    static_assert(no_mistake<mistakes::rank_of_handler<id, Wrong.left, Wrong.right, mode, At>>,
                  "guardjit: a mode must keep the rank of the result");
  else if constexpr (Wrong.kind == extent_of_handler)
    static_assert(no_mistake<mistakes::extent_of_handler<id, Wrong.left, Wrong.right, Wrong.axis, mode, At>>,
                  "guardjit: a mode must keep the extents of the result");
  else if constexpr (Wrong.kind == handlers_nested)
    static_assert(no_mistake<mistakes::handlers_nested<id, Wrong.left, mode, At>>,
                  "guardjit: too many nested dispatches");
  else
    static_assert(no_mistake<mistakes::operands_of_handler<id, Wrong.left, Wrong.right, mode, At>>,
                  "guardjit: a mode must go on with as many operands");
}

}  // namespace detail

/// One C++ compile error if the trace of `Graph` recorded a mistake. What follows it must ask
/// `Graph.wrong` before it looks at the nodes, so that one mistake stays one error.
/// Rules: G93.
template <auto const& Graph> constexpr void require_no_mistake() {
  using at = typename detail::named_line<detail::wrong_line_of<Graph>>::type;
  if constexpr (Graph.wrong.kind >= mistake_kind::refused_by_mode)
    detail::require_no_mode_mistake<Graph.wrong, detail::wrong_mode_of<Graph>,
                                    detail::wrong_text_of<Graph>, at>();
  else require_no_mistake<Graph.wrong, at>();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
