// guardjit: reference/formula.hpp: the value of a formula at one place, over any kind of lanes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_FORMULA_HPP
#define GUARDJIT_REFERENCE_FORMULA_HPP

#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/numbers.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// Lanes of one element each, whose inexact functions are those of `Math`. A kind of lanes says
/// which lane type carries a dtype, how a constant looks in it and how one dtype becomes another.
template <class Math = standard_math> struct scalar_lanes {
  template <dtype Type> using lane_for = lane<element_t<Type>, Math>;

  template <dtype Type, std::uint64_t Bits> GUARDJIT_HD static constexpr lane_for<Type> constant() {
    return {detail::constant_value<element_t<Type>, Bits>()};
  }
  template <dtype To, dtype From>
  GUARDJIT_HD static constexpr lane_for<To> convert(lane_for<From> v) {
    return convert_<element_t<To>>(v);
  }
};

namespace detail {

/// A node of a formula as constants of a type: device code may not call host functions, not even
/// for constants.
template <class Formula, int Node> struct formula_entry {
  static constexpr op id = Formula::node(Node).id;
  static constexpr dtype type = Formula::node(Node).type;
  static constexpr int a = Formula::node(Node).a;
  static constexpr int b = Formula::node(Node).b;
  static constexpr int c = Formula::node(Node).c;
  static constexpr int arity = info_of(id).arity;
  static constexpr bool elementwise = is_elementwise(id), reduction = is_reduction(id);
};
template <class Formula> using last_entry = formula_entry<Formula, Formula::size - 1>;

/// Where values lie while a formula is evaluated: values of one dtype share an array.
template <class Formula> struct formula_places {
  struct table {
    int place[Formula::size]{};
    int count[dtype_count]{};
  };
  static constexpr table value = [] {
    table t{};
    for (int k = 0; k < Formula::size; ++k)
      t.place[k] = t.count[static_cast<int>(Formula::node(k).type)]++;
    return t;
  }();
};

/// The nodes that are taken from outside when a formula is evaluated at one place: inputs, and
/// reductions, whose values were computed before.
template <class Formula> struct leaves {
  static constexpr bool given(int node) {
    return Formula::node(node).id == op::input || is_reduction(Formula::node(node).id);
  }
};

/// The nodes that the value of node `Target` needs, and those that `Given` calls `wanted`, if it does; what
/// given nodes were computed from is not.
template <class Formula, int Target, class Given = leaves<Formula>> struct formula_needs {
  struct table {
    bool needed[Formula::size]{};
  };
  static constexpr table value = [] {
    table t{};
    t.needed[Target] = true;
    if constexpr (requires { Given::wanted(Target); })
      for (int k = 0; k < Target; ++k) t.needed[k] = Given::wanted(k);
    for (int k = Target; k >= 0; --k) {
      auto const n = Formula::node(k);
      if (!t.needed[k] || Given::given(k) || n.id == op::constant) continue;
      int const arity = info_of(n.id).arity;
      if (arity > 0) t.needed[n.a] = true;
      if (arity > 1) t.needed[n.b] = true;
      if (arity > 2) t.needed[n.c] = true;
    }
    return t;
  }();
};

template <class Formula, int Target, class Given, int Node> struct formula_visit {
  static constexpr bool needed = formula_needs<Formula, Target, Given>::value.needed[Node];
  static constexpr bool given = Given::given(Node);
};
template <class Formula, int Index> struct formula_constant {
  static constexpr std::uint64_t bits = Formula::words[Index];
};

template <class Lanes, dtype Type, int Count> struct lane_array {
  typename Lanes::template lane_for<Type> at[static_cast<unsigned>(Count)];
};
template <class Lanes, dtype Type> struct lane_array<Lanes, Type, 0> {};

template <class Formula, class Lanes, class = std::make_integer_sequence<int, dtype_count>>
struct formula_values;
template <class Formula, class Lanes, int... Type>
struct formula_values<Formula, Lanes, std::integer_sequence<int, Type...>>
    : lane_array<Lanes, static_cast<dtype>(Type), formula_places<Formula>::value.count[Type]>... {
  template <int Node> struct place {
    static constexpr int index = formula_places<Formula>::value.place[Node];
    static constexpr dtype type = formula_entry<Formula, Node>::type;
    using home =
        lane_array<Lanes, type, formula_places<Formula>::value.count[static_cast<int>(type)]>;
  };
  template <int Node> GUARDJIT_HD constexpr auto& get() {
    return static_cast<typename place<Node>::home&>(*this).at[place<Node>::index];
  }
};

/// Evaluates node `Node` if `Target` needs it. Inlined by force: the arrays of values must become
/// registers, also where a formula has hundreds of nodes.
template <class Formula, class Lanes, int Target, class Given, int Node, class Source>
[[gnu::always_inline]] GUARDJIT_HD constexpr int evaluate_node(
    formula_values<Formula, Lanes>& values, Source const& source) {
  if constexpr (formula_visit<Formula, Target, Given, Node>::needed) {
    using n = formula_entry<Formula, Node>;
    auto& result = values.template get<Node>();
    if constexpr (formula_visit<Formula, Target, Given, Node>::given) {
      result = source(std::integral_constant<int, Node>{});
    } else if constexpr (n::id == op::constant) {
      result = Lanes::template constant<n::type, formula_constant<Formula, n::a>::bits>();
    } else if constexpr (n::id == op::to) {
      result = Lanes::template convert<n::type, formula_entry<Formula, n::a>::type>(
          values.template get<n::a>());
    } else {
      static_assert(n::elementwise, "guardjit: a formula holds elementwise ops and reductions");
      if constexpr (n::arity == 1) result = op_row<n::id>::eval(values.template get<n::a>());
      else if constexpr (n::arity == 2)
        result = op_row<n::id>::eval(values.template get<n::a>(), values.template get<n::b>());
      else
        result = op_row<n::id>::eval(values.template get<n::a>(), values.template get<n::b>(),
                                     values.template get<n::c>());
    }
    if constexpr (requires { source.keep(std::integral_constant<int, Node>{}, result); })
      source.keep(std::integral_constant<int, Node>{}, result);
  }
  return 0;
}

template <class Formula, class Lanes, int Target, class Given, class Source, int... Node>
[[gnu::always_inline]] GUARDJIT_HD constexpr auto evaluate_nodes(
    Source const& source, std::integer_sequence<int, Node...>) {
  formula_values<Formula, Lanes> values;
  // A braced list and no fold: clang nests folds, at most 256 deep.
  [[maybe_unused]] int const order[] = {
      evaluate_node<Formula, Lanes, Target, Given, Node>(values, source)...};
  return values.template get<Target>();
}

}  // namespace detail

/// The value of node `Target` of a formula (the last one if not given). `source` is called with
/// the number of each given node that is needed and returns its lane; its `keep`, if it has one
/// for a node, is told the value of that node.
template <class Formula, class Lanes, int Target = Formula::size - 1,
          class Given = detail::leaves<Formula>, class Source>
[[gnu::always_inline]] GUARDJIT_HD constexpr auto evaluate_formula(Source const& source) {
  return detail::evaluate_nodes<Formula, Lanes, Target, Given>(
      source, std::make_integer_sequence<int, Target + 1>{});
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
