// guardjit: compile/cache.hpp: the entries of one signature, found without a lock, made by one thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CACHE_HPP
#define GUARDJIT_COMPILE_CACHE_HPP

#include <guardjit/compile/backend_guards.hpp>
#include <guardjit/compile/entry_guards.hpp>
#include <guardjit/compile/epoch.hpp>
#include <guardjit/compile/erased_build.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/history.hpp>
#include <guardjit/compile/table.hpp>
#include <guardjit/modes/stash_modes.hpp>

#include <atomic>  // the table, and what it holds
#include <mutex>   // one thread builds

namespace guardjit::inline GUARDJIT_ABI {

/// What a stance says to a miss.
struct stance_answer {
  entry const* found = nullptr;
  bool runs_eagerly = false;
};

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
  /// limit: the call then runs by a plan of its own, or op by op, as `on_limit` says. With `is_late`
  /// it ran already, and a refusal does not throw. Without `is_call` nothing is going to run uncached.
  /// Throws: `shape_error` where the call breaks a shape rule, `recompile_error` and `limit_error`
  /// where the options ask for it, `guard_error` where a user guard is false, `option_error` where the
  /// guard filter drops what must stay, `backend_error` for what a backend throws; nothing is changed
  /// then.
  [[gnu::cold]]
  entry const* miss(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps,
                    call_room const& room, bool is_late = false, bool is_call = true) {
    inert_scope const inert;
    std::lock_guard const lock(building_);
    entry_table const* const now = table();
    entry const* const found = now ? now->find(spec_, f, overlaps, room.symbols) : nullptr;
    if (found && found != f.refused) return found;
    int const path = path_of(spec_, f, room.symbols);
    require_shapes(spec_.paths[static_cast<unsigned>(path)], spec_, f, room.symbols);
    int const entries = count(f.backend());
    bool const is_full = !found && entries >= fn.recompile_limit, evicts = is_full && may_evict(fn, entries);
    bool const is_forbidden = fn.error_on_recompile && entries > 0;
    bool const is_spent = fn.compile_count() >= fn.compile_limit;
    bool const may_compile = !is_forbidden && !is_spent && (!is_full || evicts);
    if (fn.is_heard())
      report_miss(fn, f, overlaps, {is_full, !is_forbidden && (is_full || is_spent), may_compile}, room);
    if (int const number = may_compile ? fn.begin_compile() : -1; number >= 0)
      return build(fn, f, overlaps, path, room, number,
                   evicts ? now->oldest(f.backend()) : const_cast<entry*>(found));
    if (!is_late) refuse(fn, f, overlaps, is_forbidden, is_full, room);
    if (fn.at_limit == limit_action::eager || !is_call) return nullptr;
    __atomic_fetch_add(&fn.uncached_calls, 1, __ATOMIC_RELAXED);
    if (fn.is_heard())
      fn.tell({.kind = event_kind::uncached_call,
               .reason = word_of_limit(is_full),
               .text = "a limit is reached: the call runs by a plan that is not kept"});
    return nullptr;
  }

  /// What the stance of a call says to a miss, before limits are looked at: whether it runs op by op. `found`
  /// is an entry that was made meanwhile.
  /// Throws: `shape_error` where the call breaks a shape rule, `recompile_error`. Rules: G1, G72, G73, G74.
  [[gnu::cold]] stance_answer ask_stance(detail::function_state& fn, frame_view const& f,
                                         std::uint64_t overlaps, call_room const& room) {
    inert_scope const inert;
    int const path = path_of(spec_, f, room.symbols);
    require_shapes(spec_.paths[static_cast<unsigned>(path)], spec_, f, room.symbols);
    if (f.under.kind == stance::eager_on_recompile) return {nullptr, true};
    std::lock_guard const lock(building_);
    entry_table const* const now = table();
    entry const* const found = now ? now->find(spec_, f, overlaps, room.symbols) : nullptr;
    if (found && found != f.refused) return {found, false};
    if (f.under.kind == stance::eager_then_compile) return {nullptr, !history_.has_met()};
    if (f.under.kind != stance::fail_on_recompile || (f.under.allows_first && !has_entries(f))) return {};
    if (fn.is_heard()) report_miss(fn, f, overlaps, {false, false, false}, room);
    raise_stance(fn, explain(fn, f, overlaps, room.symbols));
  }
  /// Remembers a call that ran op by op as if an entry had been made for it. Rules: G74.
  [[gnu::cold]] void remember(detail::function_state const& fn, frame_view const& f) {
    std::lock_guard const lock(building_);
    std::vector<open_dims> const open = history_.open_for(spec_, f, fn.policy);
    history_.reserve(spec_.arguments.size());
    history_.remember(f, open);
  }

  /// Whether a call that finds no entry would make one that nothing the user gave can refuse.
  [[gnu::cold]] bool is_free_to_compile(detail::function_state const& fn, frame_view const& f) const {
    if (fn.filter || f.held() != all_predicates || fn.compile_count() >= fn.compile_limit) return false;
    int const entries = count(f.backend());
    if (fn.error_on_recompile && entries > 0) return false;
    return f.refused || entries < fn.recompile_limit || may_evict(fn, entries);
  }

  /// Why each entry does not serve a call.
  [[gnu::cold]]
  miss_report explain(detail::function_state const& fn, frame_view const& f, std::uint64_t overlaps,
                      index_t* symbols) const {
    miss_report report;
    entry_table const* const now = table();
    if (!now) return report;
    for (entry const* e : now->entries())
      report.entries.push_back(e->is_by(f.backend()) ? failures_of(fn, *e, f, overlaps, symbols)
                                                     : detail::failure_of_backend(fn, spec_, *e, f));
    return report;
  }
  /// The same for one entry of this function, be it in the table or not.
  [[gnu::cold]]
  entry_failures failures_of(detail::function_state const& fn, entry const& e, frame_view const& f,
                             std::uint64_t overlaps, index_t* symbols) const {
    entry_failures item{fn.id_of(e.number), failed_guards(e, spec_, f, overlaps, symbols), {}, e.number};
    for (guard_failure const& failure : item.failures) item.reasons.push_back(reason_of(fn, failure, e, f));
    if (&e == f.refused) item.reasons.push_back("the guard collective says that this is a miss");
    return item;
  }

  [[gnu::cold]] void describe(detail::function_state const& fn, std::vector<entry_info>& to) const {
    detail::call_epoch const epoch;
    entry_table const* const now = table();
    if (!now) return;
    for (entry const* e : now->entries())
      to.push_back({fn.id_of(e->number), e->guards, e->dropped, detail::name_of_backend(spec_, *e),
                    e->is_dynamic, texts_of(fn, *e, e->guards), texts_of(fn, *e, e->dropped)});
  }

  /// Drops all entries and the history.
  [[gnu::cold]] void drop() {
    std::lock_guard const lock(building_);
    packed_.store(false, std::memory_order_release);
    entry_table* const old = table_.exchange(nullptr, std::memory_order_acq_rel);
    history_ = {};
    if (!old) return;
    for (entry* e : old->entries()) retire(e);
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
    told_compile(detail::function_state const& fn, int n)
        : number(n), fn_(fn), is_told_(fn.is_heard()) {
      if (is_told_) fn_.tell({.kind = event_kind::compile_begin, .entry = number});
    }
    told_compile(told_compile const&) = delete;
    ~told_compile() {
      if (is_told_)
        fn_.tell({.kind = event_kind::compile_end, .reason = is_made ? "made" : "failed", .entry = number});
    }
    int const number;
    bool is_made = false;

   private:
    detail::function_state const& fn_;
    bool is_told_;
  };

  /// The limits hold for the entries of each backend alone.
  int count(detail::known_backend const* by) const {
    entry_table const* const now = table();
    return now ? now->count(by) : 0;
  }
  /// Whether one of so many entries may go to make room for one.
  static bool may_evict(detail::function_state const& fn, int entries) {
    return fn.at_limit == limit_action::evict && entries > 0;
  }

  /// Steps 4 to 8 of the compile window. `gone` makes room for the new entry.
  [[gnu::cold]]
  entry const* build(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps, int path,
                     call_room const& room, int number, entry* gone) {
    stash_modes const stash;
    told_compile told(fn, number);
    std::vector<open_dims> const open = history_.open_for(spec_, f, fn.policy);
    entry_holder made{entry::make(spec_, f)};
    entry& e = *made.what;
    e.overlaps = overlaps;
    e.path = path;
    e.stack = f.stack;
    e.number = told.number;
    e.is_dynamic = any_open(open);
    e.is_packed = are_packed(f) && f.stack == 0;
    path_spec const& taken = spec_.paths[static_cast<unsigned>(path)];
    fn.begin(detail::compile_phase::plan);
    std::vector<guard> const of_backend = detail::get_ready(fn, spec_, e, taken, f, room);
    e.bind(spec_, f);
    {
      reinstate_modes const visible(stash);
      fn.begin(detail::compile_phase::guards);
      path_values const values = values_on(taken, spec_, f, room.symbols);
      // A plan of a dynamic entry may have any form: it is bound at each call.
      std::uint64_t const forms = e.is_dynamic && !e.by ? ~std::uint64_t{0} : e.forms;
      e.guards = guards_of(spec_, f, taken, values, open, overlaps, of_backend, forms);
      for (guard const& g : e.guards)
        if (g.kind == guard_kind::same_storage) e.kept.push_back(*f.owners[g.argument]);
      detail::finish_guards(fn, spec_, e);
      e.set_state(taken.guards != nullptr);
      verify(fn, e, f, overlaps, room.symbols);
    }
    fn.begin(detail::compile_phase::install);
    history_.reserve(spec_.arguments.size());
    auto* const fresh = new entry_table(table(), made.what, gone);
    made.what = nullptr;
    history_.remember(f, open);
    if (entry_table* const old = table_.exchange(fresh, std::memory_order_acq_rel)) retire(old);
    if (gone) retire(gone);
    packed_.store(fresh->has_packed(), std::memory_order_release);
    told.is_made = true;
    return &e;
  }

  /// Step 7: the new guards hold for the very call that made them (G36).
  [[gnu::cold]]
  void verify(detail::function_state const& fn, entry const& e, frame_view const& f, std::uint64_t overlaps,
              index_t* symbols) const {
    bool const fits = e.is_dynamic || (e.has_layouts(spec_, f) && e.has_state(f.default_device));
    if (guards_hold(e, spec_, f, overlaps, symbols) && fits) return;
    bool is_user = fits && e.overlaps == overlaps;
    fixed_text reasons;
    for (guard_failure const& failure : failed_guards(e, spec_, f, overlaps, symbols)) {
      is_user = is_user && failure.kind == guard_kind::predicate;
      reasons << ": " << reason_of(fn, failure, e, f).c_str();
    }
    fixed_text text("guardjit: ");
    text << fn.label().c_str();
    if (is_user)
      raise<guard_error>(text << ": a user guard is false on the call that needs an entry" << reasons);
    raise<internal_error>(text << ": a guard failed on the call that created it" << reasons);
  }

  [[gnu::cold]] std::string reason_of(detail::function_state const& fn, guard_failure const& failure,
                                      entry const& e, frame_view const& f) const {
    if (failure.kind == guard_kind::predicate) {
      auto const number = static_cast<std::size_t>(failure.condition);
      return detail::predicate_text(fn.predicates[number], f.predicates, failure.condition);
    }
    return to_string(failure, spec_.paths[static_cast<unsigned>(e.path)].graph, spec_.names, spec_.stacks);
  }

  [[gnu::cold]] std::vector<std::string> texts_of(detail::function_state const& fn, entry const& e,
                                                  std::vector<guard> const& guards) const {
    graph_view const& g = spec_.paths[static_cast<unsigned>(e.path)].graph;
    std::vector<std::string> texts;
    for (guard const& what : guards)
      texts.push_back(text_of(what, g, spec_.names, fn.predicates, spec_.stacks));
    return texts;
  }

  /// What becomes of a miss: `recompile_limit` is reached; that or `compile_limit` is; an entry is made.
  struct outcome_of_miss {
    bool is_full, at_limit, compiles;
  };

  static constexpr char const* word_of_limit(bool is_full) {
    return is_full ? "recompile_limit" : "compile_limit";
  }
  [[gnu::cold]] static std::string limit_text(detail::function_state const& fn, bool is_full,
                                              std::string const& reasons, char const* more = "") {
    std::string const value = std::to_string(is_full ? fn.recompile_limit : fn.compile_limit);
    return std::string(word_of_limit(is_full)) + " " + value + " of " + fn.label() +
           " is reached" + more + (reasons.empty() ? "" : "; " + reasons);
  }

  bool has_entries(frame_view const& f) const { return count(f.backend()) > 0; }
  [[noreturn, gnu::cold]] static void raise_stance(detail::function_state const& fn,
                                                   miss_report const& report) {
    fixed_text text("guardjit: stance fail_on_recompile: ");
    text << fn.label().c_str();
    if (fn.name) text << " (" << fn.where.file << ':' << fn.where.line << ')';
    text << ": a call needs another entry; ";
    std::string const reasons = report.entries.empty() ? "there is no entry yet" : report.to_string();
    raise<recompile_error>(text << reasons.c_str());
  }

  /// Throws where the options say that a miss is an error. Rules: G45, G52.
  [[gnu::cold]]
  void refuse(detail::function_state const& fn, frame_view const& f, std::uint64_t overlaps,
              bool is_forbidden, bool is_full, call_room const& room) const {
    bool const needs_ops = !is_forbidden && fn.at_limit == limit_action::eager && fn.fullgraph;
    if (!is_forbidden && !needs_ops && fn.at_limit != limit_action::error) return;
    std::string const reasons = explain(fn, f, overlaps, room.symbols).to_string();
    fixed_text text("guardjit: ");
    if (is_forbidden)
      raise<recompile_error>(text << fn.label().c_str()
                                  << ": error_on_recompile: a call needs another entry; "
                                  << reasons.c_str());
    char const* const more = needs_ops ? ", and fullgraph forbids to run op by op" : "";
    raise<limit_error>(text << limit_text(fn, is_full, reasons, more).c_str());
  }

  [[gnu::cold]]
  void report_miss(detail::function_state& fn, frame_view const& f, std::uint64_t overlaps,
                   outcome_of_miss const& what, call_room const& room) const {
    bool const first = what.at_limit && !__atomic_exchange_n(&fn.limit_told, true, __ATOMIC_ACQ_REL);
    if (what.at_limit && !first && !what.compiles) return;
    miss_report const report = explain(fn, f, overlaps, room.symbols);
    if (fn.listener) fn.listener->missed(fn.listener->context, fn.compile_count(), report);
    std::vector<guard_failure> firsts;
    for (entry_failures const& item : report.entries) {
      if (item.failures.empty()) continue;
      firsts.push_back(item.failures.front());
      std::string const text = item.id + ": " + item.reasons.front();
      tell_failures(fn, {.kind = event_kind::guard_failure, .entry = item.number, .text = text.c_str()},
                    item.failures);
    }
    std::string const reasons = report.to_string();
    if (first) {
      std::string const text = limit_text(fn, what.is_full, reasons);
      event limit{.kind = event_kind::limit, .reason = word_of_limit(what.is_full), .text = text.c_str()};
      tell_failures(fn, limit, firsts);
    }
    if (what.at_limit && !what.compiles) return;
    int const next = fn.compile_count();
    if (report.entries.empty())
      fn.tell({.kind = event_kind::miss, .reason = "first_call", .entry = next,
               .text = "there is no entry yet"});
    else
      tell_failures(fn,
                    {.kind = event_kind::recompile,
                     .reason = f.refused ? "collective" : "",
                     .entry = next,
                     .text = reasons.c_str()},
                    firsts);
  }
  /// The reason, where there is none, is the kind of the first failure. Rules: G42.
  [[gnu::cold]] static void tell_failures(detail::function_state const& fn, event what,
                                          std::span<guard_failure const> failures) {
    what.failures = failures.data();
    what.failure_count = static_cast<std::int64_t>(failures.size());
    if (!*what.reason) what.reason = failures.empty() ? "internal" : name_of(failures.front().kind);
    fn.tell(what);
  }

  [[gnu::cold]] static void retire(entry* old) noexcept {
    detail::epoch_registry::instance().retire(old->retired, old,
                                              [](void* what) { entry::release(static_cast<entry*>(what)); });
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
