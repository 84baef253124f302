// guardjit: tests/compile_fail/compile/declared_shape.cpp: declared extents that mean nothing, or contradict another option
// SPDX-License-Identifier: BSL-1.0
// Rules: G86, G104, GRD-032
// expect-error: guardjit: shape_of<I, d...>: each d must be an integer, any_extent, static_extent, auto_extent, extent_b
// expect-error: no_declared_extent<true>
// expect-error: extent_between\{lo, hi\}: lo must not be greater than hi
// expect-error: declared_range_is_empty<5, 2>
// expect-error: guardjit: shape_of<I, d...>: multiple<k>: k must be 1 or more
// expect-error: declared_divisor_is_too_small<0>
// expect-error: guardjit: shape_of<I, d...>: extents must not be negative
// expect-error: declared_extent_is_negative<-3>
// expect-error: guardjit: compile\(f, options…\): shape_of<I, …> is given twice for one argument
// expect-error: guardjit: compile\(f, options…\): dynamic::none and an extent of shape_of that every entry leaves open con
// errors: 6
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::shape_of;

void use(gj::tensor<float, gj::dyn> const& x) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a) { return a * 2; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, shape_of<0, 3>)(x);
  gj::compile(f, plain, shape_of<0, gj::extent_between{2, 5}>, shape_of<1, any_extent>);
  gj::compile(f, plain, shape_of<0, gj::multiple<4>>);
  gj::compile(f, plain, shape_of<0, gj::static_extent, gj::auto_extent, 3>, gj::dynamic::none);
#else
  gj::compile(f, plain, shape_of<0, true>)(x);
  gj::compile(f, plain, shape_of<0, gj::extent_between{5, 2}>)(x);
  gj::compile(f, plain, shape_of<0, gj::multiple<0>>)(x);
  gj::compile(f, plain, shape_of<0, -3>)(x);
  gj::compile(f, plain, shape_of<0, any_extent>, shape_of<0, 3>);
  gj::compile(f, plain, shape_of<0, gj::named<"n">>, gj::dynamic::none);
#endif
}
