// guardjit: modes/thread_state.hpp: the modes of a thread, and the word that sums them up
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_THREAD_STATE_HPP
#define GUARDJIT_MODES_THREAD_STATE_HPP

#include <guardjit/base/inert.hpp>
#include <guardjit/tensor/device.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// What a mode promises, and so what a compiled call owes to it.
enum class mode_class : std::uint8_t { pure, keyed, observer, runtime, infra };
/// Whether compiled functions may inline modes of a class: they are pure but for a key.
constexpr bool is_inlined(mode_class c) noexcept { return c == mode_class::pure || c == mode_class::keyed; }

/// The bit of the thread's word that is set while a mode of class `c` is visible.
constexpr std::uint64_t word_bit(mode_class c) noexcept {
  return std::uint64_t{1} << static_cast<unsigned>(c);
}
/// The bits of all classes; those of the next byte belong to default device and stance.
inline constexpr std::uint64_t mode_bits = 0xFF;
/// The bits of the filtered stack: of the modes that compiled functions may inline.
inline constexpr std::uint64_t filtered_bits = word_bit(mode_class::pure) | word_bit(mode_class::keyed);
/// Set while the thread has a default device. Calls of functions that read none test all other bits.
inline constexpr std::uint64_t default_device_bit = 0x100;
/// Set while the thread has a stance that changes calls for which there is an entry. The other stances are
/// read on a miss only.
inline constexpr std::uint64_t stance_bit = 0x200;

/// What calls of compiled functions do where no entry serves them; `stance_scope` sets it for a thread.
/// Rules: G70 to G75.
enum class stance : std::uint8_t {
  normal,              ///< they make an entry
  force_eager,         ///< all calls run op by op; nothing is looked up, and entries are kept
  eager_on_recompile,  ///< they run op by op
  fail_on_recompile,   ///< they throw `recompile_error`
  eager_then_compile,  ///< the first call of a signature runs op by op, the next makes a dynamic entry
};

namespace detail {

struct mode_slot;
struct mode_frame;

/// The stance of a thread or of one call, with its options.
struct GUARDJIT_VISIBLE stance_setting {
  stance kind = stance::normal;
  bool allows_first = false;      ///< `allow_first`
  void const* backend = nullptr;  ///< whose entries calls use; null: their own

  /// Whether it changes calls for which there is an entry.
  constexpr bool acts_on_hits() const noexcept { return kind == stance::force_eager || backend; }
};

struct GUARDJIT_VISIBLE thread_modes {
  std::uint64_t word = 0;
  mode_slot* visible = nullptr;  // the top slot that the running code may reach
  mode_frame* frame = nullptr;   // the innermost handler or stash
  int nesting = 0;               // handlers that are running
  bool enabled = true;
  device placed_on{};  // the default device, where the word says that there is one
  stance_setting calls{};  // the stance
};
GUARDJIT_VISIBLE constinit inline thread_local thread_modes this_thread{};

/// Replaces the bits of the thread's word that `mask` names.
inline void set_word_bits(std::uint64_t mask, std::uint64_t bits) noexcept {
  this_thread.word = (this_thread.word & ~mask) | (bits & mask);
}

}  // namespace detail

/// The thread's word: 0 where no mode is visible and nothing else is set. Modes count as absent
/// while dispatch is disabled; the inert counter has no influence.
/// Complexity: one load. Rules: G20, M72.
inline std::uint64_t current_word() noexcept { return detail::this_thread.word; }

/// Whether an op goes to a mode first: dispatch is enabled, a mode is visible, nothing is inert.
/// Rules: M10, M34, M93.
inline bool dispatch_active() noexcept {
  return (detail::this_thread.word & mode_bits) != 0 && !is_inert();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
