// guardjit: modes/mode_slot.hpp: the stack of slots as a list through scopes and frames
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_MODE_SLOT_HPP
#define GUARDJIT_MODES_MODE_SLOT_HPP

#include <guardjit/base/events.hpp>
#include <guardjit/modes/function_mode.hpp>
#include <guardjit/modes/mode_tag.hpp>
#include <guardjit/modes/op_set.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Room for the key of a mode.
inline constexpr std::size_t key_bytes = 64;

/// A mode that a copy of a stack owns, alone or with others.
struct owned_mode {
  function_mode* mode = nullptr;
  void const* held = nullptr;  // the mode, or a shared pointer to it
  void* owner = nullptr;
  void (*release)(void* owner) noexcept = nullptr;
};

/// One entry of a mode into the stack; part of its scope object.
struct GUARDJIT_VISIBLE mode_slot {
  function_mode* mode = nullptr;
  char const* name = "";
  op_set const* interests = nullptr;  // null: all ops
  mode_slot* below = nullptr;
  mode_frame* frame = nullptr;  // the innermost frame when it was pushed
  void const* tag = nullptr;    // of the mode's type
  void const* keys = nullptr;   // what a keyed mode's key is for this call; null: asked each time
  void (*read_key)(function_mode const&, void* room) = nullptr;  // of a keyed mode
  mode_slot* filtered = nullptr;  // this slot, or the next one below, of the filtered stack
  std::uint64_t flags = 0;        // bits of the classes of this slot and all below
  void const* held = nullptr;     // what the scope holds or refers to
  owned_mode (*own)(void const* held) = nullptr;  // makes an owner of it; null where there can be none

  bool wants(op id) const noexcept { return !interests || interests->contains(id); }
  /// Whether the mode belongs to the filtered stack: compiled functions may inline it.
  bool is_filtered() const noexcept { return is_inlined(mode->cls()); }
};

inline void set_flags(mode_slot& slot) noexcept {
  slot.flags = word_bit(slot.mode->cls()) | (slot.below ? slot.below->flags : 0);
  slot.filtered = slot.is_filtered() ? &slot : slot.below ? slot.below->filtered : nullptr;
}

/// Follows a change of the visible stack or of the dispatch state.
inline void refresh_word() noexcept {
  auto const& state = this_thread;
  set_word_bits(mode_bits, state.enabled && state.visible ? state.visible->flags : 0);
}

inline void show(mode_slot* top) noexcept {
  this_thread.visible = top;
  refresh_word();
}

[[gnu::cold, gnu::noinline]] inline void send_mode_error(char const* mode, char const* reason,
                                                         fixed_text const& text) noexcept {
  send({.kind = event_kind::mode_error, .name = mode, .reason = reason, .text = text.c_str()});
}

/// While it lives, another stack is visible: the slots below a running handler, or what a stash
/// shows. The end brings the former stack back, whatever the code inside left behind.
/// Rules: M8, M11, M12.
struct GUARDJIT_VISIBLE mode_frame : scope_base {
  mode_slot* saved;  // visible before, and again afterwards
  mode_slot* base;   // visible at the start
  mode_frame* outer;
  char const* owner;  // for messages

  mode_frame(mode_slot* shown, char const* name) noexcept
      : saved(this_thread.visible), base(shown), outer(this_thread.frame), owner(name) {
    this_thread.frame = this;
    show(shown);
  }
  ~mode_frame() {
    mode_slot* const left = this_thread.visible;
    this_thread.frame = outer;
    show(saved);
    if (left != base && has_subscribers()) [[unlikely]]
      report_leak(left);
  }

 private:
  void report_leak(mode_slot const* left) const noexcept {
    send_mode_error(left->name, "leaked_scope",
                    fixed_text{} << "guardjit: mode_scope: a scope of " << left->name
                                 << " outlives " << owner << ", which made it");
  }
};

inline void push(mode_slot& slot) noexcept {
  auto& state = this_thread;
  slot.below = state.visible;
  slot.frame = state.frame;
  set_flags(slot);
  show(&slot);
}

/// Flags of a whole stack, bottom first; the depth of the recursion is that of the stack.
inline void set_all_flags(mode_slot* top) noexcept {
  if (!top) return;
  set_all_flags(top->below);
  set_flags(*top);
}

/// Takes `gone` out of one stack; returns the top of the stack if `gone` was below it.
inline mode_slot* unlink_from(mode_slot*& top, mode_slot& gone) noexcept {
  if (top == &gone) {
    top = gone.below;
    return nullptr;
  }
  for (mode_slot* slot = top; slot; slot = slot->below)
    if (slot->below == &gone) {
      slot->below = gone.below;
      set_all_flags(top);
      return top;
    }
  return nullptr;
}

/// Removes a slot that is not the top one, or that frames refer to: the visible stack and those
/// of the frames share their lower slots.
[[gnu::cold, gnu::noinline]] inline void unlink_from_all(mode_slot& gone) noexcept {
  mode_slot* above = unlink_from(this_thread.visible, gone);
  for (mode_frame* frame = this_thread.frame; frame; frame = frame->outer)
    for (mode_slot** top : {&frame->base, &frame->saved})
      if (mode_slot* const found = unlink_from(*top, gone); !above) above = found;
  refresh_word();
  if (above && has_subscribers())
    send_mode_error(gone.name, "scope_order",
                    fixed_text{} << "guardjit: mode_scope: the scope of " << gone.name
                                 << " ends before that of " << above->name << " above it");
}

/// Removes a slot. Nothing happens to one that a handler left behind: no stack has it any more.
/// Rules: M3, M12.
inline void pop(mode_slot& slot) noexcept {
  if (this_thread.visible == &slot && this_thread.frame == slot.frame) return show(slot.below);
  unlink_from_all(slot);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
