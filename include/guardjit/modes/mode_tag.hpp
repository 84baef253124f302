// guardjit: modes/mode_tag.hpp: the identity of a mode's type at run time, and hashes of stacks of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_MODE_TAG_HPP
#define GUARDJIT_MODES_MODE_TAG_HPP

#include <guardjit/modes/thread_state.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
// No constant: linkers may fold equal ones.
template <class Mode> struct GUARDJIT_VISIBLE mode_tag_holder {
  static inline char tag = 0;
};

/// The hash of a filtered stack with one mode more on top; never 0 in its bits. Those below are 0.
inline std::uint64_t hash_with(std::uint64_t below, void const* tag) noexcept {
  std::uint64_t const mixed = ((below & stack_bits) + reinterpret_cast<std::uintptr_t>(tag) + 1) *
                              0x9E3779B97F4A7C15u;
  return ((mixed ^ (mixed >> 29)) | std::uint64_t{1} << 63) & stack_bits;
}
}  // namespace detail

/// Another address for each type of modes. It is one address in a program and its shared libraries
/// where the type is marked `GUARDJIT_VISIBLE`, as types of exceptions are.
/// Rules: M61, M69.
template <class Mode> inline constexpr void const* mode_tag = &detail::mode_tag_holder<Mode>::tag;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
