// guardjit: base/events.hpp: what the library tells its watchers, and how they subscribe
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_EVENTS_HPP
#define GUARDJIT_BASE_EVENTS_HPP

#include <guardjit/base/inert.hpp>
#include <guardjit/base/source_line.hpp>

#include <sched.h>  // sched_yield: a thread that waits for a sink gives it the core

#include <type_traits>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// What happened.
enum class event_kind : std::uint8_t {
  compile_begin,
  compile_end,
  miss,
  recompile,
  guard_failure,
  limit,
  eager_call,
  uncached_call,
  graph_break,
  run,
  warning,
  mode_error,
};

struct guard_failure;  // `guards/guard.hpp`

/// One thing that happened, as plain data. The id of an entry is `name/entry`.
///
/// | kind | entry | reason | failures |
/// |---|---|---|---|
/// | `miss` | that is to be made | `first_call` | none |
/// | `recompile` | to be made, or forbidden | kind of the first failure; `collective` | the first of each |
/// | `guard_failure` | whose guards fail | kind of the first failure | all of this entry |
/// | `compile_begin`, `compile_end` | that is made | end: `made`, `failed` | none |
/// | `limit` | none | `recompile_limit`, `compile_limit` | as `recompile` |
/// | `uncached_call` | none | as `limit` | none |
/// | `eager_call` | none | `runtime_mode`, `modes_not_declared`, `limit`, `stance`, `disabled`, `backend` | |
/// | `warning` | none | `backend_failed`, `sink_threw` | none |
/// | `graph_break` | none | `opaque`, with its line | none |
/// | `run` (by `with_runs` only) | that runs, if any | `hit`, `made`, `pinned`, `uncached` | none |
/// | `mode_error` | none | `scope_order`, `leaked_scope`, … | none |
///
/// Before `recompile` and `limit` come the `guard_failure`s, one an entry, in lookup order.
/// Lifetime: texts and failures are valid while the sink runs.
struct event {
  event_kind kind{};
  char const* name = "";    ///< of the function or mode that it is about
  char const* reason = "";  ///< one fixed word
  source_line where{};      ///< of the function; of a break its own
  std::int64_t entry = -1;  ///< number of the entry that it is about, if any
  char const* text = "";    ///< for people
  guard_failure const* failures = nullptr;
  std::int64_t failure_count = 0;
};
static_assert(std::is_trivially_copyable_v<event>);

namespace detail {

struct GUARDJIT_VISIBLE subscriber {
  void (*call)(void*, event const&) = nullptr;
  void* context = nullptr;
  subscriber* next = nullptr;
  std::uint64_t number = 0;  // in order of subscription
  std::int64_t running = 0;  // calls of the sink in all threads
  bool dropped = false;      // it threw
  bool hears_runs = false;
};

/// One call of a sink by this thread; lies in the frame of `send`.
struct GUARDJIT_VISIBLE sink_call {
  subscriber* target;  // null once its subscription has ended
  sink_call* outer;
};

struct GUARDJIT_VISIBLE subscriber_list {
  bool locked;
  std::int64_t count;      // as the next two, read without the lock
  std::int64_t run_count;  // of those that hear runs
  void (*on_runs)();       // makes calls ask for these: a short way does not
  std::uint64_t last_number;
  subscriber* first;
};

GUARDJIT_VISIBLE constinit inline subscriber_list subscribers{};
GUARDJIT_VISIBLE constinit inline thread_local sink_call* sink_calls = nullptr;

/// Held for a few instructions, never while a sink runs.
class subscriber_lock : scope_base {
 public:
  subscriber_lock() noexcept { lock(); }
  ~subscriber_lock() { unlock(); }
  void yield() noexcept {
    unlock();
    ::sched_yield();
    lock();
  }

 private:
  static void lock() noexcept {
    while (__atomic_exchange_n(&subscribers.locked, true, __ATOMIC_ACQUIRE)) ::sched_yield();
  }
  static void unlock() noexcept { __atomic_store_n(&subscribers.locked, false, __ATOMIC_RELEASE); }
};

inline void subscribe(subscriber& s) noexcept {
  subscriber_lock lock;
  s.number = ++subscribers.last_number;
  subscriber** end = &subscribers.first;
  while (*end) end = &(*end)->next;
  *end = &s;
  __atomic_fetch_add(&subscribers.count, 1, __ATOMIC_RELAXED);
  if (!s.hears_runs) return;
  __atomic_fetch_add(&subscribers.run_count, 1, __ATOMIC_SEQ_CST);
  if (auto const leave = __atomic_load_n(&subscribers.on_runs, __ATOMIC_ACQUIRE)) leave();
}

/// Removes `s` and waits for the calls of its sink in other threads.
inline void unsubscribe(subscriber& s) noexcept {
  subscriber_lock lock;
  subscriber** at = &subscribers.first;
  while (*at != &s) at = &(*at)->next;
  *at = s.next;
  __atomic_fetch_sub(&subscribers.count, 1, __ATOMIC_RELAXED);
  if (s.hears_runs) __atomic_fetch_sub(&subscribers.run_count, 1, __ATOMIC_SEQ_CST);
  // A sink that ends its own subscription must not wait for itself.
  for (sink_call* call = sink_calls; call; call = call->outer)
    if (call->target == &s) {
      call->target = nullptr;
      --s.running;
    }
  while (s.running != 0) lock.yield();
}

/// The first subscriber in (after, last] whose sink may be called: not dropped, and not running
/// in this thread already, so that a sink which causes events does not recurse.
inline subscriber* next_subscriber(std::uint64_t after, std::uint64_t last, bool is_run) noexcept {
  auto const runs_here = [](subscriber const* s) {
    for (sink_call* call = sink_calls; call; call = call->outer)
      if (call->target == s) return true;
    return false;
  };
  for (subscriber* s = subscribers.first; s; s = s->next)
    if (s->number > after && s->number <= last && !s->dropped && (s->hears_runs || !is_run) && !runs_here(s))
      return s;
  return nullptr;
}

/// False where the sink threw.
inline bool call_sink(subscriber const& s, event const& what) noexcept {
#if GUARDJIT_EXCEPTIONS
  try {
    s.call(s.context, what);
  } catch (...) {
    return false;
  }
#else
  s.call(s.context, what);
#endif
  return true;
}

[[gnu::cold, gnu::noinline]] inline void send_to_all(event const& what) noexcept {
  inert_scope inert;
  std::uint64_t done = 0, last = 0;
  for (bool started = false;; started = true) {
    sink_call call{nullptr, sink_calls};
    {
      subscriber_lock lock;
      if (!started) last = subscribers.last_number;
      call.target = next_subscriber(done, last, what.kind == event_kind::run);
      if (!call.target) return;
      done = call.target->number;
      ++call.target->running;
      sink_calls = &call;
    }
    bool const fine = call_sink(*call.target, what);
    {
      subscriber_lock lock;
      sink_calls = call.outer;
      if (call.target) {
        if (!fine) call.target->dropped = true;
        --call.target->running;
      }
    }
    if (!fine)
      send_to_all({.kind = event_kind::warning,
                   .name = "subscription",
                   .reason = "sink_threw",
                   .text = "guardjit: subscription: a sink threw and is dropped"});
  }
}

}  // namespace detail

/// Whether anybody listens; texts are made only then.
/// Complexity: one relaxed load. Rules: G44.
inline bool has_subscribers() noexcept {
  return __atomic_load_n(&detail::subscribers.count, __ATOMIC_RELAXED) != 0;
}

/// Whether anybody hears runs. Complexity: one load.
inline bool has_run_subscribers() noexcept {
  return __atomic_load_n(&detail::subscribers.run_count, __ATOMIC_SEQ_CST) != 0;
}

/// Tells all subscribers, in order of subscription. A sink that throws is dropped after one
/// warning; a sink does not hear events that it causes itself.
/// Complexity: one predictable branch when nobody listens; allocates nothing.
/// Modes: sinks run inert. Rules: M82.
inline void send(event const& what) noexcept {
  if (has_subscribers()) [[unlikely]]
    detail::send_to_all(what);
}

/// The type of `with_runs`.
struct with_runs_option {};
/// Lets a subscription hear each run of an entry, hits too. While there is one, calls of all threads take
/// a way on which they can tell, some hundred nanoseconds longer; else a hit does not even ask.
inline constexpr with_runs_option with_runs{};

/// While it lives, `sink(event const&)` hears the events of all threads, in their threads.
/// A sink made of an lvalue is referred to, of an rvalue owned.
///
/// The destructor waits until no other thread runs the sink; so two sinks must not end each
/// other's subscription.
/// Example: `subscription s{[](event const& e) { … }};`, `subscription s{sink, with_runs};`
template <class Sink> class [[nodiscard]] subscription {
 public:
  explicit subscription(Sink&& sink) noexcept(std::is_nothrow_constructible_v<Sink, Sink&&>)
      : subscription(std::forward<Sink>(sink), false) {}
  subscription(Sink&& sink, with_runs_option) noexcept(std::is_nothrow_constructible_v<Sink, Sink&&>)
      : subscription(std::forward<Sink>(sink), true) {}
  subscription(subscription const&) = delete;
  subscription& operator=(subscription const&) = delete;
  ~subscription() { detail::unsubscribe(node_); }

 private:
  subscription(Sink&& sink, bool hears_runs) noexcept(std::is_nothrow_constructible_v<Sink, Sink&&>)
      : sink_(std::forward<Sink>(sink)) {
    node_.hears_runs = hears_runs;
    node_.call = [](void* self, event const& what) {
      static_cast<subscription*>(self)->sink_(what);
    };
    node_.context = this;
    detail::subscribe(node_);
  }

  Sink sink_;
  detail::subscriber node_;
};
template <class Sink> subscription(Sink&&) -> subscription<Sink>;
template <class Sink> subscription(Sink&&, with_runs_option) -> subscription<Sink>;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
