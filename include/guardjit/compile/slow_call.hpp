// guardjit: compile/slow_call.hpp: what a call does when its first guess fails; shared by all functions
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SLOW_CALL_HPP
#define GUARDJIT_COMPILE_SLOW_CALL_HPP

#include <guardjit/compile/backend_build.hpp>
#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/memo.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/replay.hpp>
#include <guardjit/compile/replay_modes.hpp>
#include <guardjit/compile/watched_run.hpp>
#include <guardjit/compile/workspace.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one function, as run-time code sees it.
struct any_call {
  cache& entries;
  function_state& fn;
  frame_view f;
  call_room room;

  function_spec const& spec() const { return entries.spec(); }
};

/// One output of `into`.
struct output_view {
  void* data = nullptr;
  layout_view form;
};

inline constexpr int no_path = -1;
/// A call at a limit that is to run op by op.
inline constexpr int eager_path = -2;

inline void require_scalars(any_call const& c) {
  path_spec const& path =
      c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))];
  require_scalars(path, c.f, values_on(path, c.spec(), c.f, c.room.symbols).symbols);
}

/// A plan for the call: of an entry found or made, remembered by this thread, or of this call alone,
/// which is then in `own`. `path` is the one taken, or `eager_path`. With `may_allocate` the thread's memo
/// is made.
/// Where kernels may refuse indices, an entry is made behind the run, so that a call that throws leaves
/// the cache as it was: `later` tells so, and the caller calls `keep`.
[[gnu::noinline]] inline bound_call const& serve(any_call const& c, std::uint64_t overlaps,
                                                 bool may_allocate, int& path, bound_call& own,
                                                 bool* later = nullptr) {
  if (c.spec().checks_scalars) require_scalars(c);
  if (c.spec().reads_default_device)
    require_devices(c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))], c.f);
  entry_table const* const table = c.entries.table();
  entry const* e = table ? table->find(c.spec(), c.f, overlaps, c.room.symbols) : nullptr;
  bool const was_found = e;
  if (!e && later && c.spec().tests_indices && c.entries.is_free_to_compile(c.fn, c.f)) {
    *later = true;
    path = path_of(c.spec(), c.f, c.room.symbols);
    path_spec const& taken = c.spec().paths[static_cast<unsigned>(path)];
    require_shapes(taken, c.spec(), c.f, c.room.symbols);
    build_by_backend(c.fn, c.spec(), taken);
    taken.bind_call(c.f, c.room.plan, own);
    return own;
  }
  if (!e) e = c.entries.miss(c.fn, c.f, overlaps, c.room);
  if (!e && c.fn.at_limit == limit_action::eager) {
    path = eager_path;
    return own;
  }
  path = e ? e->path : path_of(c.spec(), c.f, c.room.symbols);
  if (e && !e->is_dynamic) return e->ready;
  // Under modes a plan must outlive handlers, whose calls may take its place.
  bool const is_plain = (current_word() & c.spec().word_mask()) == 0 && c.f.held() == all_predicates;
  if (was_found && overlaps == 0 && is_plain)
    if (bound_memo* const memo = this_memo || !may_allocate ? this_memo : &make_memo())
      if (entry const* const kept = memo->remember(*table, c.spec(), c.f, path)) return kept->ready;
  path_spec const& taken = c.spec().paths[static_cast<unsigned>(path)];
  if (!e) build_by_backend(c.fn, c.spec(), taken);
  taken.bind_call(c.f, c.room.plan, own);
  return own;
}

/// Makes the entry of a call that ran by a plan of its own.
[[gnu::cold, gnu::noinline]] inline void keep(any_call const& c, std::uint64_t overlaps) {
  c.entries.miss(c.fn, c.f, overlaps, c.room, true);
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
/// The results op by op. Those that are no views of arguments have storage of their own, as always.
[[gnu::noinline]] inline std::vector<any_tensor> replayed(any_call const& c) {
  path_spec const& path =
      c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))];
  require_shapes(path, c.spec(), c.f, c.room.symbols);
  if (c.spec().checks_scalars) require_scalars(c);
  report_replay(c.fn, c.f.stack < 0);
  fixed_keys const keys;
  std::vector<any_tensor> values = replay(path, values_on(path, c.spec(), c.f, c.room.symbols), c.f);
  for (any_tensor& value : values)
    if (shares_frozen(c, value)) value = value.clone();
  for (std::size_t k = 1; k < values.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (share_result(c, values[k], values[j])) values[k] = values[k].clone();
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

inline void check_output(output_view const& out, layout_view const& expected) {
  bool fits = true;
  for (int d = 0; d < expected.rank; ++d) fits = fits && out.form.extents[d] == expected.extents[d];
  if (!fits) {
    fixed_text text(
        "guardjit: into(out, arguments...): out must have the shape of the result: expected ");
    text << expected.shape() << ", got ";
    raise<shape_error>(text << out.form.shape());
  }
  if (has_repeated_elements(out.form))
    raise<overlap_error>(
        "guardjit: into(out, arguments...): out must not have elements that share memory");
}

inline memory_view memory_of(any_call const& c, std::span<output_view const> outs, std::size_t k) {
  return {outs[k].data, outs[k].form, size_of(c.spec().results[k].type)};
}

/// How the outputs lie to the arguments that are read; see `with_overlap`.
/// Throws: `overlap_error` where two outputs overlap. Rules: G30.
inline std::uint64_t overlaps_of(any_call const& c, std::span<output_view const> outs) {
  std::uint64_t bits = 0;
  for (std::size_t r = 0; r < outs.size(); ++r) {
    memory_view const written = memory_of(c, outs, r);
    for (std::size_t j = 0; j < r; ++j)
      if (overlap_of(written, memory_of(c, outs, j)) != overlap::disjoint)
        raise<overlap_error>(fixed_text("guardjit: into(out, arguments...): outputs ")
                             << j << " and " << r << " must not overlap");
    for (int k = 0; k < c.f.arguments; ++k) {
      argument_type const& type = c.spec().arguments[static_cast<unsigned>(k)];
      if (!c.spec().reads_elements[k] || type.scalar) continue;
      bits = with_overlap(bits, k, overlap_of(written, {c.f.bases[k], c.f.layouts[k], size_of(type.type)}));
    }
  }
  return bits;
}

/// Bytes that a result which lies in an argument takes when it is copied out.
inline index_t bytes_in_argument(any_call const& c, bound_call const& b, std::size_t k) {
  bound_result const& r = b.results[k];
  return r.at.base < c.f.arguments ? r.layout.shape().count() * size_of(c.spec().results[k].type) : 0;
}
inline index_t staged_bytes(any_call const& c, bound_call const& b) {
  index_t bytes = 0;
  for (std::size_t k = 0; k < c.spec().results.size(); ++k)
    bytes += rounded_up(b.results[k].bytes) + rounded_up(bytes_in_argument(c, b, k));
  return bytes;
}

/// Runs a plan beside the outputs, then copies: the right side comes first (POL-12). Results that lie
/// in arguments are copied out before any output is written.
inline void write_staged(any_call const& c, bound_call const& b, std::span<output_view const> outs,
                         std::byte* memory) {
  int const first = c.f.arguments, behind = first + static_cast<int>(outs.size());
  std::byte* stage = memory + rounded_up(b.workspace_bytes);
  for (std::size_t k = 0; k < outs.size(); ++k) {
    c.f.bases[static_cast<std::size_t>(first) + k] = stage;
    stage += rounded_up(b.results[k].bytes);
  }
  run_plan(b, c.f.bases, behind, memory);
  std::byte* copy = stage;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    bound_result const& r = b.results[k];
    if (r.at.base >= first) continue;
    any_layout const packed(r.layout.shape());
    copy_elements(size_of(c.spec().results[k].type), packed.view(), copy, r.layout.view(),
                  resolve(r.at, c.f.bases));
    copy += rounded_up(bytes_in_argument(c, b, k));
  }
  copy = stage;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    bound_result const& r = b.results[k];
    bool const in_argument = r.at.base < first;
    any_layout const form = in_argument ? any_layout(r.layout.shape()) : r.layout;
    void const* const from = in_argument ? copy : resolve(r.at, c.f.bases);
    if (in_argument) copy += rounded_up(bytes_in_argument(c, b, k));
    copy_elements(size_of(c.spec().results[k].type), outs[k].form, outs[k].data, form.view(), from);
  }
}

/// The results of a replay into the outputs, which may meet arguments and with them results.
[[gnu::cold]] inline void write_replayed(any_call const& c, std::span<output_view const> outs) {
  std::vector<any_tensor> values = replayed(c);
  for (std::size_t k = 0; k < outs.size(); ++k) check_output(outs[k], values[k].layout().view());
  for (any_tensor& value : values) {
    memory_view const read{std::as_const(value).data(), value.layout().view(), size_of(value.type())};
    bool apart = true;
    for (std::size_t k = 0; k < outs.size(); ++k)
      apart = apart && overlap_of(memory_of(c, outs, k), read) == overlap::disjoint;
    if (!apart) value = value.clone();
  }
  for (std::size_t k = 0; k < outs.size(); ++k)
    copy_elements(size_of(values[k].type()), outs[k].form, outs[k].data, values[k].layout().view(),
                  std::as_const(values[k]).data());
}

/// `into` for any call: with the caller's workspace, or with this thread's where it is null.
[[gnu::noinline]] inline void write_into(any_call const& c, std::span<output_view const> outs,
                                         std::span<std::byte> const* workspace) {
  std::uint64_t const overlaps = overlaps_of(c, outs);
  if (c.f.stack < 0) {
    require_no_fullgraph(c);
    return write_replayed(c, outs);
  }
  int path = no_path;
  bound_call own;
  bool later = false;
  bound_call const& served = serve(c, overlaps, workspace == nullptr, path, own, &later);
  if (path == eager_path) return write_replayed(c, outs);
  watched_call const watched(served, c.spec(), path, c.fn.name);
  bound_call const& b = watched.call();
  bool direct = overlaps == 0 && b.plain;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    check_output(outs[k], b.results[k].layout.view());
    direct = direct && is_contiguous(outs[k].form);
  }
  index_t const needed = rounded_up(b.workspace_bytes) + (direct ? 0 : staged_bytes(c, b));
  if (workspace && !is_enough(*workspace, needed)) {
    bool const aligned = reinterpret_cast<std::uintptr_t>(workspace->data()) % 64 == 0;
    raise<workspace_error>(
        fixed_text("guardjit: into(out, arguments..., workspace): expected ")
        << needed << " bytes aligned to 64, got " << workspace->size()
        << (aligned ? "" : " not aligned"));
  }
  if (observers_active()) tell(c, path);
  workspace_scope const scope(workspace ? 0 : needed);
  std::byte* const memory = workspace ? workspace->data() : scope.data();
  {
    inert_scope const inert;
    if (direct) {
      for (std::size_t k = 0; k < outs.size(); ++k)
        c.f.bases[static_cast<std::size_t>(c.f.arguments) + k] = outs[k].data;
      run_plan(b, c.f.bases, c.f.arguments + static_cast<int>(outs.size()), memory);
    } else {
      write_staged(c, b, outs, memory);
    }
  }
  if (later) keep(c, overlaps);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
