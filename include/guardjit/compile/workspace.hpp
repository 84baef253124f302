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

/// One thread's block: grown on demand, kept until the thread ends.
struct GUARDJIT_VISIBLE thread_workspace {
  std::byte* data = nullptr;
  index_t bytes = 0;
  bool in_use = false;

  void grow(index_t needed) {
    auto* fresh = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(needed), std::align_val_t{64}));
    release();
    data = fresh;
    bytes = needed;
  }
  void release() noexcept {
    if (data) ::operator delete(data, std::align_val_t{64});
    data = nullptr;
    bytes = 0;
  }
  ~thread_workspace() { release(); }
};
GUARDJIT_VISIBLE inline thread_local thread_workspace this_workspace;

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
    if (mine.bytes < bytes) mine.grow(bytes);
    mine.in_use = true;
    holds_ = &mine;
    data_ = mine.data;
  }
  ~workspace_scope() {
    if (holds_) holds_->in_use = false;
  }
  std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_ = nullptr;
  thread_workspace* holds_ = nullptr;
  thread_workspace own_;
};

}  // namespace detail
}  // namespace guardjit::inline GUARDJIT_ABI

#endif
