// guardjit: tests/compile_fail/compile/bound_in_out.cpp: a bound value that f assigns to is a reference
// SPDX-License-Identifier: BSL-1.0
// Rules: G150, GRD-149
// expect-error: error: static assertion failed.*guardjit: compile\(f, bind\(v\.\.\.\)\): a bound value that f assigns to must be std::ref\(v\)
// expect-error: bound_value_is_written<1, 
// errors: 2
#include <guardjit/core.hpp>

#include <functional>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

void use() {
  vector x(3), state(3);
  constexpr auto plain = gj::backend(gj::backends::reference{});
  constexpr auto f = [](auto y, auto& s) { s = s + y; };
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, gj::bind(std::ref(state)), plain)(x);
#else
  gj::compile(f, gj::bind(state), plain)(x);
  gj::compile(f, gj::bind(std::cref(state)), plain)(x);
#endif
}
