// guardjit: compile/guard_collective.hpp: processes agree on whether a call has an entry
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GUARD_COLLECTIVE_HPP
#define GUARDJIT_COMPILE_GUARD_COLLECTIVE_HPP

#include <guardjit/compile/registry.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// A function that is told whether a call has an entry here, and says whether it has one everywhere.
using guard_collective = bool (*)(bool hit);

namespace detail {
GUARDJIT_VISIBLE constinit inline guard_collective current_collective = nullptr;

inline guard_collective collective() noexcept {
  return __atomic_load_n(&current_collective, __ATOMIC_SEQ_CST);
}
}  // namespace detail

/// Sets what is asked once in each call that looks into a table which has an entry: in all threads, behind
/// the lookup, inert. Returns the former one; null asks nobody, as at the start. Where the answer to `true`
/// is false, the hit is a miss: stance and limits act as on any other, and an entry that is made takes the
/// place of the one that was found. So processes that run the same calls compile in the same calls. Other
/// answers change nothing. A function that `opaque` cuts asks for each part; calls by a pinned entry, and
/// those that run op by op in any case, look up nothing and do not ask; nor do those of `explain`.
/// While there is one, calls take some hundred nanoseconds more; else a hit does not know of it.
/// Throws: nothing; what the function throws reaches the caller of the call, and nothing has changed.
/// Rules: G115.
inline guard_collective set_guard_collective(guard_collective ask) noexcept {
  guard_collective const former = __atomic_exchange_n(&detail::current_collective, ask, __ATOMIC_SEQ_CST);
  if (ask) detail::leave_short_ways();
  return former;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
