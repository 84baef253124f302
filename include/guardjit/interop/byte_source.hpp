// guardjit: interop/byte_source.hpp: bytes that are read by offset: a file or memory
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_BYTE_SOURCE_HPP
#define GUARDJIT_INTEROP_BYTE_SOURCE_HPP

#include <guardjit/tensor/shape.hpp>

#include <cstddef>
#include <span>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What readers of foreign formats read from. `read(offset, to, count)` may throw `format_error`.
/// Precondition of `read`: the range lies inside `size()`; readers check what files say before.
template <class Source>
concept byte_source = requires(Source const& source, index_t offset, void* to, index_t count) {
  { source.size() } -> std::same_as<index_t>;
  source.read(offset, to, count);
};

/// Bytes at hand.
/// Lifetime: the bytes are the caller's.
class memory_source {
 public:
  explicit memory_source(std::span<std::byte const> bytes) : bytes_(bytes) {}
  index_t size() const { return static_cast<index_t>(bytes_.size()); }
  void read(index_t offset, void* to, index_t count) const {
    if (count > 0) __builtin_memcpy(to, bytes_.data() + offset, static_cast<std::size_t>(count));
  }

 private:
  std::span<std::byte const> bytes_;
};
static_assert(byte_source<memory_source>);

/// A little-endian number of `Bytes` bytes in a record at hand.
template <int Bytes> std::uint64_t number_at(std::byte const* record, int offset) {
  std::uint64_t number = 0;
  for (int k = Bytes - 1; k >= 0; --k)
    number = number << 8 | std::to_integer<std::uint64_t>(record[offset + k]);
  return number;
}

/// A name out of a file, in quotes: cut after 40 characters, `?` for what is no printable ASCII.
inline fixed_text quoted(char const* name, std::size_t size) {
  fixed_text text;
  text << '\'';
  for (std::size_t k = 0; k < size && k < 40; ++k)
    text << (name[k] >= ' ' && name[k] <= '~' ? name[k] : '?');
  return text << (size > 40 ? "…'" : "'");
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
