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

/// How an operand `E` of an op on elements of rank `Rank` looks to the rule that groups ops. Leaves
/// are scalars and tensors.
template <class E> struct group_facts {
  static constexpr int ops = 0, cost = 0;
  static constexpr bool fusable = false;
  /// Whether one element serves many of a reader of rank `rank`.
  static constexpr bool is_repeated(int rank) { return eager_operand<E>::extents.rank < rank; }
};
template <op Id, int Dims, class To, class... Operands>
struct group_facts<op_expression<op_tag<Id, Dims, To>, Operands...>> {
  using self = op_expression<op_tag<Id, Dims, To>, Operands...>;
  static constexpr bool fusable = is_elementwise(Id);
  static constexpr bool is_repeated(int rank) {
    // A reduction that keeps its axes is as good as one of lower rank.
    if (is_reduction(Id) && Dims == 0) return true;
    if (!fusable || self::rank() < rank) return self::rank() < rank;
    return (group_facts<Operands>::is_repeated(rank) && ...);
  }
  /// Whether this op's kernel computes operand `E` too. Rules: D18.
  template <class E> static constexpr bool takes_in() {
    using operand = group_facts<E>;
    if constexpr (!operand::fusable) return false;
    else
      return operand::ops <= largest_fused_operand &&
             !(operand::is_repeated(self::rank()) && operand::cost >= stored_cost);
  }
  static constexpr int ops =
      !fusable ? 0 : (1 + ... + (takes_in<Operands>() ? group_facts<Operands>::ops : 0));
  static constexpr int cost =
      !fusable ? 0
               : (info_of(Id).cost + ... + (takes_in<Operands>() ? group_facts<Operands>::cost : 0));
};

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
                                 group_facts<self>::template takes_in<Operands>()>(to)),
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
