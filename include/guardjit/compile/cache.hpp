// guardjit: compile/cache.hpp: the entries of one signature, found without a lock, made by one thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CACHE_HPP
#define GUARDJIT_COMPILE_CACHE_HPP

#include <guardjit/compile/epoch.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/history.hpp>
#include <guardjit/compile/table.hpp>
#include <guardjit/modes/dispatch.hpp>
#include <guardjit/modes/stash_modes.hpp>

#include <atomic>  // the table
#include <mutex>   // one thread builds

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Throws where the call breaks a shape rule of its path, in the words of the static error.
/// Rules: G85, G93.
template <class Traced, class Frame> void require_shapes(Frame const& frame) {
  constexpr graph_view g = Traced::graph.view();
  path_values<Traced> const values(frame);
  for (requirement const& r : g.requirements) {
    index_t const a = value_of(r.left, values.extents), b = value_of(r.right, values.extents);
    if (r.holds(a, b)) continue;
    fixed_text detail;
    detail << "; shapes";
    for (int k = 0; k < g.operands(r.node); ++k) {
      shape s = g.shape_of(g.operand(r.node, k));
      for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], values.extents);
      detail << ' ' << s;
    }
    raise_mistake({r.otherwise, g[r.node].id, a, b, r.axis, {}}, detail << "; " << g[r.node].where);
  }
}

/// Throws where extents that one rule decided leave a negative extent behind.
template <class Spec> void require_call(typename Spec::frame const& frame, int path) {
  for_each_index<Spec::path_count>([&]<class K>(K) {
    if (K::value == path) require_shapes<typename Spec::template program_at<K::value>::traced>(frame);
  });
}

/// Deletes what was not installed.
template <class What> struct until_released {
  What* what;
  ~until_released() { delete what; }
  What* release() { return std::exchange(what, nullptr); }
};

/// What the list of a function's caches needs of one, whatever its signature.
struct cache_base {
  void const* tag = nullptr;
  cache_base* next = nullptr;
  void (*clear)(cache_base&) = nullptr;
  void (*list)(cache_base&, function_state const&, std::vector<entry_info>&) = nullptr;
  void (*destroy)(cache_base*) = nullptr;
};

}  // namespace detail

/// The entries of one function under one signature. Rules: G11, G16, G17, G19.
template <class Spec> class cache : public detail::cache_base {
 public:
  using entry_type = entry<Spec>;
  using table_type = entry_table<Spec>;
  using frame = typename Spec::frame;
  static constexpr char tag_of_type = 0;

  cache() {
    tag = &tag_of_type;
    detail::cache_base::clear = [](cache_base& self) { static_cast<cache&>(self).drop(); };
    list = [](cache_base& self, detail::function_state const& fn, std::vector<entry_info>& to) {
      static_cast<cache&>(self).describe(fn, to);
    };
    destroy = [](cache_base* self) { delete static_cast<cache*>(self); };
  }
  cache(cache const&) = delete;
  cache& operator=(cache const&) = delete;
  ~cache() { drop(); }

  /// Precondition: inside a `call_epoch`, as long as the table is read.
  table_type const* table() const noexcept { return table_.load(std::memory_order_acquire); }

  /// The entry for a call that found none: made here, or by a thread that was faster. Null at a
  /// limit: the call then runs by a plan of its own.
  /// Throws: `shape_error` where the call breaks a shape rule; nothing is changed then.
  entry_type const* miss(detail::function_state& fn, frame const& f, std::uint64_t overlaps) {
    inert_scope inert;
    std::lock_guard lock(building_);
    table_type const* const now = table();
    if (now)
      if (entry_type const* e = now->find(f, overlaps)) return e;
    int const path = Spec::path_of(f);
    detail::require_call<Spec>(f, path);
    int const entries = now ? static_cast<int>(now->entries().size()) : 0;
    report_miss(fn, f, overlaps);
    if (entries >= fn.recompile_limit) {
      __atomic_fetch_add(&fn.uncached_calls, 1, __ATOMIC_RELAXED);
      return nullptr;
    }
    return build(fn, f, overlaps, path);
  }

  /// Why each entry does not serve a call.
  miss_report explain(detail::function_state const& fn, frame const& f, std::uint64_t overlaps) const {
    miss_report report;
    table_type const* const now = table();
    if (!now) return report;
    for (entry_type const* e : now->entries()) {
      entry_failures item{fn.id_of(e->number), {}, {}};
      graph_view const g = graph_of(*e);
      check_guards(*e, f, overlaps, [&](guard const& one, guard_context const& c) {
        if (!holds(one, c)) {
          item.failures.push_back(failure_of(one, c));
          item.reasons.push_back(to_string(item.failures.back(), g));
        }
        return true;
      });
      report.entries.push_back(std::move(item));
    }
    return report;
  }

 private:
  /// Steps 4 to 8 of the compile window.
  entry_type const* build(detail::function_state& fn, frame const& f, std::uint64_t overlaps, int path) {
    struct told {
      detail::function_state const& fn;
      int number;
      ~told() { if (has_subscribers()) fn.tell(event_kind::compile_end, number, ""); }
    };
    stash_modes stash;
    int const number = __atomic_fetch_add(&fn.compiles, 1, __ATOMIC_ACQ_REL);
    if (has_subscribers()) fn.tell(event_kind::compile_begin, number, "");
    told const end{fn, number};

    detail::until_released<entry_type> made{new entry_type};
    entry_type& e = *made.what;
    auto const open = history_.open_for(f, fn.policy);
    e.key.store(f);
    e.overlaps = overlaps;
    e.path = path;
    e.number = number;
    e.is_dynamic = open.any();
    make_plan(e, f);
    {
      reinstate_modes visible(stash);
      e.guards = guards_of<Spec>(f, path, open, overlaps);
      verify(fn, e, f, overlaps);
    }
    detail::until_released<table_type> fresh{new table_type(table(), made.what)};
    history_.remember(f, open);
    table_type* const old = table_.exchange(fresh.release(), std::memory_order_acq_rel);
    entry_type const* const installed = made.release();
    if (old) retire(old);
    return installed;
  }

  static void make_plan(entry_type& e, frame const& f) {
    for_each_index<Spec::path_count>([&]<class K>(K) {
      if (K::value != e.path) return;
      using program = typename Spec::template program_at<K::value>;
      e.bind = &detail::bind_in<Spec, K::value>;
      detail::until_released<plan<program>> bound{new plan<program>};
      bind(*bound.what, f.layouts.data());
      e.ready = bound_call<Spec::result_rank>::of(*bound.what);
      e.release = [](void const* p) { delete static_cast<plan<program> const*>(p); };
      (void)bound.release();
    });
    for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments); ++k) {
      element_span const s = span_of(f.layouts[k]);
      int const size = size_of(Spec::signature::arguments[k].type);
      e.spans[k] = {s.begin * size, s.end * size};
    }
  }

  /// Step 7: the new guards hold for the very call that made them (G36).
  static void verify(detail::function_state const& fn, entry_type const& e, frame const& f, std::uint64_t overlaps) {
    bool const found = guards_hold(e, f, overlaps) && (e.is_dynamic || e.matches(f, overlaps));
    if (found) return;
    fixed_text text;
    text << "guardjit: " << fn.label().c_str() << ": a guard failed on the call that created it";
    check_guards(e, f, overlaps, [&](guard const& g, guard_context const& c) {
      if (!holds(g, c)) text << ": " << to_string(failure_of(g, c), graph_of(e)).c_str();
      return true;
    });
    raise<internal_error>(text);
  }

  void report_miss(detail::function_state& fn, frame const& f, std::uint64_t overlaps) {
    if (!has_subscribers()) return;
    miss_report const report = explain(fn, f, overlaps);
    int const entries = static_cast<int>(report.entries.size());
    bool const at_limit = entries >= fn.recompile_limit;
    if (at_limit && std::exchange(fn.limit_told, true)) return;
    for (entry_failures const& item : report.entries)
      if (!item.reasons.empty())
        fn.tell(event_kind::guard_failure, fn.compile_count(), item.id + ": " + item.reasons.front());
    if (at_limit)
      fn.tell(event_kind::limit, -1, "recompile_limit " + std::to_string(fn.recompile_limit) + " of " + fn.label() +
                                         " is reached; " + report.to_string());
    else fn.tell(entries > 0 ? event_kind::recompile : event_kind::miss, fn.compile_count(), report.to_string());
  }

  void drop() {
    std::lock_guard lock(building_);
    table_type* const old = table_.exchange(nullptr, std::memory_order_acq_rel);
    history_ = {};
    if (!old) return;
    std::vector<entry_type*> const entries = old->entries();
    retire(old);
    for (entry_type* e : entries) retire(e);
  }
  template <class What> static void retire(What* what) {
    detail::epoch_registry::instance().retire(what, [](void* w) { delete static_cast<What*>(w); });
  }
  void describe(detail::function_state const& fn, std::vector<entry_info>& to) {
    detail::call_epoch epoch;
    table_type const* const now = table();
    if (!now) return;
    for (entry_type const* e : now->entries())
      to.push_back({fn.id_of(e->number), e->guards, Spec::backend::name, e->is_dynamic});
  }

  std::atomic<table_type*> table_{nullptr};
  std::mutex building_;
  extent_history<Spec> history_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
