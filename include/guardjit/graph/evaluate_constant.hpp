// guardjit: graph/evaluate_constant.hpp: a traced function run by the C++ compiler
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_EVALUATE_CONSTANT_HPP
#define GUARDJIT_GRAPH_EVALUATE_CONSTANT_HPP

#include <guardjit/graph/function_of_leaves.hpp>
#include <guardjit/graph/interpret.hpp>
#include <guardjit/graph/literal_tensor.hpp>
#include <guardjit/graph/passes/optimize.hpp>
#include <guardjit/graph/paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
template <op Op, class At> struct no_constant_formula;
template <class At> struct break_in_constant;
template <class AtFirst, class AtSecond> struct result_extents_differ;
}  // namespace mistakes

namespace detail {

/// How a value of `evaluate_constant` looks in a signature, and its elements as bits.
template <class Value> struct constant_argument;
template <scalar_operand Value> struct constant_argument<Value> {
  static constexpr bool is_whole = std::is_integral_v<Value> && !std::is_same_v<Value, bool>;
  using element_type = std::conditional_t<is_whole, std::int64_t, Value>;
  static constexpr argument_type type{dtype_v<element_type>, true, {}};
  static constexpr index_t count = 1;
  static constexpr scalar_bits at(Value v, index_t) { return scalar_bits::of(static_cast<element_type>(v)); }
};
template <class T, index_t... Extents> struct constant_argument<literal_tensor<T, Extents...>> {
  using value = literal_tensor<T, Extents...>;
  static constexpr argument_type type{dtype_v<T>, false, value::shape()};
  static constexpr index_t count = value::count;
  static constexpr scalar_bits at(value const& v, index_t k) { return scalar_bits::of(v.elements[k]); }
};
template <class Value>
concept constant_value_of_argument = requires { constant_argument<Value>::count; };

/// Stands for a result where the function is wrong: equal to all, so that one mistake is one error.
struct no_constant {
  friend constexpr bool operator==(no_constant, auto const&) { return true; }
};

template <class T, index_t... Extents> inline constexpr bool is_leaf_v<literal_tensor<T, Extents...>> = true;
template <class Value>
concept constant_argument_or_parts = constant_value_of_argument<Value> || structure<Value>;

/// The type of result number `K`: a scalar where its rank is 0.
template <auto const& Graph, int K> constexpr auto constant_type() {
  constexpr int node = Graph.view().outputs[K];
  using element_type = element_t<Graph.view()[node].type>;
  return []<int... D>(std::integer_sequence<int, D...>) {
    if constexpr (sizeof...(D) == 0) return std::type_identity<element_type>{};
    else return std::type_identity<literal_tensor<element_type, Graph.view().shape_of(node)[D]...>>{};
  }
  (std::make_integer_sequence<int, Graph.view().shape_of(node).rank>{});
}
template <element Scalar>
constexpr Scalar value_of_bits(scalar_bits const* bits, std::type_identity<Scalar>) {
  return bits->as<Scalar>();
}
template <class T, index_t... Extents>
constexpr auto value_of_bits(scalar_bits const* bits, std::type_identity<literal_tensor<T, Extents...>>) {
  literal_tensor<T, Extents...> result;
  for (index_t k = 0; k < result.count; ++k) result.elements[k] = bits[k].template as<T>();
  return result;
}

/// All results of a graph, in the structure of what the function returns.
template <class Path> struct constant_results {
  static constexpr auto const& graph = optimized<Path>::graph;
  template <int... K> static auto types(std::integer_sequence<int, K...>)
      -> type_list<typename decltype(constant_type<graph, K>())::type...>;
  static constexpr int count = static_cast<int>(graph.view().outputs.size());
  using type = typename decltype(
      require_result_type<typename Path::result,
                          decltype(types(std::make_integer_sequence<int, count>{}))>())::type;

  static constexpr type of(scalar_bits const* const* arguments) {
    interpreter<graph> const computed(arguments);
    int next = 0;
    return built<type>([&](auto leaf) { return value_of_bits(computed.output(next++), leaf); });
  }
};

template <auto const& Graph> constexpr int first_inexact() {
  graph_view const g = Graph.view();
  for (int k = 0; k < g.size(); ++k)
    if (is_elementwise(g[k].id) &&
        !has_constant_formula(g[k].id, g[g.operand(k, g.operands(k) - 1)].type))
      return k;
  return -1;
}
template <auto const& Graph, int Node> struct node_line {
  static constexpr source_line value = Graph.view()[Node].where;
};

/// Whether `opaque` cuts no path: its callable takes real tensors. One C++ compile error if one is cut.
template <class List> constexpr bool require_no_break() {
  if constexpr (has_breaks(List{}))
    static_assert(no_mistake<mistakes::break_in_constant<line_of_break<List>>>,
                  "guardjit: evaluate_constant(f, values): f must not call opaque");
  return !has_breaks(List{});
}
/// Whether all paths can be run, and give the same type. One C++ compile error if not.
template <class First, class... Rest> constexpr bool require_constant(type_list<First, Rest...>) {
  constexpr int inexact = first_inexact<optimized<First>::graph>();
  if constexpr (inexact >= 0) {
    using at = typename named_line<node_line<optimized<First>::graph, inexact>>::type;
    static_assert(no_mistake<mistakes::no_constant_formula<optimized<First>::graph.view()[inexact].id, at>>,
                  "guardjit: evaluate_constant(f, values): an op has no formula that the compiler can "
                  "evaluate");
    return false;
  } else if constexpr (sizeof...(Rest) > 0) {
    using next = path_at<type_list<Rest...>, 0>;
    using type = typename constant_results<First>::type;
    if constexpr (!std::is_same_v<type, typename constant_results<next>::type>) {
      using at = typename named_line<result_line<First, 0>>::type;
      using at_next = typename named_line<result_line<next, 0>>::type;
      static_assert(no_mistake<mistakes::result_extents_differ<at, at_next>>,
                    "guardjit: evaluate_constant(f, values): the results of all paths must have one shape");
      return false;
    } else {
      return require_constant(type_list<Rest...>{});
    }
  } else {
    return true;
  }
}

/// Whether the values choose this path.
constexpr bool is_chosen(graph_view const& g, scalar_bits const* const* values, argument_type const* types) {
  auto const number = [&](term const& t) {
    if (t.kind == term::number) return t.real;
    if (t.kind == term::extent) return static_cast<double>(t.value);
    scalar_bits const v = *values[t.value];
    return is_floating(types[t.value].type) ? v.as<double>() : static_cast<double>(v.as<std::int64_t>());
  };
  for (condition const& c : g.conditions) {
    double const a = number(c.left), b = number(c.right);
    if (compares(c.compare, a, b) != c.outcome) return false;
  }
  return true;
}

template <class F, class... Values> constexpr auto evaluate_leaves(Values const&... values) {
  using arguments = call_signature<constant_argument<Values>::type...>;
  using every = paths<F, arguments>;
  require_paths<F, arguments>();
  if constexpr (!every::fine) {
    return no_constant{};
  } else if constexpr (!require_no_break<typename every::list>()) {
    return no_constant{};
  } else if constexpr (!require_constant(typename every::list{})) {
    return no_constant{};
  } else {
    constexpr index_t total = (index_t{1} + ... + constant_argument<Values>::count);
    scalar_bits bits[static_cast<unsigned>(total)]{};
    scalar_bits const* at[sizeof...(Values) + 1]{};
    unsigned argument = 0, next = 0;
    auto const put_bits = [&]<class Value>(Value const& v) {
      at[argument++] = bits + next;
      for (index_t k = 0; k < constant_argument<Value>::count; ++k)
        bits[next++] = constant_argument<Value>::at(v, k);
    };
    (put_bits(values), ...);

    typename constant_results<typename every::last>::type result{};
    for_each_type(typename every::list{}, [&]<class Path>(std::type_identity<Path>) {
      if (is_chosen(Path::graph.view(), at, arguments::arguments.data()))
        result = constant_results<Path>::of(at);
    });
    return result;
  }
}

}  // namespace detail

/// Runs `f` in constant evaluation, on the path that the values choose, bit-equal to the reference
/// backend: `static_assert(evaluate_constant([](auto a) { return a * a + 1.0f; }, 2.0f) == 5.0f)`.
/// Values are C++ scalars, `literal_tensor`s, and tuples, pairs, arrays and aggregates of them; so are
/// results: a scalar where the rank is 0, else a `literal_tensor`. Ops without a constexpr formula
/// (`exp`, `tanh`, `sqrt` and their kin) and `opaque` are refused by a C++ compile error that names them.
/// Rules: G97, G151.
template <class F, class... Values>
  requires(detail::constant_argument_or_parts<Values> && ...)
constexpr auto evaluate_constant(F, Values const&... values) {
  if constexpr ((detail::constant_value_of_argument<Values> && ...))
    return detail::evaluate_leaves<F>(values...);
  else
    return std::apply(
        [](auto const&... leaf) {
          return detail::evaluate_leaves<detail::traced_function<F, detail::symbolic_t<Values>...>>(leaf...);
        },
        std::tuple_cat(detail::leaves_of(values)...));
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
