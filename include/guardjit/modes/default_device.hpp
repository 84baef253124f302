// guardjit: modes/default_device.hpp: the device of factories that were given none, per thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_DEFAULT_DEVICE_HPP
#define GUARDJIT_MODES_DEFAULT_DEVICE_HPP

#include <guardjit/modes/thread_state.hpp>

#include <optional>  // "none" is not "CPU"

namespace guardjit::inline GUARDJIT_ABI {

/// The device that a factory of this thread uses where it was given none; nothing where none is set:
/// then host memory, `cpu:0`. Factories are the ops that make elements of nothing: `zeros`, `ones`,
/// `full`, `arange`, and what is written out of these, such as `eye`. Constructors and functions of
/// a tensor, `zeros_like` and `tril`, are none: the former make host memory, the latter follow it.
/// Modes: it is none, and acts after all of them.
/// Complexity: two loads. Rules: M40, M41, M45, M46, M48.
inline std::optional<device> default_device() noexcept {
  auto const& state = detail::this_thread;
  if ((state.word & default_device_bit) == 0) return std::nullopt;
  return state.placed_on;
}

namespace detail {

inline void change_default_device(std::optional<device> to) noexcept {
  this_thread.placed_on = to.value_or(device{});
  set_word_bits(default_device_bit, to ? default_device_bit : 0);
}

/// Where a factory makes its elements. A typed result is host memory under any label (M40).
inline device factory_device(device const* requested, bool is_typed) noexcept {
  if (requested) return *requested;
  if ((this_thread.word & default_device_bit) == 0) [[likely]]
    return {};
  device const on = this_thread.placed_on;
  return is_typed && on.kind != device_kind::cpu ? device{} : on;
}

}  // namespace detail

/// Sets the default device of this thread, until it is set again or the scope around it ends.
/// Rules: M44, M48.
inline void set_default_device(device on) noexcept { detail::change_default_device(on); }

/// From now on this thread has no default device, which is not the same as the CPU.
/// Rules: M44, M46.
inline void clear_default_device() noexcept { detail::change_default_device(std::nullopt); }

/// While it lives, `on` is the default device of this thread; the end brings back what was before,
/// also where the value was changed inside.
/// Rules: M35, M42, M44.
class [[nodiscard]] default_device_scope : scope_base {
 public:
  explicit default_device_scope(device on) noexcept : former_(default_device()) {
    set_default_device(on);
  }
  ~default_device_scope() { detail::change_default_device(former_); }

 private:
  std::optional<device> former_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
