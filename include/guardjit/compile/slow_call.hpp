// guardjit: compile/slow_call.hpp: what a call does when its first guess fails; shared by all functions
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SLOW_CALL_HPP
#define GUARDJIT_COMPILE_SLOW_CALL_HPP

#include <guardjit/compile/backend_build.hpp>
#include <guardjit/compile/declared_shapes.hpp>
#include <guardjit/compile/eager_cause.hpp>
#include <guardjit/compile/guard_collective.hpp>
#include <guardjit/compile/memo.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/output_view.hpp>
#include <guardjit/compile/replay.hpp>
#include <guardjit/compile/watched_run.hpp>
#include <guardjit/compile/workspace.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

inline void require_scalars(any_call const& c) {
  path_spec const& path =
      c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))];
  require_scalars(path, c.f, values_on(path, c.spec(), c.f, c.room.symbols).symbols);
}

/// How `serve` came to a plan.
struct served_call {
  bool is_kept_later = false;  ///< the entry is made behind the run: the caller calls `keep`
  entry const* refused = nullptr;  ///< as in `frame_view`, where `keep` or a stance asks for it
  int number = -1;             ///< of the entry, if any
  char const* how = "";
  eager_cause cause = eager_cause::limit;  ///< where the path is `eager_path`
  built_runner runner{};       ///< of an erased backend, where no entry has it
};
/// Tells that a plan is going to run, where anybody wants to hear it.
inline void tell_run(any_call const& c, served_call const& how) noexcept {
  if (has_run_subscribers()) [[unlikely]]
    c.fn.tell({.kind = event_kind::run, .reason = how.how, .entry = how.number});
}

/// The outputs of a call that found no entry, before one is made: a call that throws leaves the cache as it
/// was.
/// Throws: also where the call breaks a shape rule. Rules: G2.
[[gnu::cold]] inline void check_outputs(any_call const& c, path_spec const& taken,
                                        std::span<output_view const> outs) {
  require_shapes(taken, c.spec(), c.f, c.room.symbols);
  path_values const values = values_on(taken, c.spec(), c.f, c.room.symbols);
  std::size_t const first = taken.graph.outputs.size() - outs.size();
  for (std::size_t k = 0; k < outs.size(); ++k)
    check_output(c, outs[k], shape_in_call(taken.graph, taken.graph.outputs[first + k], values.symbols));
}

/// The entry of a call that found none, or only `refused`, which the guard collective turned down. Null where
/// the call runs by `own`, or op by op, as `path` and `to` say.
[[gnu::cold, gnu::noinline]] inline entry const* missed(any_call const& c, std::uint64_t overlaps,
                                                        entry const* refused, int& path, bound_call& own,
                                                        served_call* to, std::span<output_view const> outs) {
  frame_view f = c.f;
  f.refused = refused;
  require_declared(c.spec(), f, c.fn);
  int const taken = path_of(c.spec(), f, c.room.symbols);
  path_spec const& mine = c.spec().paths[static_cast<unsigned>(taken)];
  if (!outs.empty()) check_outputs(c, mine, outs);
  entry const* e = nullptr;
  if (f.under.kind != stance::normal) {
    stance_answer const answer = c.entries.ask_stance(c.fn, f, overlaps, c.room);
    if (answer.runs_eagerly) {
      if (to) to->cause = eager_cause::stance, to->refused = refused;
      path = eager_path;
      return nullptr;
    }
    e = answer.found;
  }
  if (!e && to && c.spec().tests_indices && c.entries.is_free_to_compile(c.fn, f)) {
    *to = {.is_kept_later = true, .refused = refused, .how = "made"};
    require_shapes(mine, c.spec(), f, c.room.symbols);
  } else {
    if (!e) e = c.entries.miss(c.fn, f, overlaps, c.room);
    if (to) *to = {.number = e ? e->number : -1, .how = e ? "made" : "uncached"};
    if (e) return e;
    if (c.fn.at_limit == limit_action::eager) {
      path = eager_path;
      return nullptr;
    }
  }
  path = taken;
  built_runner none;
  bind_alone(c.fn, c.spec(), mine, f, c.room, to ? to->runner : none, own);
  return nullptr;
}

/// A plan for the call: of an entry found or made, remembered by this thread, or of this call alone,
/// which is then in `own`. `path` is the one taken, or `eager_path`. With `may_allocate` the thread's memo
/// is made. `outs` are tested before an entry is.
/// Where kernels may refuse indices, an entry is made behind the run, so that a call that throws leaves
/// the cache as it was. `to` tells so; null where nothing runs.
[[gnu::noinline]] inline bound_call const& plan_for(any_call const& c, std::uint64_t overlaps,
                                                    bool may_allocate, int& path, bound_call& own,
                                                    served_call* to, std::span<output_view const> outs) {
  if (c.spec().checks_scalars) require_scalars(c);
  if (c.spec().reads_default_device)
    require_devices(c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))], c.f);
  if (c.pinned) {
    if (to) *to = {.number = c.pinned->what.get()->number, .how = "pinned"};
    return plan_of_pinned(*c.pinned, c.entries, c.fn, c.f, c.room, path, own);
  }
  entry_table const* const table = c.entries.table();
  entry const* e = table ? table->find(c.spec(), c.f, overlaps, c.room.symbols) : nullptr;
  entry const* refused = nullptr;
  bool const is_explained = c.fn.listener;  // alone: peers do not make this call
  if (guard_collective const ask = to && table && !is_explained ? collective() : nullptr) [[unlikely]]
    if (inert_scope const inert; !ask(e != nullptr)) refused = std::exchange(e, nullptr);
  bool const was_found = e;
  if (e && to) to->number = e->number, to->how = "hit";
  if (!e && !(e = missed(c, overlaps, refused, path, own, to, outs))) return own;
  path = e->path;
  if (e->keeps_scalars) use_recorded_scalars(*e, c.f);
  if (!e->is_dynamic) return e->ready;
  // Under modes a plan must outlive handlers, whose calls may take its place.
  std::uint64_t const seen = current_word() & c.spec().word_mask() & ~stance_bit;
  bool const is_plain = seen == 0 && c.f.held() == all_predicates;
  if (was_found && overlaps == 0 && is_plain && !e->has_backend_guards && !e->keeps_scalars && !e->by)
    if (bound_memo* const memo = this_memo || !may_allocate ? this_memo : &make_memo())
      if (entry const* const kept = memo->remember(*table, c.spec(), c.f, path)) return kept->ready;
  e->bind_call(c.spec(), c.f, c.room.plan, own);
  return own;
}

/// The same; a call whose backend fails, where the function suppresses that, runs op by op.
inline bound_call const& serve(any_call const& c, std::uint64_t overlaps, bool may_allocate, int& path,
                               bound_call& own, served_call* to = nullptr,
                               std::span<output_view const> outs = {}) {
  bound_call const* found = &own;
  auto const find = [&] { found = &plan_for(c, overlaps, may_allocate, path, own, to, outs); };
  if (!c.fn.suppresses_backend_errors) [[likely]] {
    find();
  } else if (!may_fail(c.fn, find)) {
    if (to) to->cause = eager_cause::backend;
    path = eager_path;
  }
  return *found;
}

/// Makes the entry of a call that ran by a plan of its own.
[[gnu::cold, gnu::noinline]] inline void keep(any_call const& c, std::uint64_t overlaps, served_call& how) {
  frame_view f = c.f;
  f.refused = how.refused;
  call_room room = c.room;
  room.runner = &how.runner;
  may_fail(c.fn, [&] { c.entries.miss(c.fn, f, overlaps, room, true); });
}

/// Throws where the function must not run op by op, though modes ask for it.
/// Throws: `mode_error` with the modes' names. Rules: M98, M99.
[[gnu::cold]] inline void require_no_fullgraph(any_call const& c) {
  if (!c.fn.fullgraph) return;
  raise<mode_error>(fixed_text("guardjit: compile(f, fullgraph): ")
                    << c.fn.label().c_str() << " must run as one graph, but "
                    << reason_of_replay().text.c_str());
}

/// Whether a handle has the storage of a frozen argument, whose elements callers must not get.
[[gnu::cold]] inline bool shares_frozen(any_call const& c, any_tensor const& x) {
  for (int k = 0; k < c.f.arguments; ++k)
    if (c.spec().arguments[static_cast<unsigned>(k)].frozen && *c.f.owners[k] == x.storage()) return true;
  return false;
}
/// Whether two handles have one storage, which is no argument's.
[[gnu::cold]] inline bool share_result(any_call const& c, any_tensor const& a, any_tensor const& b) {
  if (a.storage().data() != b.storage().data()) return false;
  for (int k = 0; k < c.f.arguments; ++k)
    if (!c.spec().arguments[static_cast<unsigned>(k)].scalar && c.f.owners[k]->data() == a.storage().data())
      return false;
  return true;
}
/// Why no entry serves a call, in words.
[[gnu::cold]] inline std::string reasons_of_miss(any_call const& c, entry const* refused,
                                                 std::uint64_t overlaps) {
  frame_view f = c.f;
  f.refused = refused;
  miss_report const report = c.entries.explain(c.fn, f, overlaps, c.room.symbols);
  return report.entries.empty() ? "there is no entry yet" : report.to_string();
}
/// The results op by op. Those that are no views of arguments have storage of their own, as always.
/// `how` says why; `overlaps` are those of `serve`, for the reasons of a miss.
[[gnu::noinline]] inline std::vector<any_tensor> replayed(any_call const& c, served_call const& how,
                                                          std::uint64_t overlaps = 0) {
  eager_cause const cause = how.cause;
  if (cause == eager_cause::modes) require_no_fullgraph(c);
  require_declared(c.spec(), c.f, c.fn);
  // Declared modes see the ops as all others do: they are not yet in the graph of no stack.
  frame_view f = c.f;
  f.stack = 0;
  path_spec const& path = c.spec().paths[static_cast<unsigned>(path_of(c.spec(), f, c.room.symbols))];
  require_shapes(path, c.spec(), f, c.room.symbols);
  if (c.spec().checks_scalars) require_scalars(c);
  if (c.fn.is_heard()) {
    bool const is_miss = cause == eager_cause::stance && c.f.under.kind != stance::force_eager;
    std::string const reasons = is_miss ? reasons_of_miss(c, how.refused, overlaps) : "";
    report_replay(c.fn, cause, c.f.under.kind, reasons);
  }
  fixed_keys const keys;
  op_kernel const* const kernels = cause == eager_cause::backend ? path.fallback : path.kernels;
  std::vector<any_tensor> values = replay(path, kernels, values_on(path, c.spec(), f, c.room.symbols), f);
  for (any_tensor& value : values)
    if (shares_frozen(c, value)) value = value.clone();
  for (std::size_t k = 1; k < values.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (share_result(c, values[k], values[j])) values[k] = values[k].clone();
  if (cause == eager_cause::stance && c.f.under.kind == stance::eager_then_compile)
    c.entries.remember(c.fn, c.f);
  return values;
}

/// Step 9: observers are told once, before kernels run.
[[gnu::noinline]] inline void tell(any_call const& c, int path) {
  path_spec const& taken = c.spec().paths[static_cast<unsigned>(path)];
  tell_ops(taken, values_on(taken, c.spec(), c.f, c.room.symbols), c.f);
}

[[gnu::noinline]] inline void run_in_thread_workspace(bound_call const& b, void** bases, int base) {
  workspace_scope const scope(b.workspace_bytes);
  bases[base] = scope.data();
  b.run(b.plan, bases);
}

/// Runs a plan; without `workspace` in memory of this thread. `bases` has arguments and outputs, and
/// room for two more from `base` on.
inline void run_plan(bound_call const& b, void** bases, int base, std::byte* workspace) {
  bases[base] = workspace;
  bases[base + 1] = const_cast<index_t*>(b.extents);
  if (b.workspace_bytes == 0 || workspace) [[likely]]
    return b.run(b.plan, bases);
  run_in_thread_workspace(b, bases, base);
}

/// Whether memory of the caller does for so many bytes.
inline bool is_enough(std::span<std::byte> workspace, index_t bytes) noexcept {
  return bytes <= static_cast<index_t>(workspace.size()) &&
         (bytes == 0 || reinterpret_cast<std::uintptr_t>(workspace.data()) % 64 == 0);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
