// guardjit: tests/compile_fail/compile/no_argument.cpp: a field that is neither a tensor nor a scalar
// SPDX-License-Identifier: BSL-1.0
// Rules: G151
// expect-error: guardjit: compile.f..arguments....: arguments and bound values must be tensors, C.. scalars, or tuples, pairs
// expect-error: value_is_no_argument<kind, 0, 1>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

enum class kind { linear, cubic };

void use() {
  auto const g = gj::compile([](auto const& m) { return m.first * 2; }, gj::backend(gj::reference));
  tensor<float, dyn> const x(3);
#ifdef GUARDJIT_ACCEPT
  g(std::pair(x, std::integral_constant<kind, kind::cubic>{}));
#else
  g(std::pair(x, kind::cubic));
#endif
}
