// guardjit: tests/compile_fail/compile/described_attributes.cpp: a description as a value that holds axes
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed.*guardjit: compile\(e\): axes, extents and other attributes of e must be constants: compile<e>\(\)
// errors: 1
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::arg;

void make() {
#ifdef GUARDJIT_ACCEPT
  static_cast<void>(gj::compile<gj::sum(arg<0>, gj::axes(1))>());
#else
  static_cast<void>(gj::compile(gj::sum(arg<0>, gj::axes(1))));
#endif
}
