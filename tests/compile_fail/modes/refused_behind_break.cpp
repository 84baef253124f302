// guardjit: tests/compile_fail/modes/refused_behind_break.cpp: a declared mode refuses an op behind a call of opaque
// SPDX-License-Identifier: BSL-1.0
// Rules: M16, G100
// expect-error: guardjit: refused by a mode
// expect-error: refused_by_mode<.*sub.*mode<.*at<25
// errors: 1
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/transforms/opaque.hpp>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

struct no_differences : gj::pure_mode<no_differences> {
  template <class Call> static constexpr auto handle(Call& call) {
#ifndef GUARDJIT_ACCEPT
    if (call.op() == gj::op::sub) return call.refuse("use add");
#endif
    return call();
  }
};

void use(vector const& x) {
  auto const g = gj::compile(
      [](auto const& y) { return gj::opaque([](vector const& v) { return v; })(y * 2) - 1; },
      gj::inline_modes<no_differences>, gj::backend(gj::reference));
  g(x);
}
