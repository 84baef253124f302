// guardjit: tests/compile_fail/compile/declared_value.cpp: an extent that is declared to vary, of which f needs one value
// SPDX-License-Identifier: BSL-1.0
// Rules: G87, GRD-031
// expect-error: guardjit: an extent that shape_of lets vary must not need one value
// expect-error: declared_extent_needs_value<.*op::matmul, 0, 1, 3, .*at<15, 'd', 'e', 'c', 'l', 'a', 'r', 'e', 'd', '_',
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::tensor;

void use(tensor<float, dyn, dyn> const& x, tensor<float, 3, 4> const& w) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto b) {
    return gj::matmul(a, b) + 1;
  };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::shape_of<0, any_extent, 3>)(x, w);
#else
  gj::compile(f, plain, gj::shape_of<0, any_extent, any_extent>)(x, w);
#endif
}
