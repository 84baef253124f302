// guardjit: modes/stash_modes.hpp: the stack saved and emptied, or put back for a while
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_STASH_MODES_HPP
#define GUARDJIT_MODES_STASH_MODES_HPP

#include <guardjit/modes/mode_slot.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// While it lives, the visible stack is empty; the end restores it, whatever happened inside.
/// Lifetime: the saved stack lies in this object.
/// Rules: M8, M35, D9's compile window.
class [[nodiscard]] stash_modes : scope_base {
 public:
  stash_modes() noexcept : frame_(nullptr, "stash_modes") {}

 private:
  friend class reinstate_modes;
  detail::mode_frame frame_;
};

/// While it lives inside a `stash_modes`, the stashed stack is visible.
class [[nodiscard]] reinstate_modes : scope_base {
 public:
  explicit reinstate_modes(stash_modes const& stash) noexcept
      : frame_(stash.frame_.saved, "reinstate_modes") {}

 private:
  detail::mode_frame frame_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
