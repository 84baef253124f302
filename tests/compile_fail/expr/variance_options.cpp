// guardjit: tests/compile_fail/expr/variance_options.cpp: an option of var that is given twice
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: no match(ing function)? for call to
// errors: 1
#include <guardjit/core.hpp>
#include <guardjit/kernels/eigen.hpp>

#ifdef GUARDJIT_ACCEPT
constexpr auto taken = guardjit::correction(0);
#else
constexpr auto taken = guardjit::axes(1);
#endif

auto spread(guardjit::tensor<float, 2, 3> const& x) {
  return guardjit::var(x, guardjit::axes(0), taken);
}
