// guardjit: compile/epoch.hpp: frees what calls may still read, without a cost for the calls
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EPOCH_HPP
#define GUARDJIT_COMPILE_EPOCH_HPP

#include <guardjit/base/scope_base.hpp>

#include <atomic>  // the epochs
#include <cstdint>
#include <mutex>  // the list of what is retired
#include <vector>

#if defined(__linux__)
#include <linux/membarrier.h>  // the fence that the freeing side pays for
#include <sys/syscall.h>       // as above
#include <unistd.h>            // as above
#endif

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

#if defined(__SANITIZE_THREAD__)
#define GUARDJIT_DETAIL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GUARDJIT_DETAIL_TSAN 1
#endif
#endif
#ifdef GUARDJIT_DETAIL_TSAN
// The sanitizer does not see membarrier.
inline constexpr bool has_asymmetric_fence = false;
#undef GUARDJIT_DETAIL_TSAN
#else
inline constexpr bool has_asymmetric_fence =
#if defined(__linux__)
    true;
#else
    false;
#endif
#endif

/// Whether a thread is inside a call, and since which epoch: 0 outside.
struct GUARDJIT_VISIBLE thread_epoch {
  std::atomic<std::uint64_t> since{0};
  std::atomic<bool> ended{false};
  bool fenced = false;  // the freeing side can fence for this thread
  thread_epoch* next = nullptr;
};

/// The epoch that calls begin in; it grows when something is retired.
GUARDJIT_VISIBLE constinit inline std::atomic<std::uint64_t> current_epoch{1};

/// The epochs of the process. Records of ended threads are used again, so the list is as long as
/// the most threads at one time.
class GUARDJIT_VISIBLE epoch_registry {
 public:
  static epoch_registry& instance() {
    // Never destroyed: threads may outlive static objects.
    static epoch_registry* const one = new epoch_registry;
    return *one;
  }

  thread_epoch* join() {
    for (thread_epoch* r = first_.load(std::memory_order_acquire); r; r = r->next) {
      bool ended = true;
      if (r->ended.compare_exchange_strong(ended, false)) return r;
    }
    auto* r = new thread_epoch;
    r->fenced = has_asymmetric_fence && registered_;
    r->next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(r->next, r)) {}
    return r;
  }

  /// Calls `release(what)` once no call that began before can read `what`.
  void retire(void* what, void (*release)(void*)) {
    {
      std::lock_guard lock(mutex_);
      retired_.push_back({what, release, current_epoch.fetch_add(1, std::memory_order_seq_cst)});
    }
    collect();
  }

  /// Frees what nobody reads any more.
  void collect() {
    std::vector<item> free;
    {
      std::lock_guard lock(mutex_);
      if (retired_.empty()) return;
      if (!fence()) return;
      std::uint64_t const oldest = oldest_call();
      std::size_t kept = 0;
      for (item const& i : retired_)
        if (i.epoch < oldest) free.push_back(i);
        else retired_[kept++] = i;
      retired_.resize(kept);
    }
    for (item const& i : free) i.release(i.what);
  }

 private:
  struct item {
    void* what;
    void (*release)(void*);
    std::uint64_t epoch;
  };

  epoch_registry() {
#if defined(__linux__)
    registered_ = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
  }

  /// Makes the plain stores of running calls visible here. Where the system has no such fence,
  /// calls store sequentially consistently.
  bool fence() const {
#if defined(__linux__)
    if (has_asymmetric_fence && registered_)
      return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
    return true;
  }

  std::uint64_t oldest_call() const {
    std::uint64_t oldest = UINT64_MAX;
    for (thread_epoch* r = first_.load(std::memory_order_acquire); r; r = r->next) {
      std::uint64_t const since = r->since.load(std::memory_order_seq_cst);
      if (since != 0 && since < oldest) oldest = since;
    }
    return oldest;
  }

  std::atomic<thread_epoch*> first_{nullptr};
  std::mutex mutex_;
  std::vector<item> retired_;
  bool registered_ = false;
};

/// This thread's record, made on its first call.
struct GUARDJIT_VISIBLE epoch_handle {
  thread_epoch* record = nullptr;
  ~epoch_handle() {
    if (record) record->ended.store(true, std::memory_order_release);
  }
};
GUARDJIT_VISIBLE constinit inline thread_local thread_epoch* my_epoch = nullptr;

[[gnu::cold, gnu::noinline]] inline thread_epoch* join_epochs() {
  static thread_local epoch_handle handle;
  handle.record = epoch_registry::instance().join();
  return my_epoch = handle.record;
}

/// While it lives, tables and entries that this thread reads stay. Nests: the outermost counts.
/// Complexity: two plain stores.
class call_epoch : scope_base {
 public:
  call_epoch() : record_(my_epoch ? my_epoch : join_epochs()) {
    outermost_ = record_->since.load(std::memory_order_relaxed) == 0;
    if (!outermost_) return;
    std::uint64_t const now = current_epoch.load(std::memory_order_acquire);
    if (record_->fenced) {
      record_->since.store(now, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      record_->since.store(now, std::memory_order_seq_cst);
    }
  }
  ~call_epoch() {
    if (outermost_) record_->since.store(0, std::memory_order_release);
  }

 private:
  thread_epoch* record_;
  bool outermost_;
};

}  // namespace detail
}  // namespace guardjit::inline GUARDJIT_ABI

#endif
