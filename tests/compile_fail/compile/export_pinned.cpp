// guardjit: tests/compile_fail/compile/export_pinned.cpp: an export of a function that pins a declared extent
// SPDX-License-Identifier: BSL-1.0
// Rules: A122, G87, ART-139
// expect-error: guardjit: an extent that shape_of lets vary must not need one value
// expect-error: declared_extent_needs_value<.*op::matmul, 0, 1, 3, .*at<16, 'e', 'x', 'p', 'o', 'r', 't', '_',
// errors: 1
#include <guardjit/compile/export_graph.hpp>
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::tensor;

void use(tensor<float, dyn, dyn> const& x, tensor<float, 3, 4> const& w) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto b) {
    return gj::matmul(a, b) + 1;
  };
#ifdef GUARDJIT_ACCEPT
  gj::export_graph(f, plain, gj::shape_of<0, any_extent, 3>, x, w);
#else
  gj::export_graph(f, plain, gj::shape_of<0, any_extent, any_extent>, x, w);
#endif
}
