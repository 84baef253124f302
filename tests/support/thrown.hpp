// guardjit: tests/support/thrown.hpp: the text of the error that a call throws
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_THROWN_HPP
#define GUARDJIT_TESTS_SUPPORT_THROWN_HPP

#include <initializer_list>
#include <string>

namespace support {

/// What `thrown` gives for a call that returns.
inline constexpr char const* nothing_thrown = "nothing was thrown";

/// The text of the `Error` that `call` throws.
template <class Error> std::string thrown(auto&& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return nothing_thrown;
}

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
inline bool contains_all(std::string const& text, std::initializer_list<char const*> parts) {
  for (char const* part : parts)
    if (!contains(text, part)) return false;
  return true;
}

}  // namespace support

#endif
