// guardjit: compile/epoch.hpp: frees what calls may still read, without a cost for the calls
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EPOCH_HPP
#define GUARDJIT_COMPILE_EPOCH_HPP

#include <guardjit/base/scope_base.hpp>

#if defined(__linux__)
#include <linux/membarrier.h>  // the fence that the freeing side pays for
#include <sys/syscall.h>       // as above
#include <unistd.h>            // as above
#endif

#include <atomic>  // the epochs
#include <cstddef>
#include <cstdint>
#include <mutex>  // the list of what is retired
#include <new>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

#if defined(__linux__)
// Under TSan calls store in order: it does not see membarrier.
inline constexpr bool has_asymmetric_fence = GUARDJIT_THREAD_SANITIZER == 0;
#else
inline constexpr bool has_asymmetric_fence = false;
#endif

/// Outside of calls, on a thread that cannot make `quick_epoch`s: it has not called before, or the
/// system refuses the fence.
inline constexpr std::uint64_t at_rest = UINT64_MAX;

/// Whether a thread is inside a call, and since which epoch; outside 0 or `at_rest`. Lies in the
/// thread's own memory, so that a first call needs no heap.
struct GUARDJIT_VISIBLE thread_epoch {
  std::atomic<std::uint64_t> since{at_rest};
  bool fenced = false;  // the freeing side can fence for this thread
  thread_epoch* next = nullptr;
};

/// A member of what can be retired: retiring must not fail, so it takes no memory.
struct retirable {
  void* what = nullptr;
  void (*release)(void*) = nullptr;
  std::uint64_t epoch = 0;
  retirable* next = nullptr;
};

/// The epoch that calls begin in; it grows when something is retired.
GUARDJIT_VISIBLE constinit inline std::atomic<std::uint64_t> current_epoch{1};

/// The epochs of the threads that have called compiled functions.
class GUARDJIT_VISIBLE epoch_registry {
 public:
  static epoch_registry& instance() noexcept {
    // Never destroyed: threads may outlive static objects.
    alignas(64) static std::byte room[256];
    static_assert(sizeof(epoch_registry) <= sizeof room);
    static epoch_registry* const one = new (room) epoch_registry;
    return *one;
  }

  void join(thread_epoch& r) noexcept {
    r.fenced = has_asymmetric_fence && registered_;
    bool const quick = r.fenced || !has_asymmetric_fence;
    r.since.store(quick ? 0 : at_rest, std::memory_order_relaxed);
    r.next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(r.next, &r)) {}
  }

  /// Threads join without the lock, so the first record may change meanwhile.
  void leave(thread_epoch& r) noexcept {
    std::lock_guard const lock(mutex_);
    thread_epoch* before = &r;
    if (first_.compare_exchange_strong(before, r.next)) return;
    while (before->next != &r) before = before->next;
    before->next = r.next;
  }

  /// Calls `release(what)` once no call that began before can read `what`, of which `r` is a part.
  void retire(retirable& r, void* what, void (*release)(void*)) noexcept {
    {
      std::lock_guard const lock(mutex_);
      r = {what, release, current_epoch.fetch_add(1, std::memory_order_seq_cst), retired_};
      retired_ = &r;
    }
    collect();
  }

  /// Frees what nobody reads any more.
  void collect() noexcept {
    retirable* free = nullptr;
    {
      std::lock_guard const lock(mutex_);
      if (!retired_ || !fence()) return;
      std::uint64_t const oldest = oldest_call();
      for (retirable** at = &retired_; *at;) {
        retirable* const r = *at;
        if (r->epoch >= oldest) {
          at = &r->next;
          continue;
        }
        *at = r->next;
        r->next = free;
        free = r;
      }
    }
    while (free) {
      retirable const r = *free;
      free = r.next;
      r.release(r.what);
    }
  }

 private:
  epoch_registry() noexcept {
#if defined(__linux__)
    registered_ = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
  }

  /// Makes the plain stores of running calls visible here. Where the system has no such fence,
  /// calls store sequentially consistently.
  bool fence() const noexcept {
#if defined(__linux__)
    if (has_asymmetric_fence && registered_)
      return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
    return true;
  }

  std::uint64_t oldest_call() const noexcept {
    std::uint64_t oldest = UINT64_MAX;
    for (thread_epoch* r = first_.load(std::memory_order_acquire); r; r = r->next) {
      std::uint64_t const since = r->since.load(std::memory_order_seq_cst);
      if (since != 0 && since < oldest) oldest = since;  // `at_rest` is never less
    }
    return oldest;
  }

  std::atomic<thread_epoch*> first_{nullptr};
  std::mutex mutex_;
  retirable* retired_ = nullptr;
  bool registered_ = false;
};

GUARDJIT_VISIBLE constinit inline thread_local thread_epoch* my_epoch = nullptr;
GUARDJIT_VISIBLE constinit inline thread_local thread_epoch this_epoch{};
GUARDJIT_VISIBLE constinit inline thread_local bool epoch_ended = false;

/// Takes this thread's record out when the thread ends.
struct GUARDJIT_VISIBLE epoch_leaver {
  ~epoch_leaver() {
    epoch_registry::instance().leave(this_epoch);
    this_epoch.since.store(at_rest, std::memory_order_relaxed);
    my_epoch = nullptr;
    epoch_ended = true;
  }
};

[[gnu::cold, gnu::noinline]] inline thread_epoch* join_epochs() {
  if (epoch_ended) {
    // A call by a destructor that runs after that: its record stays behind.
    my_epoch = new thread_epoch;
  } else {
    static thread_local epoch_leaver leaver;
    (void)leaver;
    my_epoch = &this_epoch;
  }
  epoch_registry::instance().join(*my_epoch);
  return my_epoch;
}

/// Stores so that later reads of this thread come after the store for the freeing side, which has
/// no fence of its own.
inline void store_and_fence(std::atomic<std::uint64_t>& to, std::uint64_t since) noexcept {
  to.store(since, std::memory_order_seq_cst);
#if !GUARDJIT_THREAD_SANITIZER
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// While it lives, tables and entries that this thread reads stay. Nests: the outermost counts.
class call_epoch : scope_base {
 public:
  call_epoch()
      : record_(my_epoch ? my_epoch : join_epochs()),
        outer_(record_->since.load(std::memory_order_relaxed)) {
    bool const outermost = outer_ == 0 || outer_ == at_rest;
    std::uint64_t const now = current_epoch.load(std::memory_order_acquire);
    std::uint64_t const since = outermost ? now : outer_;
    if (record_->fenced) [[likely]] {
      record_->since.store(since, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      store_and_fence(record_->since, since);
    }
  }
  ~call_epoch() { record_->since.store(outer_, std::memory_order_release); }

 private:
  thread_epoch* record_;
  std::uint64_t outer_;
};

/// The same for a thread that has called before and is outside of calls now.
/// Precondition: `is_possible()`.
/// Complexity: two plain stores, where the system has the fence.
class quick_epoch : scope_base {
 public:
  static bool is_possible() noexcept {
    return this_epoch.since.load(std::memory_order_relaxed) == 0;
  }
  quick_epoch() noexcept {
    std::uint64_t const now = current_epoch.load(std::memory_order_acquire);
    if constexpr (has_asymmetric_fence) {
      this_epoch.since.store(now, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      store_and_fence(this_epoch.since, now);
    }
  }
  ~quick_epoch() { this_epoch.since.store(0, std::memory_order_release); }
};

}  // namespace detail
}  // namespace guardjit::inline GUARDJIT_ABI

#endif
