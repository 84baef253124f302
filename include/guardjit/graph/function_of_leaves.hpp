// guardjit: graph/function_of_leaves.hpp: a function of structured arguments as one of their leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_FUNCTION_OF_LEAVES_HPP
#define GUARDJIT_GRAPH_FUNCTION_OF_LEAVES_HPP

#include <guardjit/graph/mistakes.hpp>
#include <guardjit/graph/structure.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// Places are the number of the argument, bound ones behind the others, then those of fields.
template <class Value, int... Place> struct value_is_no_argument;
template <class Leaf, int... Place> struct leaf_is_no_parameter;
template <class Value, int... Place> struct fields_in_number;
}  // namespace mistakes

namespace detail {

/// `F` over the leaves of its arguments, whose types are `Symbolic`. It is traced as any function.
template <class F, class... Symbolic> struct function_of_leaves {
  template <class... Leaves>
    requires(std::is_invocable_v<F, Symbolic&...>)
  constexpr auto operator()(Leaves&... leaves) const {
    sym const all[] = {leaves..., sym()};
    unsigned next = 0;
    auto const take = [&](auto) { return all[next++]; };
    std::tuple<Symbolic...> arguments{built<Symbolic>(take)...};
    // Leaves that `F` assigned to are those of the caller.
    auto const give_back = [&] {
      std::apply(
          [&](auto&... argument) {
            std::tuple<Leaves&...>(leaves...) = std::tuple_cat(leaves_of(argument)...);
          },
          arguments);
    };
    auto const call = [](auto&... argument) { return F{}(argument...); };
    if constexpr (std::is_void_v<std::invoke_result_t<F, Symbolic&...>>) {
      std::apply(call, arguments);
      give_back();
    } else {
      auto const result = std::apply(call, arguments);
      give_back();
      return result;
    }
  }
};
/// The function that is traced: `F` itself where all its arguments are leaves.
template <class F, class... Symbolic> using traced_function =
    std::conditional_t<(std::is_same_v<Symbolic, sym> && ...), F, function_of_leaves<F, Symbolic...>>;

template <class Value, class Symbolic, int... Place> constexpr auto structure_mistake();
/// The first mistake among fields from number `K` on.
template <int K, int... Place> constexpr auto mistake_among(type_list<>, type_list<>) {
  return std::type_identity<nothing_wrong>{};
}
template <int K, int... Place, class Value, class... Rest, class Symbolic, class... Others>
constexpr auto mistake_among(type_list<Value, Rest...>, type_list<Symbolic, Others...>) {
  using found = decltype(structure_mistake<Value, Symbolic, Place..., K>());
  if constexpr (std::is_same_v<found, std::type_identity<nothing_wrong>>)
    return mistake_among<K + 1, Place...>(type_list<Rest...>{}, type_list<Others...>{});
  else return found{};
}
/// The first mistake in an argument, as a type. `Symbolic` is what stands for it in the trace.
template <class Value, class Symbolic, int... Place> constexpr auto structure_mistake() {
  if constexpr (leaf_of_call<Value>) {
    if constexpr (std::is_same_v<Symbolic, sym>) return std::type_identity<nothing_wrong>{};
    else return std::type_identity<mistakes::leaf_is_no_parameter<Value, Place...>>{};
  } else if constexpr (!structure<Value>) {
    return std::type_identity<mistakes::value_is_no_argument<Value, Place...>>{};
  } else if constexpr (std::is_aggregate_v<Value> && !is_tuple_v<Value> && !without_state<Value> &&
                       (count_fields<Value>() < 1 || count_fields<Value>() > max_fields)) {
    return std::type_identity<mistakes::fields_in_number<Value, Place...>>{};
  } else {
    return mistake_among<0, Place...>(field_types<Value>{}, field_types<Symbolic>{});
  }
}

template <class Value, int... Place>
constexpr void explain(std::type_identity<mistakes::value_is_no_argument<Value, Place...>>) {
  static_assert(no_mistake<mistakes::value_is_no_argument<Value, Place...>>,
                "guardjit: compile(f)(arguments...): arguments and bound values must be tensors, C++ "
                "scalars, or tuples, pairs, arrays and aggregates of them; eval(e) gives the tensor of an "
                "expression");
}
template <class Leaf, int... Place>
constexpr void explain(std::type_identity<mistakes::leaf_is_no_parameter<Leaf, Place...>>) {
  static_assert(no_mistake<mistakes::leaf_is_no_parameter<Leaf, Place...>>,
                "guardjit: compile(f)(arguments...): the type of each leaf of an aggregate must be a "
                "template parameter of it");
}
template <class Value, int... Place>
constexpr void explain(std::type_identity<mistakes::fields_in_number<Value, Place...>>) {
  static_assert(no_mistake<mistakes::fields_in_number<Value, Place...>>,
                "guardjit: compile(f)(arguments...): an aggregate must have 1 to 16 fields");
}

/// Whether values of these types can be the arguments of a call. One C++ compile error if not.
template <class... Values> constexpr bool require_arguments() {
  using found = decltype(mistake_among<0>(type_list<Values...>{}, type_list<symbolic_t<Values>...>{}));
  if constexpr (!is_fine<typename found::type>) explain(found{});
  return is_fine<typename found::type>;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
