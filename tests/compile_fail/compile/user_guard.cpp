// guardjit: tests/compile_fail/compile/user_guard.cpp: a user guard that does not take the arguments of a call
// SPDX-License-Identifier: BSL-1.0
// Rules: G36
// expect-error: guardjit: user_guard\(predicate, name\): predicate must take the arguments of the call by const
// errors: 2
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

void use(tensor<float, dyn> const& x) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto v) { return v * 2; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::user_guard([](tensor<float, dyn> const& v) { return v.extent(0) > 1; }, "long"))(x);
#else
  gj::compile(f, plain, gj::user_guard([](tensor<float, dyn> const&, int) { return true; }, "two"))(x);
  gj::compile(f, plain, gj::user_guard([](auto&...) {}, "void"))(x);
#endif
}
