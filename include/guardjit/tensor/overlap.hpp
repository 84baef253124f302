// guardjit: tensor/overlap.hpp: whether two views of memory meet
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_OVERLAP_HPP
#define GUARDJIT_TENSOR_OVERLAP_HPP

#include <guardjit/tensor/layout.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// How memory that is written lies to memory that is read. Rules: G30.
enum class overlap : std::uint8_t { disjoint, same_view, overlapping };

/// A view of memory: first element, layout, bytes of an element.
struct memory_view {
  void const* data = nullptr;
  layout_view layout{};
  int element = 1;
};

namespace detail {

struct byte_range {
  std::uintptr_t begin = 0, end = 0;
};
inline byte_range range_of(memory_view const& v) noexcept {
  element_span const s = span_of(v.layout);
  auto const base = reinterpret_cast<std::uintptr_t>(v.data);
  return {base + static_cast<std::uintptr_t>(s.begin * v.element),
          base + static_cast<std::uintptr_t>(s.end * v.element)};
}

/// Matrices of one row pitch whose windows of columns do not meet.
inline bool in_other_columns(memory_view const& a, memory_view const& b) noexcept {
  layout_view const &x = a.layout, &y = b.layout;
  if (x.rank != 2 || y.rank != 2 || x.strides[1] != 1 || y.strides[1] != 1) return false;
  index_t const pitch = x.strides[0] * a.element;
  if (pitch <= 0 || y.strides[0] * b.element != pitch) return false;
  index_t const a_width = x.extents[1] * a.element, b_width = y.extents[1] * b.element;
  auto const apart = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(b.data) -
                                          reinterpret_cast<std::uintptr_t>(a.data));
  index_t const column = ((apart % pitch) + pitch) % pitch;
  return column >= a_width && column + b_width <= pitch;
}

}  // namespace detail

/// How two views lie to each other; what cannot be told apart cheaply counts as overlapping.
/// Rules: G31.
inline overlap overlap_of(memory_view const& a, memory_view const& b) noexcept {
  detail::byte_range const x = detail::range_of(a), y = detail::range_of(b);
  if (x.begin == x.end || y.begin == y.end || x.end <= y.begin || y.end <= x.begin) return overlap::disjoint;
  if (a.data == b.data && a.element == b.element && a.layout.rank == b.layout.rank) {
    bool same = true;
    for (int d = 0; d < a.layout.rank; ++d)
      same = same && a.layout.extents[d] == b.layout.extents[d] && a.layout.strides[d] == b.layout.strides[d];
    if (same) return overlap::same_view;
  }
  return detail::in_other_columns(a, b) ? overlap::disjoint : overlap::overlapping;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
