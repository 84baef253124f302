// guardjit: modes/mode_tag.hpp: the identity of a mode's type at run time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_MODE_TAG_HPP
#define GUARDJIT_MODES_MODE_TAG_HPP

#include <guardjit/base/config.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
// No constant: linkers may fold equal ones.
template <class Mode> struct GUARDJIT_VISIBLE mode_tag_holder {
  static inline char tag = 0;
};

}  // namespace detail

/// Another address for each type of modes. It is one address in a program and its shared libraries
/// where the type is marked `GUARDJIT_VISIBLE`, as types of exceptions are.
/// Rules: M61, M69.
template <class Mode> inline constexpr void const* mode_tag = &detail::mode_tag_holder<Mode>::tag;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
