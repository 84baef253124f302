// guardjit: tests/support/fragile_backend.hpp: a backend whose `build` throws when it is told to
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_FRAGILE_BACKEND_HPP
#define GUARDJIT_TESTS_SUPPORT_FRAGILE_BACKEND_HPP

#include <guardjit/kernels/reference.hpp>

#include <stdexcept>
#include <string>

namespace support {

/// The plain loops. `Tag` tells backends of several tests apart.
template <int Tag> struct fragile_backend : guardjit::backends::reference {
  static constexpr char const* name = "fragile";

  static inline bool fails = false;
  static inline int builds = 0, resets = 0;

  static void build(guardjit::graph_view const& graph) {
    ++builds;
    if (fails) throw std::runtime_error("no plan for " + std::to_string(graph.size()) + " nodes");
  }
  static void reset() { ++resets; }
};

}  // namespace support

#endif
