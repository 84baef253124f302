// guardjit: compile/erased_build.hpp: what erased backends do on a miss
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ERASED_BUILD_HPP
#define GUARDJIT_COMPILE_ERASED_BUILD_HPP

#include <guardjit/compile/backend_guards.hpp>
#include <guardjit/compile/entry.hpp>
#include <guardjit/compile/path.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A runner for one path, made for a call.
/// Throws: `backend_error`, in which what the backend threw is nested. Rules: G105.
[[gnu::cold]] inline built_runner build_erased(function_state const& fn, path_spec const& path,
                                               frame_view const& f, bool is_fixed, index_t* room) {
  erased_backend const& by = f.backend()->what;
  if (by.device().kind != device_kind::cpu)
    raise<backend_error>(fixed_text("guardjit: ") << fn.label().c_str() << ": backend " << by.name()
                                                  << " is for " << by.device()
                                                  << ", but the arguments are in host memory");
  built_runner made;
  graph_view const& g = path.optimized;
  std::span<index_t> const symbols(room, g.extents.size());
  evaluate_extents(g.extents, symbols, [&f](int k) { return f.layouts[k].extents; });
  call_backend(fn, by.name(), [&] { made = by.base()->build(g, {f.layouts, symbols, is_fixed}); });
  f.backend()->note_use();
  return made;
}

/// What it requires for one call.
[[gnu::cold]] inline std::vector<guard> required_by_erased(function_state const& fn,
                                                           function_spec const& spec, path_spec const& path,
                                                           frame_view const& f) {
  erased_backend const& by = f.backend()->what;
  if (!by.base()->has_guards) return {};
  backend_guards to(spec, path.optimized, f);
  call_backend(fn, by.name(), [&] { by.base()->guards(to); });
  return to.required();
}

/// Lets the backend of a call get ready for the entry `e`; gives the guards that it needs. A runner that the
/// call ran by is taken over where it was made for the layouts of the entry.
[[gnu::cold]] inline std::vector<guard> get_ready(function_state const& fn, function_spec const& spec,
                                                  entry& e, path_spec const& path, frame_view const& f,
                                                  call_room const& room) {
  if (!f.backend()) {
    build_by_backend(fn, spec, path);
    return required_by_backend(fn, spec, path, f);
  }
  e.by = f.backend();
  if (room.runner && room.runner->get() && !e.is_dynamic) e.runner = std::move(*room.runner);
  else e.runner = build_erased(fn, path, f, !e.is_dynamic, room.symbols);
  return required_by_erased(fn, spec, path, f);
}

[[gnu::cold]] inline char const* name_of_backend(function_spec const& spec, entry const& e) {
  return e.by ? e.by->what.name() : spec.backend;
}
/// Why an entry of another backend does not serve a call: no guard counts. Rules: G18, G42.
[[gnu::cold]] inline entry_failures failure_of_backend(function_state const& fn, function_spec const& spec,
                                                       entry const& e, frame_view const& f) {
  std::string const mine = name_of_backend(spec, e);
  std::string const wanted = f.backend() ? f.backend()->what.name() : spec.backend;
  return {fn.id_of(e.number),
          {{.kind = guard_kind::backend}},
          {"backend: expected " + mine + ", got " + (mine == wanted ? "another " : "") + wanted},
          e.number};
}

/// Gets the backend of a call ready, and binds a plan for this call alone. A runner is left in `runner`,
/// which must outlive the plan.
[[gnu::cold]] inline void bind_alone(function_state const& fn, function_spec const& spec,
                                     path_spec const& path, frame_view const& f, call_room const& room,
                                     built_runner& runner, bound_call& own) {
  if (!f.backend()) {
    build_by_backend(fn, spec, path);
    path.bind_call(f, room.plan, own);
    return;
  }
  runner = build_erased(fn, path, f, true, room.symbols);
  bind_erased(spec, path, f.backend()->what, *runner.get(), f, true, room.plan, own);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
