// guardjit: compile/cache.hpp: the entries of one signature, found without a lock, made by one thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CACHE_HPP
#define GUARDJIT_COMPILE_CACHE_HPP

#include <guardjit/compile/epoch.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/history.hpp>
#include <guardjit/compile/table.hpp>
#include <guardjit/modes/stash_modes.hpp>

#include <atomic>  // the table, and what it holds
#include <mutex>   // one thread builds

namespace guardjit::inline GUARDJIT_ABI {

/// The entries of one function under one signature. Nothing here is made for a function: it works
/// on `function_spec`.
/// Rules: G11, G16, G17, G19.
class cache {
 public:
  explicit cache(function_spec const& spec) : spec_(spec) {}
  cache(cache const&) = delete;
  cache& operator=(cache const&) = delete;
  ~cache() { drop(); }

  function_spec const& spec() const noexcept { return spec_; }

  /// Precondition: inside a `call_epoch`, as long as the table is read.
  entry_table const* table() const noexcept { return table_.load(std::memory_order_acquire); }

  /// Whether a direct entry for row-major arguments is installed.
  bool has_packed_entry() const noexcept { return packed_.load(std::memory_order_acquire); }

  /// The entry for a call that found none: made here, or by a thread that was faster. Null at a
  /// limit: the call then runs by a plan of its own.
  /// Throws: `shape_error` where the call breaks a shape rule; nothing is changed then.
  [[gnu::cold]]
  entry const* miss(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps,
                    call_room const& room) {
    inert_scope const inert;
    std::lock_guard const lock(building_);
    entry_table const* const now = table();
    if (now)
      if (entry const* e = now->find(spec_, f, overlaps, room.symbols)) return e;
    int const path = path_of(spec_, f, room.symbols);
    require_shapes(spec_.paths[static_cast<unsigned>(path)], spec_, f, room.symbols);
    bool const at_limit = now && static_cast<int>(now->entries().size()) >= fn.recompile_limit;
    if (has_subscribers()) report_miss(fn, f, overlaps, at_limit, room);
    if (!at_limit) return build(fn, f, overlaps, path, room);
    __atomic_fetch_add(&fn.uncached_calls, 1, __ATOMIC_RELAXED);
    return nullptr;
  }

  /// Why each entry does not serve a call.
  [[gnu::cold]]
  miss_report explain(detail::function_state const& fn, frame_view const& f, std::uint64_t overlaps,
                      index_t* symbols) const {
    miss_report report;
    entry_table const* const now = table();
    if (!now) return report;
    for (entry const* e : now->entries()) {
      entry_failures item{fn.id_of(e->number), failed_guards(*e, spec_, f, overlaps, symbols), {}};
      for (guard_failure const& failure : item.failures)
        item.reasons.push_back(reason_of(failure, *e));
      report.entries.push_back(std::move(item));
    }
    return report;
  }

  [[gnu::cold]] void describe(detail::function_state const& fn, std::vector<entry_info>& to) const {
    detail::call_epoch const epoch;
    entry_table const* const now = table();
    if (!now) return;
    for (entry const* e : now->entries())
      to.push_back({fn.id_of(e->number), e->guards, spec_.backend, e->is_dynamic});
  }

  /// Drops all entries and the history.
  [[gnu::cold]] void drop() {
    std::lock_guard const lock(building_);
    packed_.store(false, std::memory_order_release);
    entry_table* const old = table_.exchange(nullptr, std::memory_order_acq_rel);
    history_ = {};
    if (!old) return;
    for (entry* e : old->entries())
      detail::epoch_registry::instance().retire(
          e->retired, e, [](void* what) { entry::destroy(static_cast<entry*>(what)); });
    retire(old);
  }

 private:
  /// Deletes what was not installed.
  struct entry_holder {
    entry* what;
    ~entry_holder() {
      if (what) entry::destroy(what);
    }
  };
  /// Pairs `compile_begin` and `compile_end`, also when the compile throws (G46). The end needs no
  /// memory: there may be none left.
  class told_compile {
   public:
    told_compile(detail::function_state const& fn, int n) : number(n), fn_(fn) {
      if (!has_subscribers()) return;
      who_ = fn.label();
      tell(event_kind::compile_begin);
    }
    told_compile(told_compile const&) = delete;
    ~told_compile() {
      if (!who_.empty()) tell(event_kind::compile_end);
    }
    int const number;

   private:
    void tell(event_kind kind) const noexcept {
      send({.kind = kind, .name = who_.c_str(), .where = fn_.where, .entry = number});
    }
    detail::function_state const& fn_;
    std::string who_;
  };

  /// Steps 4 to 8 of the compile window.
  [[gnu::cold]]
  entry const* build(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps, int path,
                     call_room const& room) {
    stash_modes const stash;
    told_compile const told(fn, __atomic_fetch_add(&fn.compiles, 1, __ATOMIC_ACQ_REL));
    std::vector<open_dims> const open = history_.open_for(spec_, f, fn.policy);
    entry_holder made{entry::make(spec_, f)};
    entry& e = *made.what;
    e.overlaps = overlaps;
    e.path = path;
    e.stack = f.stack;
    e.number = told.number;
    e.is_dynamic = any_open(open);
    e.bind(spec_, f.layouts);
    {
      reinstate_modes const visible(stash);
      path_spec const& taken = spec_.paths[static_cast<unsigned>(path)];
      path_values const values = values_on(taken, spec_, f, room.symbols);
      e.guards = guards_of(spec_, f, taken, values, open, overlaps);
      e.set_state();
      verify(fn, e, f, overlaps, room.symbols);
    }
    history_.reserve(spec_.arguments.size());
    auto* const fresh = new entry_table(table(), made.what);
    made.what = nullptr;
    history_.remember(f, open);
    if (entry_table* const old = table_.exchange(fresh, std::memory_order_acq_rel)) retire(old);
    if (e.is_direct && e.stack == 0 && are_packed(f)) packed_.store(true, std::memory_order_release);
    return &e;
  }

  /// Step 7: the new guards hold for the very call that made them (G36).
  [[gnu::cold]]
  void verify(detail::function_state const& fn, entry const& e, frame_view const& f, std::uint64_t overlaps,
              index_t* symbols) const {
    bool const found = e.is_dynamic || (e.has_layouts(spec_, f) && e.has_state(f.default_device));
    if (found && guards_hold(e, spec_, f, overlaps, symbols)) return;
    fixed_text text;
    text << "guardjit: " << fn.label().c_str() << ": a guard failed on the call that created it";
    for (guard_failure const& failure : failed_guards(e, spec_, f, overlaps, symbols))
      text << ": " << reason_of(failure, e).c_str();
    raise<internal_error>(text);
  }

  [[gnu::cold]] std::string reason_of(guard_failure const& failure, entry const& e) const {
    return to_string(failure, spec_.paths[static_cast<unsigned>(e.path)].graph, spec_.names, spec_.stacks);
  }

  [[gnu::cold]]
  void report_miss(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps, bool at_limit,
                   call_room const& room) const {
    if (at_limit && std::exchange(fn.limit_told, true)) return;
    miss_report const report = explain(fn, f, overlaps, room.symbols);
    int const next = fn.compile_count();
    for (entry_failures const& item : report.entries)
      if (!item.reasons.empty())
        fn.tell(event_kind::guard_failure, next, item.id + ": " + item.reasons.front());
    if (at_limit)
      fn.tell(event_kind::limit, -1,
              "recompile_limit " + std::to_string(fn.recompile_limit) + " of " + fn.label() +
                  " is reached; " + report.to_string());
    else fn.tell(report.entries.empty() ? event_kind::miss : event_kind::recompile, next, report.to_string());
  }

  [[gnu::cold]] static void retire(entry_table* old) noexcept {
    detail::epoch_registry::instance().retire(old->retired, old,
                                              [](void* what) { delete static_cast<entry_table*>(what); });
  }

  static bool are_packed(frame_view const& f) {
    for (int k = 0; k < f.arguments; ++k)
      if (!is_contiguous(f.layouts[k])) return false;
    return true;
  }

  function_spec const& spec_;
  std::atomic<entry_table*> table_{nullptr};
  std::atomic<bool> packed_{false};
  std::mutex building_;
  extent_history history_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
