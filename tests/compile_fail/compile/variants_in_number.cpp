// guardjit: tests/compile_fail/compile/variants_in_number.cpp: more variants than allowed, with the factors
// SPDX-License-Identifier: BSL-1.0
// Rules: G91, GRD-140
// expect-error: guardjit: compile\(f, options...\): paths x mode stacks x signatures x hot extents must be at most max_variants<n>
// expect-error: too_many_variants<4, .*paths<3>, .*mode_stacks<1>, .*signatures<2>, .*hot_extents<1> ?>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;

constexpr auto f = [](auto x) {
  if (x.extent(0) > 8) return x * 2;
  if (x.extent(0) > 4) return x * 3;
  return x;
};

void use(any_tensor const& x) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto types = gj::signatures<gj::dtypes<float, double>, gj::ranks<1>>;
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, types, gj::max_variants<6>)(x);
#else
  gj::compile(f, plain, types, gj::max_variants<4>)(x);
#endif
}
