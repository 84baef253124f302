// guardjit: tests/golden/rows.hpp: how the eager runner calls an op on a golden case
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_GOLDEN_ROWS_HPP
#define GUARDJIT_TESTS_GOLDEN_ROWS_HPP

#include <guardjit/core.hpp>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "verdict.hpp"

namespace golden {

/// A row of the table: an op's name in the golden files, and the call of it on a case.
struct row {
  char const* name;
  results (*call)(test_case const& c, arguments in);
};

/// The parts of the table, one a unit, so that they compile side by side.
std::span<row const> elementwise_rows();
std::span<row const> reduction_rows();
std::span<row const> shape_rows();

/// What `generate.py` found and wrote.
struct generated_tables {
  /// Ops of the files that the library's headers declare.
  std::span<char const* const> declared;
  /// Forms of ops that the library lacks: what rows throw as `missing_form`.
  std::span<char const* const> missing_forms;
  /// Functions of several ops, by the part of the ids between "composite-" and the number.
  std::span<row const> composites;
  /// Functions of several ops that wait, and the first op that each waits for.
  std::span<std::pair<char const*, char const*> const> waiting;
};
extern generated_tables const generated;

/// Thrown by a row: the op exists, but not in the form that the case asks for.
struct missing_form {
  char const* name;
};

inline gj::any_tensor const& tensor_at(arguments in, std::size_t k) {
  return std::get<gj::any_tensor>(in[k]);
}

/// Calls `Function` on the operands alone. Of two, one may be a scalar.
template <auto Function> results plain(test_case const&, arguments in) {
  using x = gj::any_tensor const&;
  if constexpr (requires(x a) { Function(a); })
    if (in.size() == 1) return {Function(tensor_at(in, 0))};
  if constexpr (requires(x a) { Function(a, a); })
    if (in.size() == 2)
      return std::visit(
          [](auto const& a, auto const& b) -> results {
            if constexpr (requires { Function(a, b); }) return {Function(a, b)};
            else throw missing_form{"an op on scalars alone"};
          },
          in[0], in[1]);
  if constexpr (requires(x a) { Function(a, a, a); })
    if (in.size() == 3)
      return std::visit(
          [](auto const& a, auto const& b, auto const& c) -> results {
            if constexpr (requires { Function(a, b, c); }) return {Function(a, b, c)};
            else throw missing_form{"an op on scalars alone"};
          },
          in[0], in[1], in[2]);
  throw std::invalid_argument("a number of operands that the op does not take");
}

/// Calls functions of the same tensors, one for each result.
template <int Arity, auto... Functions> results each_of(test_case const&, arguments in) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return results{Functions(tensor_at(in, K)...)...};
  }(std::make_index_sequence<Arity>{});
}

/// Calls `use` with the numbers of a list, whose count is known at run time.
template <class Use, std::size_t N = 0> results with_numbers(attribute const& list, Use const& use) {
  if constexpr (N > gj::max_rank) {
    throw std::invalid_argument("a list of too many numbers");
  } else {
    if (list.list.size() != N) return with_numbers<Use, N + 1>(list, use);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return use(list.list[K].integer...);
    }(std::make_index_sequence<N>{});
  }
}

/// Calls `use` with `axes(…)` of a list's numbers.
template <class Use> results with_axes(attribute const& list, Use const& use) {
  return with_numbers(list, [&](auto... axis) { return use(gj::axes<sizeof...(axis)>(axis...)); });
}

/// Calls `use(std::type_identity<T>{})` with the C++ type of the attribute `dtype`.
template <class Use> results with_type(test_case const& c, Use const& use) {
  return gj::visit_dtype(dtype_of(c.at("dtype").text).value(), use);
}

}  // namespace golden

#endif
