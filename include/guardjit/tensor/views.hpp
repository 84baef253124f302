// guardjit: tensor/views.hpp: layouts of views, computed from the layout they look into
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_VIEWS_HPP
#define GUARDJIT_TENSOR_VIEWS_HPP

#include <guardjit/tensor/layout.hpp>

#include <cstddef>
#include <limits>
#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// A layout, and where its first element lies, in elements from that of the viewed one.
struct view_layout {
  any_layout layout;
  index_t offset = 0;
};

/// A reshaped view, or the row-major layout that a copy would have where strides allow no view.
struct reshaped_layout {
  bool possible = false;
  any_layout layout;
};

/// `axis` counted from the front.
/// Throws: `index_error` where it is out of range. Rules: N5.
constexpr int resolve_axis(char const* op, index_t axis, int rank) {
  if (axis < -rank || axis >= rank)
    raise<index_error>(fixed_text{} << "guardjit: " << op << ": axis " << axis
                                    << " is out of range for rank " << rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

namespace detail {
/// Number of elements, 0 extents counted as 1, or −1 where it exceeds 2⁶³−1.
constexpr index_t checked_count(shape const& s) {
  index_t count = 1;
  for (int d = 0; d < s.rank; ++d) {
    if (s[d] > 0 && count > std::numeric_limits<index_t>::max() / s[d]) return -1;
    if (s[d] > 0) count *= s[d];
  }
  return count;
}
}  // namespace detail

/// Axis `d` of the result is axis `order[d]`.
/// Throws: `shape_error` where `order` is of another rank or names an axis twice; `index_error`.
/// Rules: N5, N50.
constexpr view_layout permuted(layout_view const& from, std::span<int const> order) {
  if (order.size() != static_cast<std::size_t>(from.rank))
    raise<shape_error>(fixed_text{} << "guardjit: permute(x, order): " << order.size()
                                    << " axes, expected " << from.rank << " for shape "
                                    << from.shape());
  shape extents;
  extents.rank = from.rank;
  std::array<index_t, max_rank> strides{};
  bool seen[max_rank]{};
  for (unsigned d = 0; d < order.size(); ++d) {
    int const axis = resolve_axis("permute(x, order)", order[d], from.rank);
    if (seen[axis])
      raise<shape_error>(fixed_text{} << "guardjit: permute(x, order): axis " << axis
                                      << " is named twice");
    seen[axis] = true;
    extents.extents[d] = from.extents[axis];
    strides[d] = from.strides[axis];
  }
  return {any_layout(extents, strides), 0};
}

/// Elements `start`, `start + step`, … before `stop` of one axis; bounds are clamped as in Python,
/// where negative ones count from the end. The smallest `index_t` as `stop` means "past the first".
/// Throws: `shape_error` where `step` is 0; `index_error` where there is no such axis.
/// Rules: N40, N50.
constexpr view_layout sliced(layout_view const& from, int axis, index_t start, index_t stop,
                             index_t step) {
  axis = resolve_axis("slice(x, axis, start, stop, step)", axis, from.rank);
  if (step == 0)
    raise<shape_error>(fixed_text{} << "guardjit: slice(x, axis, start, stop, step): step is 0");
  index_t const extent = from.extents[axis];
  index_t const low = step > 0 ? 0 : -1;
  index_t const high = step > 0 ? extent : extent - 1;
  auto const clamp = [&](index_t bound) {
    if (bound < 0) bound += extent;
    return bound < low ? low : bound > high ? high : bound;
  };
  start = clamp(start);
  stop = clamp(stop);
  index_t count = 0;
  if (step > 0 && start < stop) count = (stop - start - 1) / step + 1;
  // Division first and negation after: the smallest step has no positive counterpart.
  if (step < 0 && start > stop) count = -((start - stop - 1) / step) + 1;

  shape extents = from.shape();
  extents[axis] = count;
  std::array<index_t, max_rank> strides{};
  for (int d = 0; d < from.rank; ++d) strides[static_cast<unsigned>(d)] = from.strides[d];
  // The step of one element is never taken, and might overflow.
  if (count > 1) strides[static_cast<unsigned>(axis)] *= step;
  return {any_layout(extents, strides), count > 0 ? start * from.strides[axis] : 0};
}

/// Element `index` of one axis, which goes; a negative index counts from the end.
/// Precondition: `axis` and `index` are in range. Rules: N50, POL-11.
constexpr view_layout selected(layout_view const& from, int axis, index_t index) {
  shape extents;
  std::array<index_t, max_rank> strides{};
  for (int d = 0; d < from.rank; ++d) {
    if (d == axis) continue;
    strides[static_cast<unsigned>(extents.rank)] = from.strides[d];
    extents[extents.rank++] = from.extents[d];
  }
  index_t const place = index < 0 ? index + from.extents[axis] : index;
  return {any_layout(extents, strides), from.count() > 0 ? place * from.strides[axis] : 0};
}

/// Strides of `from` under the aligned axes of `to`: 0 where `from` has extent 1 or no such axis.
/// Precondition: `from` broadcasts to `to`.
constexpr std::array<index_t, max_rank> broadcast_strides(layout_view const& from,
                                                          shape const& to) {
  std::array<index_t, max_rank> strides{};
  for (int d = 0; d < from.rank; ++d)
    if (from.extents[d] != 1)
      strides[static_cast<unsigned>(to.rank - from.rank + d)] = from.strides[d];
  return strides;
}

/// The elements repeated to shape `to`: extents 1 and missing axes are stretched by stride 0.
/// Throws: `shape_error` where an extent is neither 1 nor the one asked for, or where `to` has
/// more than 2⁶³−1 elements.
/// Rules: N1, N6, N50.
constexpr view_layout expanded(layout_view const& from, shape const& to) {
  int const missing = to.rank - from.rank;
  if (missing < 0)
    raise<shape_error>(fixed_text{} << "guardjit: expand(x, shape): shape " << to
                                    << " has fewer axes than " << from.shape());
  for (int axis = 0; axis < to.rank; ++axis) {
    index_t const have = axis < missing ? 1 : from.extents[axis - missing];
    if (to[axis] < 0 || (have != 1 && have != to[axis]))
      raise<shape_error>(fixed_text{} << "guardjit: expand(x, shape): shape " << from.shape()
                                      << " does not expand to " << to << ": axis " << axis
                                      << " has extent " << have << ", asked for " << to[axis]);
  }
  if (detail::checked_count(to) < 0)
    raise<shape_error>(fixed_text{} << "guardjit: expand(x, shape): shape " << to
                                    << " has more than 2^63-1 elements");
  return {any_layout(to, broadcast_strides(from, to)), 0};
}

/// `to` with its −1, if any, replaced by the extent that keeps the number of elements.
/// Throws: `shape_error` where the numbers of elements differ, a −1 cannot be resolved or an
/// extent is below −1.
/// Rules: N7.
constexpr shape resolve_reshape(shape const& from, shape to) {
  shape const asked = to;
  auto const refuse = [&](char const* why) {
    fixed_text text;
    text << "guardjit: reshape(x, shape): shape " << from << " of " << from.count()
         << " elements does not reshape to (";
    for (int d = 0; d < asked.rank; ++d) text << (d ? ", " : "") << asked[d];
    raise<shape_error>(text << "): " << why);
  };
  int open = -1;
  for (int d = 0; d < to.rank; ++d) {
    if (to[d] < -1) refuse("an extent is below -1");
    if (to[d] != -1) continue;
    if (open >= 0) refuse("more than one -1");
    open = d;
    to[d] = 1;
  }
  if (detail::checked_count(to) < 0) refuse("more than 2^63-1 elements");
  index_t const count = from.count(), rest = to.count();
  if (open >= 0) {
    if (rest == 0 || count % rest != 0)
      refuse("no extent in place of -1 keeps the number of elements");
    to[open] = count / rest;
  }
  if (to.count() != count) refuse("the number of elements differs");
  return to;
}

/// The elements, in order, under other extents; one may be −1.
///
/// Axes of `from` that are regrouped must step evenly: within such a group each stride is that of
/// the right neighbour times its extent. Else `possible` is false.
/// Throws: `shape_error`, as `resolve_reshape`.
/// Rules: N7, N50. Source: NumPy, `_attempt_nocopy_reshape`.
constexpr reshaped_layout reshaped(layout_view const& from, shape const& to) {
  shape const target = resolve_reshape(from.shape(), to);
  if (from.count() == 0) return {true, any_layout(target)};

  // Extents 1 carry no stride.
  index_t extents[max_rank]{}, strides[max_rank]{};
  int rank = 0;
  for (int d = 0; d < from.rank; ++d)
    if (from.extents[d] != 1) {
      extents[rank] = from.extents[d];
      strides[rank++] = from.strides[d];
    }

  std::array<index_t, max_rank> result{};
  int d = 0, t = 0;  // first axis of the next group, here and in the target
  while (d < rank && t < target.rank) {
    index_t have = extents[d], want = target[t];
    int d_end = d + 1, t_end = t + 1;
    while (have != want) {
      if (have < want) have *= extents[d_end++];
      else want *= target[t_end++];
    }
    for (int k = d; k + 1 < d_end; ++k)
      if (strides[k] != extents[k + 1] * strides[k + 1]) return {false, any_layout(target)};
    index_t step = strides[d_end - 1];
    for (int k = t_end - 1; k >= t; --k) {
      result[static_cast<unsigned>(k)] = step;
      step *= target[k];
    }
    d = d_end;
    t = t_end;
  }
  return {true, any_layout(target, result)};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
