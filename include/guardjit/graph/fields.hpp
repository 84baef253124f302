// guardjit: graph/fields.hpp: the fields of tuples, pairs, arrays and aggregates
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_FIELDS_HPP
#define GUARDJIT_GRAPH_FIELDS_HPP

#include <guardjit/base/type_list.hpp>

#include <array>
#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

/// Fields of one aggregate, at most.
inline constexpr int max_fields = 16;

namespace detail {

template <class Value> inline constexpr bool is_tuple_v = false;
template <class... Items> inline constexpr bool is_tuple_v<std::tuple<Items...>> = true;
template <class First, class Second> inline constexpr bool is_tuple_v<std::pair<First, Second>> = true;
template <class Item, std::size_t Count> inline constexpr bool is_tuple_v<std::array<Item, Count>> = true;

/// Fits each field of an aggregate; never converted.
struct any_field {
  template <class Field> constexpr operator Field() const noexcept;
};
template <int> using any_field_at = any_field;
template <class Value, int... K> constexpr bool takes_fields(std::integer_sequence<int, K...>) {
  return requires { Value{any_field_at<K>{}...}; };
}
/// Number of fields of an aggregate; one more than `max_fields` where there are more.
template <class Value, int Count = max_fields + 1> constexpr int count_fields() {
  if constexpr (Count == 0 || takes_fields<Value>(std::make_integer_sequence<int, Count>{})) return Count;
  else return count_fields<Value, Count - 1>();
}

/// A function object without state is part of the function, not of its arguments.
template <class Value>
concept without_state = std::is_empty_v<Value> && std::is_default_constructible_v<Value>;
/// References to the fields, in order of declaration; of a type without fields, none.
template <class Value> constexpr auto fields_of(Value& value) {
  using type = std::remove_const_t<Value>;
  if constexpr (is_tuple_v<type>) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple<decltype(std::get<K>(value))...>(std::get<K>(value)...);
    }(std::make_index_sequence<std::tuple_size_v<type>>{});
  } else if constexpr (without_state<type>) {
    return std::tuple<>();
  } else {
    constexpr int count = count_fields<type>();
    if constexpr (count == 1) {
      auto& [a] = value;
      return std::tie(a);
    } else if constexpr (count == 2) {
      auto& [a, b] = value;
      return std::tie(a, b);
    } else if constexpr (count == 3) {
      auto& [a, b, c] = value;
      return std::tie(a, b, c);
    } else if constexpr (count == 4) {
      auto& [a, b, c, d] = value;
      return std::tie(a, b, c, d);
    } else if constexpr (count == 5) {
      auto& [a, b, c, d, e] = value;
      return std::tie(a, b, c, d, e);
    } else if constexpr (count == 6) {
      auto& [a, b, c, d, e, f] = value;
      return std::tie(a, b, c, d, e, f);
    } else if constexpr (count == 7) {
      auto& [a, b, c, d, e, f, g] = value;
      return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (count == 8) {
      auto& [a, b, c, d, e, f, g, h] = value;
      return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (count == 9) {
      auto& [a, b, c, d, e, f, g, h, i] = value;
      return std::tie(a, b, c, d, e, f, g, h, i);
    } else if constexpr (count == 10) {
      auto& [a, b, c, d, e, f, g, h, i, j] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (count == 11) {
      auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    } else if constexpr (count == 12) {
      auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    } else if constexpr (count == 13) {
      auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } else if constexpr (count == 14) {
      auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    } else if constexpr (count == 15) {
      auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    } else if constexpr (count == 16) {
      auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
      return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    } else {
      return std::tuple<>();
    }
  }
}

template <class... Fields> auto without_references(std::tuple<Fields...>)
    -> type_list<std::remove_cvref_t<Fields>...>;
/// The types of the fields.
template <class Value> using field_types =
    decltype(without_references(fields_of(std::declval<Value&>())));

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
