// guardjit: ops/mistake.hpp: a wrong use of an op as data, with one sentence for both worlds
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_MISTAKE_HPP
#define GUARDJIT_OPS_MISTAKE_HPP

#include <guardjit/ops/table.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

enum class mistake_kind : std::uint8_t {
  none,
  extents_differ,            ///< broadcasting: left, right, axis
  inner_extents_differ,      ///< matmul: left, right
  rank_too_low,              ///< left: rank, right: what is needed
  rank_too_high,             ///< left: rank, right: what is allowed
  axis_out_of_range,         ///< left: axis, right: rank
  axis_repeated,             ///< left: axis
  reduced_extent_is_zero,    ///< axis
  count_differs,             ///< reshape: left: elements, right: what the new extents hold
  count_is_no_multiple,      ///< reshape with -1: left: elements, right: divisor
  step_is_zero,              ///< slice
  index_out_of_range,        ///< left: index, right: extent, axis
  other_extents_differ,      ///< concat, gather: left, right, axis
  extent_is_not_one,         ///< squeeze: left: extent, axis
  padding_too_wide,          ///< pad: left: the last element that is read, right: extent, axis
  pieces_miss_extent,        ///< split: left: what the pieces add up to, right: extent, axis
  extent_is_negative,        ///< left: extent, axis
  dtype_is_refused,          ///< type
  dtype_is_no_bool,          ///< type: where's condition
  dtype_is_no_index,         ///< type: of indices
  scalar_out_of_range,       ///< left: an integer scalar, type: that of the op's elements
  branch_on_data,            ///< `if` on elements of a tensor
  too_many_paths,            ///< left: conditions on one path
  too_many_nodes,            ///< left: the bound
  foreign_value,             ///< symbols of two traces in one op
  too_many_breaks,           ///< left: the bound of `opaque` calls
  break_in_handler,          ///< `opaque` in the handler of a mode
  declared_extent_needs_value,  ///< left: argument, axis: dim, right: the one value that fits
  declared_range_never_fits,    ///< left: argument, axis: dim, right: a value that would fit
  assigned_to_scalar,        ///< type: of a C++ scalar that f assigns to
  assigned_dtype_differs,    ///< type: of the argument that f assigns to
  assigned_rank_differs,     ///< left: of the value, right: of the argument
  assigned_extent_differs,   ///< left: of the value, right: of the argument, axis
  too_many_results,          ///< left: the bound of results and written arguments
  shapes_differ,             ///< a mode wants equal ones: left, right, axis
  refused_by_mode,           ///< `call.refuse`
  dtype_of_handler,          ///< type: what the op promises
  rank_of_handler,           ///< left: rank, right: promised
  extent_of_handler,         ///< left: extent, right: promised, axis
  handlers_nested,           ///< left: the bound
  operands_of_handler,       ///< left: operands that a handler goes on with, right: what the op has
};

/// The first thing that is wrong, with its numbers.
struct mistake {
  mistake_kind kind = mistake_kind::none;
  op where{};
  index_t left = 0, right = 0;
  int axis = 0;
  dtype type{};
  constexpr explicit operator bool() const { return kind != mistake_kind::none; }
};

/// What must hold, in the words that `static_assert` uses too.
constexpr char const* sentence(mistake_kind kind) {
  switch (kind) {
    case mistake_kind::none: return "nothing is wrong";
    case mistake_kind::extents_differ: return "extents must be equal or 1";
    case mistake_kind::inner_extents_differ: return "inner extents must be equal";
    case mistake_kind::rank_too_low: return "the rank is too low";
    case mistake_kind::rank_too_high: return "the rank is too high";
    case mistake_kind::axis_out_of_range: return "the axis must be within the rank";
    case mistake_kind::axis_repeated: return "an axis may be named once";
    case mistake_kind::reduced_extent_is_zero: return "a reduced extent must not be 0";
    case mistake_kind::count_differs: return "the number of elements must stay";
    case mistake_kind::count_is_no_multiple: return "the other extents must divide the number of elements";
    case mistake_kind::step_is_zero: return "the step must not be 0";
    case mistake_kind::index_out_of_range: return "the index must be within the extent";
    case mistake_kind::other_extents_differ: return "the other extents must be equal";
    case mistake_kind::extent_is_not_one: return "a squeezed extent must be 1";
    case mistake_kind::padding_too_wide: return "there must be elements enough to pad with";
    case mistake_kind::pieces_miss_extent: return "the pieces must add up to the extent";
    case mistake_kind::extent_is_negative: return "extents must not be negative";
    case mistake_kind::dtype_is_refused: return "the dtype is not allowed";
    case mistake_kind::dtype_is_no_bool: return "the condition must be bool";
    case mistake_kind::dtype_is_no_index: return "indices must be i32 or i64";
    case mistake_kind::scalar_out_of_range: return "the scalar must be in the range of the dtype";
    case mistake_kind::branch_on_data: return "a branch must not depend on elements; use where";
    case mistake_kind::too_many_paths: return "too many branches on run-time values; use where or opaque";
    case mistake_kind::too_many_nodes: return "the function has too many operations";
    case mistake_kind::foreign_value: return "the operands belong to two traces";
    case mistake_kind::too_many_breaks: return "too many calls of opaque";
    case mistake_kind::break_in_handler: return "a handler must not call opaque in a trace";
    case mistake_kind::declared_extent_needs_value:
      return "an extent that shape_of lets vary must not need one value";
    case mistake_kind::declared_range_never_fits:
      return "the values that shape_of declares must allow what the operation needs";
    case mistake_kind::assigned_to_scalar: return "an argument that f assigns to must be a tensor";
    case mistake_kind::assigned_dtype_differs: return "an argument must be assigned a value of its dtype";
    case mistake_kind::assigned_rank_differs: return "an argument must be assigned a value of its rank";
    case mistake_kind::assigned_extent_differs: return "an argument must be assigned a value of its shape";
    case mistake_kind::too_many_results: return "too many results and arguments that are assigned to";
    case mistake_kind::shapes_differ: return "the shapes must be equal";
    case mistake_kind::refused_by_mode: return "refused by a mode";
    case mistake_kind::dtype_of_handler: return "a mode must keep the dtype of the result";
    case mistake_kind::rank_of_handler: return "a mode must keep the rank of the result";
    case mistake_kind::extent_of_handler: return "a mode must keep the extents of the result";
    case mistake_kind::handlers_nested: return "too many nested dispatches";
    case mistake_kind::operands_of_handler: return "a mode must go on with as many operands";
  }
  return "";
}

/// The arguments of an op as its declaration names them.
constexpr char const* signature_of(op id) {
  if (id == op::where) return "(c, a, b)";
  if (id == op::clip) return "(x, lo, hi)";
  if (info_of(id).form == op_form::factory) return "(shape)";
  if (info_of(id).types == dtype_rule::indexed) return "(x, i)";
  if (id == op::arange) return "(start, stop, step)";
  return info_of(id).arity == 2 ? "(a, b)" : "(x)";
}

/// Appends `guardjit: matmul(a, b): inner extents must be equal: 32 and 64`.
constexpr fixed_text& operator<<(fixed_text& text, mistake const& m) {
  // What is assigned may be another argument.
  if (m.where == op::input) text << "guardjit: f(arguments...): " << sentence(m.kind);
  else text << "guardjit: " << name_of(m.where) << signature_of(m.where) << ": " << sentence(m.kind);
  switch (m.kind) {
    case mistake_kind::extents_differ:
    case mistake_kind::other_extents_differ:
    case mistake_kind::pieces_miss_extent:
    case mistake_kind::assigned_extent_differs:
    case mistake_kind::shapes_differ:
      return text << ": " << m.left << " and " << m.right << " at axis " << m.axis;
    case mistake_kind::inner_extents_differ:
    case mistake_kind::count_differs:
      return text << ": " << m.left << " and " << m.right;
    case mistake_kind::count_is_no_multiple:
      return text << ": " << m.left << " by " << m.right;
    case mistake_kind::axis_out_of_range:
      return text << ": axis " << m.left << ", rank " << m.right;
    case mistake_kind::rank_too_low:
    case mistake_kind::rank_too_high:
      return text << ": " << m.left << ", allowed " << m.right;
    case mistake_kind::axis_repeated: return text << ": " << m.left;
    case mistake_kind::reduced_extent_is_zero: return text << ": axis " << m.axis;
    case mistake_kind::padding_too_wide:
    case mistake_kind::index_out_of_range:
      return text << ": index " << m.left << ", axis " << m.axis << ", extent " << m.right;
    case mistake_kind::extent_is_not_one:
    case mistake_kind::extent_is_negative: return text << ": " << m.left << " at axis " << m.axis;
    case mistake_kind::dtype_is_refused:
    case mistake_kind::dtype_is_no_index:
    case mistake_kind::dtype_is_no_bool: return text << ": " << name_of(m.type);
    case mistake_kind::scalar_out_of_range: return text << ": " << m.left << " for " << name_of(m.type);
    case mistake_kind::dtype_of_handler: return text << ": expected " << name_of(m.type);
    case mistake_kind::rank_of_handler:
    case mistake_kind::operands_of_handler:
      return text << ": expected " << m.right << ", got " << m.left;
    case mistake_kind::extent_of_handler:
      return text << ": expected " << m.right << ", got " << m.left << " at axis " << m.axis;
    default: return text;
  }
}

/// Throws what `m` stands for: `dtype_error`, `index_error`, `mode_error` or `shape_error`, with `detail`
/// (shapes, file and line) behind the sentence.
[[noreturn]] inline void raise_mistake(mistake const& m, fixed_text const& detail) {
  fixed_text text;
  text << m << detail;
  switch (m.kind) {
    case mistake_kind::dtype_is_refused:
    case mistake_kind::dtype_is_no_bool:
    case mistake_kind::dtype_is_no_index:
    case mistake_kind::scalar_out_of_range: raise<dtype_error>(text);
    case mistake_kind::index_out_of_range:
    case mistake_kind::axis_out_of_range: raise<index_error>(text);
    case mistake_kind::shapes_differ: raise<mode_error>(text);
    default: raise<shape_error>(text);
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
