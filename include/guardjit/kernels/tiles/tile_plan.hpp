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

/// One op of a formula. The values of a formula are its slots, then its constants, then the buffers that
/// ops write; the last op writes the result.
struct tile_op {
  flat_kernel run = nullptr;
  std::array<std::int16_t, max_node_operands> in{};
  std::int16_t arity = 0, out = 0;
};
/// What `tile_op::out` says of the last op.
inline constexpr std::int16_t tile_result = -1;

struct tile_constant {
  std::uint64_t bits = 0;  ///< an element of `size` bytes
  int size = 0;
};

struct tile_step {
  step what{};
  int buffer = 0;  ///< a temporary, or below 0 that of a result
  int first_op = 0, ops = 0;
  int first_constant = 0, constants = 0;
  int registers = 0;
  index_t tile = 0;  ///< elements of one
};

/// The ops of a formula, with buffers by the lives of values.
class tile_formula {
 public:
  tile_formula(std::span<std::uint64_t const> words, int nodes, int slots, op_loops const& loops)
      : words_(words), size_(nodes), slots_(slots) {
    int last_use[max_tile_values];
    for (int k = 0; k < size_; ++k) {
      last_use[k] = k;
      formula_node const n = at(k);
      int const arity = info_of(n.id).arity, in[] = {n.a, n.b, n.c};
      if (n.id != op::constant)
        for (int i = 0; i < arity; ++i) last_use[in[i]] = k;
      if (n.id == op::constant) ++constant_count_;
      widest_ = size_of(n.type) > widest_ ? size_of(n.type) : widest_;
    }
    for (int k = 0; k < size_; ++k) add(k, last_use, loops);
  }
  std::vector<tile_op> ops;
  std::vector<tile_constant> constants;
  int registers() const { return register_count_; }
  int widest() const { return widest_; }

 private:
  formula_node at(int k) const { return formula_node::of(words_[static_cast<unsigned>(k)]); }

  void add(int k, int const* last_use, op_loops const& loops) {
    formula_node const n = at(k);
    if (n.id == op::input) {
      value_[k] = n.a;
    } else if (n.id == op::constant) {
      value_[k] = slots_ + static_cast<int>(constants.size());
      scalar_bits const value{words_[static_cast<unsigned>(n.a)]};
      tile_constant c{0, size_of(n.type)};
      visit_dtype(n.type, [&]<class T>(std::type_identity<T>) {
        T const element = value.as<T>();
        __builtin_memcpy(&c.bits, &element, sizeof element);
      });
      constants.push_back(c);
    } else {
      tile_op op_of_k;
      op_of_k.arity = static_cast<std::int16_t>(info_of(n.id).arity);
      int const in[] = {n.a, n.b, n.c};
      auto const arity = static_cast<unsigned>(op_of_k.arity);
      for (unsigned i = 0; i < arity; ++i) op_of_k.in[i] = static_cast<std::int16_t>(value_[in[i]]);
      auto const from = static_cast<unsigned>(at(in[arity - 1]).type);
      op_of_k.run = n.id == op::to ? loops.conversions[from][static_cast<unsigned>(n.type)]
                                   : loops.elementwise[static_cast<unsigned>(n.id)][from];
      GUARDJIT_ASSERT(op_of_k.run);
      op_of_k.out = tile_result;
      // Elements of other sizes would be written over some that are not read yet.
      for (unsigned i = 0; i < arity; ++i)
        if (last_use[in[i]] == k && size_of(at(in[i]).type) == size_of(n.type)) release(in[i]);
      if (k < size_ - 1) op_of_k.out = static_cast<std::int16_t>(value_[k] = take());
      for (unsigned i = 0; i < arity; ++i)
        if (last_use[in[i]] == k) release(in[i]);
      ops.push_back(op_of_k);
    }
  }
  int first_register() const { return slots_ + constant_count_; }
  int take() {
    if (free_count_ > 0) return free_[--free_count_];
    return first_register() + register_count_++;
  }
  /// The buffer of a value that nothing reads any more; values that have none are left alone.
  void release(int k) {
    int const value = value_[k];
    if (value < first_register() || released_[k]) return;
    released_[k] = true;
    free_[free_count_++] = value;
  }

  std::span<std::uint64_t const> words_;
  int size_, slots_, constant_count_ = 0, register_count_ = 0, free_count_ = 0, widest_ = 1;
  int value_[max_tile_values]{}, free_[max_tile_values]{};
  bool released_[max_tile_values]{};
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
    s.first_op = static_cast<int>(ops.size());
    s.first_constant = static_cast<int>(constants.size());
    if (what.kind == step_kind::elementwise) {
      tile_formula const formula({words + what.first_word, index(what.words)}, what.nodes, what.slots, *loops);
      ops.insert(ops.end(), formula.ops.begin(), formula.ops.end());
      constants.insert(constants.end(), formula.constants.begin(), formula.constants.end());
      s.registers = formula.registers();
      s.tile = tile_bytes / formula.widest();
    }
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
