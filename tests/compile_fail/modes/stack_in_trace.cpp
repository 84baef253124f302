// guardjit: tests/compile_fail/modes/stack_in_trace.cpp: a traced function neither enters modes nor reads the stack
// SPDX-License-Identifier: BSL-1.0
// Rules: M85, MODE-061
// expect-error: guardjit: compile\(f\): the compiler must be able to evaluate f
// expect-error: depth
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/transforms/with_modes.hpp>

namespace gj = guardjit;

struct passing : gj::pure_mode<passing> {
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const enters = [](auto const& y) {
#ifdef GUARDJIT_ACCEPT
    return gj::with_modes(passing{})([](auto const& z) { return z + 1; })(y);
#else
    passing mode;
    gj::mode_scope const scope(mode);
    return y + 1;
#endif
  };
  auto const reads = [](auto const& y) {
#ifdef GUARDJIT_ACCEPT
    return y + 1;
#else
    return y + gj::mode_stack::depth();
#endif
  };
  gj::compile(enters, gj::backend(gj::reference))(x);
  gj::compile(reads, gj::backend(gj::reference))(x);
}
