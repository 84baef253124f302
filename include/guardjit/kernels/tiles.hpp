// guardjit: kernels/tiles.hpp: backends that interpret graphs as data, which need no kernel of their own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_HPP
#define GUARDJIT_KERNELS_TILES_HPP

#include <guardjit/kernels/eigen/backend.hpp>
#include <guardjit/kernels/reference_interpreter.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace backends {

/// Interprets graphs over tiles by Eigen's packets: elements have the bits that the fused kernels of `eigen`
/// give, in about twice the time from 256 elements on, less where more is computed. Takes all ops and dtypes,
/// and no time of the C++ compiler for a function: a `graph_backend`, the fallback of all others.
/// Rules: POL-17, G113.
struct GUARDJIT_VISIBLE tiles {
  constexpr char const* name() const { return "tiles"; }
  template <class Loops = eigen>
  graph_interpreter build(graph_view const& g, path_call const& first) const {
    return {g, first, detail::loops_of<Loops>};
  }
  bool operator==(tiles const&) const = default;
};

}  // namespace backends

// Where both are there, overload resolution prefers these, which take no pack, to those of core.hpp. The
// linker knows them by other names.
template <class None = void> erased_backend find_backend(std::string_view name) {
  using backends::reference_interpreter, backends::tiles;
  return detail::backend_among(detail::own_backends<None, reference_interpreter, tiles>, name);
}
template <class None = void> std::vector<std::string> list_backends() {
  using backends::reference_interpreter, backends::tiles;
  return detail::names_among(detail::own_backends<None, reference_interpreter, tiles>);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
