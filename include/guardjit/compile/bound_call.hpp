// guardjit: compile/bound_call.hpp: a plan ready to run, whatever its program
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BOUND_CALL_HPP
#define GUARDJIT_COMPILE_BOUND_CALL_HPP

#include <guardjit/tensor/layout.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

/// Where an operand of a kernel begins: a base pointer of the call, and bytes behind it. Bases are
/// the arguments, then the outputs, the workspace, and the extents of the call.
struct operand_address {
  int base = 0;
  index_t offset = 0;
};

namespace detail {
/// Bytes of a buffer whose successor is aligned to 64.
constexpr index_t rounded_up(index_t bytes) { return (bytes + 63) & ~index_t{63}; }
}  // namespace detail

/// Stores an address by itself. Else g++ joins neighbours into vectors, and who reads one of them
/// soon after waits until the store has left the processor's buffer.
template <class Pointer> void put_address(Pointer& to, Pointer address) noexcept {
  __atomic_store_n(&to, address, __ATOMIC_RELAXED);
}

inline void* resolve(operand_address const& a, void* const* bases) {
  return static_cast<std::byte*>(bases[a.base]) + a.offset;
}

/// Where one result of a plan lies: in its output, or in an argument.
struct bound_result {
  any_layout layout;
  operand_address at{};
  index_t bytes = 0;  ///< of its output
};

/// A plan and how to run it.
/// Lifetime: that of the plan it points to.
struct bound_call {
  bound_result const* results = nullptr;
  index_t workspace_bytes = 0;
  bool plain = false;                ///< outputs can be written directly: each is a result, row-major
  bool is_erased = false;            ///< `plan` is an `erased_plan`
  index_t const* extents = nullptr;  ///< values of the symbols, for the last base
  void const* plan = nullptr;
  void (*run)(void const* plan, void* const* bases) = nullptr;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
