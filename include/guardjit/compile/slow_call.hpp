// guardjit: compile/slow_call.hpp: what a call does when its first guess fails; shared by all functions
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SLOW_CALL_HPP
#define GUARDJIT_COMPILE_SLOW_CALL_HPP

#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/memo.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/replay.hpp>
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

/// The output of `into`.
struct output_view {
  void* data = nullptr;
  layout_view form;
};

inline constexpr int no_path = -1;

inline void require_scalars(any_call const& c) {
  path_spec const& path =
      c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))];
  require_scalars(path, c.f, values_on(path, c.spec(), c.f, c.room.symbols).symbols);
}

/// A plan for the call: of an entry found or made, remembered by this thread, or of this call alone,
/// which is then in `own`. `path` is the one taken. With `may_allocate` the thread's memo is made.
[[gnu::noinline]] inline bound_call const& serve(any_call const& c, std::uint64_t overlaps,
                                                 bool may_allocate, int& path, bound_call& own) {
  if (c.spec().checks_scalars) require_scalars(c);
  entry_table const* const table = c.entries.table();
  entry const* e = table ? table->find(c.spec(), c.f, overlaps, c.room.symbols) : nullptr;
  bool const was_found = e;
  if (!e) e = c.entries.miss(c.fn, c.f, overlaps, c.room);
  path = e ? e->path : path_of(c.spec(), c.f, c.room.symbols);
  if (e && !e->is_dynamic) return e->ready;
  // Under modes a plan must outlive handlers, whose calls may take its place.
  if (was_found && overlaps == 0 && current_word() == 0)
    if (bound_memo* const memo = this_memo || !may_allocate ? this_memo : &make_memo())
      if (entry const* const kept = memo->remember(*table, c.spec(), c.f, path)) return kept->ready;
  c.spec().paths[static_cast<unsigned>(path)].bind(c.f.layouts, c.room.plan, own);
  return own;
}

/// Whether a visible mode needs the real values, so that the call is a replay. Rules: M98.
inline bool needs_replay(std::uint64_t word) noexcept {
  return (word & word_bit(mode_class::runtime)) != 0 && !is_inert();
}

[[gnu::noinline]] inline any_tensor replayed(any_call const& c) {
  path_spec const& path =
      c.spec().paths[static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols))];
  require_shapes(path, c.spec(), c.f, c.room.symbols);
  if (c.spec().checks_scalars) require_scalars(c);
  return replay(path, values_on(path, c.spec(), c.f, c.room.symbols), c.f);
}

/// Step 9: observers are told once, before kernels run.
[[gnu::noinline]] inline void tell(any_call const& c, int path) {
  path_spec const& taken = c.spec().paths[static_cast<unsigned>(path)];
  tell_ops(taken, values_on(taken, c.spec(), c.f, c.room.symbols));
}

[[gnu::noinline]] inline void run_in_thread_workspace(bound_call const& b, void** bases,
                                                      int arguments) {
  workspace_scope const scope(b.workspace_bytes);
  bases[arguments + 1] = scope.data();
  b.run(b.plan, bases);
}

/// Runs a plan; without `workspace` in memory of this thread. `bases` begins with the arguments.
inline void run_plan(bound_call const& b, void** bases, int arguments, void* output,
                     std::byte* workspace) {
  bases[arguments] = output;
  bases[arguments + 1] = workspace;
  bases[arguments + 2] = const_cast<index_t*>(b.extents);
  if (b.workspace_bytes == 0 || workspace) [[likely]]
    return b.run(b.plan, bases);
  run_in_thread_workspace(b, bases, arguments);
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

/// How the output lies to the arguments that are read, two bits each; see `with_overlap`.
inline std::uint64_t overlaps_of(any_call const& c, output_view const& out) {
  std::uint64_t bits = 0;
  memory_view const written{out.data, out.form, size_of(c.spec().result_type)};
  for (int k = 0; k < c.f.arguments; ++k) {
    argument_type const& type = c.spec().arguments[static_cast<unsigned>(k)];
    if (!c.spec().reads_elements[k] || type.scalar) continue;
    auto const how = overlap_of(written, {c.f.bases[k], c.f.layouts[k], size_of(type.type)});
    bits = with_overlap(bits, k, how);
  }
  return bits;
}

/// Runs a plan beside the output, then copies: the right side comes first (POL-12). A result that
/// lies in an argument is copied out before.
inline void write_staged(any_call const& c, bound_call const& b, output_view const& out,
                         std::byte* memory) {
  int const size = size_of(c.spec().result_type);
  std::byte* const stage = memory + rounded_up(b.workspace_bytes);
  run_plan(b, c.f.bases, c.f.arguments, stage, memory);
  void const* from = resolve(b.result, c.f.bases);
  any_layout form = b.result_layout;
  if (b.result.base < c.f.arguments) {
    any_layout const packed(form.shape());
    std::byte* const copy = stage + rounded_up(b.output_bytes);
    copy_elements(size, packed.view(), copy, form.view(), from);
    from = copy;
    form = packed;
  }
  copy_elements(size, out.form, out.data, form.view(), from);
}

/// `into` for any call: with the caller's workspace, or with this thread's where it is null.
[[gnu::noinline]] inline void write_into(any_call const& c, output_view const& out,
                                         std::span<std::byte> const* workspace) {
  if (needs_replay(current_word())) {
    any_tensor const value = replayed(c);
    check_output(out, value.layout().view());
    memory_view const written{out.data, out.form, size_of(value.type())};
    bool const apart = overlap_of(written, {value.data(), value.layout().view(),
                                            written.element}) == overlap::disjoint;
    any_tensor const source = apart ? value : value.clone();
    return copy_elements(written.element, out.form, out.data, source.layout().view(), source.data());
  }
  int path = no_path;
  std::uint64_t const overlaps = overlaps_of(c, out);
  bound_call own;
  bound_call const& b = serve(c, overlaps, workspace == nullptr, path, own);
  check_output(out, b.result_layout.view());
  bool const direct = overlaps == 0 && b.plain && is_contiguous(out.form);
  index_t const in_argument = b.result.base < c.f.arguments
                                  ? b.result_layout.shape().count() * size_of(c.spec().result_type)
                                  : 0;
  index_t const staged = direct ? 0 : rounded_up(b.output_bytes) + rounded_up(in_argument);
  index_t const needed = rounded_up(b.workspace_bytes) + staged;
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
  inert_scope const inert;
  if (direct) run_plan(b, c.f.bases, c.f.arguments, out.data, memory);
  else write_staged(c, b, out, memory);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
