// guardjit: compile/replay_modes.hpp: the modes that make a call of a compiled function a replay
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_REPLAY_MODES_HPP
#define GUARDJIT_COMPILE_REPLAY_MODES_HPP

#include <guardjit/compile/function_state.hpp>
#include <guardjit/modes/dispatch.hpp>

#include <string>  // texts
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// While it lives, the visible keyed modes have the keys that they had at its start: a call reads a key
/// once. Rules: M96.
class fixed_keys : scope_base {
 public:
  fixed_keys() {
    std::size_t count = 0;
    for_each_keyed([&count](mode_slot&) { ++count; });
    rooms_.resize(count);
    room* next = rooms_.data();
    for_each_keyed([&next](mode_slot& slot) {
      next->slot = &slot;
      next->outer = slot.keys;
      if (!slot.keys) slot.read_key(*slot.mode, next->key);
      ++next;
    });
    for (room& r : rooms_)
      if (!r.outer) r.slot->keys = r.key;
  }
  ~fixed_keys() {
    // A handler may have ended scopes.
    for_each_keyed([this](mode_slot& slot) {
      for (room const& r : rooms_)
        if (r.slot == &slot) slot.keys = r.outer;
    });
  }

 private:
  struct room {
    alignas(16) std::byte key[key_bytes];
    mode_slot* slot = nullptr;
    void const* outer = nullptr;
  };
  static void for_each_keyed(auto const& visit) {
    for (mode_slot* slot = this_thread.visible; slot; slot = slot->below)
      if (slot->read_key) visit(*slot);
  }
  std::vector<room> rooms_;
};

/// The first mode, from the top, that needs the real values; or null.
[[gnu::cold]] inline mode_slot const* visible_runtime_mode() noexcept {
  mode_slot const* slot = this_thread.visible;
  while (slot && slot->mode->cls() != mode_class::runtime) slot = slot->below;
  return slot;
}

/// `[pass1, pass2]`: the visible pure and keyed modes by their types.
[[gnu::cold]] inline std::string visible_stack_text() {
  std::string text;
  for (mode_slot const* slot = this_thread.visible; slot; slot = slot->below)
    if (slot->is_filtered()) text = slot->name + (text.empty() ? "" : ", " + text);
  return "[" + text + "]";
}

/// Why this call runs op by op: one fixed word, and words for people. Rules: M98, M99.
struct replay_reason {
  char const* word;
  std::string text;
};
[[gnu::cold]] inline replay_reason reason_of_replay() {
  if (mode_slot const* const slot = visible_runtime_mode())
    return {"runtime_mode", std::string("mode ") + slot->name + " needs the real values"};
  return {"modes_not_declared",
          "the mode stack " + visible_stack_text() + " is not declared by inline_modes"};
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
