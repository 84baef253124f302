// guardjit: tests/compile_fail/compile/stance_in_trace.cpp: a traced function has no stance and gives none
// SPDX-License-Identifier: BSL-1.0
// Rules: G77, GRD-109
// expect-error: guardjit: g.with\(s\)\(x\): a traced function must not give its calls a stance
// expect-error: guardjit: compile\(f\): the compiler must be able to evaluate f
// expect-error: stance_in_trace.cpp:2[24]
#include <guardjit/core.hpp>

namespace gj = guardjit;

auto const inner = gj::compile([](auto const& x) { return x * 2; }, gj::backend(gj::reference));

void use() {
  gj::tensor<float, gj::dyn> x(3);
  auto const asks = [](auto const& y) {
#ifdef GUARDJIT_ACCEPT
    return inner(y) + 1;
#else
    return inner.with(gj::stance::force_eager)(y) + 1;
#endif
  };
  auto const enters = [](auto const& y) {
#ifndef GUARDJIT_ACCEPT
    gj::stance_scope const scope(gj::stance::force_eager);
#endif
    return y + 1;
  };
  gj::compile(asks, gj::backend(gj::reference))(x);
  gj::compile(enters, gj::backend(gj::reference))(x);
}
