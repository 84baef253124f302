// guardjit: tests/compile_fail/compile/options.cpp: an option that is given twice is refused
// SPDX-License-Identifier: BSL-1.0
// Rules: guards.md, section 1
// expect-error: guardjit: compile\(f, options…\): an option is given twice
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
  constexpr auto plain = gj::backend(gj::backends::reference{});
#ifdef GUARDJIT_ACCEPT
  gj::compile([](auto x) { return x * 2; }, plain, gj::dynamic::all, gj::recompile_limit{2}, gj::name<"f">);
#else
  gj::compile([](auto x) { return x * 2; }, plain, gj::recompile_limit{2}, gj::recompile_limit{3});
#endif
}
