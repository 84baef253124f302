// guardjit: tests/compile_fail/compile/no_result.cpp: a function that returns what is no tensor
// SPDX-License-Identifier: BSL-1.0
// Rules: G151
// expect-error: guardjit: compile.f.: f must return tensors, or tuples, pairs, arrays and aggregates of them
// expect-error: value_is_no_result<.*, 1>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

void use() {
#ifdef GUARDJIT_ACCEPT
  constexpr auto f = [](auto const& x) { return std::pair(x, 1); };
#else
  constexpr auto f = [](auto const& x) { return std::pair(x, "one"); };
#endif
  auto const g = gj::compile(f, gj::backend(gj::reference));
  g(tensor<float, dyn>(3));
}
