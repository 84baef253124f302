// guardjit: tests/compile_fail/compile/result_type.cpp: an aggregate of results that is not generic over them
// SPDX-License-Identifier: BSL-1.0
// Rules: G151
// expect-error: guardjit: compile.f..arguments....: an aggregate that f returns must be a template over the types of its fields
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

#ifdef GUARDJIT_ACCEPT
template <class Mean, class Rows> struct summary {
#else
template <class Rows, class Mean> struct summary {
#endif
  Mean mean;
  Rows rows;
};

void use() {
  constexpr auto f = [](auto const& x) { return summary<decltype(x + 1), decltype(x + 1)>{gj::mean(x), x + 1}; };
  auto const g = gj::compile(f, gj::backend(gj::reference));
  g(tensor<float, dyn>(3));
}
