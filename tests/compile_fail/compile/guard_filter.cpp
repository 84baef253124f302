// guardjit: tests/compile_fail/compile/guard_filter.cpp: a filter that does not take a description of a guard
// SPDX-License-Identifier: BSL-1.0
// Rules: G60
// expect-error: guardjit: guard_filter\(keep\): keep must take a guard_description const& and give a bool
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
#ifdef GUARDJIT_ACCEPT
  static_cast<void>(gj::guard_filter([](gj::guard_description const& g) { return g.dim < 0; }));
#else
  static_cast<void>(gj::guard_filter([](int) { return true; }));
#endif
}
