// guardjit: compile/registry.hpp: all compiled functions and used backends, for `reset()`
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_REGISTRY_HPP
#define GUARDJIT_COMPILE_REGISTRY_HPP

#include <guardjit/base/scope_base.hpp>
#include <guardjit/compile/known_backends.hpp>

#include <sched.h>  // sched_yield: a thread that waits gives the core to the one it waits for

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A compiled function in the list.
struct GUARDJIT_VISIBLE registered_function {
  void (*clear)(registered_function&) noexcept = nullptr;
  void (*leave_short_ways)(registered_function&) noexcept = nullptr;
  registered_function* previous = nullptr;
  registered_function* next = nullptr;
  int visits = 0;  // of `reset()` that are under way: the function stays until they end
};

/// A backend that has something to reset, and that a function was compiled for.
struct GUARDJIT_VISIBLE registered_backend {
  void (*reset)() = nullptr;
  registered_backend* next = nullptr;
  bool listed = false;
};

class function_caches;

struct GUARDJIT_VISIBLE function_registry {
  bool locked;
  bool visited;  // by one `reset()` at a time
  registered_function* functions;
  void (*on_end)(function_caches const&);  // hears of each compiled function before it goes
  registered_backend* backends;
};
GUARDJIT_VISIBLE constinit inline function_registry registry{};

/// Holds one of the flags above, for a few instructions or for one `reset()`. Calls take none.
class registry_lock : scope_base {
 public:
  explicit registry_lock(bool& flag) noexcept : flag_(flag) { lock(); }
  ~registry_lock() { unlock(); }
  void lock() noexcept {
    while (__atomic_exchange_n(&flag_, true, __ATOMIC_ACQUIRE)) ::sched_yield();
  }
  void unlock() noexcept { __atomic_store_n(&flag_, false, __ATOMIC_RELEASE); }
  /// Lets others have it.
  void yield() noexcept {
    unlock();
    ::sched_yield();
    lock();
  }

 private:
  bool& flag_;
};

inline void register_function(registered_function& f) noexcept {
  registry_lock const lock(registry.locked);
  f.next = registry.functions;
  if (f.next) f.next->previous = &f;
  registry.functions = &f;
}
/// Waits for a `reset()` that is at this function.
inline void unregister_function(registered_function& f) noexcept {
  registry_lock lock(registry.locked);
  while (f.visits != 0) lock.yield();
  (f.previous ? f.previous->next : registry.functions) = f.next;
  if (f.next) f.next->previous = f.previous;
}

template <class Backend> GUARDJIT_VISIBLE constinit inline registered_backend backend_place{};
/// Notes that functions are compiled for a backend. Complexity: one test where it has no `reset()`.
template <class Backend> void use_backend() noexcept {
  if constexpr (requires { Backend::reset(); }) {
    registry_lock const lock(registry.locked);
    registered_backend& place = backend_place<Backend>;
    if (place.listed) return;
    place = {[] { Backend::reset(); }, registry.backends, true};
    registry.backends = &place;
  }
}

/// Clears each function. No lock is held meanwhile that a call or `compile` waits for; the destructor of
/// a function waits until its clearing is done.
inline void clear_functions() noexcept {
  registry_lock const one(registry.visited);
  registry_lock lock(registry.locked);
  for (registered_function* f = registry.functions; f;) {
    ++f->visits;
    lock.unlock();
    f->clear(*f);
    lock.lock();
    --f->visits;
    f = f->next;
  }
}

/// Makes each call take a way on which runs are told. The lock is held all along, but nothing waits:
/// a few stores a function.
inline void leave_short_ways() noexcept {
  registry_lock const lock(registry.locked);
  for (registered_function* f = registry.functions; f; f = f->next) f->leave_short_ways(*f);
}

}  // namespace detail

/// Drops entries, history and counters of all compiled functions, then calls `reset()` of each backend
/// that was used and has it, once. Calls may run at the same time; the next one of each function
/// compiles. Touches no mode and no state of the thread.
/// Precondition: not called by what a compile runs: a guard filter, a backend's `build`, a sink of one of
/// its events.
/// Throws: what a backend's `reset()` throws. Complexity: linear in functions and entries; allocates nothing.
/// Rules: G112, M118.
inline void reset() {
  detail::clear_functions();
  detail::registered_backend* place = nullptr;
  {
    detail::registry_lock const lock(detail::registry.locked);
    place = detail::registry.backends;
  }
  for (; place; place = place->next) place->reset();
  detail::reset_known_backends();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
