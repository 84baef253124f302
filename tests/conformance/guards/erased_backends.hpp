// guardjit: tests/conformance/guards/erased_backends.hpp: calls by each erased backend give what the function's own gives
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_ERASED_BACKENDS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_ERASED_BACKENDS_HPP

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace fixtures {

/// Those of the library, and one that is nothing but a walk over the graph. In a unit of its own, as it
/// compiles the loops of all ops.
std::vector<guardjit::erased_backend> const& erased_backends();

/// Backends of the entries of `g` that ran.
struct entries_that_ran {
  std::vector<std::int64_t> numbers;
  void operator()(guardjit::event const& e) {
    // Entries of functions that test indices are made behind the first run.
    if (e.kind == guardjit::event_kind::run && e.entry >= 0) numbers.push_back(e.entry);
  }
  bool are_by(auto const& g, std::string const& name) const {
    bool all = !numbers.empty();
    for (std::int64_t n : numbers) {
      bool found = false;
      for (guardjit::entry_info const& e : g.entries())
        found = found || (e.id.ends_with("/" + std::to_string(n)) && e.backend == name);
      all = all && found;
    }
    return all;
  }
};

/// Under each backend `call` gives what it gives without one, by entries of that backend.
void agrees_with_own(auto const& g, auto const& call) {
  auto const own = call();
  for (guardjit::erased_backend const& b : erased_backends()) {
    std::string const name = b.name();
    CAPTURE(name);
    guardjit::stance_scope const forced{guardjit::stance::normal, guardjit::force_backend(b)};
    entries_that_ran ran;
    guardjit::subscription const told{ran, guardjit::with_runs};
    auto const first = call(), second = call();
    CHECK(first == own);
    CHECK(second == own);
    CHECK(ran.are_by(g, name));
  }
}

}  // namespace fixtures

#endif
