// guardjit: modes/mode_stack.hpp: reading the stack of this thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_MODE_STACK_HPP
#define GUARDJIT_MODES_MODE_STACK_HPP

#include <guardjit/modes/mode_slot.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The modes that the running code may reach. Index 0 is the bottom. Only scopes change it.
/// Rules: M2, M4, M7, M11, M34.
struct mode_stack {
  /// Number of slots, whether dispatch is enabled or not; in a handler, its own index.
  static int depth() noexcept {
    int count = 0;
    for (auto const* slot = detail::this_thread.visible; slot; slot = slot->below) ++count;
    return count;
  }
  /// Throws: `mode_error` where `index` is not in [0, depth()).
  static function_mode& at(int index) {
    int const count = depth();
    if (index < 0 || index >= count)
      raise<mode_error>(fixed_text{} << "guardjit: mode_stack::at(index): index " << index
                                     << ", depth " << count);
    auto const* slot = detail::this_thread.visible;
    for (int above = count - 1 - index; above > 0; --above) slot = slot->below;
    return *slot->mode;
  }
  /// Null where the stack is empty.
  static function_mode* top() noexcept {
    return detail::this_thread.visible ? detail::this_thread.visible->mode : nullptr;
  }
  /// Whether an op would be dispatched.
  static bool active() noexcept { return dispatch_active(); }
  /// The dispatch state.
  static bool enabled() noexcept { return detail::this_thread.enabled; }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
