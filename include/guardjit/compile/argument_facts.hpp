// guardjit: compile/argument_facts.hpp: what the types of the arguments of a call say
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ARGUMENT_FACTS_HPP
#define GUARDJIT_COMPILE_ARGUMENT_FACTS_HPP

#include <guardjit/graph/function_of_leaves.hpp>
#include <guardjit/graph/leaf_names.hpp>

#include <cstddef>
#include <span>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The last argument of `into` may be memory for intermediates.
template <class...> inline constexpr bool ends_with_workspace = false;
template <class First, class... Rest>
inline constexpr bool ends_with_workspace<First, Rest...> = ends_with_workspace<Rest...>;
template <> inline constexpr bool ends_with_workspace<std::span<std::byte>> = true;

/// The number of the first leaf of an argument among the leaves of all.
template <class... Values> constexpr int first_leaf(int argument, type_list<Values...>) {
  int const counts[] = {leaf_count<Values>..., 0};
  int first = 0;
  for (int k = 0; k < argument && k < static_cast<int>(sizeof...(Values)); ++k) first += counts[k];
  return first;
}

/// What the types of the arguments of `F` say, of which the last `Bound` are bound values.
template <class F, int Bound, class... Values> struct argument_facts {
  using values = type_list<Values...>;
  static constexpr std::size_t given = sizeof...(Values) - std::size_t{Bound};
  static constexpr bool are_leaves = (leaf<Values> && ...);
  using function = traced_function<F, symbolic_t<Values>...>;
  using names = std::conditional_t<are_leaves && Bound == 0, numbered_leaves,
                                   leaf_names<Bound, symbolic_t<Values>...>>;
  /// Parameters of `F`, bound ones included.
  static constexpr int parameters = static_cast<int>(sizeof...(Values));
  /// The number of the leaf that parameter `number` is; -1 where it is none.
  static constexpr int leaf_of(int number) {
    bool const leaves[] = {leaf<Values>..., false};
    return number >= 0 && number < parameters && leaves[number] ? first_leaf(number, values{}) : -1;
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
