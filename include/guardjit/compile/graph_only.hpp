// guardjit: compile/graph_only.hpp: calls of which only the graphs are wanted
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GRAPH_ONLY_HPP
#define GUARDJIT_COMPILE_GRAPH_ONLY_HPP

#include <guardjit/base/config.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The door into a compiled function for those who tell of it: `compile/explain_access.hpp`.
struct explain_access;

/// What is done with a call where only its graphs are wanted, so that no kernel is made.
template <class Use>
concept sees_graphs = Use::sees_graphs_only;

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
