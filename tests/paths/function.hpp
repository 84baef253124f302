// guardjit: tests/paths/function.hpp: one function by each path, for the generated units
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_FUNCTION_HPP
#define GUARDJIT_TESTS_PATHS_FUNCTION_HPP

#include <guardjit/guardjit.hpp>
#if PATHS_THRUST
#include <guardjit/kernels/thrust.hpp>
#endif

#include <doctest/doctest.h>

#include <cstdio>
#include <vector>

#include "oracle.hpp"

namespace paths {

using gj::dyn;
using operands = std::span<any_tensor const>;

/// A parameter as the driver draws it: `extents` has a letter for each axis, `m`, `n` or `k` where it is
/// drawn for all operands, a digit where it is that number.
struct parameter {
  gj::dtype type;
  char const* extents;
  bool weak = false;  ///< a C++ scalar, drawn as rank 0
};

/// A function on one path, without its type: what draws and compares need not be instantiated for each.
struct path {
  char const* name;
  bool fixed;  ///< takes only operands of the fixed extents
  void const* function;
  any_tensor (*call)(void const* function, operands in);
};

/// What is drawn, called and compared.
struct subject {
  char const* text;
  std::vector<parameter> parameters;
  index_t fixed[3];  ///< `m`, `n`, `k` of the fixed paths; `dyn` where they take any
  known (*oracle)(operands in) = nullptr;
  std::vector<path> all{};
};

/// Calls each path `draws` times on operands of random extents, layouts and values, and the oracle beside.
void check(subject const& s, std::uint64_t seed, int draws);

/// How an operand enters a path: as a tensor of known or unknown extents, or as a scalar.
template <class T, index_t... Extents> struct as_tensor {
  static auto from(any_tensor const& x) { return x.as<T, Extents...>(); }
  static auto known_from(any_tensor const& x) { return known(x); }
};
template <class T> struct as_scalar {
  static T from(any_tensor const& x) { return x.item<T>(); }
  static T known_from(any_tensor const& x) { return x.item<T>(); }
};

template <class... Parameters> struct signature {
  template <class F> static any_tensor call(F const& f, operands in) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return any_tensor(f(Parameters::from(in[K])...));
    }(std::index_sequence_for<Parameters...>{});
  }
  template <class F> static known oracle(operands in) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return known(F{}(Parameters::known_from(in[K])...));
    }(std::index_sequence_for<Parameters...>{});
  }
  template <class F> static path path_of(char const* name, bool fixed, F const& f) {
    return {name, fixed, &f, [](void const* g, operands in) { return call(*static_cast<F const*>(g), in); }};
  }
};

/// A function of tensors that is evaluated at each call, by the kernels of `Backend`.
template <class Backend, class F> struct evaluated {
  auto operator()(auto const&... in) const {
    auto const value = F{}(in...);
    if constexpr (gj::expression<decltype(value)>) return value.template evaluate<Backend>();
    else return value;
  }
};

/// A random expression: as an expression and compiled, and compiled for fixed extents.
template <class Open, class Fixed, class F>
void check_expression(F f, subject s, std::uint64_t seed, int draws) {
  using backend = gj::backends::eigen;
  evaluated<backend, F> const expression;
  auto const compiled = gj::compile(f, gj::backend(backend{}));
  auto const compiled_fixed = gj::compile(f, gj::backend(backend{}));
  s.oracle = &Open::template oracle<F>;
  s.all = {Open::path_of("expression", false, expression), Open::path_of("compiled", false, compiled),
           Fixed::path_of("compiled, fixed extents", true, compiled_fixed)};
  check(s, seed, draws);
}

}  // namespace paths

#endif
