// guardjit: tests/conformance/guards/stance_pairs.hpp: calls of one kind under each stance and by each erased backend
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_STANCE_PAIRS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_STANCE_PAIRS_HPP

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <string>

#include "conformance/guards/erased_backends.hpp"

namespace fixtures {

/// The guard collective that says no.
inline bool nobody(bool) { return false; }
struct collective_scope {
  guardjit::guard_collective former = guardjit::set_guard_collective(nobody);
  ~collective_scope() { guardjit::set_guard_collective(former); }
};

/// Whether `call` gives `expected`, twice, and `g` has compiled `compiles` times then.
void gives(auto const& g, auto const& call, auto const& expected, int compiles) {
  for (int k = 0; k < 2; ++k) CHECK(call() == expected);
  CHECK(g.compiles() == compiles);
}
/// All stances act on calls that make so many entries, and each erased backend gives the same value.
void obeys_stances(auto const& g, auto const& call, auto const& expected, int entries = 1) {
  g.clear();
  for (guardjit::stance const s : {guardjit::stance::force_eager, guardjit::stance::eager_on_recompile}) {
    guardjit::stance_scope const eager(s);
    gives(g, call, expected, 0);
  }
  {
    guardjit::stance_scope const strict(guardjit::stance::fail_on_recompile);
    CHECK_THROWS_AS(call(), guardjit::recompile_error);
    CHECK(g.compiles() == 0);
  }
  {
    guardjit::stance_scope const warm(guardjit::stance::eager_then_compile);
    CHECK(call() == expected);
    CHECK(g.compiles() == 0);
    gives(g, call, expected, entries);
  }
  {
    guardjit::stance_scope const strict(guardjit::stance::fail_on_recompile);
    gives(g, call, expected, entries);
    collective_scope const refused;
    CHECK_THROWS_AS(call(), guardjit::recompile_error);
  }
  {
    guardjit::stance_scope const eager(guardjit::stance::eager_on_recompile);
    collective_scope const refused;
    gives(g, call, expected, entries);
  }
  {
    collective_scope const refused;
    gives(g, call, expected, 3 * entries);
    CHECK(g.entries().size() == static_cast<std::size_t>(entries));
  }
  g.clear();
  int compiles = 0;
  for (guardjit::erased_backend const& b : erased_backends()) {
    std::string const name = b.name();
    CAPTURE(name);
    guardjit::stance_scope const forced{guardjit::stance::normal, guardjit::force_backend(b)};
    gives(g, call, expected, compiles += entries);
    guardjit::stance_scope const inner(guardjit::stance::fail_on_recompile);  // by the own backend, which has no entry
    CHECK_THROWS_AS(call(), guardjit::recompile_error);
  }
  guardjit::stance_scope const first(guardjit::stance::fail_on_recompile, guardjit::allow_first);  // entries of other backends do not count
  gives(g, call, expected, compiles + entries);
}

}  // namespace fixtures

#endif
