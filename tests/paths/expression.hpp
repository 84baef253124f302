// guardjit: tests/paths/expression.hpp: one random expression by each path, for the generated units
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_EXPRESSION_HPP
#define GUARDJIT_TESTS_PATHS_EXPRESSION_HPP

#if PATHS_THRUST
#include <guardjit/kernels/thrust.hpp>
#endif

#include "function.hpp"

namespace paths {

/// A random expression: as an expression and compiled, for fixed extents and for other backends, too.
template <class Open, class Fixed, class F>
void check_expression(F f, subject s, std::uint64_t seed, int draws) {
  using backend = gj::backends::eigen;
  evaluated<backend, F> const expression;
  auto const compiled = gj::compile(f, gj::backend(backend{}));
  auto const compiled_fixed = gj::compile(f, gj::backend(backend{}));
  on_tiles<decltype(compiled)> const tiles{compiled};
  s.oracle = &Open::template call_on<known, F>;
  s.all = {Open::path_of("expression", 0b11, expression), Open::path_of("compiled", 0b11, compiled),
           Open::path_of("tiles", 0b11, tiles),
           Fixed::path_of("compiled, fixed extents", 0b10, compiled_fixed)};
#if PATHS_THRUST
  auto const by_thrust = gj::compile(f, gj::backend(gj::backends::thrust_cpp{}));
  s.all.push_back(Open::path_of("Thrust CPP", 0b11, by_thrust));
#endif
  check(s, seed, draws);
}

}  // namespace paths

#endif
