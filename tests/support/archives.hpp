// guardjit: tests/support/archives.hpp: ZIP archives in memory, good and bent
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_ARCHIVES_HPP
#define GUARDJIT_TESTS_SUPPORT_ARCHIVES_HPP

#include <guardjit/interop/npz.hpp>

#include <string>
#include <utility>
#include <vector>

namespace support {

/// Bytes of a string as a source. Lifetime: the string's.
struct memory_of : guardjit::detail::memory_source {
  explicit memory_of(std::string const& bytes) : memory_source(std::as_bytes(std::span(bytes))) {}
};

/// What is written, as a string.
struct string_sink {
  std::string bytes;
  void write(void const* from, std::size_t count) {
    bytes.append(static_cast<char const*>(from), count);
  }
};

/// An archive of named bytes, stored.
inline std::string archive(std::vector<std::pair<std::string, std::string>> const& members,
                           std::uint64_t zip64_from = guardjit::detail::zip::wide32) {
  string_sink sink;
  guardjit::detail::zip_writer writer(sink, zip64_from);
  for (auto const& [name, bytes] : members) {
    writer.begin_member(name, bytes.size(), guardjit::detail::crc32(bytes.data(), bytes.size()));
    sink.write(bytes.data(), bytes.size());
  }
  writer.finish();
  return sink.bytes;
}

/// Deflated bytes that say: these bytes as they stand, and no more.
inline std::string deflated_as_it_stands(std::string const& bytes) {
  std::string packed = "\1";
  for (auto const length : {bytes.size(), ~bytes.size()})
    for (unsigned k = 0; k < 2; ++k) packed += static_cast<char>(length >> 8 * k & 0xff);
  return packed + bytes;
}

/// An archive of one deflated member that is said to be `whole`, `size` bytes long.
inline std::string deflated_archive(std::string const& name, std::string const& packed,
                                    std::string const& whole, std::size_t size) {
  auto file = archive({{name, packed}});
  auto const crc = guardjit::detail::crc32(whole.data(), whole.size());
  // Method, checksum and size stand behind one another in both headers of the member.
  for (auto const method_at : {std::size_t{8}, file.find("PK\1\2") + 10}) {
    file[method_at] = 8;
    for (unsigned k = 0; k < 4; ++k) {
      file[method_at + 6 + k] = static_cast<char>(crc >> 8 * k & 0xff);
      file[method_at + 14 + k] = static_cast<char>(size >> 8 * k & 0xff);
    }
  }
  return file;
}

}  // namespace support

#endif
