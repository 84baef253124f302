// guardjit: compile/workspace.hpp: memory for intermediates, kept by each thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WORKSPACE_HPP
#define GUARDJIT_COMPILE_WORKSPACE_HPP

#include <guardjit/base/scope_base.hpp>
#include <guardjit/tensor/shape.hpp>

#include <cstddef>
#include <new>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A 64-byte aligned block that grows.
struct workspace_block {
  std::byte* data = nullptr;
  index_t bytes = 0;

  void grow(index_t needed) {
    auto const size = static_cast<std::size_t>(needed);
    auto* const fresh = static_cast<std::byte*>(::operator new(size, std::align_val_t{64}));
    release();
    data = fresh;
    bytes = needed;
  }
  void release() noexcept {
    if (data) ::operator delete(data, std::align_val_t{64});
    data = nullptr;
    bytes = 0;
  }
};

/// One thread's block: grown on demand, kept until the thread ends. Trivial, so that a program
/// that runs no compiled function has no code for it; `workspace_closer` frees it.
struct GUARDJIT_VISIBLE thread_workspace {
  workspace_block block;
  bool in_use = false;
};
GUARDJIT_VISIBLE constinit inline thread_local thread_workspace this_workspace{};

struct GUARDJIT_VISIBLE workspace_closer {
  ~workspace_closer() { this_workspace.block.release(); }
};
[[gnu::noinline]] inline void grow_workspace(index_t bytes) {
  static thread_local workspace_closer const closer;
  static_cast<void>(&closer);
  this_workspace.block.grow(bytes);
}

/// Memory for one call. A call inside another call has a block of its own.
/// Complexity: no allocation once the thread's block is large enough.
class workspace_scope : scope_base {
 public:
  explicit workspace_scope(index_t bytes) {
    if (bytes == 0) return;
    thread_workspace& mine = this_workspace;
    if (mine.in_use) {
      own_.grow(bytes);
      data_ = own_.data;
      return;
    }
    if (mine.block.bytes < bytes) grow_workspace(bytes);
    mine.in_use = true;
    holds_ = true;
    data_ = mine.block.data;
  }
  ~workspace_scope() {
    if (holds_) this_workspace.in_use = false;
    own_.release();
  }
  std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_ = nullptr;
  bool holds_ = false;
  workspace_block own_;
};

}  // namespace detail
}  // namespace guardjit::inline GUARDJIT_ABI

#endif
