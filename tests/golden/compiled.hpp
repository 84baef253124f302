// guardjit: tests/golden/compiled.hpp: golden cases by compiled functions, for the generated units
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_GOLDEN_COMPILED_HPP
#define GUARDJIT_TESTS_GOLDEN_COMPILED_HPP

#include <guardjit/guardjit.hpp>
#if GOLDEN_THRUST
#include <guardjit/kernels/thrust.hpp>
#endif

#include <doctest/doctest.h>

#include <cstdio>
#include <initializer_list>

#include "verdict.hpp"

namespace golden {

/// Operand number `k` as a typed tensor, whose extents are known at run time.
template <class T, int Rank> struct tensor_parameter {
  static auto from(test_case const&, arguments in, std::size_t k) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return std::get<gj::any_tensor>(in[k]).as<T, (static_cast<void>(D), gj::dyn)...>();
    }(std::make_index_sequence<Rank>{});
  }
};
/// Operand number `k` as a C++ scalar.
template <class T> struct scalar_parameter {
  static T from(test_case const&, arguments in, std::size_t k) { return std::get<T>(in[k]); }
};
/// A tensor of the result's shape, for functions that take no tensor.
template <int Rank> struct like_result {
  static auto from(test_case const& c, arguments, std::size_t) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return gj::ones<float>(c.outputs[0].shape[D]...);
    }(std::make_index_sequence<Rank>{});
  }
};

/// A compiled function without its type: what checks it need not be instantiated for each.
struct erased_function {
  void const* function;
  gj::any_tensor (*call)(void const* function, test_case const& c, arguments present);
  int (*compiles)(void const* function);
};

/// The cases of one function by one of its compiled forms. Each runs twice: the second call hits the
/// entry of the first. `output` is the number of the result that the function gives.
void check_cases(erased_function const& f, std::string const& how, std::size_t output,
                 std::initializer_list<char const*> ids);

template <class Function, class... Parameters> erased_function erased(Function const& function) {
  return {&function,
          [](void const* f, test_case const& c, arguments in) {
            return [&]<std::size_t... K>(std::index_sequence<K...>) {
              return gj::any_tensor((*static_cast<Function const*>(f))(Parameters::from(c, in, K)...));
            }(std::index_sequence_for<Parameters...>{});
          },
          [](void const* f) { return static_cast<Function const*>(f)->compiles(); }};
}

/// By compiled functions: with an entry for each of the cases' extents, and with open extents.
template <class Backend, class... Parameters>
void check_compiled(auto f, std::size_t output, std::initializer_list<char const*> ids) {
  gj::recompile_limit const entries{1000};
  gj::compile_limit const compiles{1000};
  auto const fixed = gj::compile(f, gj::backend(Backend{}), gj::dynamic::none, entries, compiles);
  auto const open = gj::compile(f, gj::backend(Backend{}), gj::dynamic::all, entries, compiles);
  std::string const by = Backend::name;
  check_cases(erased<decltype(fixed), Parameters...>(fixed), by + ", static entries", output, ids);
  check_cases(erased<decltype(open), Parameters...>(open), by + ", dynamic entries", output, ids);
}

/// A function of tensors that is evaluated at each call, by the kernels of `Backend`.
template <class Backend, class F> struct evaluated_function {
  F f;
  auto operator()(auto const&... in) const {
    auto const value = f(in...);
    if constexpr (gj::expression<decltype(value)>) return value.template evaluate<Backend>();
    else return value;
  }
  static int compiles() { return 0; }
};
/// By an expression.
template <class Backend, class... Parameters>
void check_expression(auto f, std::size_t output, std::initializer_list<char const*> ids) {
  evaluated_function<Backend, decltype(f)> const function{f};
  check_cases(erased<decltype(function), Parameters...>(function),
              std::string(Backend::name) + ", as an expression", output, ids);
}

/// The cases of one function on each path, one line a path. `f` gives result number `Output` of the op.
template <std::size_t Output, class... Parameters>
void check_paths(auto f, std::initializer_list<char const*> ids) {
  check_compiled<gj::backends::reference, Parameters...>(f, Output, ids);
  check_compiled<gj::backends::eigen, Parameters...>(f, Output, ids);
  check_expression<gj::backends::reference, Parameters...>(f, Output, ids);
  check_expression<gj::backends::eigen, Parameters...>(f, Output, ids);
#if GOLDEN_THRUST
  check_compiled<gj::backends::thrust_cpp, Parameters...>(f, Output, ids);
#endif
}

}  // namespace golden

#endif
