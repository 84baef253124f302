// guardjit: compile/nests.hpp: from layouts to the bound loops of a kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_NESTS_HPP
#define GUARDJIT_COMPILE_NESTS_HPP

#include <guardjit/ops/attributes.hpp>
#include <guardjit/reference/loop_nest.hpp>
#include <guardjit/tensor/layout.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
/// The step of an operand along axis `d` of a shape of rank `rank`: operands are aligned at the
/// right, an extent 1 and a missing axis are stretched (N1).
constexpr index_t step_along(layout_view const& l, int rank, int d) {
  int const axis = d - (rank - l.rank);
  return axis < 0 || l.extents[axis] == 1 ? 0 : l.strides[axis];
}

template <std::size_t Operands> constexpr std::array<index_t, Operands> steps_along(
    std::array<layout_view, Operands> const& operands, int rank, int d) {
  std::array<index_t, Operands> steps{};
  for (unsigned k = 0; k < Operands; ++k) steps[k] = step_along(operands[k], rank, d);
  return steps;
}
}  // namespace detail

/// Loops over all elements of `result`; operand 0 is the result. Made in place: a dynamic entry
/// binds at each hit.
/// Precondition: each operand broadcasts to `result`.
template <std::size_t Operands> constexpr void set_elementwise_nest(
    loop_nest<static_cast<int>(Operands)>& nest, shape const& result,
    std::array<layout_view, Operands> const& operands) {
  nest.clear();
  for (int d = 0; d < result.rank; ++d)
    nest.add_inner(result[d], detail::steps_along(operands, result.rank, d));
}
template <std::size_t Operands> constexpr loop_nest<static_cast<int>(Operands)> elementwise_nest(
    shape const& result, std::array<layout_view, Operands> const& operands) {
  loop_nest<static_cast<int>(Operands)> nest;
  set_elementwise_nest(nest, result, operands);
  return nest;
}

/// Loops of a reduction of elements of shape `input` over the axes whose bits are set. The result
/// is row-major; whether it keeps the reduced axes makes no difference to its strides. `correction` is
/// that of a `mean`.
/// Precondition: each operand broadcasts to `input`.
template <std::size_t Inputs> constexpr reduce_nest<static_cast<int>(Inputs) + 1> reduce_nest_of(
    shape const& input, unsigned axes, std::array<layout_view, Inputs> const& inputs,
    index_t correction = 0) {
  index_t result_step[max_rank]{};
  index_t step = 1;
  for (int d = input.rank - 1; d >= 0; --d)
    if ((axes >> d & 1u) == 0) {
      result_step[d] = step;
      step *= input[d];
    }
  reduce_nest<static_cast<int>(Inputs) + 1> nest;
  for (int d = 0; d < input.rank; ++d) {
    std::array<index_t, Inputs + 1> steps{result_step[d]};
    for (unsigned k = 0; k < Inputs; ++k)
      steps[k + 1] = detail::step_along(inputs[k], input.rank, d);
    bool const reduced = (axes >> d & 1u) != 0;
    if (reduced) nest.count *= input[d];
    (reduced ? nest.inner : nest.outer).add_inner(input[d], steps);
  }
  if (correction != 0) nest.count = mean_divisor(nest.count, correction);
  return nest;
}

/// Loops of a row formula over elements of shape `form`: a row is the last axis. The result is
/// row-major, of that shape or with one value a row; slots with one value a row have a last extent of 1.
/// Precondition: rank above 0; each operand broadcasts to `form`.
template <std::size_t Inputs> constexpr row_nest<static_cast<int>(Inputs) + 1> row_nest_of(
    shape const& form, bool one_a_row, std::array<layout_view, Inputs> const& inputs) {
  int const last = form.rank - 1;
  index_t result_step[max_rank]{};
  result_step[last] = one_a_row || form[last] == 1 ? 0 : 1;
  index_t step = one_a_row ? 1 : form[last];
  for (int d = last - 1; d >= 0; --d) {
    result_step[d] = step;
    step *= form[d];
  }
  row_nest<static_cast<int>(Inputs) + 1> nest;
  nest.one_a_row = one_a_row;
  nest.length = form[last];
  for (int d = 0; d <= last; ++d) {
    std::array<index_t, Inputs + 1> steps{result_step[d]};
    for (unsigned k = 0; k < Inputs; ++k) steps[k + 1] = detail::step_along(inputs[k], form.rank, d);
    if (d < last) nest.rows.add_inner(form[d], steps);
    else nest.step = steps;
  }
  return nest;
}

/// Loops of a matrix product with a row-major result; rank 1 is a row on the left and a column on
/// the right, batches broadcast.
/// Precondition: the shapes fit, as `shape_of_result` tests. Rules: N30, N33.
constexpr matmul_nest matmul_nest_of(layout_view const& left, layout_view const& right) {
  matmul_nest nest;
  int const l = left.rank - 1, r = right.rank - 1;  // the last axes
  nest.k = left.extents[l];
  nest.left_column = left.strides[l];
  if (l > 0) {
    nest.m = left.extents[l - 1];
    nest.left_row = left.strides[l - 1];
  }
  nest.right_row = right.strides[r > 0 ? r - 1 : r];
  if (r > 0) {
    nest.n = right.extents[r];
    nest.right_column = right.strides[r];
  }

  int const left_rank = l > 1 ? l - 1 : 0, right_rank = r > 1 ? r - 1 : 0;
  int const rank = left_rank > right_rank ? left_rank : right_rank;
  layout_view const batches[] = {{left_rank, left.extents, left.strides, 0},
                                 {right_rank, right.extents, right.strides, 0}};
  index_t extents[max_rank]{}, result_step[max_rank]{};
  index_t step = nest.m * nest.n;
  for (int d = rank - 1; d >= 0; --d) {
    extents[d] = 1;
    for (layout_view const& b : batches)
      if (int const axis = d - (rank - b.rank); axis >= 0 && b.extents[axis] != 1)
        extents[d] = b.extents[axis];
    result_step[d] = step;
    step *= extents[d];
  }
  // Operands without elements have no address that an offset could be added to.
  bool const empty = nest.k == 0;
  for (int d = 0; d < rank; ++d)
    nest.batch.add_inner(extents[d],
                         {result_step[d], empty ? 0 : detail::step_along(batches[0], rank, d),
                          empty ? 0 : detail::step_along(batches[1], rank, d)});
  return nest;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
