// guardjit: compile/caches.hpp: the caches of one compiled function, one a signature
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CACHES_HPP
#define GUARDJIT_COMPILE_CACHES_HPP

#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/guard_collective.hpp>
#include <guardjit/compile/registry.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What calls of one compiled function share: its state, and a list of caches that only grows.
/// Signatures are told apart by the address of their data. A few places lead to caches at once.
/// `reset()` finds it in the list of all functions.
class function_caches : registered_function {
 public:
  function_state fn;

  function_caches() noexcept {
    registered_function::clear = [](registered_function& self) noexcept {
      static_cast<function_caches&>(self).clear();
    };
    registered_function::leave_short_ways = [](registered_function& self) noexcept {
      static_cast<function_caches&>(self).leave_short_ways();
    };
    register_function(*this);
    __atomic_store_n(&subscribers.on_runs, &detail::leave_short_ways, __ATOMIC_RELEASE);
  }
  function_caches(function_caches const&) = delete;
  function_caches& operator=(function_caches const&) = delete;
  ~function_caches() {
    if (auto const tell = __atomic_load_n(&registry.on_end, __ATOMIC_ACQUIRE)) tell(*this);
    unregister_function(*this);
    for (item* at = first_.load(); at;) delete std::exchange(at, at->next);
  }

  /// The cache of one signature where it is at hand, as those of the first signatures that a
  /// function is called with are; else null. Complexity: three loads.
  cache const* at_hand(function_spec const& spec) const noexcept {
    if (cache const* const found = at_place(spec.place, spec)) [[likely]]
      return found;
    return at_place(spec.place ^ 1u, spec);
  }

  /// The cache of one signature, or null, also while runs are told. Complexity: linear in the signatures
  /// in use.
  cache const* known(function_spec const& spec) const noexcept {
    item const* const at = among(known_.load(std::memory_order_acquire), spec);
    return at ? &at->entries : nullptr;
  }
  /// The same, added where there is none.
  [[gnu::noinline]] cache& of(function_spec const& spec) {
    item* const before = first_.load(std::memory_order_acquire);
    item* at = among(before, spec);
    if (!at) at = add(before, spec);
    put_at_hand(at);
    return at->entries;
  }

  void for_each(auto&& visit) const {
    for (item* at = first_.load(std::memory_order_acquire); at; at = at->next) visit(at->entries);
  }

  /// Drops all entries, history and counters.
  void clear() noexcept {
    for_each([](cache& c) { c.drop(); });
    fn.forget();
  }

 private:
  struct item {
    cache entries;
    item* next = nullptr;
    explicit item(function_spec const& spec) : entries(spec) {}
  };
  static item* among(item* at, function_spec const& spec) {
    while (at && &at->entries.spec() != &spec) at = at->next;
    return at;
  }

  item* add(item* before, function_spec const& spec) {
    auto* const fresh = new item(spec);
    fresh->next = before;
    while (!first_.compare_exchange_weak(fresh->next, fresh, std::memory_order_acq_rel))
      if (item* const other = among(fresh->next, spec)) {
        delete fresh;
        return other;
      }
    return fresh;
  }

  cache const* at_place(unsigned place, function_spec const& spec) const noexcept {
    item const* const at = at_hand_[place].load(std::memory_order_acquire);
    return at && &at->entries.spec() == &spec ? &at->entries : nullptr;
  }
  /// Whether all calls must take a way on which they can tell what they do, or ask.
  static bool are_calls_watched() noexcept { return has_run_subscribers() || collective(); }
  /// In one of its two places, if one is free. Writes only then. Whoever subscribes to runs counts first
  /// and empties the places then; so what is put here meanwhile is taken back by one of the two.
  void put_at_hand(item* at) noexcept {
    if (are_calls_watched()) return;
    bool const is_put = put_in_place(at), is_updated = update_known();
    if ((is_put || is_updated) && are_calls_watched()) leave_short_ways();
  }
  bool put_in_place(item* at) noexcept {
    function_spec const& spec = at->entries.spec();
    if (at_hand(spec)) return false;
    for (unsigned place : {spec.place, spec.place ^ 1u}) {
      item* none = nullptr;
      if (!at_hand_[place].load(std::memory_order_relaxed) &&
          at_hand_[place].compare_exchange_strong(none, at))
        return true;
    }
    return false;
  }
  bool update_known() noexcept {
    item* const now = first_.load(std::memory_order_acquire);
    if (known_.load(std::memory_order_relaxed) == now) return false;
    known_.store(now);
    return true;
  }
  void leave_short_ways() noexcept {
    for (std::atomic<item*>& place : at_hand_) place.store(nullptr);
    known_.store(nullptr);
  }

  std::atomic<item*> at_hand_[function_spec::places]{};
  std::atomic<item*> known_{nullptr};  // the list below, where hits may look at it
  std::atomic<item*> first_{nullptr};
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
