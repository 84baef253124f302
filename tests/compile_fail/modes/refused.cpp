// guardjit: tests/compile_fail/modes/refused.cpp: a declared mode refuses an op of the function
// SPDX-License-Identifier: BSL-1.0
// Rules: M16, MODE-055
// expect-error: guardjit: refused by a mode
// expect-error: refused_by_mode<.*add.*mode<'n', 'o', '_', 's', 'u', 'm', 's'>.*text<'u', 's', 'e', ' ', 's', 'u', 'b'>.*at<24, 'r', 'e', 'f', 'u', 's', 'e', 'd', '.', 'c', 'p', 'p'>
// errors: 1
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>

namespace gj = guardjit;

struct no_sums : gj::pure_mode<no_sums> {
  template <class Call> static constexpr auto handle(Call& call) {
#ifndef GUARDJIT_ACCEPT
    if (call.op() == gj::op::add) return call.refuse("use sub");
#endif
    return call();
  }
};

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const g = gj::compile(
      [](auto const& y) { return y * 2 + 1; },
      gj::inline_modes<no_sums>, gj::backend(gj::reference));
  g(x);
}
