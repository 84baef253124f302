// guardjit: tests/compile_fail/modes/handler_operands.cpp: a handler goes on with other operands than the op has
// SPDX-License-Identifier: BSL-1.0
// Rules: M14, M15
// expect-error: guardjit: a mode must go on with as many operands
// expect-error: operands_of_handler<.*add.*, 1, 2, .*mode<'s', 'h', 'o', 'r', 't', 'e', 'r'>
// errors: 1
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>

namespace gj = guardjit;

struct shorter : gj::pure_mode<shorter> {
  template <class Call> static constexpr typename Call::result handle(Call& call) {
    if (call.op() != gj::op::add) return call();
#ifdef GUARDJIT_ACCEPT
    return call(call.arg(1), call.arg(0));
#else
    return call(call.arg(1));
#endif
  }
};

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const f = [](auto const& y) { return y + 1; };
  gj::compile(f, gj::inline_modes<shorter>, gj::backend(gj::reference))(x);
}
