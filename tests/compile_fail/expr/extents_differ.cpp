// guardjit: tests/compile_fail/expr/extents_differ.cpp: extents that do not broadcast, known statically
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed: guardjit: extents must be equal or 1
// expect-error: extents_differ<guardjit::(v0_1_\w+::)?op::add, 3, 4, 0
// expect-error: extents_differ.cpp:17:.*(required from here|requested here)
// errors: 1
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
using right_side = guardjit::tensor<float, 1>;
#else
using right_side = guardjit::tensor<float, 4>;
#endif

auto wrong(guardjit::tensor<float, 3> const& x, right_side const& y) {
  return x + y;
}
