// guardjit: tests/compile_fail/compile/too_few_arguments.cpp: a described function without its last argument
// SPDX-License-Identifier: BSL-1.0
// expect-error: error: static assertion failed.*guardjit: e\(arguments\.\.\.\): an argument for each placeholder of e
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::arg;

auto call(gj::tensor<float, 3> const& x) {
  constexpr auto f = arg<0> + arg<1>;
#ifdef GUARDJIT_ACCEPT
  return gj::eval(f(x, x));
#else
  return gj::eval(f(x));
#endif
}
