// guardjit: tests/compile_fail/compile/number_of_outputs.cpp: one output for two results
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: into\(out, arguments…\): out must have a tensor for each result
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

void use() {
  auto const g = gj::compile([](auto const& x) { return std::pair(x, x + 1); }, gj::backend(gj::reference));
  tensor<float, dyn> const x(3);
  tensor<float, dyn> a(3), b(3);
#ifdef GUARDJIT_ACCEPT
  g.into(std::tie(a, b), x);
#else
  g.into(a, x);
  static_cast<void>(b);
#endif
}
