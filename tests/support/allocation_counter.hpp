// guardjit: tests/support/allocation_counter.hpp: how often a thread went to the heap, and a heap that fails
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_HPP
#define GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_HPP

// One unit of each program that uses this includes support/allocation_counter_unit.hpp.
namespace support {

/// Calls of `operator new` by this thread so far.
extern thread_local long heap_calls;
/// Calls that still succeed in this thread; the next ones throw `std::bad_alloc`. Negative: all succeed.
extern thread_local long heap_calls_left;
/// Whether calls succeed again behind the one that throws.
extern thread_local bool heap_fails_once;
/// Calls that threw in this thread so far.
extern thread_local long heap_failures;

/// Which calls throw: one, as where a large block was asked for, or all from it on.
enum class fault { once, from_then_on };

/// While it lives, this thread's calls of `operator new` throw once `calls` of them succeeded.
struct failing_heap {
  explicit failing_heap(long calls, fault how = fault::from_then_on) {
    heap_calls_left = calls;
    heap_fails_once = how == fault::once;
  }
  ~failing_heap() { heap_calls_left = -1; }
  failing_heap(failing_heap const&) = delete;
  failing_heap& operator=(failing_heap const&) = delete;
};

/// Memory from which this thread's `operator new` takes blocks while `heap_arena_bytes` are left; what
/// is deleted there stays.
extern thread_local char* heap_arena;
extern thread_local long heap_arena_bytes;

/// Calls of `operator new` by `use`, in this thread.
template <class Use> long heap_calls_of(Use const& use) {
  long const before = heap_calls;
  use();
  return heap_calls - before;
}

}  // namespace support

#endif
