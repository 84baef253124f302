// guardjit: reference/movement.hpp: loops of concat, take, gather and arange
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_MOVEMENT_HPP
#define GUARDJIT_REFERENCE_MOVEMENT_HPP

#include <guardjit/ops/op.hpp>
#include <guardjit/reference/element.hpp>
#include <guardjit/reference/loop_nest.hpp>
#include <guardjit/tensor/layout.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Loops of `take` and `gather` over all elements of the result. Operands: result, x, index; along the
/// axis that indices choose from, x stays.
struct gather_nest {
  loop_nest<3> loops;
  index_t step = 0;    ///< of x along that axis
  index_t extent = 0;  ///< of that axis
};

/// Loops that copy one operand of a `concat` to its place in the result.
struct concat_part {
  loop_nest<2> loops;
  index_t offset = 0;  ///< of the place, in elements
};

/// The part of an operand that begins at `start` along the axis. Precondition: shapes fit.
constexpr concat_part concat_part_of(layout_view const& result, int axis, index_t start,
                                     layout_view const& operand) {
  concat_part part;
  for (int d = 0; d < operand.rank; ++d)
    part.loops.add_inner(operand.extents[d], {result.strides[d], operand.strides[d]});
  part.offset = operand.count() == 0 ? 0 : start * result.strides[axis];
  return part;
}

/// Loops of `take` or `gather` with any result. Precondition: shapes fit. Rules: N41.
constexpr gather_nest gather_nest_of(op id, layout_view const& result, layout_view const& x,
                                     layout_view const& index, int axis) {
  gather_nest nest;
  nest.step = x.strides[axis];
  nest.extent = x.extents[axis];
  bool const replaces = id == op::take;  // the axes of the index stand for the axis of x
  for (int d = 0; d < result.rank; ++d) {
    bool const before = d < axis;
    bool const of_index = replaces ? !before && d < axis + index.rank : true;
    bool const of_x = replaces ? !of_index : d != axis;
    int const in_x = before || !replaces ? d : d - index.rank + 1;
    int const in_index = replaces ? d - axis : d;
    nest.loops.add_inner(result.extents[d], {result.strides[d], of_x ? x.strides[in_x] : 0,
                                             of_index ? index.strides[in_index] : 0});
  }
  return nest;
}

/// Loops over indices alone.
constexpr loop_nest<1> index_nest_of(layout_view const& index) {
  loop_nest<1> nest;
  for (int d = 0; d < index.rank; ++d) nest.add_inner(index.extents[d], {index.strides[d]});
  return nest;
}

/// The first index, in order, that is out of range.
struct outside_index {
  bool found = false;
  index_t value = 0;
};

/// Whether an index is one of an axis. Rules: POL-11.
GUARDJIT_HD constexpr bool is_index(index_t index, index_t extent) {
  return index >= -extent && index < extent;
}
/// The place of an index that is in range.
GUARDJIT_HD constexpr index_t index_place(index_t index, index_t extent) {
  return index < 0 ? index + extent : index;
}

/// result = x at the places that indices name. Precondition: they are in range. Rules: N41.
template <element T, element Index>
void reference_gather(gather_nest const& nest, void* out, void const* x, void const* indices) {
  for_each_step(nest.loops, [&](auto const& at) {
    auto const place = index_place(load_element<Index>(indices, at[2]), nest.extent);
    store_element(out, at[0], load_element<T>(x, at[1] + place * nest.step));
  });
}

/// The first of some indices that is no index of an axis of extent `extent`.
template <element Index>
outside_index reference_first_outside(loop_nest<1> const& nest, void const* indices, index_t extent) {
  outside_index first;
  for_each_step(nest, [&](auto const& at) {
    index_t const index = load_element<Index>(indices, at[0]);
    if (!first.found && !is_index(index, extent)) first = {true, index};
  });
  return first;
}

/// 0, 1, … in an array.
inline void reference_arange(std::int64_t* out, index_t count) {
  for (index_t k = 0; k < count; ++k) out[k] = k;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
