// guardjit: tests/compile_fail/compile/output.cpp: an output of another dtype or rank is refused
// SPDX-License-Identifier: BSL-1.0
// Rules: G93
// expect-error: guardjit: into\(out, arguments…\): out must have the dtype of the result
// expect-error: guardjit: into\(out, arguments…\): out must have the rank of the result
// errors: 2
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn;

void use() {
  gj::tensor<float, dyn> x(3);
#ifdef GUARDJIT_ACCEPT
  gj::tensor<float, dyn> a(3);
  gj::tensor<float, 3> b;
#else
  gj::tensor<double, dyn> a(3);
  gj::tensor<float, dyn, dyn> b(3, 1);
#endif
  auto const g = gj::compile([](auto y) { return y * 2; }, gj::backend(gj::backends::reference{}));
  g.into(a, x);
  g.into(b, x);
}
