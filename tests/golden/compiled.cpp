// guardjit: tests/golden/compiled.cpp: runs golden cases by a compiled function
// SPDX-License-Identifier: BSL-1.0
#include "compiled.hpp"

namespace golden {

void check_cases(erased_function const& f, std::string const& how, std::size_t output,
                 std::initializer_list<char const*> ids) {
  for (char const* id : ids) {
    test_case c = case_of(id);
    if (!c.outputs.empty()) c.outputs = {c.outputs.at(output)};
    auto const call = [&](arguments in) {
      std::vector<argument> present;
      for (argument const& a : in)
        if (!std::holds_alternative<std::monostate>(a)) present.push_back(a);
      return results{f.call(f.function, c, present)};
    };
    std::string const first = verdict(c, call);
    CHECK_MESSAGE(first.empty(), c.id, " by ", how, ": ", first);
    int const compiles = f.compiles(f.function);
    std::string const hit = verdict(c, call);
    CHECK_MESSAGE(hit.empty(), c.id, " by ", how, ", again: ", hit);
    if (c.error.empty()) CHECK(f.compiles(f.function) == compiles);
  }
}

}  // namespace golden
