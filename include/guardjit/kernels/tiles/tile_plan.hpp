// guardjit: kernels/tiles/tile_plan.hpp: a graph as data cut into steps, formulas into ops on tiles
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_TILE_PLAN_HPP
#define GUARDJIT_KERNELS_TILES_TILE_PLAN_HPP

#include <guardjit/compile/bound_call.hpp>
#include <guardjit/graph/passes/lower.hpp>
#include <guardjit/kernels/tiles/op_loops.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Bytes of the buffer of one value of a formula: those of a few stay in the L1 cache.
inline constexpr int tile_bytes = 4096;
/// Values of one formula, at most.
inline constexpr int max_tile_values = 512;

/// One op of a formula, or a pair. The values of a formula are its slots, then its constants, then the
/// buffers that ops write; the last op writes the result.
struct tile_op {
  op_loop loop{};
  std::array<std::int16_t, max_node_operands> in{};
  std::int16_t arity = 0, out = 0;
  std::uint8_t repeated = 0;  ///< bit k: operand k is a constant that is read as a packet
};
/// What `tile_op::out` says of the last op.
inline constexpr std::int16_t tile_result = -1;

/// A constant, or how a slot is read where it is one element: as 64 bytes of copies, unless a loop that
/// takes no such reads it; then as a tile.
struct alignas(64) tile_constant {
  std::byte packet[64]{};
  int size = 0;  ///< bytes of one element
  bool fills = false;
};

struct tile_step {
  step what{};
  int buffer = 0;  ///< a temporary, or below 0 that of a result
  int first_op = 0, ops = 0;
  int first_constant = 0, constants = 0;
  int registers = 0;
  int size = 0;      ///< bytes of an element of the result
  index_t tile = 0;  ///< elements of one
};

/// The ops of a formula, with buffers by the lives of values.
class tile_formula {
 public:
  tile_formula(std::span<std::uint64_t const> words, int nodes, int slots, op_loops const& loops)
      : words_(words), loops_(loops), size_(nodes), slots_(slots) {
    for (int k = 0; k < size_; ++k) {
      formula_node const n = at(k);
      if (n.id == op::constant) ++constant_count_;
      widest_ = size_of(n.type) > widest_ ? size_of(n.type) : widest_;
      for (int i = 0; i < arity_of(n); ++i) ++uses_[operand(n, i)];
    }
    for (int k = 0; k < size_; ++k) pair(k);
    for (int k = 0; k < size_; ++k) {
      last_use_[k] = k;
      if (is_paired_[k]) continue;
      for_each_operand(k, [&](int in) { last_use_[in] = k; });
    }
    for (int k = 0; k < size_; ++k) add(k);
    choose_repeated();
  }
  std::vector<tile_op> ops;
  std::vector<tile_constant> constants;
  std::vector<bool> fills;  ///< of each slot
  int registers() const { return register_count_; }
  int widest() const { return widest_; }

 private:
  formula_node at(int k) const { return formula_node::of(words_[static_cast<unsigned>(k)]); }
  static int arity_of(formula_node const& n) { return n.id == op::constant ? 0 : info_of(n.id).arity; }
  static int operand(formula_node const& n, int i) { return i == 0 ? n.a : i == 1 ? n.b : n.c; }

  /// Takes in an operand of node `k` that nothing else reads, where the two have a loop as a pair.
  void pair(int k) {
    taken_[k] = -1;
    formula_node const n = at(k);
    int const second = pair_number(n.id);
    for (int i = 0; second >= 0 && i < 2; ++i) {
      int const in = operand(n, i), first = pair_number(at(in).id);
      if (first < 0 || uses_[in] != 1 || taken_[in] >= 0) continue;
      auto const& found = loops_.pairs[static_cast<unsigned>(n.type)][static_cast<unsigned>(first)]
                                      [static_cast<unsigned>(second)];
      if (!found.straight.run) continue;
      pair_loop_[k] = i == 0 ? found.straight : found.swapped;
      taken_[k] = in;
      is_paired_[in] = true;
      return;
    }
  }
  /// The operands of node `k`, with those of a node that it takes in.
  void for_each_operand(int k, auto const& visit) const {
    formula_node const n = at(k);
    if (taken_[k] >= 0) {
      visit(at(taken_[k]).a);
      visit(at(taken_[k]).b);
      return visit(n.a == taken_[k] ? n.b : n.a);
    }
    for (int i = 0; i < arity_of(n); ++i) visit(operand(n, i));
  }

  void add(int k) {
    formula_node const n = at(k);
    if (is_paired_[k]) return;
    if (n.id == op::input) {
      value_[k] = n.a;
    } else if (n.id == op::constant) {
      value_[k] = slots_ + static_cast<int>(constants.size());
      add_constant(n);
    } else {
      add_op(k, n);
    }
  }
  void add_constant(formula_node const& n) {
    scalar_bits const value{words_[static_cast<unsigned>(n.a)]};
    tile_constant c;
    c.size = size_of(n.type);
    visit_dtype(n.type, [&]<class T>(std::type_identity<T>) {
      T const element = value.as<T>();
      for (std::size_t k = 0; k < sizeof c.packet; k += sizeof element)
        __builtin_memcpy(c.packet + k, &element, sizeof element);
    });
    constants.push_back(c);
  }
  void add_op(int k, formula_node const& n) {
    tile_op now;
    for_each_operand(k, [&](int in) {
      now.in[static_cast<unsigned>(now.arity++)] = static_cast<std::int16_t>(value_[in]);
    });
    now.loop = taken_[k] >= 0 ? pair_loop_[k] : loop_of(n);
    GUARDJIT_ASSERT(now.loop.run);
    // Elements of other sizes would be written over some that are not read yet.
    for_each_operand(k, [&](int in) {
      if (last_use_[in] == k && size_of(at(in).type) == size_of(n.type)) release(in);
    });
    now.out = tile_result;
    if (k < size_ - 1) now.out = static_cast<std::int16_t>(value_[k] = take());
    for_each_operand(k, [&](int in) {
      if (last_use_[in] == k) release(in);
    });
    ops.push_back(now);
  }
  /// Which constants must be tiles, and of each op which operands are constants that are not.
  void choose_repeated() {
    fills.assign(static_cast<std::size_t>(slots_), false);
    auto const constant_of = [this](int v) {
      return v >= slots_ && v < first_register() ? &constants[static_cast<std::size_t>(v - slots_)] : nullptr;
    };
    for (tile_op const& now : ops)
      for (unsigned i = 0; i < static_cast<unsigned>(now.arity) && !now.loop.run_repeated; ++i) {
        if (now.in[i] < slots_) fills[static_cast<std::size_t>(now.in[i])] = true;
        if (tile_constant* const c = constant_of(now.in[i])) c->fills = true;
      }
    for (tile_op& now : ops)
      for (unsigned i = 0; i < static_cast<unsigned>(now.arity); ++i)
        if (tile_constant const* const c = constant_of(now.in[i]); c && !c->fills)
          now.repeated = static_cast<std::uint8_t>(now.repeated | 1u << i);
    if (ops.empty() && !constants.empty()) constants[0].fills = true;
  }
  op_loop loop_of(formula_node const& n) const {
    auto const from = static_cast<unsigned>(at(operand(n, arity_of(n) - 1)).type);
    return n.id == op::to ? loops_.conversions[from][static_cast<unsigned>(n.type)]
                          : loops_.elementwise[static_cast<unsigned>(n.id)][from];
  }

  int first_register() const { return slots_ + constant_count_; }
  int take() {
    if (free_count_ > 0) return free_[--free_count_];
    return first_register() + register_count_++;
  }
  /// The buffer of a value that nothing reads any more; values that have none are left alone.
  void release(int k) {
    if (value_[k] < first_register() || is_released_[k]) return;
    is_released_[k] = true;
    free_[free_count_++] = value_[k];
  }

  std::span<std::uint64_t const> words_;
  op_loops const& loops_;
  int size_, slots_, constant_count_ = 0, register_count_ = 0, free_count_ = 0, widest_ = 1;
  int value_[max_tile_values]{}, free_[max_tile_values]{};
  int last_use_[max_tile_values]{}, uses_[max_tile_values]{};
  int taken_[max_tile_values]{};  ///< the operand that a node takes in, or -1
  op_loop pair_loop_[max_tile_values]{};
  bool is_released_[max_tile_values]{}, is_paired_[max_tile_values]{};
};

/// All that an interpreter knows of a graph before a call.
/// Lifetime: refers to the graph.
class tile_plan {
 public:
  /// Throws: `backend_error` where formulas do not fit, `std::bad_alloc`.
  /// Complexity: linear in the nodes.
  tile_plan(graph_view const& g, op_loops const& with) : graph(g), loops(&with) {
    constexpr int few = 512, most = 16384;  // the room of the largest optimised graph
    if (!(g.size() <= few && lower_within<few>()) && !(g.size() <= most && lower_within<most>()))
      raise<backend_error>("guardjit: tiles: the function has too many operations");
    for (int k = 0; k < g.size(); ++k) {
      bool const has = step_of[index(k)] >= 0 || is_view(g[k].id) || g[k].id == op::input;
      place_of.push_back(has ? static_cast<std::int16_t>(places++) : std::int16_t{-1});
    }
    choose_buffers();
  }

  graph_view graph;
  op_loops const* loops;
  std::vector<tile_step> steps;
  std::vector<std::int16_t> slots, step_of, place_of;
  std::vector<tile_op> ops;
  std::vector<tile_constant> constants;
  std::vector<bool> fills;  ///< of each slot: where it is one element it must be a tile
  int places = 0, temporaries = 0;
  index_t tile_room = 0;  ///< bytes of the buffers of the step that has most

  int slot(step const& s, int k) const { return slots[index(s.first_slot + k)]; }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }

  template <int Room> bool lower_within() {
    auto const fates = std::vector(1, fusion<Room>(graph, true, false).result());
    std::vector<lowering<Room>> const pass(1, lowering<Room>(graph, fates[0]));
    lowered<Room> const& from = pass[0].result();
    if (from.overflows) return false;
    step_of.assign(from.step_of.begin(), from.step_of.begin() + graph.size());
    for (int s = 0; s < from.count; ++s) add_step(from.steps[index(s)], from.words.data());
    int slot_count = 0;
    for (tile_step const& s : steps) slot_count += s.what.slots;
    slots.assign(from.slots.begin(), from.slots.begin() + slot_count);
    return true;
  }
  void add_step(step const& what, std::uint64_t const* words) {
    tile_step s{what};
    s.size = size_of(graph[what.root].type);
    s.first_op = static_cast<int>(ops.size());
    s.first_constant = static_cast<int>(constants.size());
    if (what.kind == step_kind::elementwise) {
      std::span const own(words + what.first_word, index(what.words));
      tile_formula const formula(own, what.nodes, what.slots, *loops);
      ops.insert(ops.end(), formula.ops.begin(), formula.ops.end());
      constants.insert(constants.end(), formula.constants.begin(), formula.constants.end());
      fills.insert(fills.end(), formula.fills.begin(), formula.fills.end());
      s.registers = formula.registers();
      s.tile = tile_bytes / formula.widest();
    }
    fills.resize(index(what.first_slot + what.slots));
    s.ops = static_cast<int>(ops.size()) - s.first_op;
    s.constants = static_cast<int>(constants.size()) - s.first_constant;
    index_t const room = index_t{tile_bytes} * (what.slots + s.constants + s.registers);
    if (s.tile != 0 && tile_room < room) tile_room = room;
    steps.push_back(s);
  }

  /// Results are written where they go, but not before all indices were tested (POL-11); all others share
  /// temporaries by their lives.
  void choose_buffers() {
    int const count = static_cast<int>(steps.size());
    std::vector<int> last(steps.size());
    int last_test = -1;
    auto const extend = [&](int node, int until) {
      // A reshape that turns out to be a view keeps what is below it alive, too.
      for (;; node = graph[node].in[0]) {
        if (int const s = step_of[index(node)]; s >= 0) last[index(s)] = until;
        if (!is_view(graph[node].id)) return;
      }
    };
    for (int s = 0; s < count; ++s) {
      step const& what = steps[index(s)].what;
      last[index(s)] = s;
      steps[index(s)].buffer = no_temporary;
      if (what.kind == step_kind::indexed) last_test = s;
      for (int k = 0; k < what.slots; ++k) extend(slot(what, k), s);
    }
    for (std::int16_t output : graph.outputs) extend(output, count);
    for (std::size_t r = 0; r < graph.outputs.size(); ++r) {
      int const s = step_of[index(graph.outputs[r])];
      if (s >= last_test && s >= 0 && steps[index(s)].buffer == no_temporary)
        steps[index(s)].buffer = -1 - static_cast<int>(r);
    }
    std::vector<int> free_after;
    for (int s = 0; s < count; ++s) {
      int& buffer = steps[index(s)].buffer;
      if (buffer != no_temporary) continue;
      for (buffer = 0; buffer < temporaries && free_after[index(buffer)] >= s;) ++buffer;
      if (buffer == temporaries) {
        ++temporaries;
        free_after.push_back(0);
      }
      free_after[index(buffer)] = last[index(s)];
    }
  }
  static constexpr int no_temporary = INT32_MIN;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
