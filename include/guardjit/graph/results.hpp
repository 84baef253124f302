// guardjit: graph/results.hpp: what a traced function may return, and the same structure of other leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_RESULTS_HPP
#define GUARDJIT_GRAPH_RESULTS_HPP

#include <guardjit/graph/mistakes.hpp>
#include <guardjit/graph/structure.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// `Place` has the numbers of fields.
template <class Value, int... Place> struct value_is_no_result;
template <int Number> struct results_in_number;
template <class Result, class Leaves> struct result_is_not_generic;
}  // namespace mistakes

namespace detail {

/// The first mistake in what a function returns, as a type.
template <class Result, int... Place> constexpr auto result_mistake();
template <int K, int... Place, class... Fields> constexpr auto result_mistake_among(type_list<Fields...>) {
  if constexpr (K == sizeof...(Fields)) {
    return std::type_identity<nothing_wrong>{};
  } else {
    using found = decltype(result_mistake<nth_type_t<K, type_list<Fields...>>, Place..., K>());
    if constexpr (is_fine<typename found::type>)
      return result_mistake_among<K + 1, Place...>(type_list<Fields...>{});
    else return found{};
  }
}
template <class Result, int... Place> constexpr auto result_mistake() {
  constexpr bool is_tensor = std::is_same_v<Result, sym> || std::is_same_v<Result, extent_sym> ||
                             std::is_arithmetic_v<Result>;
  if constexpr (is_tensor) return std::type_identity<nothing_wrong>{};
  else if constexpr (structure<Result>) return result_mistake_among<0, Place...>(field_types<Result>{});
  else return std::type_identity<mistakes::value_is_no_result<Result, Place...>>{};
}
/// Whether a trace has one to `max_results` results, all tensors; or none, where it returns nothing.
template <class Result> constexpr bool has_results() {
  using found = typename decltype(result_mistake<Result>())::type;
  if constexpr (std::is_void_v<Result>) return true;
  else if constexpr (is_fine<found>) return leaf_count<Result> > 0 && leaf_count<Result> <= max_results;
  else return false;
}
template <class Result> constexpr void require_results() {
  using found = typename decltype(result_mistake<Result>())::type;
  if constexpr (!is_fine<found>) {
    static_assert(no_mistake<found>,
                  "guardjit: compile(f): f must return tensors, or tuples, pairs, arrays and aggregates of "
                  "them");
  } else {
    using number = mistakes::results_in_number<leaf_count<Result>>;
    static_assert(no_mistake<number>, "guardjit: compile(f): f must have 1 to 64 results");
  }
}

// The type of a structure with other leaves: the types of `Leaves` from number `First` on.
template <class Value, int First, class Leaves> constexpr auto type_with_leaves();
template <class Value, int First, class Leaves> using with_leaves_t =
    typename decltype(type_with_leaves<Value, First, Leaves>())::type;

/// The fields of a structure with other leaves.
template <int First, class Leaves, class... Done> constexpr auto fields_with_leaves(type_list<>) {
  return type_list<Done...>{};
}
template <int First, class Leaves, class... Done, class Field, class... Rest>
constexpr auto fields_with_leaves(type_list<Field, Rest...>) {
  using field = with_leaves_t<Field, First, Leaves>;
  return fields_with_leaves<First + leaf_count<Field>, Leaves, Done..., field>(type_list<Rest...>{});
}

/// Whether these are the types of the fields.
template <class Value, class Fields>
concept has_fields = std::is_same_v<field_types<Value>, Fields>;
/// A template over its fields, in order; or over the one type of all its leaves.
template <class Leaf, class Value, class Fields> auto with_fields(Value const*, Fields, ...)
    -> std::type_identity<with_one_leaf_t<Value, Leaf>>;
template <class Leaf, template <class...> class Module, class... Arguments, class... Fields>
  requires(has_fields<Module<Fields...>, type_list<Fields...>>)
auto with_fields(Module<Arguments...> const*, type_list<Fields...>, int)
    -> std::type_identity<Module<Fields...>>;

template <class Value, int First, class Leaves> constexpr auto type_with_leaves() {
  if constexpr (leaf<Value>)
    return std::type_identity<nth_type_t<First, Leaves>>{};
  else if constexpr (leaf_count<Value> == 0)
    return std::type_identity<Value>{};
  else
    return decltype(with_fields<nth_type_t<First, Leaves>>(
        static_cast<Value const*>(nullptr), fields_with_leaves<First, Leaves>(field_types<Value>{}), 0)){};
}

template <class... Types> auto list_of(std::tuple<Types&...> const&) -> type_list<Types...>;
/// The structure of `Result` with `Leaves` in the places of its own. One C++ compile error where its
/// type cannot say them all.
template <class Result, class Leaves> constexpr auto require_result_type() {
  using type = with_leaves_t<Result, 0, Leaves>;
  if constexpr (std::is_same_v<decltype(list_of(leaves_of(std::declval<type&>()))), Leaves>) {
    return std::type_identity<type>{};
  } else {
    static_assert(no_mistake<mistakes::result_is_not_generic<Result, Leaves>>,
                  "guardjit: compile(f)(arguments...): an aggregate that f returns must be a template over "
                  "the types of its fields in order, or over the one type of all its leaves; the results in "
                  "an array must have one type");
    return std::type_identity<void>{};
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
