// guardjit: modes/thread_count.hpp: how many threads kernels may use, per calling thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_THREAD_COUNT_HPP
#define GUARDJIT_MODES_THREAD_COUNT_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/base/scope_base.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
GUARDJIT_VISIBLE constinit inline thread_local int kernel_threads = 1;
}

/// How many threads the kernels of a call by this thread may use: 1, the thread itself, where nothing else
/// is set. For backends that divide work; those of the library use the calling thread alone. A backend
/// whose plans depend on it guards it: `backend_guards::require_thread_count`.
/// Modes: it is none. Complexity: one load. Rules: G35.
inline int thread_count() noexcept { return detail::kernel_threads; }

/// While it lives, kernels of this thread's calls may use `count` threads.
/// Throws: `option_error` for less than 1.
/// Rules: G35.
class [[nodiscard]] thread_count_scope : scope_base {
 public:
  explicit thread_count_scope(int count) : former_(detail::kernel_threads) {
    if (count < 1)
      raise<option_error>(fixed_text("guardjit: thread_count_scope(count): expected at least 1, got ")
                          << count);
    detail::kernel_threads = count;
  }
  ~thread_count_scope() { detail::kernel_threads = former_; }

 private:
  int former_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
