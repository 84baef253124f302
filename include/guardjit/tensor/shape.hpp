// guardjit: tensor/shape.hpp: extents as data, and the index type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_SHAPE_HPP
#define GUARDJIT_TENSOR_SHAPE_HPP

#include <guardjit/base/errors.hpp>

#include <array>
#include <concepts>
#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// The type of extents, strides and indices everywhere.
using index_t = std::int64_t;

/// An extent that is known at run time only.
inline constexpr index_t dyn = -1;

inline constexpr int max_rank = 8;

/// Extents of a tensor of rank 0 to 8. As data of a signature, an extent may be `dyn`.
struct shape {
  int rank = 0;
  std::array<index_t, max_rank> extents{};

  constexpr shape() = default;
  template <std::integral... Extents>
    requires(sizeof...(Extents) > 0 && sizeof...(Extents) <= max_rank)
  constexpr shape(Extents... values)
      : rank(static_cast<int>(sizeof...(Extents))), extents{static_cast<index_t>(values)...} {}

  constexpr index_t operator[](int dim) const { return extents[static_cast<unsigned>(dim)]; }
  constexpr index_t& operator[](int dim) { return extents[static_cast<unsigned>(dim)]; }
  constexpr bool operator==(shape const&) const = default;

  /// Number of elements; every extent must be known.
  constexpr index_t count() const {
    index_t n = 1;
    for (int d = 0; d < rank; ++d) n *= (*this)[d];
    return n;
  }
};

/// Appends `(3, ?, 4)`; `?` stands for `dyn`.
constexpr fixed_text& operator<<(fixed_text& text, shape const& s) {
  text << '(';
  for (int d = 0; d < s.rank; ++d) {
    if (d) text << ", ";
    if (s[d] == dyn) text << '?';
    else text << s[d];
  }
  return text << ')';
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
