// guardjit: compile/fused_group.hpp: which parts of an expression one kernel computes, as formulas
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FUSED_GROUP_HPP
#define GUARDJIT_COMPILE_FUSED_GROUP_HPP

#include <guardjit/expr/expression_code.hpp>
#include <guardjit/ops/numbers.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// From this cost of an element on, a value that is used for many elements is stored first.
inline constexpr int stored_cost = 4;

/// What the rule that groups ops knows of a part.
struct group_facts {
  bool fusable = false;   ///< a kernel may compute it on the way
  int cost = 0;           ///< of the ops that its own kernel would compute
  int rank = 0;
  /// The highest rank of a leaf that it reads; below that of a reader, one element serves many.
  int widest = 0;
};

/// Whether the kernel of `reader` computes `operand` too. That operands have few ops is known from their
/// type: see `largest_fused_operand`. Rules: D18.
constexpr bool takes_in(group_facts const& reader, group_facts const& operand) {
  bool const is_repeated = operand.widest < reader.rank;
  return operand.fusable && !(is_repeated && operand.cost >= stored_cost);
}
/// Whether the kernel of a part computes elementwise operands on the way.
constexpr bool fuses_operands(expression_node const& n) {
  return n.kind == part_kind::row ||
         (n.kind == part_kind::op && (is_elementwise(n.id) || is_reduction(n.id)));
}

/// The rank of the elements that a part reads.
constexpr int rank_of_operands(auto const& nodes, expression_node const& n) {
  int rank = 0;
  for (int i = 0; i < n.operands(); ++i) {
    int const other = nodes[static_cast<unsigned>(n.in[static_cast<unsigned>(i)])].rank;
    rank = other > rank ? other : rank;
  }
  return rank;
}

/// A part that a kernel reads, in dtype `type`.
struct group_slot {
  std::int16_t part = 0;
  dtype type{};
};
/// One kernel: it computes part `root`.
struct group_step {
  int root = 0;
  int first_slot = 0, slots = 0;
  int first_word = 0, words = 0;  ///< of its formula, if it has one
  /// Of a row function: which nodes of the formula are its operands.
  std::array<std::int16_t, max_node_operands> operands{};
};

/// The kernels of an expression, in order.
template <int Parts> struct group_plan {
  static constexpr unsigned room = static_cast<unsigned>(2 * Parts);
  std::array<group_step, static_cast<unsigned>(Parts)> steps{};
  std::array<std::int16_t, static_cast<unsigned>(Parts)> step_of{};  ///< -1: computed on the way
  std::array<group_slot, room> slots{};
  std::array<std::uint64_t, room> words{};
  int count = 0, slot_count = 0, word_count = 0, most_slots = 0;
};

template <int Parts> class group_planner {
 public:
  explicit constexpr group_planner(std::array<expression_node, static_cast<unsigned>(Parts)> const& nodes)
      : nodes_(nodes) {}

  constexpr group_plan<Parts> plan() {
    for (int k = 0; k < Parts; ++k) add_facts(k);
    for (int k = 0; k < Parts; ++k) {
      plan_.step_of[at(k)] = -1;
      if (!nodes_[at(k)].is_leaf() && !taken_[at(k)]) add_step(k);
    }
    return plan_;
  }

 private:
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }

  constexpr void add_facts(int k) {
    expression_node const& n = nodes_[at(k)];
    group_facts& facts = facts_[at(k)];
    facts = {false, 0, n.rank, n.rank};
    bool const fusable = n.kind == part_kind::op && is_elementwise(n.id);
    // A reduction that keeps its axes is as good as one of lower rank.
    if (n.kind == part_kind::op && is_reduction(n.id) && n.dims == 0) facts.widest = -1;
    if (fusable) facts = {true, info_of(n.id).cost, n.rank, 0};
    // A row function or a reduction reads the elements of its operands.
    if (!fusable && n.operands() > 0) facts.rank = rank_of_operands(nodes_, n);
    for (int i = 0; i < n.operands(); ++i) {
      group_facts const& operand = facts_[at(n.in[at(i)])];
      if (fusable && operand.widest > facts.widest) facts.widest = operand.widest;
      if (!fuses_operands(n) || !takes_in(facts, operand)) continue;
      taken_[at(n.in[at(i)])] = true;
      if (fusable) facts.cost += operand.cost;
    }
  }

  constexpr void add_step(int k) {
    expression_node const& n = nodes_[at(k)];
    group_step s{k, plan_.slot_count, 0, plan_.word_count, 0, {}};
    nodes_written_ = slots_written_ = 0;
    if (n.kind == part_kind::row)
      for (int i = 0; i < n.operands(); ++i) {
        expression_node const& x = nodes_[at(n.in[at(i)])];
        dtype const type = x.kind == part_kind::scalar ? n.type : x.type;
        s.operands[at(i)] = static_cast<std::int16_t>(write_operand(n.in[at(i)], type));
      }
    else if (fuses_operands(n)) write(k);
    else
      for (int i = 0; i < n.operands(); ++i) add_slot(n.in[at(i)], slot_type(n.id, i, n.compute));
    s.slots = plan_.slot_count - s.first_slot;
    s.words = plan_.word_count - s.first_word;
    plan_.most_slots = s.slots > plan_.most_slots ? s.slots : plan_.most_slots;
    plan_.step_of[at(k)] = static_cast<std::int16_t>(plan_.count);
    plan_.steps[at(plan_.count++)] = s;
  }

  constexpr int add_slot(int part, dtype type) {
    plan_.slots[at(plan_.slot_count++)] = {static_cast<std::int16_t>(part), type};
    return slots_written_++;
  }
  constexpr int add_word(formula_node const& n) {
    plan_.words[at(plan_.word_count++)] = n.word();
    return nodes_written_++;
  }
  static constexpr int is_repeated(expression_node const& x) {
    return x.kind == part_kind::scalar ? 1 : 0;
  }
  /// Writes the formula of part `k`, operands first; its number in the formula.
  constexpr int write(int k) {
    expression_node const& n = nodes_[at(k)];
    int in[max_node_operands]{};
    for (int i = 0; i < n.operands(); ++i) in[i] = write_operand(n.in[at(i)], slot_type(n.id, i, n.compute));
    return add_word({n.id, n.type, in[0], in[1], in[2]});
  }
  /// Writes part `k` as an operand in dtype `wanted`. Scalars are converted when they are bound.
  constexpr int write_operand(int k, dtype wanted) {
    expression_node const& x = nodes_[at(k)];
    dtype const own = x.kind == part_kind::scalar ? wanted : x.type;
    int const number =
        taken_[at(k)] ? write(k) : add_word({op::input, own, add_slot(k, own), is_repeated(x), 0});
    return own == wanted ? number : add_word({op::to, wanted, number, 0, 0});
  }

  std::array<expression_node, static_cast<unsigned>(Parts)> const& nodes_;
  std::array<group_facts, static_cast<unsigned>(Parts)> facts_{};
  std::array<bool, static_cast<unsigned>(Parts)> taken_{};
  group_plan<Parts> plan_{};
  int nodes_written_ = 0, slots_written_ = 0;
};

/// The kernels of the expressions of one code.
template <class Code> struct expression_groups {
  static constexpr auto const& nodes = expression_nodes<Code>::list;
  static constexpr auto plan = group_planner<Code::parts>(nodes).plan();

  template <int Step, int... Word> static auto formula_of(std::integer_sequence<int, Word...>)
      -> numbers<plan.steps[Step].slots, plan.steps[Step].words,
                 plan.words[static_cast<unsigned>(plan.steps[Step].first_word + Word)]...>;
  template <int Step> using formula =
      decltype(formula_of<Step>(std::make_integer_sequence<int, plan.steps[Step].words>{}));
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
