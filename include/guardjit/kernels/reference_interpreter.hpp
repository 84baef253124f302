// guardjit: kernels/reference_interpreter.hpp: plain loops for graphs as data; backends by name
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_REFERENCE_INTERPRETER_HPP
#define GUARDJIT_KERNELS_REFERENCE_INTERPRETER_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/compile/backend_registry.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/kernels/tiles/interpreter.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace backends {

/// Interprets graphs by the plain loops of `reference`, with its bits: a slow oracle for other
/// `graph_backend`s. Loops of all ops are instantiated where `build` is.
/// Rules: POL-17, POL-21.
struct GUARDJIT_VISIBLE reference_interpreter {
  constexpr char const* name() const { return "reference"; }
  template <class Loops = reference>
  graph_interpreter build(graph_view const& g, path_call const& first) const {
    return {g, first, detail::loops_of<Loops>};
  }
  bool operator==(reference_interpreter const&) const = default;
};

}  // namespace backends

namespace detail {
// Templates all the way, and named by dependent names: a unit that looks for no backend compiles no loop.
template <class Backend> erased_backend made_backend() { return Backend{}; }
template <class Unused, class... Backend> inline constexpr own_backend own_backends[] = {
    {Backend{}.name(), &made_backend<Backend>}...};
}  // namespace detail

/// The erased backend of a name: `reference`, plain loops; with `guardjit/kernels/eigen.hpp` also `tiles`,
/// which interprets graphs on packets; and those of `register_backend`. Equal names give equal backends.
/// Throws: `backend_error` where there is none; it names those that there are.
/// Complexity: linear in their number. A unit that calls it compiles the loops of all ops.
/// Example: examples/16_backend.cpp. Rules: G113.
template <class... None>
  requires(sizeof...(None) == 0)
erased_backend find_backend(std::string_view name, None const&...) {
  using backends::reference_interpreter;
  return detail::backend_among(detail::own_backends<type_list<None...>, reference_interpreter>, name);
}
/// The names that `find_backend` knows here. Rules: G113.
template <class... None>
  requires(sizeof...(None) == 0)
std::vector<std::string> list_backends(None const&...) {
  return detail::names_among(detail::own_backends<type_list<None...>, backends::reference_interpreter>);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
