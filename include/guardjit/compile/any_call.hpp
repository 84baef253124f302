// guardjit: compile/any_call.hpp: one call of one function, as run-time code sees it
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ANY_CALL_HPP
#define GUARDJIT_COMPILE_ANY_CALL_HPP

#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/pinned_entry.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one function, as run-time code sees it.
struct any_call {
  cache& entries;
  function_state& fn;
  frame_view f;
  call_room room;
  pinned_entry const* pinned = nullptr;  ///< the entry to run, where the caller has one

  function_spec const& spec() const { return entries.spec(); }
};

inline constexpr int no_path = -1;
/// A call at a limit that is to run op by op.
inline constexpr int eager_path = -2;

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
