// guardjit: tests/compile_fail/compile/contradictions.cpp: options that exclude each other, and one given twice
// SPDX-License-Identifier: BSL-1.0
// Rules: G104, GRD-032
// expect-error: guardjit: compile\(f, options…\): fullgraph and disabled contradict each other
// expect-error: guardjit: compile\(f, options…\): an option is given twice
// expect-error: option_set<.*recompile_limit, .*recompile_limit>
// errors: 2
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto x) { return x * 2; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::disabled, gj::suppress_backend_errors, gj::recompile_limit{2});
#else
  gj::compile(f, plain, gj::fullgraph, gj::disabled);
  gj::compile(f, plain, gj::recompile_limit{2}, gj::recompile_limit{3});
#endif
}
