// guardjit: graph/structure.hpp: values made of parts: tuples, pairs, arrays and modules, and their leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_STRUCTURE_HPP
#define GUARDJIT_GRAPH_STRUCTURE_HPP

#include <guardjit/graph/fields.hpp>
#include <guardjit/graph/sym.hpp>
#include <guardjit/tensor/frozen.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Value> inline constexpr bool is_tensor_v = false;
template <class T, index_t... Extents> inline constexpr bool is_tensor_v<tensor<T, Extents...>> = true;
/// A tensor that a call may read.
template <class Value> inline constexpr bool is_argument_tensor_v = is_tensor_v<Value> || is_frozen_v<Value>;
/// What C++ values can be one argument of a call.
template <class Value>
concept leaf_of_call =
    is_argument_tensor_v<Value> || std::is_arithmetic_v<Value> || std::is_same_v<Value, any_tensor>;

/// Whether a type is one argument or result of a function: a tensor, a C++ scalar, or what stands for
/// one in a trace.
template <class Value> inline constexpr bool is_leaf_v = leaf_of_call<Value>;
template <> inline constexpr bool is_leaf_v<sym> = true;
template <> inline constexpr bool is_leaf_v<extent_sym> = true;
template <class Value>
concept leaf = is_leaf_v<Value>;

/// A value that has fields, which may be leaves.
template <class Value>
concept structure = !leaf<Value> && std::is_class_v<Value> &&
                    (is_tuple_v<Value> || std::is_aggregate_v<Value> || without_state<Value>);

/// References to the leaves, in order of declaration.
template <class Value> constexpr auto leaves_of(Value& value) {
  if constexpr (leaf<std::remove_const_t<Value>>)
    return std::tuple<Value&>(value);
  else
    return std::apply([](auto&... field) { return std::tuple_cat(leaves_of(field)...); }, fields_of(value));
}
template <class Value> inline constexpr int leaf_count =
    static_cast<int>(std::tuple_size_v<decltype(leaves_of(std::declval<Value&>()))>);

/// A structure whose leaves are `make(std::type_identity<Leaf>{})`, called in order.
template <class Value> [[gnu::always_inline]] constexpr Value built(auto const& make) {
  if constexpr (leaf<Value>)
    return make(std::type_identity<Value>{});
  else
    return [&]<class... Fields>(type_list<Fields...>) { return Value{built<Fields>(make)...}; }
  (field_types<Value>{});
}

// The type with `Leaf` in the places of all leaves.
template <class Value, class Leaf> constexpr auto type_of_one_leaf();
template <class Value, class Leaf> using with_one_leaf_t =
    typename decltype(type_of_one_leaf<Value, Leaf>())::type;

template <class Leaf, class Value> std::type_identity<Value> retyped(Value const*, ...);
template <class Leaf, template <class...> class Module, class... Arguments>
auto retyped(Module<Arguments...> const*, int)
    -> std::type_identity<Module<with_one_leaf_t<Arguments, Leaf>...>>;
template <class Leaf, class Item, std::size_t Count>
auto retyped(std::array<Item, Count> const*, int)
    -> std::type_identity<std::array<with_one_leaf_t<Item, Leaf>, Count>>;

template <class Value, class Leaf> constexpr auto type_of_one_leaf() {
  using type = std::remove_const_t<Value>;
  if constexpr (leaf<type>) return std::type_identity<Leaf>{};
  else if constexpr (structure<type>)
    return decltype(retyped<Leaf>(static_cast<type const*>(nullptr), 0)){};
  else return std::type_identity<Value>{};
}
/// The type with symbols in the places of all leaves.
template <class Value> using symbolic_t = with_one_leaf_t<Value, sym>;

/// Whether `Leaf` is among the leaves.
template <class Value, class Leaf> constexpr bool has_leaf() {
  if constexpr (std::is_same_v<Value, Leaf>)
    return true;
  else if constexpr (structure<Value>)
    return []<class... Fields>(type_list<Fields...>) { return (has_leaf<Fields, Leaf>() || ...); }
  (field_types<Value>{});
  else return false;
}
template <class Value> constexpr bool has_symbol() { return has_leaf<Value, sym>(); }

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
