// guardjit: base/fixed_text.hpp: a short text built without the heap
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_FIXED_TEXT_HPP
#define GUARDJIT_BASE_FIXED_TEXT_HPP

#include <guardjit/base/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>

namespace guardjit::inline GUARDJIT_ABI {

/// A text of at most 511 characters, appended to with `<<`; what does not fit is cut.
/// Complexity: linear in the text, no allocation.
class fixed_text {
 public:
  constexpr fixed_text() = default;
  constexpr fixed_text(char const* text) { *this << text; }

  constexpr fixed_text& operator<<(char const* text) {
    while (text && *text) *this << *text++;
    return *this;
  }
  constexpr fixed_text& operator<<(char c) {
    if (size_ + 1 < sizeof text_) text_[size_++] = c;
    return *this;
  }
  constexpr fixed_text& operator<<(std::integral auto number) {
    char digits[24]{};
    std::size_t count = 0;
    auto const value = static_cast<std::int64_t>(number);
    auto rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(number);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (std::signed_integral<decltype(number)> && value < 0) *this << '-';
    while (count) *this << digits[--count];
    return *this;
  }
  constexpr fixed_text& operator<<(std::source_location const& where) {
    return *this << where.file_name() << ':' << where.line();
  }
  constexpr fixed_text& operator<<(fixed_text const& other) { return *this << other.c_str(); }

  constexpr char const* c_str() const noexcept { return text_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }

 private:
  char text_[512]{};
  std::size_t size_ = 0;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
