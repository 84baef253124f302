// guardjit: base/type_list.hpp: a list of types, and how to run a function on each
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_TYPE_LIST_HPP
#define GUARDJIT_BASE_TYPE_LIST_HPP

#include <guardjit/base/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// A list of types.
template <class... Types> struct type_list {
  static constexpr std::size_t size = sizeof...(Types);
};

namespace detail {
template <int K, class First, class... Rest> constexpr auto nth_type(type_list<First, Rest...>) {
  if constexpr (K == 0) return std::type_identity<First>{};
  else return nth_type<K - 1>(type_list<Rest...>{});
}
}  // namespace detail
/// Type number `K` of a list.
template <int K, class List> using nth_type_t = typename decltype(detail::nth_type<K>(List{}))::type;

/// One list behind the other.
template <class... A, class... B>
constexpr type_list<A..., B...> operator+(type_list<A...>, type_list<B...>) {
  return {};
}
/// All lists, one behind the other.
template <class... Lists> using joined_t = decltype((type_list<>{} + ... + Lists{}));

/// Calls `visit(std::type_identity<Type>{})` for each type in order.
template <class... Types> constexpr void for_each_type(type_list<Types...>, auto&& visit) {
  (visit(std::type_identity<Types>{}), ...);
}

/// Calls `visit(std::integral_constant<int, k>{})` for k in [0, Count).
template <int Count> constexpr void for_each_index(auto&& visit) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (visit(std::integral_constant<int, K>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

/// The same, inlined whatever the count: for what a hit does with each argument.
template <int Count> GUARDJIT_DETAIL_INLINE constexpr void unrolled(auto&& visit) {
  [&]<int... K>(std::integer_sequence<int, K...>) GUARDJIT_DETAIL_INLINE {
    (visit(std::integral_constant<int, K>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
