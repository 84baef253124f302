// guardjit: tensor/copy_elements.hpp: elements from one layout to another
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_COPY_ELEMENTS_HPP
#define GUARDJIT_TENSOR_COPY_ELEMENTS_HPP

#include <guardjit/tensor/layout.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `to[i] = from[i]` for all indices of one shape, row by row.
template <class T> constexpr void copy_rows(layout_view const& to, T* out, layout_view const& from,
                                            T const* in) {
  int const last = to.rank - 1;
  index_t const rows = to.rank ? to.count() / to.extents[last] : 1;
  index_t const length = to.rank ? to.extents[last] : 1;
  index_t const to_step = to.rank ? to.strides[last] : 1, from_step = to.rank ? from.strides[last] : 1;
  index_t index[max_rank]{};
  for (index_t row = 0; row < rows; ++row) {
    for (index_t k = 0; k < length; ++k) out[k * to_step] = in[k * from_step];
    for (int d = last - 1; d >= 0; --d) {
      bool const carries = ++index[d] == to.extents[d];
      out += carries ? (1 - to.extents[d]) * to.strides[d] : to.strides[d];
      in += carries ? (1 - to.extents[d]) * from.strides[d] : from.strides[d];
      if (!carries) break;
      index[d] = 0;
    }
  }
}

/// Calls `move(word)` with a null pointer to a type of `bytes` bytes that may stand for any element.
/// So a bool is moved as a byte: foreign memory may hold others than 0 and 1.
void with_word(int bytes, auto const& move) {
  using word2 = std::uint16_t __attribute__((may_alias));
  using word4 = std::uint32_t __attribute__((may_alias));
  using word8 = std::uint64_t __attribute__((may_alias));
  switch (bytes) {
    case 1: return move(static_cast<unsigned char*>(nullptr));
    case 2: return move(static_cast<word2*>(nullptr));
    case 4: return move(static_cast<word4*>(nullptr));
    default: return move(static_cast<word8*>(nullptr));
  }
}

}  // namespace detail

/// Copies elements of `bytes` bytes, 1, 2, 4 or 8, between two layouts of one shape.
/// Precondition: what is written is not read.
[[gnu::noinline]] inline void copy_elements(int bytes, layout_view const& to, void* out,
                                            layout_view const& from, void const* in) {
  index_t const count = to.count();
  if (count == 0) return;
  if (is_contiguous(to) && is_contiguous(from)) {
    __builtin_memcpy(out, in, static_cast<std::size_t>(count * bytes));
    return;
  }
  detail::with_word(bytes, [&]<class Word>(Word*) {
    detail::copy_rows(to, static_cast<Word*>(out), from, static_cast<Word const*>(in));
  });
}

/// Writes the elements of `from`, read by layout `l`, to `to` in row-major order.
/// Precondition: `to` has room for `l.count()` elements and none of it is read.
template <class T> constexpr void copy_elements(layout_view const& l, T const* from, T* to) {
  index_t strides[max_rank]{};
  detail::row_major_strides(l.rank, l.extents, strides);
  layout_view const packed{l.rank, l.extents, strides, 0};
  if (!std::is_constant_evaluated()) return copy_elements(int{sizeof(T)}, packed, to, l, from);
  if (l.count() != 0) detail::copy_rows(packed, to, l, from);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
