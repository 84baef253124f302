// guardjit: tests/compile_fail/compile/declared_shape_of_type.cpp: declared extents that do not fit the arguments of a call
// SPDX-License-Identifier: BSL-1.0
// Rules: G80, G86
// expect-error: guardjit: compile\(f, shape_of<I, d...>\): the call must have an argument number I
// expect-error: no_such_argument<2, 2>
// expect-error: guardjit: compile\(f, shape_of<I, d...>\): argument I must be a tensor
// expect-error: declared_argument_is_no_tensor<1>
// expect-error: guardjit: compile\(f, shape_of<I, d...>\): there must be one d for each dim of argument I
// expect-error: declared_rank_differs<0, 1, 2>
// expect-error: guardjit: compile\(f, shape_of<I, d...>\): the type of argument I must have the extent that is declared
// expect-error: declared_extent_differs<0, 1, 64, 4>
// expect-error: the type of argument I must have an extent in the declared range
// expect-error: extent_is_out_of_range<0, 1, 5, 9, 4>
// expect-error: the type of argument I must have a multiple of k as its extent
// expect-error: extent_is_no_multiple<0, 1, 3, 4>
// expect-error: guardjit: compile\(f, shape_of<I, d...>\): extents of one name must be equal
// expect-error: named_extents_differ<0, 1, 4, 3>
// errors: 7
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::named, gj::shape_of, gj::tensor;

void use(tensor<float, dyn, 4> const& x, tensor<float, 3> const& y) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto b) { return a * gj::sum(b); };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, shape_of<1, 3>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, 4>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, gj::extent_between{2, 4}>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, gj::multiple<2>>)(x, y);
  gj::compile(f, plain, shape_of<0, named<"n">, 4>, shape_of<1, named<"n">>)(x, y);
#else
  gj::compile(f, plain, shape_of<2, 3>)(x, y);
  gj::compile(f, plain, shape_of<1, 3>)(x, 3.0f);
  gj::compile(f, plain, shape_of<0, any_extent>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, 64>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, gj::extent_between{5, 9}>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, gj::multiple<3>>)(x, y);
  gj::compile(f, plain, shape_of<0, any_extent, named<"n">>, shape_of<1, named<"n">>)(x, y);
#endif
}
