// guardjit: tests/compile_fail/compile/captures.cpp: a lambda with captures is refused, with the form that binds
// SPDX-License-Identifier: BSL-1.0
// Rules: G3, GRD-053
// expect-error: guardjit: compile\(f\): f must not capture.*compile\(\[\]\(auto x, auto w\) \{ \.\.\. \}, bind\(w\)\)
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
  gj::tensor<float, gj::dyn> w(3);
#ifdef GUARDJIT_ACCEPT
  auto const g = gj::compile([](auto x, auto y) { return x * y; }, gj::bind(w), gj::backend(gj::backends::reference{}));
  g(w);
#else
  gj::compile([w](auto x) { return x * w; }, gj::backend(gj::backends::reference{}));
#endif
}
