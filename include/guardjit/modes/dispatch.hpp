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

/// The visible pure and keyed modes.
inline int filtered_count() noexcept {
  int count = 0;
  for (auto const* slot = detail::this_thread.visible; slot; slot = slot->below)
    count += slot->is_filtered() ? 1 : 0;
  return count;
}

/// Tells one op of a compiled call to every visible observer that wants it and has `below` pure and
/// keyed modes below it, top first, and to no other mode. Called outside of `inert_scope`, once for each
/// op in order, before kernels run.
/// Complexity: one branch without observers; allocates nothing.
/// Throws: what `observe` throws.
/// Rules: M25, M97, M105, M110.
inline void tell_observers(op_record const& record, int below = 0) {
  if (!observers_active()) [[likely]]
    return;
  int place = filtered_count();
  for (detail::mode_slot* slot = detail::this_thread.visible; slot;) {
    place -= slot->is_filtered() ? 1 : 0;
    bool const is_told = slot->mode->cls() == mode_class::observer && place == below;
    if (!is_told || !slot->wants(record.id)) {
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
