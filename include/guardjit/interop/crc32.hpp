// guardjit: interop/crc32.hpp: the checksum of ZIP archives
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_CRC32_HPP
#define GUARDJIT_INTEROP_CRC32_HPP

#include <guardjit/base/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `[k][b]`: what byte `b`, followed by `k` zero bytes, adds to the remainder.
inline constexpr auto crc32_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t r = b;
    for (int bit = 0; bit < 8; ++bit) r = r >> 1 ^ (r & 1 ? 0xEDB88320u : 0u);
    tables[0][b] = r;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b)
      tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}();

/// The checksum of bytes that follow others, whose checksum is `before`.
/// Complexity: linear, eight bytes a step.
inline std::uint32_t crc32(void const* data, std::size_t count, std::uint32_t before = 0) {
  static_assert(std::endian::native == std::endian::little);
  auto const& t = crc32_tables;
  auto const* at = static_cast<unsigned char const*>(data);
  std::uint32_t r = ~before;
  for (; count >= 8; at += 8, count -= 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, at, 8);
    word ^= r;
    r = 0;
    for (std::size_t k = 0; k < 8; ++k) r ^= t[7 - k][word >> (8 * k) & 0xff];
  }
  for (; count > 0; ++at, --count) r = r >> 8 ^ t[0][(r ^ *at) & 0xff];
  return ~r;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
