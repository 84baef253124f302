// guardjit: modes/dispatch.hpp: how ops reach modes: one by one, or as records of a compiled call
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_DISPATCH_HPP
#define GUARDJIT_MODES_DISPATCH_HPP

#include <guardjit/modes/observer_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Whether a compiled call owes records to an observer of this thread.
inline bool observers_active() noexcept {
  return (current_word() & word_bit(mode_class::observer)) != 0 && !is_inert();
}

/// Tells one op of a compiled call to every visible observer that wants it, top first, and to no
/// other mode. Called outside of `inert_scope`, once for each op in order, before kernels run.
/// Complexity: one branch without observers; allocates nothing.
/// Throws: what `observe` throws.
/// Rules: M25, M97, M105, M110.
inline void tell_observers(op_record const& record) {
  if (!observers_active()) [[likely]]
    return;
  for (detail::mode_slot* slot = detail::this_thread.visible; slot;) {
    if (slot->mode->cls() != mode_class::observer || !slot->wants(record.id)) {
      slot = slot->below;
      continue;
    }
    detail::handler_frame frame(*slot);
    static_cast<observer_mode*>(slot->mode)->observe(record);
    slot = frame.base;  // what is below now: `observe` may have ended scopes
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
