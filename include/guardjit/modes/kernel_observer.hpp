// guardjit: modes/kernel_observer.hpp: modes that are told of the kernels of compiled calls
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_KERNEL_OBSERVER_HPP
#define GUARDJIT_MODES_KERNEL_OBSERVER_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/modes/mode_slot.hpp>
#include <guardjit/modes/operand.hpp>

#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// One kernel that ran.
/// Lifetime: the ops and the name are constants; the rest is plain data.
struct kernel_record {
  char const* function = "";    ///< the name of the compiled function, where it has one
  std::span<op const> ops{};    ///< in the order of evaluation; none where a result is only copied
  operand_info result{};        ///< what it stores
  index_t bytes_read = 0;       ///< of its operands, each element once
  index_t bytes_written = 0;    ///< of its result
  source_line where{};          ///< of the op whose result it stores
  char const* backend = "";     ///< an erased one, whose run counts as one kernel, without ops
};

/// A mode of machinery that is told when kernels of compiled calls begin and end, on its thread. Such
/// calls run the plan that they would run without it, kernel by kernel, by the longer way of a call that
/// modes see; its handler sees the ops of eager code and of replays.
/// Rules: M110.
class GUARDJIT_VISIBLE kernel_observer : public infra_mode {
 public:
  /// Before the first of at most so many kernels. What it throws reaches the caller; none runs then.
  virtual void call_begins(int kernels) = 0;
  virtual void kernel_begins() noexcept = 0;
  /// Not called where a kernel had nothing to do, as a reshape that turned out to be a view.
  virtual void kernel_ends(kernel_record const& record) noexcept = 0;

 protected:
  kernel_observer() noexcept { watch_kernels(); }
};

namespace detail {

/// The top visible mode that is told of kernels; null where none is, or dispatch is off.
inline kernel_observer* visible_kernel_observer() noexcept {
  if ((this_thread.word & word_bit(mode_class::infra)) == 0 || is_inert()) return nullptr;
  for (mode_slot* slot = this_thread.visible; slot; slot = slot->below)
    if (slot->mode->watches_kernels()) return static_cast<kernel_observer*>(slot->mode);
  return nullptr;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
