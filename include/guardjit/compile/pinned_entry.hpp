// guardjit: compile/pinned_entry.hpp: an entry that a handle keeps alive and calls without lookup
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PINNED_ENTRY_HPP
#define GUARDJIT_COMPILE_PINNED_ENTRY_HPP

#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/eager_cause.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One owner of an entry, or none.
class entry_owner {
 public:
  entry_owner() noexcept = default;
  /// Takes over an owner that the caller has.
  explicit entry_owner(entry* e) noexcept : entry_(e) {}
  entry_owner(entry_owner const& other) noexcept : entry_(other.entry_) {
    if (entry_) entry_->keep();
  }
  entry_owner(entry_owner&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  entry_owner& operator=(entry_owner other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~entry_owner() {
    if (entry_) entry::release(entry_);
  }
  entry const* get() const noexcept { return entry_; }

 private:
  entry* entry_ = nullptr;
};

/// What a pinned call has of its entry.
struct pinned_entry {
  entry_owner what;
  entry_owner copy;  ///< of a dynamic entry: its plan for the layouts that were pinned
  function_spec const* spec = nullptr;
  entry const* ready = nullptr;  ///< what runs at once: `what`, where it is direct
  entry const* bound = nullptr;  ///< what runs calls of the pinned layouts: `copy`, where it is direct
  bool is_checked = false;       ///< each call checks the guards: nothing runs at once
};

/// Whether an entry may run under a declared stack.
[[gnu::cold]] inline bool is_for_stack(entry const& e, int stack) noexcept {
  if (e.stack == stack) return true;
  for (guard const& g : e.dropped)
    if (g.kind == guard_kind::mode_stack_is) return true;
  return false;
}

/// Whether an entry serves a call, by all its guards.
[[gnu::cold]] inline bool serves(entry const& e, function_spec const& spec, frame_view const& f,
                                 index_t* symbols) noexcept {
  if (!is_for_stack(e, f.stack)) return false;
  if (!e.is_dynamic && !e.is_open && !(e.has_layouts(spec, f) && e.has_state(f.default_device))) return false;
  return guards_hold(e, spec, f, e.overlaps, symbols);
}

/// Throws: `guard_error` with the reasons. Rules: G62.
[[noreturn, gnu::cold]] inline void raise_pinned(pinned_entry const& p, cache const& entries,
                                                 function_state const& fn, frame_view const& f,
                                                 index_t* symbols) {
  entry const& e = *p.what.get();
  fixed_text text("guardjit: h(arguments...): pinned entry ");
  text << fn.id_of(e.number).c_str() << " does not serve this call";
  if (!is_for_stack(e, f.stack))
    text << ": mode stack: expected " << stack_text(p.spec->stacks, e.stack).c_str() << ", got "
         << visible_stack_text().c_str();
  else
    for (std::string const& reason : entries.failures_of(fn, e, f, e.overlaps, symbols).reasons)
      text << ": " << reason.c_str();
  raise<guard_error>(text);
}

/// The plan of a pinned call. The modes of another declared stack would see other ops, and are refused
/// even where nothing is checked.
[[gnu::noinline]] inline bound_call const& plan_of_pinned(pinned_entry const& p, cache const& entries,
                                                          function_state const& fn, frame_view const& f,
                                                          call_room const& room, int& path, bound_call& own) {
  entry const& e = *p.what.get();
  if (!is_for_stack(e, f.stack) || (p.is_checked && !serves(e, *p.spec, f, room.symbols)))
    raise_pinned(p, entries, fn, f, room.symbols);
  path = e.path;
  if (e.keeps_scalars) use_recorded_scalars(e, f);
  if (!e.is_dynamic) return e.ready;
  e.bind_call(*p.spec, f, room.plan, own);
  return own;
}

/// Throws where a call would run op by op: `option_error` where the function is disabled, `stance_error`
/// under a stance, `mode_error` under modes.
[[gnu::cold]] inline void require_entry(function_state const& fn, eager_cause cause, stance under) {
  if (cause == eager_cause::none) return;
  fixed_text text("guardjit: g.pin(arguments...): ");
  text << fn.label().c_str() << " has no entry here, since " << reason_of(cause, under).text.c_str();
  if (cause == eager_cause::disabled) raise<option_error>(text);
  if (cause == eager_cause::stance) raise<stance_error>(text << " makes calls run op by op");
  raise<mode_error>(text);
}

/// The entry that serves a call, found or made. A dynamic one also gets a plan for the layouts of this
/// call, so that those need not be bound again.
/// Precondition: inside a `call_epoch`.
/// Throws: as `require_entry`; `limit_error` where no entry may be made; what a miss throws.
[[gnu::cold]] inline pinned_entry pinned(cache& entries, function_state& fn, frame_view const& f,
                                         call_room const& room, bool is_checked) {
  function_spec const& spec = entries.spec();
  require_entry(fn, cause_before_lookup(fn, f), f.under.kind);
  entry_table const* const table = entries.table();
  entry const* e = table ? table->find(spec, f, 0, room.symbols) : nullptr;
  if (!e && f.under.kind != stance::normal) {
    stance_answer const answer = entries.ask_stance(fn, f, 0, room);
    if (answer.runs_eagerly) require_entry(fn, eager_cause::stance, f.under.kind);
    e = answer.found;
  }
  if (!e) e = entries.miss(fn, f, 0, room, false, false);
  if (!e)
    raise<limit_error>(fixed_text("guardjit: g.pin(arguments...): ")
                       << fn.label().c_str() << ": a limit is reached, and no entry can be made");
  e->keep();
  pinned_entry p;
  p.what = entry_owner(const_cast<entry*>(e));
  p.spec = &spec;
  p.is_checked = is_checked;
  if (is_checked || e->keeps_scalars) return p;
  if (e->is_direct) p.ready = e;
  if (e->is_dynamic && !e->by && e->default_device < 0) {
    entry* const copy = entry::make(spec, f);
    p.copy = entry_owner(copy);
    copy->path = e->path;
    copy->stack = e->stack;
    copy->bind(spec, f);
    if (copy->is_direct) p.bound = copy;
  }
  return p;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
