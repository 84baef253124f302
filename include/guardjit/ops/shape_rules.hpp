// guardjit: ops/shape_rules.hpp: shape of the result of every op, over any arithmetic of extents
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_SHAPE_RULES_HPP
#define GUARDJIT_OPS_SHAPE_RULES_HPP

#include <guardjit/ops/attributes.hpp>
#include <guardjit/ops/mistake.hpp>

#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// Extents that are numbers, or unknown (`dyn`): what is unknown is assumed to fit. It serves the
/// types of eager results (some extents known) and calls (all known). A trace has a context of
/// its own, in which unknown extents are symbols.
struct known_extents {
  op id{};
  mistake wrong{};

  constexpr void fail(mistake_kind kind, index_t left, index_t right, int axis) {
    if (!wrong) wrong = {kind, id, left, right, axis, {}};
  }
  static constexpr bool known(index_t n) { return n != dyn; }
  constexpr index_t broadcast(index_t a, index_t b, int axis) {
    if (a == b || b == 1) return a;
    if (a == 1) return b;
    if (known(a) && known(b)) fail(mistake_kind::extents_differ, a, b, axis);
    return known(a) ? a : b;
  }
  constexpr void require_equal(index_t a, index_t b, mistake_kind kind, int axis) {
    if (a != b && known(a) && known(b)) fail(kind, a, b, axis);
  }
  constexpr void require_stretch(index_t from, index_t to, int axis) {
    if (from != 1) require_equal(from, to, mistake_kind::extents_differ, axis);
  }
  constexpr void require_multiple(index_t a, index_t divisor) {
    if (known(a) && known(divisor) && (divisor == 0 || a % divisor != 0))
      fail(mistake_kind::count_is_no_multiple, a, divisor, 0);
  }
  constexpr void require_positive(index_t a, int axis) {
    if (a == 0) fail(mistake_kind::reduced_extent_is_zero, a, 0, axis);
  }
  constexpr void require_index(index_t i, index_t n, int axis,
                               mistake_kind kind = mistake_kind::index_out_of_range) {
    if (known(n) && (i < -n || i >= n)) fail(kind, i, n, axis);
  }
  constexpr index_t add(index_t a, index_t b) { return known(a) && known(b) ? a + b : dyn; }
  constexpr index_t sub(index_t a, index_t b) { return known(a) && known(b) ? a - b : dyn; }
  constexpr index_t mul(index_t a, index_t b) { return known(a) && known(b) ? a * b : dyn; }
  constexpr index_t div(index_t a, index_t b) { return known(a) && known(b) && b != 0 ? a / b : dyn; }
  constexpr index_t min(index_t a, index_t b) { return known(a) && known(b) ? (a < b ? a : b) : dyn; }
  constexpr index_t max(index_t a, index_t b) { return known(a) && known(b) ? (a > b ? a : b) : dyn; }
};

namespace detail {

/// N1: extents are aligned at the right.
template <class Context> constexpr shape broadcast_shapes(Context& c, shape const& a, shape const& b) {
  shape result = a.rank >= b.rank ? a : b;
  shape const& low = a.rank >= b.rank ? b : a;
  int const shift = result.rank - low.rank;
  for (int d = 0; d < low.rank; ++d) {
    index_t const left = a.rank >= b.rank ? result[d + shift] : low[d];
    index_t const right = a.rank >= b.rank ? low[d] : result[d + shift];
    result[d + shift] = c.broadcast(left, right, d + shift);
  }
  return result;
}

/// Whether a reduction has no value for no elements (POL-7).
constexpr bool needs_elements(op id) {
  return id == op::amax || id == op::amin || id == op::argmax || id == op::argmin;
}

/// N20. POL-7.
template <class Context>
constexpr shape reduced_shape(Context& c, op id, shape const& x, attributes const& extra) {
  shape result;
  for (int d = 0; d < x.rank; ++d) {
    bool const reduced = (extra.axes >> d & 1) != 0;
    if (reduced && needs_elements(id) && !extra.lowest_of_none) c.require_positive(x[d], d);
    if (!reduced) result[result.rank++] = x[d];
    else if (extra.keepdims) result[result.rank++] = 1;
  }
  return result;
}

/// N30: rank 1 is a row on the left and a column on the right; batches broadcast.
template <class Context> constexpr shape matmul_shape(Context& c, shape const& a, shape const& b) {
  if (a.rank == 0 || b.rank == 0) {
    c.fail(mistake_kind::rank_too_low, 0, 1, 0);
    return {};
  }
  c.require_equal(a[a.rank - 1], b.rank == 1 ? b[0] : b[b.rank - 2], mistake_kind::inner_extents_differ,
                  a.rank - 1);
  // Only the batches, since shapes compare all their slots.
  shape left, right;
  while (left.rank < a.rank - 2) left[left.rank] = a[left.rank], ++left.rank;
  while (right.rank < b.rank - 2) right[right.rank] = b[right.rank], ++right.rank;
  shape result = broadcast_shapes(c, left, right);
  if (a.rank > 1) result[result.rank++] = a[a.rank - 2];
  if (b.rank > 1) result[result.rank++] = b[b.rank - 1];
  return result;
}

template <class Context> constexpr shape expanded_shape(Context& c, shape const& x, shape const& target) {
  if (x.rank > target.rank) c.fail(mistake_kind::rank_too_high, x.rank, target.rank, 0);
  int const shift = target.rank - x.rank;
  for (int d = 0; d < x.rank && shift >= 0; ++d)
    c.require_stretch(x[d], target[d + shift], d + shift);
  return target;
}

/// N40: Python's clamping. The sign of `start` and `stop` is that of the numbers written; extents
/// as bounds are not negative. Places are counted so that no step in between is negative, which
/// would read as an unknown extent: against a negative step, place 0 lies before the first element.
template <class Context>
constexpr shape sliced_shape(Context& c, shape const& x, attributes const& extra) {
  shape result = x;
  index_t const n = x[extra.axis], step = extra.step;
  if (step == 0) {
    c.fail(mistake_kind::step_is_zero, 0, 0, extra.axis);
    return result;
  }
  bool const forward = step > 0;
  index_t const shift = forward ? 0 : 1;
  auto const place = [&](index_t written) {
    bool const from_end = written < 0 && written > -(index_t{1} << 40);
    index_t const missing = -written - shift;  // of x, so that the bound is before it
    return from_end ? c.sub(c.max(n, missing), missing) : c.min(c.max(c.add(written, shift), 0), n);
  };
  index_t const first = place(extra.start);
  index_t const last = extra.stop == slice_end ? (forward ? n : 0) : place(extra.stop);
  index_t const from = forward ? first : last, to = forward ? last : first;
  index_t const length = c.sub(c.max(to, from), from);
  index_t const width = forward ? step : -step;
  result[extra.axis] = c.div(c.add(length, width - 1), width);
  return result;
}

/// POL-11: an index from the end is negative; its axis goes.
template <class Context>
constexpr shape selected_shape(Context& c, shape const& x, attributes const& extra) {
  c.require_index(extra.start, x[extra.axis], extra.axis);
  shape result;
  for (int d = 0; d < x.rank; ++d)
    if (d != extra.axis) result[result.rank++] = x[d];
  return result;
}

/// N2: extents other than that of the axis are equal.
template <class Context>
constexpr bool require_alike(Context& c, shape const& a, shape const& b, int axis) {
  if (b.rank != a.rank) {
    c.fail(b.rank < a.rank ? mistake_kind::rank_too_low : mistake_kind::rank_too_high, b.rank, a.rank, 0);
    return false;
  }
  for (int d = 0; d < a.rank; ++d)
    if (d != axis) c.require_equal(a[d], b[d], mistake_kind::other_extents_differ, d);
  return true;
}
template <class Context>
constexpr shape concat_shape(Context& c, shape const& a, shape const& b, int axis) {
  shape result = a;
  if (require_alike(c, a, b, axis)) result[axis] = c.add(a[axis], b[axis]);
  return result;
}
/// N41: the index's shape stands for the axis.
template <class Context> constexpr shape taken_shape(Context& c, shape const& x, shape const& i, int axis) {
  if (x.rank - 1 + i.rank > max_rank) {
    c.fail(mistake_kind::rank_too_high, x.rank - 1 + i.rank, max_rank, 0);
    return i;
  }
  shape result;
  for (int d = 0; d < axis; ++d) result[result.rank++] = x[d];
  for (int d = 0; d < i.rank; ++d) result[result.rank++] = i[d];
  for (int d = axis + 1; d < x.rank; ++d) result[result.rank++] = x[d];
  return result;
}

/// N7: the number of elements stays; one extent may be -1.
template <class Context>
constexpr shape reshaped_shape(Context& c, shape const& x, shape const& target) {
  index_t count = 1, named = 1;
  int inferred = -1;
  for (int d = 0; d < x.rank; ++d) count = c.mul(count, x[d]);
  for (int d = 0; d < target.rank; ++d) {
    if (target[d] != -1) named = c.mul(named, target[d]);
    else if (inferred < 0) inferred = d;
    else c.fail(mistake_kind::axis_repeated, d, 0, d);
  }
  shape result = target;
  if (inferred < 0) {
    c.require_equal(count, named, mistake_kind::count_differs, 0);
  } else {
    c.require_multiple(count, named);
    result[inferred] = c.div(count, named);
  }
  return result;
}

}  // namespace detail

/// An axis counted from the end where negative; -1 and a mistake where it is out of range (N5).
template <class Context> constexpr int normal_axis(Context& c, int axis, int rank) {
  int const normal = axis < 0 ? axis + rank : axis;
  if (normal >= 0 && normal < rank) return normal;
  c.fail(mistake_kind::axis_out_of_range, axis, rank, axis);
  return -1;
}

/// The shape of an op's result. One rule for types, traces and calls; `c` is told what is wrong.
template <class Context>
constexpr shape shape_of_result(Context& c, op id, std::span<shape const> in, attributes const& extra) {
  switch (info_of(id).form) {
    case op_form::elementwise: {
      shape result = in[0];
      for (shape const& next : in.subspan(1)) result = detail::broadcast_shapes(c, result, next);
      return result;
    }
    case op_form::reduction: return detail::reduced_shape(c, id, in[0], extra);
    case op_form::contraction: return detail::matmul_shape(c, in[0], in[1]);
    case op_form::factory: return extra.target;
    default: break;
  }
  switch (id) {
    case op::arange: return extra.target;
    case op::concat: return detail::concat_shape(c, in[0], in[1], extra.axis);
    case op::take: return detail::taken_shape(c, in[0], in[1], extra.axis);
    case op::gather: detail::require_alike(c, in[0], in[1], extra.axis); return in[1];
    case op::expand: return detail::expanded_shape(c, in[0], extra.target);
    case op::slice: return detail::sliced_shape(c, in[0], extra);
    case op::select: return detail::selected_shape(c, in[0], extra);
    case op::reshape: return detail::reshaped_shape(c, in[0], extra.target);
    case op::permute: {
      shape result = in[0];
      for (int d = 0; d < result.rank; ++d) result[d] = in[0][extra.order[static_cast<unsigned>(d)]];
      return result;
    }
    default: return in.empty() ? shape{} : in[0];
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
