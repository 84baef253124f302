// guardjit: tests/compile_fail/compile/variant_arguments.cpp: options of variants for arguments that they cannot be for
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: compile\(f, specialize<I>\): argument I must be a C\+\+ scalar
// expect-error: guardjit: compile\(f, specialize<I>\): the call has no argument I
// expect-error: guardjit: compile\(f, hot_extent<I, D, n...>\): argument I must be a tensor with a dim D
// expect-error: guardjit: compile\(f, hot_extent<I, D, n...>\): the call has no argument I
// expect-error: guardjit: compile\(f, hot_extent<I, D, n...>\): argument I must be a tensor$
// errors: 6
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;

void use(tensor<float, dyn> const& x) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto s) { return a * s; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::specialize<1>, gj::hot_extent<0, 0, 3>)(x, 2);
#else
  gj::compile(f, plain, gj::specialize<0>)(x, 2);
  gj::compile(f, plain, gj::specialize<2>)(x, 2);
  gj::compile(f, plain, gj::hot_extent<1, 0, 3>)(x, 2);
  gj::compile(f, plain, gj::hot_extent<0, 1, 3>)(x, 2);
  gj::compile(f, plain, gj::hot_extent<2, 0, 3>)(x, 2);
  gj::compile([](auto p) { return std::get<0>(p) * std::get<1>(p); }, plain, gj::hot_extent<0, 0, 3>)(std::pair(x, x));
#endif
}
