// guardjit: tests/compile_fail/modes/inlined_runtime_mode.cpp: a stack of modes that need the real values
// SPDX-License-Identifier: BSL-1.0
// Rules: M98, M99
// expect-error: constraints? not satisfied|constraints? .*not satisfied
// expect-error: inlinable_mode
// expect-error: counting
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>

namespace gj = guardjit;

struct passing : gj::pure_mode<passing> {
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};
#ifdef GUARDJIT_ACCEPT
using counting = passing;
#else
struct counting : gj::function_mode {
  gj::op_result handle(gj::op_call& call) override { return call(); }
};
#endif

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const f = [](auto const& y) { return y + 1; };
  gj::compile(f, gj::inline_modes<counting>, gj::backend(gj::reference))(x);
}
