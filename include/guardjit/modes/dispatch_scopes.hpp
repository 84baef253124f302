// guardjit: modes/dispatch_scopes.hpp: dispatch switched off or on
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_DISPATCH_SCOPES_HPP
#define GUARDJIT_MODES_DISPATCH_SCOPES_HPP

#include <guardjit/modes/mode_slot.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
class dispatch_scope : scope_base {
 protected:
  explicit dispatch_scope(bool enabled) noexcept : former_(this_thread.enabled) { set(enabled); }
  ~dispatch_scope() { set(former_); }

 private:
  static void set(bool enabled) noexcept {
    this_thread.enabled = enabled;
    refresh_word();
  }
  bool former_;
};
}  // namespace detail

/// While it lives, modes stay on the stack and see nothing.
/// Rules: M32.
class [[nodiscard]] dispatch_disabled : detail::dispatch_scope {
 public:
  dispatch_disabled() noexcept : dispatch_scope(false) {}
};

/// While it lives, dispatch is enabled, also inside `dispatch_disabled`.
/// Rules: M33.
class [[nodiscard]] dispatch_enabled : detail::dispatch_scope {
 public:
  dispatch_enabled() noexcept : dispatch_scope(true) {}
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
