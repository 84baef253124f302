// guardjit: base/type_name.hpp: the name of a type for messages, without RTTI
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_TYPE_NAME_HPP
#define GUARDJIT_BASE_TYPE_NAME_HPP

#include <guardjit/base/config.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

struct signature_text {
  char const* text;
  std::size_t size;
};
template <class Named> constexpr signature_text signature_with() {
  return {__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1};
}

/// Characters around the type in `signature_with`, found with a type whose name is known.
struct signature_frame {
  std::size_t before = 0, around = 0;
};
constexpr signature_frame find_signature_frame() {
  constexpr char name[] = "double";
  constexpr std::size_t length = sizeof name - 1;
  constexpr signature_text s = signature_with<double>();
  for (std::size_t at = 0; at + length <= s.size; ++at) {
    std::size_t same = 0;
    while (same < length && s.text[at + same] == name[same]) ++same;
    if (same == length) return {at, s.size - length};
  }
  return {0, 0};
}

template <class Named> struct type_name_holder {
  static constexpr signature_frame frame = find_signature_frame();
  static constexpr std::size_t size = signature_with<Named>().size - frame.around;
  struct characters {
    char text[size + 1]{};
  };
  static constexpr characters value = [] {
    characters c;
    for (std::size_t k = 0; k < size; ++k)
      c.text[k] = signature_with<Named>().text[frame.before + k];
    return c;
  }();
};

}  // namespace detail

/// The name of a type as the compiler writes it.
/// Lifetime: static storage.
template <class Named> constexpr char const* type_name() noexcept {
  return detail::type_name_holder<Named>::value.text;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
