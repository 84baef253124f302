// guardjit: compile/fused_group.hpp: which ops of an expression one kernel computes, as a formula
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FUSED_GROUP_HPP
#define GUARDJIT_COMPILE_FUSED_GROUP_HPP

#include <guardjit/compile/flat_op.hpp>
#include <guardjit/expr/expression.hpp>
#include <guardjit/ops/numbers.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Operations of one operand of a fused op, at most: larger kernels gain nothing.
inline constexpr int largest_fused_operand = 30;
/// From this cost of an element on, a value that is used for many elements is stored first.
inline constexpr int stored_cost = 4;

/// What the rule that groups ops knows of an expression, or of a leaf: a tensor or a scalar.
struct group_facts {
  bool fusable = false;  ///< a kernel may compute it on the way
  int ops = 0, cost = 0;  ///< of the ops that its own kernel would compute
  int rank = 0;
  /// The highest rank of a leaf; below that of a reader, one element serves many.
  int widest = 0;
};

/// Whether the kernel of `reader` computes `operand` too. Rules: D18.
constexpr bool takes_in(group_facts const& reader, group_facts const& operand) {
  bool const is_repeated = operand.widest < reader.rank;
  return operand.fusable && operand.ops <= largest_fused_operand &&
         !(is_repeated && operand.cost >= stored_cost);
}

constexpr group_facts facts_of_op(op id, bool keeps_axes, int rank,
                                  std::initializer_list<group_facts> operands) {
  // A reduction that keeps its axes is as good as one of lower rank.
  if (!is_elementwise(id)) return {false, 0, 0, rank, is_reduction(id) && keeps_axes ? -1 : rank};
  group_facts facts{true, 1, info_of(id).cost, rank, 0};
  for (group_facts const& operand : operands) {
    facts.widest = operand.widest > facts.widest ? operand.widest : facts.widest;
    if (!takes_in(facts, operand)) continue;
    facts.ops += operand.ops;
    facts.cost += operand.cost;
  }
  return facts;
}

// A constant for each type and a function over data, so that long chains nest no deeper than they are.
template <class E> inline constexpr group_facts facts_of_group{
    false, 0, 0, eager_operand<E>::extents.rank, eager_operand<E>::extents.rank};
template <op Id, int Dims, class To, class... Operands>
inline constexpr group_facts facts_of_group<op_expression<op_tag<Id, Dims, To>, Operands...>> =
    facts_of_op(Id, Dims == 0, op_expression<op_tag<Id, Dims, To>, Operands...>::rank(),
                {facts_of_group<Operands>...});

/// Whether the kernel of `Reader` computes its operand `E` too.
template <class Reader, class E>
inline constexpr bool is_taken_in = takes_in(facts_of_group<Reader>, facts_of_group<E>);

/// Words of the nodes of a formula while they are written.
template <int Room> struct formula_words {
  std::array<std::uint64_t, static_cast<unsigned>(Room)> list{};
  int count = 0, slots = 0;

  constexpr int add(formula_node const& n) {
    list[static_cast<unsigned>(count)] = n.word();
    return count++;
  }
  constexpr int add_slot(dtype type) { return add({op::input, type, slots++, 0, 0}); }
};

/// Writes operand `E` of an op that its kernel computes, in dtype `type`: leaves and stored operands
/// are slots, in the order in which `group_operand` binds them.
template <class E, dtype Type, bool TakenIn> constexpr int write_operand(auto& to);

template <op Id, int Dims, class To, class... Operands>
constexpr int write_op(auto& to, op_expression<op_tag<Id, Dims, To>, Operands...> const*) {
  using self = op_expression<op_tag<Id, Dims, To>, Operands...>;
  int in[max_node_operands]{};
  int slot = 0;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    ((in[slot++] = write_operand<Operands, slot_type(Id, K, self::compute),
                                 is_taken_in<self, Operands>>(to)),
     ...);
  }
  (std::make_integer_sequence<int, int{sizeof...(Operands)}>{});
  return to.add({Id, self::type(), in[0], in[1], in[2]});
}

template <class E, dtype Type, bool TakenIn> constexpr int write_operand(auto& to) {
  constexpr bool scalar = eager_operand<E>::scalar;
  constexpr dtype own = scalar ? Type : eager_operand<E>::type.type;
  int node = 0;
  if constexpr (TakenIn) node = write_op(to, static_cast<E const*>(nullptr));
  else node = to.add_slot(own);
  return own == Type ? node : to.add({op::to, Type, node, 0, 0});
}

/// The formula of the group of an elementwise op, or of a reduction with what feeds it.
template <class E> struct group_formula {
  static constexpr auto words = [] {
    formula_words<4 * (largest_fused_operand + 1) * max_node_operands> to;
    write_op(to, static_cast<E const*>(nullptr));
    return to;
  }();
  template <int... K> static auto formula(std::integer_sequence<int, K...>)
      -> numbers<words.slots, words.count, words.list[static_cast<unsigned>(K)]...>;
  using type = decltype(formula(std::make_integer_sequence<int, words.count>{}));
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
