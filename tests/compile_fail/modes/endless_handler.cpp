// guardjit: tests/compile_fail/modes/endless_handler.cpp: a handler that applies itself without end
// SPDX-License-Identifier: BSL-1.0
// Rules: M13, MODE-063
// expect-error: guardjit: too many nested dispatches
// expect-error: handlers_nested<.*neg.*mode<'e', 'n', 'd', 'l', 'e', 's', 's'>.*'e', 'n', 'd', 'l', 'e', 's', 's', '_', 'h', 'a', 'n', 'd', 'l', 'e', 'r', '.', 'c', 'p', 'p'
// errors: 1
#include <guardjit/compile/compile.hpp>
#include <guardjit/expr/operators.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/transforms/with_modes.hpp>

namespace gj = guardjit;

struct endless : gj::pure_mode<endless> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
#ifdef GUARDJIT_ACCEPT
    return gj::neg(call.arg(0));
#else
    if constexpr (Call::tracing)
      return gj::with_modes(endless{})([](auto const& x) { return gj::neg(x); })(call.arg(0));
    else return call();
#endif
  }
};

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const f = [](auto const& y) { return gj::neg(y); };
  gj::compile(f, gj::inline_modes<endless>, gj::backend(gj::reference))(x);
}
