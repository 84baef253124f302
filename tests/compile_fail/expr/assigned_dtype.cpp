// guardjit: tests/compile_fail/expr/assigned_dtype.cpp: a view that would take elements of another dtype
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed.*guardjit: view = value: the value must have the dtype of the view; to<T>\(value\) converts
// expect-error: assigned_dtype_differs<guardjit::(v0_1_\w+::)?dtype::f32, guardjit::(v0_1_\w+::)?dtype::f64>
// errors: 1
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;

void fill(gj::tensor<float, 3>& x, gj::tensor<double, 3> const& y) {
#ifdef GUARDJIT_ACCEPT
  gj::slice(x, 0, 0) = gj::to<float>(y * 2);
#else
  gj::slice(x, 0, 0) = y * 2;
#endif
}
