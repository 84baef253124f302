// guardjit: graph/structure.hpp: values made of parts: tuples, pairs, arrays and modules, and their leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_STRUCTURE_HPP
#define GUARDJIT_GRAPH_STRUCTURE_HPP

#include <guardjit/graph/fields.hpp>
#include <guardjit/graph/sym.hpp>
#include <guardjit/tensor/tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Whether a type is one argument or result of a function: a tensor, a C++ scalar, or what stands for
/// one in a trace.
template <class Value> inline constexpr bool is_leaf_v = std::is_arithmetic_v<Value>;
template <class T, index_t... Extents> inline constexpr bool is_leaf_v<tensor<T, Extents...>> = true;
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
template <class Value> constexpr Value built(auto const& make) {
  if constexpr (leaf<Value>)
    return make(std::type_identity<Value>{});
  else
    return [&]<class... Fields>(type_list<Fields...>) { return Value{built<Fields>(make)...}; }
  (field_types<Value>{});
}

// The type with symbols in the places of all leaves.
template <class Value> constexpr auto symbolic_type();
template <class Value> using symbolic_t = typename decltype(symbolic_type<Value>())::type;

template <class Value> std::type_identity<Value> with_symbols(Value const*, ...);
template <template <class...> class Module, class... Arguments>
auto with_symbols(Module<Arguments...> const*, int) -> std::type_identity<Module<symbolic_t<Arguments>...>>;
template <class Item, std::size_t Count>
auto with_symbols(std::array<Item, Count> const*, int)
    -> std::type_identity<std::array<symbolic_t<Item>, Count>>;

template <class Value> constexpr auto symbolic_type() {
  if constexpr (leaf<Value>) return std::type_identity<sym>{};
  else if constexpr (structure<Value>) return decltype(with_symbols(static_cast<Value const*>(nullptr), 0)){};
  else return std::type_identity<Value>{};
}

/// Whether a symbol is among the leaves.
template <class Value> constexpr bool has_symbol() {
  if constexpr (std::is_same_v<Value, sym>)
    return true;
  else if constexpr (structure<Value>)
    return []<class... Fields>(type_list<Fields...>) { return (has_symbol<Fields>() || ...); }
  (field_types<Value>{});
  else return false;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
