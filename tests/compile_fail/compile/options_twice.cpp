// guardjit: tests/compile_fail/compile/options_twice.cpp: settings that are given twice; guards and filters may be
// SPDX-License-Identifier: BSL-1.0
// Rules: guards.md, section 1
// expect-error: guardjit: compile\(f, options…\): an option is given twice
// errors: 4
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto x) { return x * 2; };
  constexpr auto yes = [](auto const&) { return true; };
  constexpr auto error = gj::on_limit{gj::limit_action::error};
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::fullgraph, gj::error_on_recompile, error, gj::compile_limit{9}, gj::recompile_limit{2},
              gj::user_guard(yes, "a"), gj::user_guard(yes, "b"), gj::guard_filter(yes), gj::guard_filter(yes));
#else
  gj::compile(f, plain, gj::fullgraph, gj::fullgraph);
  gj::compile(f, plain, gj::error_on_recompile, gj::recompile_limit{2}, gj::error_on_recompile);
  gj::compile(f, plain, error, gj::on_limit{});
  gj::compile(f, plain, gj::compile_limit{9}, gj::compile_limit{9});
#endif
}
