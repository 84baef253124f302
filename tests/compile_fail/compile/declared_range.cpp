// guardjit: tests/compile_fail/compile/declared_range.cpp: declared ranges that no call of an operation can have
// SPDX-License-Identifier: BSL-1.0
// Rules: G87
// expect-error: guardjit: the values that shape_of declares must allow what the operation needs
// expect-error: declared_range_never_fits<.*op::matmul, 0, 1, 7, .*at<15,
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::extent_between, gj::tensor;

void use(tensor<float, dyn, dyn> const& x, tensor<float, dyn, dyn> const& w) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto b) {
    return gj::matmul(a, b) + 1;
  };
  constexpr auto few = gj::shape_of<0, any_extent, extent_between{2, 5}>;
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, few, gj::shape_of<1, extent_between{5, 9}, any_extent>)(x, w);
#else
  gj::compile(f, plain, few, gj::shape_of<1, extent_between{7, 9}, any_extent>)(x, w);
#endif
}
