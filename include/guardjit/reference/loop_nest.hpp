// guardjit: reference/loop_nest.hpp: bound loops as data: what every kernel is given
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_LOOP_NEST_HPP
#define GUARDJIT_REFERENCE_LOOP_NEST_HPP

#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Loops over `Operands` arrays at once, outermost first; operand 0 is the result. Strides count
/// elements of the operand, may be zero (stretched) or negative. Rank 0 visits one element; an
/// extent 0 none. Neighbouring loops that all operands walk without a gap are one loop.
template <int Operands> struct loop_nest {
  /// Number of elements where all operands walk them one after another, else -1.
  index_t contiguous = 1;
  int rank = 0;
  std::array<index_t, max_rank> extents{};
  std::array<std::array<index_t, Operands>, max_rank> strides{};

  constexpr void clear() {
    contiguous = 1;
    rank = 0;
  }
  /// Adds an inner loop, or lengthens the innermost one where that walks the same elements.
  constexpr void add_inner(index_t extent, std::array<index_t, Operands> const& steps) {
    if (extent == 1) return;
    bool continues = rank > 0, ones = true;
    for (unsigned k = 0; k < Operands; ++k) {
      continues = continues && strides[static_cast<unsigned>(rank - 1)][k] == steps[k] * extent;
      ones = ones && steps[k] == 1;
    }
    if (continues) extent *= extents[static_cast<unsigned>(--rank)];
    extents[static_cast<unsigned>(rank)] = extent;
    strides[static_cast<unsigned>(rank)] = steps;
    contiguous = rank++ == 0 && ones ? extent : -1;
  }
};

/// Reduction over the inner loops: `outer` walks the result and the inputs; for each of its
/// steps `inner` walks the inputs (its operand 0 stays, stride 0). `count` is the number of
/// elements that one result reduces, of a `mean` its `mean_divisor`.
template <int Operands> struct reduce_nest {
  loop_nest<Operands> outer;
  loop_nest<Operands> inner;
  index_t count = 1;
};

/// Row formulas: `rows` walks the rows; within one, `length` elements at the inner strides `step`
/// (operand 0 is the result; 0 for slots with one value a row or a stretched inner axis). The result
/// has a value for each element, or `one_a_row`.
template <int Operands> struct row_nest {
  loop_nest<Operands> rows;
  index_t length = 0;
  bool one_a_row = false;
  std::array<index_t, Operands> step{};

  /// How many values of the result a row has.
  constexpr index_t results() const { return one_a_row ? 1 : length; }
};

/// Batched matrix product: result (m, n) row-major, left (m, k), right (k, n) with any strides.
/// Operands of `batch`: result, left, right.
struct matmul_nest {
  index_t m = 1, n = 1, k = 1;
  index_t left_row = 0, left_column = 0, right_row = 0, right_column = 0;
  loop_nest<3> batch;
};

/// Calls `visit(offsets)` with the element offsets of the operands at each step of the outer `rank`
/// loops.
template <int Operands>
constexpr void for_each_step(loop_nest<Operands> const& nest, int rank, auto&& visit) {
  std::array<index_t, Operands> offset{};
  std::array<index_t, max_rank> at{};
  for (int d = 0; d < rank; ++d)
    if (nest.extents[static_cast<unsigned>(d)] == 0) return;
  for (;;) {
    visit(offset);
    int d = rank - 1;
    for (; d >= 0; --d) {
      auto const u = static_cast<unsigned>(d);
      for (unsigned k = 0; k < Operands; ++k) offset[k] += nest.strides[u][k];
      if (++at[u] < nest.extents[u]) break;
      for (unsigned k = 0; k < Operands; ++k) offset[k] -= nest.strides[u][k] * nest.extents[u];
      at[u] = 0;
    }
    if (d < 0) return;
  }
}

/// Calls `visit(offsets)` with the element offsets of the operands at each step of the loops.
template <int Operands> constexpr void for_each_step(loop_nest<Operands> const& nest, auto&& visit) {
  for_each_step(nest, nest.rank, visit);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
