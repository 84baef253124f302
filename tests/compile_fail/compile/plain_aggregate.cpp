// guardjit: tests/compile_fail/compile/plain_aggregate.cpp: a module that is not generic over its leaves
// SPDX-License-Identifier: BSL-1.0
// Rules: G151
// expect-error: guardjit: compile.f..arguments....: the type of each leaf of an aggregate must be a template parameter
// expect-error: leaf_is_no_parameter<float, 1, 1, 1>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

#ifdef GUARDJIT_ACCEPT
template <class W, class Gain> struct scaled {
#else
template <class W, class> struct scaled {
  using Gain = float;
#endif
  W weight;
  Gain gain;
};

void use() {
  auto const g = gj::compile([](auto const& x, auto const& m) { return x * m.second.weight; }, gj::backend(gj::reference));
  tensor<float, dyn> const x(3);
  g(x, std::pair(x, scaled<tensor<float, dyn>, float>{x, 2}));
}
