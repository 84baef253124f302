// guardjit: compile/backend_guards.hpp: what a backend's plan relies on besides layouts
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BACKEND_GUARDS_HPP
#define GUARDJIT_COMPILE_BACKEND_GUARDS_HPP

#include <guardjit/compile/backend_build.hpp>
#include <guardjit/guards/guard.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// The call that a new entry is made for, as `Backend::guards(backend_guards&)` sees it, a static member
/// that a backend may have: what it requires joins the guards of the entry and must hold for this very call
/// (else `internal_error`). Entries of such a backend are found by the longer way only, and those with more
/// of its guards first. What it throws reaches the caller as what `build` throws.
/// Lifetime: valid while `guards` runs. Rules: G28, G35, G39.
class backend_guards {
 public:
  backend_guards(function_spec const& spec, graph_view const& g, frame_view const& f)
      : spec_(spec), g_(g), f_(f) {}
  backend_guards(backend_guards const&) = delete;

  /// What runs: its inputs are the arguments.
  graph_view const& graph() const noexcept { return g_; }
  int arguments() const noexcept { return f_.arguments; }
  /// Whether argument `k` is a tensor whose elements are read; others have no alignment.
  bool is_read(int k) const noexcept {
    return spec_.reads_elements[k] && !spec_.arguments[static_cast<unsigned>(k)].scalar;
  }
  layout_view const& layout(int k) const noexcept { return f_.layouts[k]; }
  /// Whether the first element of argument `k` lies at a multiple of `bytes`.
  bool is_aligned(int k, index_t bytes) const noexcept { return offset_from(f_.bases[k], bytes) == 0; }

  /// The plan needs the data pointer of argument `k` to be a multiple of `bytes`.
  void require_aligned(int k, index_t bytes) {
    required_.push_back(
        {.kind = guard_kind::aligned, .argument = static_cast<std::int16_t>(k), .expected = bytes});
  }
  /// The plan is for `thread_count()` as it is now.
  void require_thread_count() {
    required_.push_back(
        {.kind = guard_kind::state_is, .expected = f_.thread_count, .left = thread_count_state});
  }

  std::vector<guard> const& required() const noexcept { return required_; }

 private:
  function_spec const& spec_;
  graph_view const& g_;
  frame_view const& f_;
  std::vector<guard> required_;
};

namespace detail {

template <class Backend> constexpr auto guards_hook_of() -> void (*)(backend_guards&) {
  if constexpr (requires(backend_guards& to) { Backend::guards(to); })
    return [](backend_guards& to) { Backend::guards(to); };
  else return nullptr;
}

/// What the backend requires for one call along a path.
/// Throws: `backend_error`, in which what the backend threw is nested. Rules: G39, G105.
[[gnu::cold]] inline std::vector<guard> required_by_backend(function_state const& fn,
                                                            function_spec const& spec,
                                                            path_spec const& path, frame_view const& f) {
  if (!path.guards) return {};
  backend_guards to(spec, path.graph, f);
  call_backend(fn, spec.backend, [&] { path.guards(to); });
  return to.required();
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
