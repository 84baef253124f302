// guardjit: base/fixed_string.hpp: a string literal as a template argument
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_FIXED_STRING_HPP
#define GUARDJIT_BASE_FIXED_STRING_HPP

#include <guardjit/base/config.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

/// A string literal by value: `name<"layer">`.
template <std::size_t Size> struct fixed_string {
  char text[Size]{};
  consteval fixed_string(char const (&literal)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
