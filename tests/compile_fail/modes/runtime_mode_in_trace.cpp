// guardjit: tests/compile_fail/modes/runtime_mode_in_trace.cpp: only pure and keyed modes are inlined
// SPDX-License-Identifier: BSL-1.0
// Rules: M85, MODE-062
// expect-error: guardjit: with_modes\(m\)\(h\)\(x\) in a traced function: m must be a pure or keyed mode
// expect-error: opaque
// expect-error: counting
// errors: 1
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/transforms/with_modes.hpp>

namespace gj = guardjit;

#ifdef GUARDJIT_ACCEPT
struct counting : gj::pure_mode<counting> {
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};
#else
struct counting : gj::function_mode {
  gj::op_result handle(gj::op_call& call) override { return call(); }
};
#endif

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const f = [](auto const& y) {
    return gj::with_modes(counting{})([](auto const& z) { return z + 1; })(y);
  };
  gj::compile(f, gj::backend(gj::reference))(x);
}
