// guardjit: tensor/copy_elements.hpp: elements of any layout into row-major order
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_COPY_ELEMENTS_HPP
#define GUARDJIT_TENSOR_COPY_ELEMENTS_HPP

#include <guardjit/tensor/layout.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

/// Writes the elements of `from`, read by layout `l`, to `to` in row-major order.
/// Precondition: `to` has room for `l.count()` elements and none of it is read.
template <class T> constexpr void copy_elements(layout_view const& l, T const* from, T* to) {
  index_t const count = l.count();
  if (count == 0) return;
  if (is_contiguous(l) && !std::is_constant_evaluated()) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    return;
  }
  int const last = l.rank - 1;
  index_t const inner = l.rank ? l.extents[last] : 1;
  index_t const step = l.rank ? l.strides[last] : 1;
  index_t index[max_rank]{};
  index_t offset = 0;
  for (index_t done = 0; done < count; done += inner) {
    for (index_t k = 0; k < inner; ++k) *to++ = from[offset + k * step];
    for (int d = last - 1; d >= 0; --d) {
      offset += l.strides[d];
      if (++index[d] < l.extents[d]) break;
      offset -= l.extents[d] * l.strides[d];
      index[d] = 0;
    }
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
