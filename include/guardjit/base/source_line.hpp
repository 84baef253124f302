// guardjit: base/source_line.hpp: file and line of a call
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_SOURCE_LINE_HPP
#define GUARDJIT_BASE_SOURCE_LINE_HPP

#include <guardjit/base/fixed_text.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// A line of the user's source; line 0 is no line.
/// Lifetime: `file` is a string with static storage.
struct source_line {
  char const* file = "";
  std::uint32_t line = 0;

  constexpr source_line() noexcept = default;
  constexpr source_line(char const* path, std::uint32_t number) noexcept
      : file(path), line(number) {}
  constexpr source_line(std::source_location const& where) noexcept
      : file(where.file_name()), line(where.line()) {}
};

/// Appends `file:line`.
constexpr fixed_text& operator<<(fixed_text& text, source_line const& where) {
  return text << where.file << ':' << where.line;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
