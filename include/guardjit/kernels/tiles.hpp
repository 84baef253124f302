// guardjit: kernels/tiles.hpp: backends that interpret graphs as data, which need no kernel of their own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_HPP
#define GUARDJIT_KERNELS_TILES_HPP

#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/kernels/tiles/interpreter.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace backends {

/// Interprets graphs over tiles by Eigen's packets: elements have the bits that the fused kernels of `eigen`
/// give, in up to twice the time from some hundred elements on. Takes all ops and dtypes, and no time of the
/// C++ compiler for a function: a `graph_backend`, the fallback of all others.
/// Rules: POL-17, G113.
struct tiles {
  char const* name() const { return "tiles"; }
  graph_interpreter build(graph_view const& g, path_call const& first) const {
    return {g, first, detail::loops_of<eigen>};
  }
  bool operator==(tiles const&) const = default;
};

/// The same by the plain loops of `reference`, with its bits: a slow oracle for other `graph_backend`s.
/// Rules: POL-17, POL-21.
struct reference_interpreter {
  char const* name() const { return "reference"; }
  graph_interpreter build(graph_view const& g, path_call const& first) const {
    return {g, first, detail::loops_of<reference>};
  }
  bool operator==(reference_interpreter const&) const = default;
};

}  // namespace backends

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
