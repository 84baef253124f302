// guardjit: tests/paths/function.hpp: one function by each path, for the generated units
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_FUNCTION_HPP
#define GUARDJIT_TESTS_PATHS_FUNCTION_HPP

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "interpreted.hpp"
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

/// `m`, `n` and `k`; `dyn` where any will do.
using sizes = std::array<index_t, 3>;

/// A function on one path, without its type: what draws and compares need not be instantiated for each.
struct path {
  std::string name;
  unsigned takes;  ///< bit k is set where it takes operands of `drawn[k]`
  void const* function;
  any_tensor (*call)(void const* function, operands in);
};

/// What is drawn, called and compared.
struct subject {
  std::string text;
  std::vector<parameter> parameters;
  std::vector<sizes> drawn;  ///< of the calls, in turn; the first are `dyn`
  known (*oracle)(operands in) = nullptr;
  std::vector<path> all{};
};

inline constexpr sizes any_sizes{dyn, dyn, dyn};

/// Calls each path `draws` times on operands of random extents, layouts and values, and the oracle beside.
void check(subject const& s, std::uint64_t seed, int draws);

/// Empty, or how a result differs from the oracle's by more than the bound. Rules: POL-17.
std::string difference(any_tensor const& got, known const& want);

/// How an operand enters a path: as a tensor of known or unknown extents, or as a scalar.
template <class T, index_t... Extents> struct as_tensor {
  static auto from(any_tensor const& x) { return x.as<T, Extents...>(); }
  template <class Operand> static auto to(any_tensor const& x) { return Operand(x); }
};
template <class T> struct as_scalar {
  static T from(any_tensor const& x) { return x.item<T>(); }
  template <class Operand> static T to(any_tensor const& x) { return x.item<T>(); }
};

template <class... Parameters> struct call_signature {
  template <class F> static any_tensor call(F const& f, operands in) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return any_tensor(f(Parameters::from(in[K])...));
    }(std::index_sequence_for<Parameters...>{});
  }
  /// With each tensor as an `Operand`.
  template <class Operand, class F> static Operand call_on(operands in) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return Operand(F{}(Parameters::template to<Operand>(in[K])...));
    }(std::index_sequence_for<Parameters...>{});
  }
  template <class F> static path path_of(std::string name, unsigned takes, F const& f) {
    return {std::move(name), takes, &f,
            [](void const* g, operands in) { return call(*static_cast<F const*>(g), in); }};
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

/// A compiled function whose calls are run by `tiles`.
template <class Compiled> struct on_tiles {
  Compiled const& compiled;
  auto operator()(auto const&... in) const {
    gj::stance_scope const forced{gj::stance::normal, gj::force_backend(tiles_backend())};
    return compiled(in...);
  }
};

}  // namespace paths

#endif
