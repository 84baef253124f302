// guardjit: modes/no_allocation.hpp: a scope in which no tensor may be allocated
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_NO_ALLOCATION_HPP
#define GUARDJIT_MODES_NO_ALLOCATION_HPP

#include <guardjit/base/scope_base.hpp>
#include <guardjit/tensor/storage.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// While it lives, an allocation of tensor storage by this thread throws, in whatever code it is made.
/// It proves that a piece of code works in the tensors it was given:
///
///     f(x);                                                    // the first call may allocate
///     gj::no_allocation scope;
///     f.into(out, x);                                          // a hit: runs
///     gj::tensor const y = x + 1;                              // throws: y needs storage
///
/// with `guardjit: no_allocation: tensor storage of 256 bytes would be allocated`. It counts what is asked
/// for, also where the thread has a block at hand; views, copies of handles and tensors without elements
/// ask for none. Workspaces and entries of compiled functions are no tensors: the first call makes them.
/// It is no mode: it has no slot, and compiled calls take the way of a thread without modes.
/// Scopes nest.
/// Throws: never itself; the allocation throws `mode_error`. Complexity: a test for each allocation.
/// Rules: M35, M120.
class [[nodiscard]] no_allocation : scope_base {
 public:
  no_allocation() noexcept { ++detail::thread_storage.forbidden; }
  ~no_allocation() { --detail::thread_storage.forbidden; }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
