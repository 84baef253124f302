// guardjit: tests/conformance/guards/fixtures.hpp: functions and options of the specification's cases
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_FIXTURES_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_FIXTURES_HPP

#include <guardjit/guardjit.hpp>

#include <string>
#include <vector>

namespace fixtures {

namespace gj = guardjit;

/// Plain loops, which compile fast.
inline constexpr auto plain = gj::backend(gj::backends::reference{});
inline constexpr auto none = gj::dynamic::none;
using floats = std::vector<float>;
using texts = std::vector<std::string>;

struct twice {
  constexpr auto operator()(auto x) const { return x * 2; }
};
struct product {
  constexpr auto operator()(auto x, auto y) const { return x * y; }
};

inline bool has_kind(std::vector<gj::guard> const& guards, gj::guard_kind kind) {
  for (gj::guard const& g : guards)
    if (g.kind == kind) return true;
  return false;
}

/// In the order of lookup.
inline texts ids_of(auto const& g) {
  texts ids;
  for (gj::entry_info const& e : g.entries()) ids.push_back(e.id);
  return ids;
}

}  // namespace fixtures

#endif
