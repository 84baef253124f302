// guardjit: compile/backend_build.hpp: what a backend does before a plan is made, and how it fails
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BACKEND_BUILD_HPP
#define GUARDJIT_COMPILE_BACKEND_BUILD_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/spec.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `Backend::build(graph)`, where a backend has it: called when a plan is made on a miss, to get ready
/// what its kernels need. It may throw.
template <class Backend> constexpr auto build_of() -> void (*)(graph_view const&) {
  if constexpr (requires(graph_view const& g) { Backend::build(g); })
    return [](graph_view const& g) { Backend::build(g); };
  else return nullptr;
}

/// Runs what is the backend's.
/// Throws: `backend_error`, in which what it threw is nested. Rules: G105.
[[gnu::cold]] inline void call_backend([[maybe_unused]] function_state const& fn,
                                       [[maybe_unused]] char const* backend, auto const& use) {
#if GUARDJIT_EXCEPTIONS
  try {
    use();
  } catch (...) {
    fixed_text text;
    text << "guardjit: " << fn.label().c_str() << ": backend " << backend << " failed: "
         << exception_text(std::current_exception()).c_str();
    std::throw_with_nested(backend_error(text));
  }
#else
  use();
#endif
}

/// Runs what may need the backend. False where it failed and the function suppresses that: one warning.
/// Rules: G105.
[[gnu::noinline]] inline bool may_fail([[maybe_unused]] function_state const& fn, auto const& use) {
#if GUARDJIT_EXCEPTIONS
  if (fn.suppresses_backend_errors) [[unlikely]] {
    try {
      use();
    } catch (backend_error const& failure) {
      fn.tell({.kind = event_kind::warning, .reason = "backend_failed", .text = failure.what()});
      return false;
    }
    return true;
  }
#endif
  use();
  return true;
}

/// Lets the backend get ready for one path.
[[gnu::cold]] inline void build_by_backend(function_state const& fn, function_spec const& spec,
                                           path_spec const& path) {
  if (path.build) call_backend(fn, spec.backend, [&path] { path.build(path.written); });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
