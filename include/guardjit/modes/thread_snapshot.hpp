// guardjit: modes/thread_snapshot.hpp: what one thread sees, copied, and run under by another
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_THREAD_SNAPSHOT_HPP
#define GUARDJIT_MODES_THREAD_SNAPSHOT_HPP

#include <guardjit/modes/default_device.hpp>
#include <guardjit/modes/mode_slot.hpp>

#include <utility>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// A copy of what the code of a thread sees: mode stack, dispatch state, default device. Threads inherit
/// none of these; a `thread_state_scope` hands them on.
///
///     std::jthread worker([state = thread_state::current()] { thread_state_scope const scope(state); … });
///
/// It owns copies of the pure and keyed modes, and shares those that were entered by a shared owning
/// pointer; the latter are then told by several threads at once, if these run at once.
/// Lifetime: outlives the scopes that use it. May be used by any number of threads.
/// Rules: M50, M52, M53.
class [[nodiscard]] thread_state {
 public:
  /// That of the calling thread, of the stack what is visible to the caller.
  /// Throws: `mode_error` with the name of a mode that is neither pure nor keyed nor entered by a shared
  /// owning pointer; what copies of modes throw; `std::bad_alloc`.
  static thread_state current() {
    thread_state copy;
    int depth = 0;
    for (auto const* slot = detail::this_thread.visible; slot; slot = slot->below) ++depth;
    copy.modes_.reserve(static_cast<std::size_t>(depth));
    for (auto const* slot = detail::this_thread.visible; slot; slot = slot->below) copy.add(*slot);
    return copy;
  }
  thread_state(thread_state&& other) noexcept
      : modes_(std::exchange(other.modes_, {})), device_(other.device_), enabled_(other.enabled_) {}
  thread_state& operator=(thread_state&& other) noexcept {
    std::swap(modes_, other.modes_);
    device_ = other.device_;
    enabled_ = other.enabled_;
    return *this;
  }
  ~thread_state() {
    for (kept_mode const& kept : modes_) kept.owned.release(kept.owned.owner);
  }

 private:
  friend class thread_state_scope;

  struct kept_mode {
    detail::mode_slot slot;
    detail::owned_mode owned;
  };

  thread_state() noexcept
      : device_(guardjit::default_device()), enabled_(detail::this_thread.enabled) {}

  /// Precondition: there is room.
  void add(detail::mode_slot const& seen) {
    if (!seen.own)
      raise<mode_error>(fixed_text{} << "guardjit: thread_state::current(): mode " << seen.name
                                     << " cannot be copied: it is neither pure nor keyed, and its scope has "
                                        "no shared pointer");
    kept_mode kept{seen, seen.own(seen.held)};
    kept.slot.mode = kept.owned.mode;
    kept.slot.held = kept.owned.held;
    kept.slot.below = nullptr;
    kept.slot.frame = nullptr;
    kept.slot.keys = nullptr;  // that of the call that is running
    modes_.push_back(kept);
  }

  std::vector<kept_mode> modes_;  // top first
  std::optional<device> device_;
  bool enabled_;
};

/// While it lives, the calling thread sees what `state` is a copy of, and nothing of its own; the end
/// brings back what it saw before.
/// Complexity: one allocation, of the slots. Throws: `std::bad_alloc`.
/// Lifetime: `state` outlives it.
/// Rules: M8, M35, M52.
class [[nodiscard]] thread_state_scope : scope_base {
 public:
  explicit thread_state_scope(thread_state const& state)
      : slots_(slots_of(state)),
        former_device_(guardjit::default_device()),
        former_enabled_(detail::this_thread.enabled),
        frame_(slots_.empty() ? nullptr : slots_.data(), "thread_state_scope") {
    set(state.device_, state.enabled_);
  }
  explicit thread_state_scope(thread_state const&&) = delete;
  ~thread_state_scope() { set(former_device_, former_enabled_); }

 private:
  /// A list of its own, so that threads that share a state share no link.
  static std::vector<detail::mode_slot> slots_of(thread_state const& state) {
    std::vector<detail::mode_slot> slots;
    slots.reserve(state.modes_.size());
    for (auto const& kept : state.modes_) slots.push_back(kept.slot);
    for (std::size_t k = slots.size(); k-- > 0;) {
      slots[k].below = k + 1 < slots.size() ? &slots[k + 1] : nullptr;
      detail::set_flags(slots[k]);
    }
    return slots;
  }
  static void set(std::optional<device> on, bool enabled) noexcept {
    detail::change_default_device(on);
    detail::this_thread.enabled = enabled;
    detail::refresh_word();
  }

  std::vector<detail::mode_slot> slots_;
  std::optional<device> former_device_;
  bool former_enabled_;
  detail::mode_frame frame_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
