// guardjit: kernels/eigen/gather.hpp: elements chosen by indices, line by line
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_GATHER_HPP
#define GUARDJIT_KERNELS_EIGEN_GATHER_HPP

#include <guardjit/reference/movement.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// `reference_gather` with a loop of its own for the innermost axis: where one index serves a whole
/// line, as in a take of rows, the line is copied as it lies.
template <element T, element Index>
void gather_lines(gather_nest const& nest, void* out, void const* x, void const* indices) {
  auto const& loops = nest.loops;
  if (loops.rank == 0) return reference_gather<T, Index>(nest, out, x, indices);
  auto const last = static_cast<unsigned>(loops.rank - 1);
  index_t const length = loops.extents[last];
  if (length == 0) return;
  auto const [to_step, x_step, index_step] = loops.strides[last];
  bool const is_line = to_step == 1 && x_step == 1 && index_step == 0 && !std::is_same_v<T, bool>;
  for_each_step(loops, loops.rank - 1, [&](auto const& at) {
    auto const place = [&](index_t k) {
      return index_place(load_element<Index>(indices, at[2] + k * index_step), nest.extent) * nest.step;
    };
    if (is_line) {
      __builtin_memcpy(advance_array<T>(out, at[0]), advance_array<T>(x, at[1] + place(0)),
                       static_cast<std::size_t>(length) * sizeof(T));
    } else {
      for (index_t k = 0; k < length; ++k)
        store_element(out, at[0] + k * to_step, load_element<T>(x, at[1] + k * x_step + place(k)));
    }
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
