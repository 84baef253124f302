// guardjit: compile/group_call.hpp: runs the kernels of an expression, whatever its type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GROUP_CALL_HPP
#define GUARDJIT_COMPILE_GROUP_CALL_HPP

#include <guardjit/compile/fused_group.hpp>
#include <guardjit/compile/view_kernel.hpp>
#include <guardjit/expr/expression_view.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What one kernel is given.
struct group_call {
  std::span<array_operand const> slots;
  shape form{};  ///< of the elements that are computed; those that a reduction reduces
  layout_view to{};
  void* out = nullptr;
  unsigned axes = 0;       ///< of a reduction
  index_t correction = 0;  ///< of a mean
  int axis = 0;            ///< of an op that moves elements
  source_line where{};
};
using group_kernel = void (*)(group_call const&);

/// The kernels of one expression as data, all constants.
struct group_table {
  std::span<group_step const> steps;
  group_slot const* slots = nullptr;
  std::int16_t const* step_of = nullptr;
  group_kernel const* kernels = nullptr;  ///< of each step; null for views
};

/// Memory of one evaluation. Lifetime: on the stack of the caller, who knows the sizes.
struct group_room {
  any_tensor* values = nullptr;       ///< of each step but the last
  array_operand* arrays = nullptr;    ///< of each slot of one step
  std::uint64_t* scalars = nullptr;   ///< the same
};

/// Where the value of an expression goes: what `make` makes for a shape, or else `memory`.
struct group_output {
  memory_view memory{};
  void* owner = nullptr;
  memory_view (*make)(void* owner, shape const&, device) = nullptr;
};

/// One evaluation.
class group_evaluation {
 public:
  group_evaluation(expression_view const& e, group_table const& table, group_room const& room)
      : e_(e), table_(table), room_(room), on_(common_device(e)) {}

  /// Computes the value. True where it was written to `to`: made for it, or memory at hand of its shape,
  /// to which an elementwise kernel writes that reads no element after it is written. False where `value`
  /// has it.
  /// Throws: `shape_error`, `index_error`, `std::bad_alloc`.
  bool run(group_output const& to, any_tensor& value) {
    std::size_t const last = table_.steps.size() - 1;
    for (std::size_t s = 0; s < last; ++s) room_.values[s] = fresh_value(static_cast<int>(s));
    expression_node const& n = root(static_cast<int>(last));
    if (n.kind == part_kind::op && is_view(n.id)) {
      value = view_of_part(n);
      return false;
    }
    group_call call = prepared(static_cast<int>(last));
    if (!to.make) {
      call.to = to.memory.layout;
      call.out = const_cast<void*>(to.memory.data);
      bool const fits = n.kind == part_kind::op && is_elementwise(n.id) && call.form == call.to.shape();
      if (fits && allows_writing(to.memory)) {
        run_kernel(static_cast<int>(last), call);
        return true;
      }
      value = computed(static_cast<int>(last), call);
      return false;
    }
    memory_view const made = to.make(to.owner, result_shape(n, call), on_);
    call.to = made.layout;
    call.out = const_cast<void*>(made.data);
    run_kernel(static_cast<int>(last), call);
    return true;
  }

 private:
  expression_node const& root(int s) const {
    return e_.nodes[static_cast<std::size_t>(table_.steps[static_cast<std::size_t>(s)].root)];
  }
  static bool is_movement(expression_node const& n) {
    return n.kind == part_kind::op && info_of(n.id).form == op_form::movement;
  }
  std::span<array_operand> arrays(int s) const {
    return {room_.arrays, static_cast<std::size_t>(table_.steps[static_cast<std::size_t>(s)].slots)};
  }

  any_tensor fresh_value(int s) {
    expression_node const& n = root(s);
    if (n.kind == part_kind::op && is_view(n.id)) return view_of_part(n);
    group_call call = prepared(s);
    return computed(s, call);
  }
  any_tensor computed(int s, group_call& call) {
    expression_node const& n = root(s);
    any_tensor out = any_tensor::uninitialized(n.type, result_shape(n, call), on_);
    call.to = out.layout().view();
    call.out = out.data();
    run_kernel(s, call);
    return out;
  }
  void run_kernel(int s, group_call const& call) const {
    // Indices are tested where there is nothing to write, too.
    if (call.to.count() != 0 || is_movement(root(s))) table_.kernels[s](call);
  }

  /// A stored part, or a leaf.
  any_tensor tensor_of_part(int k) const {
    expression_node const& n = e_.nodes[static_cast<std::size_t>(k)];
    if (!n.is_leaf()) return room_.values[table_.step_of[k]];
    return e_.leaf(n).tensor(n.type, e_.layout(n));
  }
  any_tensor view_of_part(expression_node const& n) {
    any_tensor const x = tensor_of_part(n.in[0]);
    shape const form = x.shape();
    inferred_shape(n.id, {&form, 1}, e_.attribute(n), e_.line(n));
    return view_of_tensor(n.id, x, e_.attribute(n));
  }

  /// Binds the slots of a step and finds the shape of its elements.
  group_call prepared(int s) {
    group_step const& step = table_.steps[static_cast<std::size_t>(s)];
    expression_node const& n = root(s);
    for (int k = 0; k < step.slots; ++k) bind(k, table_.slots[step.first_slot + k]);
    group_call call{.slots = arrays(s), .axis = e_.attribute(n).axis, .where = e_.line(n)};
    if (is_movement(n) || (n.kind == part_kind::op && info_of(n.id).form == op_form::contraction)) {
      call.form = shape_of(step.root);
      return call;
    }
    bool const of_operand = n.kind == part_kind::row || is_reduction(n.id);
    int const rank = of_operand ? rank_of_operands(e_.nodes, n) : n.rank;
    array_operand const* const one = common(call.slots, rank);
    call.form = one ? one->layout.shape() : of_operand ? shape_of_operands(n) : shape_of(step.root);
    call.axes = e_.attribute(n).axes;
    call.correction = e_.attribute(n).correction;
    if (n.kind == part_kind::row) {
      infer_shape(e_, n, {&call.form, 1});  // refuses a wrong axis
      call.axes = 1u << axis_of_row(e_, n, rank);
    }
    return call;
  }

  void bind(int k, group_slot const& slot) {
    expression_node const& n = e_.nodes[static_cast<std::size_t>(slot.part)];
    array_operand& to = room_.arrays[k];
    if (n.kind == part_kind::tensor) {
      to = {e_.layout(n), e_.leaf(n).data};
    } else if (n.kind == part_kind::scalar) {
      std::uint64_t& room = room_.scalars[k];
      visit_dtype(slot.type, [&]<class T>(std::type_identity<T>) {
        T const value = scalar_as<T>(weak_operand(n.type, e_.scalar(n)));
        __builtin_memcpy(&room, &value, sizeof value);
      });
      to = {{}, &room};
    } else {
      any_tensor const& x = room_.values[table_.step_of[slot.part]];
      to = {x.layout().view(), x.data()};
    }
  }

  /// The array whose shape all others have, or are of rank 0; null where shapes differ.
  static array_operand const* common(std::span<array_operand const> slots, int rank) {
    array_operand const* first = nullptr;
    for (array_operand const& a : slots) {
      if (a.layout.rank == 0) continue;
      if (a.layout.rank != rank) return nullptr;
      if (!first) first = &a;
      else
        for (int d = 0; d < rank; ++d)
          if (a.layout.extents[d] != first->layout.extents[d]) return nullptr;
    }
    return first;
  }

  /// The shape of a part, by the rules. Complexity: linear in the parts before it.
  [[gnu::cold, gnu::noinline]] shape shape_of(int part) const {
    expression_node const& n = e_.nodes[static_cast<std::size_t>(part)];
    if (!n.is_leaf() && table_.step_of[part] >= 0 && room_.values[table_.step_of[part]])
      return room_.values[table_.step_of[part]].shape();
    if (n.kind == part_kind::tensor) return e_.layout(n).shape();
    if (n.kind == part_kind::scalar) return {};
    shape in[max_node_operands]{};
    auto const count = static_cast<unsigned>(n.operands());
    for (unsigned k = 0; k < count; ++k) in[k] = shape_of(n.in[k]);
    return infer_shape(e_, n, {in, count});
  }
  /// The shape of the elements that a reduction or a row function reads.
  [[gnu::cold, gnu::noinline]] shape shape_of_operands(expression_node const& n) const {
    shape in[max_node_operands]{};
    auto const count = static_cast<unsigned>(n.operands());
    for (unsigned k = 0; k < count; ++k) in[k] = shape_of(n.in[k]);
    return joined_shape(e_, n, {in, count});
  }
  shape result_shape(expression_node const& n, group_call const& call) const {
    if (n.kind == part_kind::row || (n.kind == part_kind::op && is_reduction(n.id)))
      return infer_shape(e_, n, {&call.form, 1});
    return call.form;
  }
  /// Whether each element is read before the one of its index is written. Rules: POL-12.
  bool allows_writing(memory_view const& to) const {
    int const s = static_cast<int>(table_.steps.size()) - 1;
    group_step const& step = table_.steps[static_cast<std::size_t>(s)];
    for (int k = 0; k < step.slots; ++k) {
      memory_view const from{room_.arrays[k].data, room_.arrays[k].layout,
                             size_of(table_.slots[step.first_slot + k].type)};
      if (overlap_of(to, from) == overlap::overlapping) return false;
    }
    return true;
  }

  expression_view const& e_;
  group_table const& table_;
  group_room const room_;
  device on_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
