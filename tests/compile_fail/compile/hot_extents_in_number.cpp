// guardjit: tests/compile_fail/compile/hot_extents_in_number.cpp: more variants than 64 by hot extents
// SPDX-License-Identifier: BSL-1.0
// Rules: G91
// expect-error: guardjit: compile\(f, options...\): paths x mode stacks x signatures x hot extents must be at most max_variants<n>
// expect-error: too_many_variants<64, .*paths<1>, .*mode_stacks<1>, .*signatures<1>, .*hot_extents<72> ?>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;

void use(tensor<float, dyn, dyn> const& x, tensor<float, dyn> const& y) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto a, auto b) { return gj::sum(a) * gj::sum(b); };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::hot_extent<0, 0, 4>, gj::hot_extent<1, 0, 2>)(x, y);
#else
  gj::compile(f, plain, gj::hot_extent<0, 0, 1, 2, 3, 4, 5>, gj::hot_extent<0, 1, 1, 2, 3>,
              gj::hot_extent<1, 0, 4, 5>)(x, y);
#endif
}
