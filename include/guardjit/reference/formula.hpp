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
  template <dtype To, dtype From> GUARDJIT_HD static constexpr lane_for<To> convert(lane_for<From> v) {
    return convert_<element_t<To>>(v);
  }
};

namespace detail {

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

/// Whether a node is taken from outside when the formula is evaluated at one place: inputs, and
/// reductions, whose values were computed before.
constexpr bool is_given(op id) { return id == op::input || is_reduction(id); }

/// The nodes that the value of node `Target` needs; what given nodes were computed from is not.
template <class Formula, int Target> struct formula_needs {
  struct table {
    bool needed[Formula::size]{};
  };
  static constexpr table value = [] {
    table t{};
    t.needed[Target] = true;
    for (int k = Target; k >= 0; --k) {
      auto const n = Formula::node(k);
      if (!t.needed[k] || is_given(n.id) || n.id == op::constant) continue;
      int const arity = info_of(n.id).arity;
      if (arity > 0) t.needed[n.a] = true;
      if (arity > 1) t.needed[n.b] = true;
      if (arity > 2) t.needed[n.c] = true;
    }
    return t;
  }();
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
  template <int Node> GUARDJIT_HD constexpr auto& get() {
    constexpr auto type = Formula::node(Node).type;
    constexpr auto& places = formula_places<Formula>::value;
    using home = lane_array<Lanes, type, places.count[static_cast<int>(type)]>;
    return static_cast<home&>(*this).at[places.place[Node]];
  }
};

/// Evaluates node `Node` if `Target` needs it. Inlined by force: the arrays of values must become
/// registers, also where a formula has hundreds of nodes.
template <class Formula, class Lanes, int Target, int Node, class Source>
[[gnu::always_inline]] GUARDJIT_HD constexpr int evaluate_node(
    formula_values<Formula, Lanes>& values, Source const& source) {
  if constexpr (formula_needs<Formula, Target>::value.needed[Node]) {
    constexpr formula_node n = Formula::node(Node);
    constexpr int arity = info_of(n.id).arity;
    auto& result = values.template get<Node>();
    if constexpr (is_given(n.id)) {
      result = source(std::integral_constant<int, Node>{});
    } else if constexpr (n.id == op::constant) {
      result = Lanes::template constant<n.type, Formula::bits(n)>();
    } else if constexpr (n.id == op::to) {
      result = Lanes::template convert<n.type, Formula::node(n.a).type>(values.template get<n.a>());
    } else {
      static_assert(is_elementwise(n.id), "guardjit: a formula holds elementwise ops and reductions");
      if constexpr (arity == 1)
        result = op_row<n.id>::eval(values.template get<n.a>());
      else if constexpr (arity == 2)
        result = op_row<n.id>::eval(values.template get<n.a>(), values.template get<n.b>());
      else
        result = op_row<n.id>::eval(values.template get<n.a>(), values.template get<n.b>(),
                                    values.template get<n.c>());
    }
  }
  return 0;
}

template <class Formula, class Lanes, int Target, class Source, int... Node>
[[gnu::always_inline]] GUARDJIT_HD constexpr auto evaluate_nodes(
    Source const& source, std::integer_sequence<int, Node...>) {
  formula_values<Formula, Lanes> values;
  // A braced list and no fold: clang nests folds, at most 256 deep.
  [[maybe_unused]] int const order[] = {
      evaluate_node<Formula, Lanes, Target, Node>(values, source)...};
  return values.template get<Target>();
}

}  // namespace detail

/// The value of node `Target` of a formula (the last one if not given). `source` is called with
/// the number of each input or reduction node that is needed and returns its lane.
template <class Formula, class Lanes, int Target = Formula::size - 1, class Source>
[[gnu::always_inline]] GUARDJIT_HD constexpr auto evaluate_formula(Source const& source) {
  return detail::evaluate_nodes<Formula, Lanes, Target>(
      source, std::make_integer_sequence<int, Target + 1>{});
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
