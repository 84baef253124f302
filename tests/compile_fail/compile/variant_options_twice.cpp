// guardjit: tests/compile_fail/compile/variant_options_twice.cpp: options of variants that are given twice for one thing
// SPDX-License-Identifier: BSL-1.0
// Rules: guards.md, section 1
// expect-error: guardjit: compile\(f, options…\): an option is given twice
// errors: 4
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;

void use() {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto x, auto s) { return x * s; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::max_paths<3>, gj::max_variants<3>, gj::specialize<0>, gj::specialize<1>,
              gj::hot_extent<0, 0, 3>, gj::hot_extent<0, 1, 3>, gj::hot_extent<1, 0, 3>);
#else
  gj::compile(f, plain, gj::max_paths<3>, gj::max_paths<4>);
  gj::compile(f, plain, gj::max_variants<3>, gj::max_variants<4>);
  gj::compile(f, plain, gj::specialize<1>, gj::specialize<1>);
  gj::compile(f, plain, gj::hot_extent<0, 1, 3>, gj::hot_extent<0, 0, 3>, gj::hot_extent<0, 1, 4>);
#endif
}
