// guardjit: tests/compile_fail/compile/no_backend.cpp: core.hpp alone has no default backend, and says how to get one
// SPDX-License-Identifier: BSL-1.0
// Rules: G116
// expect-error: guardjit: compile\(f\): include guardjit/kernels/eigen.hpp.*or name backend\(reference\)
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
#ifdef GUARDJIT_ACCEPT
  gj::compile([](auto x) { return x * 2; }, gj::backend(gj::backends::reference{}));
#else
  gj::compile([](auto x) { return x * 2; });
#endif
}
