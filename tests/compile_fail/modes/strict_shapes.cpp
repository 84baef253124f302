// guardjit: tests/compile_fail/modes/strict_shapes.cpp: a function that broadcasts under strict_shapes
// SPDX-License-Identifier: BSL-1.0
// Rules: M16
// expect-error: guardjit: refused by a mode
// expect-error: refused_by_mode<.*add.*mode<.*'s', 't', 'r', 'i', 'c', 't', '_', 's', 'h', 'a', 'p', 'e', 's'>.*text<'t', 'h', 'e', ' ', 's', 'h', 'a', 'p', 'e', 's'.*at<
// errors: 2
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/modes/strict_shapes.hpp>

namespace gj = guardjit;

void use() {
  auto const f = [](auto const& x, auto const& y) { return x + y * 2; };
  auto const g = gj::compile(f, gj::inline_modes<gj::strict_shapes>, gj::backend(gj::reference));
  gj::tensor<float, 3> x;
  gj::tensor<float, gj::dyn, 3> m(2);
  g(x, x);
  g(m, m);
#ifndef GUARDJIT_ACCEPT
  gj::tensor<float, 1> one;
  g(x, one);
  g(m, x);
#endif
}
