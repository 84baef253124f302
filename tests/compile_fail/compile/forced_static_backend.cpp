// guardjit: tests/compile_fail/compile/forced_static_backend.cpp: force_backend wants a backend that sees graphs as data
// SPDX-License-Identifier: BSL-1.0
// Rules: G75, G113
// expect-error: guardjit: force_backend\(b\): b must be an erased backend, such as find_backend\("tiles"\)
// expect-error: guardjit: compile\(f, backend\(b\)\): b must be a static backend, such as eigen; an erased one is chosen by calls
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;

void use() {
  gj::erased_backend const slow = gj::backends::reference_interpreter{};
#ifdef GUARDJIT_ACCEPT
  gj::stance_scope const forced{gj::stance::normal, gj::force_backend(slow)};
  gj::compile([](auto x) { return x * 2; }, gj::backend(gj::eigen));
#else
  gj::force_backend(gj::eigen);
  gj::compile([](auto x) { return x * 2; }, gj::backend(slow));
#endif
}
