// guardjit: graph/escape.hpp: names made harmless for the place where they are written
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_ESCAPE_HPP
#define GUARDJIT_GRAPH_ESCAPE_HPP

#include <guardjit/base/config.hpp>

#include <cstdint>
#include <string>  // the texts

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One character of a text, and the bytes that it has there.
struct decoded_character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = false;
};

/// The first character of a text that is not empty; one byte where it is no UTF-8.
[[gnu::cold]] inline decoded_character decode_utf8(std::string_view text) {
  auto const byte = [text](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  std::uint32_t const first = byte(0);
  if (first < 0x80) return {first, 1, true};
  std::size_t const bytes = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (bytes == 0 || bytes > text.size()) return {first};
  std::uint32_t code = first & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if (byte(k) >> 6 != 2) return {first};
    code = code << 6 | (byte(k) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool const is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < least[bytes] || code > 0x10FFFF || is_surrogate) return {first};
  return {code, bytes, true};
}

/// Appends `value` in so many hexadecimal digits.
[[gnu::cold]] inline void append_hex(std::string& to, std::uint32_t value, int digits) {
  for (int k = digits - 1; k >= 0; --k) to += "0123456789abcdef"[value >> (4 * k) & 0xF];
}

/// Whether a terminal would act on a character instead of showing it: controls, line separators, and
/// those that turn the direction of what follows.
constexpr bool steers_terminals(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x061C || c == 0x200E || c == 0x200F || c == 0xFEFF;
}

}  // namespace detail

/// A name for a terminal or a log: what would steer the terminal, or is no UTF-8, stands as `\x1b` or
/// `\u202e`, so that a name cannot forge a line. The rest is as it was. Rules: O41.
[[gnu::cold]] inline std::string printable(std::string_view text) {
  std::string to;
  while (!text.empty()) {
    detail::decoded_character const c = detail::decode_utf8(text);
    if (!c.is_valid || (c.bytes == 1 && detail::steers_terminals(c.code))) {
      detail::append_hex(to += "\\x", c.code, 2);
    } else if (detail::steers_terminals(c.code)) {
      detail::append_hex(to += "\\u", c.code, 4);
    } else {
      to += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return to;
}

/// Appends a string of JSON, quotes included. It may stand in a script of HTML as well: `<`, `>`, `&` and the
/// line separators are escaped. What is no UTF-8 becomes U+FFFD. Rules: O41.
[[gnu::cold]] inline void append_json_string(std::string& to, std::string_view text) {
  to += '"';
  while (!text.empty()) {
    detail::decoded_character const c = detail::decode_utf8(text);
    bool const is_markup = c.code == '<' || c.code == '>' || c.code == '&';
    if (!c.is_valid) to += "\\ufffd";
    else if (c.code == '"' || c.code == '\\') (to += '\\') += static_cast<char>(c.code);
    else if (c.code == '\n') to += "\\n";
    else if (is_markup || detail::steers_terminals(c.code))
      detail::append_hex(to += "\\u", c.code, 4);
    else to += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  to += '"';
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
