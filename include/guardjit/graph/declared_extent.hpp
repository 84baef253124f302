// guardjit: graph/declared_extent.hpp: what the option `shape_of` says of one extent, as data
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_DECLARED_EXTENT_HPP
#define GUARDJIT_GRAPH_DECLARED_EXTENT_HPP

#include <guardjit/tensor/shape.hpp>

#include <cstdint>
#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// How an extent of an argument is declared. Rules: G80, G86.
enum class declared_kind : std::uint8_t {
  any,        ///< every value, by one entry
  fixed,      ///< every value; each entry has its own
  automatic,  ///< as G81 says, whatever the function's policy
  number,     ///< `lo`
  range,      ///< `lo` to `hi`
  multiple,   ///< of `divisor`
  named,      ///< that of the other extents of this name
};

/// What is declared of one extent that the type of its argument leaves open.
struct declared_extent {
  declared_kind kind{};
  std::int16_t argument = 0;
  std::int8_t dim = 0;
  index_t lo = 0, hi = INT64_MAX;
  index_t divisor = 1;
  char const* name = nullptr;  ///< `number`: of the name that another argument's type gives a value

  /// Whether a call may break it.
  constexpr bool is_checked() const { return kind >= declared_kind::number; }
  /// Whether entries leave the extent open, from the first one on.
  constexpr bool is_open() const {
    return kind == declared_kind::any || kind >= declared_kind::range;
  }
};

namespace detail {

constexpr bool same_text(char const* a, char const* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

/// The declaration of one extent, or null.
constexpr declared_extent const* declared_of(std::span<declared_extent const> all, index_t argument,
                                             index_t dim) {
  for (declared_extent const& e : all)
    if (e.argument == argument && e.dim == dim) return &e;
  return nullptr;
}

/// The first extent of the name of `e`, which stands for all of them in a trace; `e` if it has none.
constexpr declared_extent const& first_of_name(std::span<declared_extent const> all,
                                               declared_extent const& e) {
  if (e.kind != declared_kind::named) return e;
  for (declared_extent const& other : all)
    if (other.kind == declared_kind::named && same_text(other.name, e.name)) return other;
  return e;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
