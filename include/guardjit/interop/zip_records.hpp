// guardjit: interop/zip_records.hpp: the numbers of the ZIP format
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_ZIP_RECORDS_HPP
#define GUARDJIT_INTEROP_ZIP_RECORDS_HPP

#include <guardjit/base/config.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Signatures, sizes of the records' fixed parts, and the values that send to ZIP64.
namespace zip {
inline constexpr std::uint32_t local = 0x04034b50, central = 0x02014b50, end = 0x06054b50,
                               end64 = 0x06064b50, locator64 = 0x07064b50;
inline constexpr int local_bytes = 30, central_bytes = 46, end_bytes = 22, end64_bytes = 56,
                     locator64_bytes = 20;
inline constexpr std::uint64_t wide16 = 0xffff, wide32 = 0xffffffff;
inline constexpr int extra64 = 1;
inline constexpr int stored = 0, deflated = 8;
}  // namespace zip

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
