// guardjit: kernels/thrust/flat_nest.hpp: loops as one index, for threads that know nothing else
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_THRUST_FLAT_NEST_HPP
#define GUARDJIT_KERNELS_THRUST_FLAT_NEST_HPP

#include <guardjit/reference/loop_nest.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A `loop_nest` in plain arrays: device code may not call `std::array`.
template <int Operands> struct flat_nest {
  int rank = 0;
  index_t extents[max_rank]{};
  index_t strides[max_rank][static_cast<unsigned>(Operands)]{};

  explicit flat_nest(loop_nest<Operands> const& nest) : rank(nest.rank) {
    for (unsigned d = 0; d < static_cast<unsigned>(rank); ++d) {
      extents[d] = nest.extents[d];
      for (unsigned k = 0; k < Operands; ++k) strides[d][k] = nest.strides[d][k];
    }
  }
  /// Number of steps.
  GUARDJIT_HD index_t count() const {
    index_t n = 1;
    for (int d = 0; d < rank; ++d) n *= extents[d];
    return n;
  }
  /// Adds the offsets of the operands at step `i` to `offsets`.
  GUARDJIT_HD void advance(index_t i, index_t* offsets) const {
    for (int d = rank - 1; d >= 0; --d) {
      index_t const next = d > 0 ? i / extents[d] : 0, at = i - next * extents[d];
      for (int k = 0; k < Operands; ++k) offsets[k] += at * strides[d][k];
      i = next;
    }
  }
};

/// The arrays of a kernel, copied along with its threads.
template <int Inputs> struct operand_arrays {
  void* out;
  void const* in[Inputs > 0 ? static_cast<unsigned>(Inputs) : 1u];

  operand_arrays(void* result, void const* const* inputs) : out(result), in{} {
    for (int slot = 0; slot < Inputs; ++slot) in[slot] = inputs[slot];
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
