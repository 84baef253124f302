// guardjit: compile/row_evaluator.hpp: functions along the last axis, by one program
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ROW_EVALUATOR_HPP
#define GUARDJIT_COMPILE_ROW_EVALUATOR_HPP

#include <guardjit/compile/group_inputs.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/expr/row_expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The slots of operand `E`, in the order of `group_operand`, as arguments of a traced function.
template <int Room> struct slot_arguments {
  std::array<argument_type, static_cast<unsigned>(Room)> list{};
  int count = 0;
  constexpr void add(dtype type, shape const& extents) {
    list[static_cast<unsigned>(count++)] = {type, false, extents};
  }
};
template <class E, dtype Type, bool TakenIn> constexpr void add_slots(auto& to);
template <op Id, int Dims, class To, class... Operands, int... K>
constexpr void add_slots_of(auto& to, op_expression<op_tag<Id, Dims, To>, Operands...> const*,
                            std::integer_sequence<int, K...>) {
  using self = op_expression<op_tag<Id, Dims, To>, Operands...>;
  (add_slots<Operands, slot_type(Id, K, self::compute),
             is_taken_in<self, Operands>>(to),
   ...);
}
template <class E, dtype Type, bool TakenIn> constexpr void add_slots(auto& to) {
  if constexpr (TakenIn)
    add_slots_of(to, static_cast<E const*>(nullptr),
                 std::make_integer_sequence<int, operand_count<E>>{});
  else if constexpr (eager_operand<E>::scalar) to.add(Type, {});
  else to.add(E::type(), eager_operand<E>::extents);
}

/// Operand `E` again, in a trace: `next` is the symbol of its first slot.
template <class E, bool TakenIn> constexpr sym retraced(sym const*& next);
template <op Id, int Dims, class To, class... Operands>
constexpr sym retraced_op(sym const*& next, op_expression<op_tag<Id, Dims, To>, Operands...> const*) {
  using self = op_expression<op_tag<Id, Dims, To>, Operands...>;
  attributes extra;
  extra.type = self::type();
  std::array<sym, sizeof...(Operands)> const in{
      retraced<Operands, is_taken_in<self, Operands>>(next)...};
  return std::apply(
      [&](auto const&... operands) {
        return apply_op(op_tag<Id, Dims, To>{}, extra, source_line{}, operands...);
      },
      in);
}
template <class E, bool TakenIn> constexpr sym retraced(sym const*& next) {
  if constexpr (TakenIn) return retraced_op(next, static_cast<E const*>(nullptr));
  else return *next++;
}

/// `Body` along the last axis of `X`, as a function of the slots of `X`.
template <class Body, class X> struct last_axis_function {
  static constexpr bool takes_in = facts_of_group<X>.fusable;
  static constexpr auto slots = [] {
    slot_arguments<4 * (largest_fused_operand + 1) * max_node_operands> to;
    add_slots<X, X::type(), takes_in>(to);
    return to;
  }();
  template <int... K> static auto signature_of(std::integer_sequence<int, K...>)
      -> signature<slots.list[static_cast<unsigned>(K)]...>;
  using signature_type = decltype(signature_of(std::make_integer_sequence<int, slots.count>{}));

  constexpr sym operator()(auto const&... slot) const {
    sym const all[] = {slot...};
    sym const* next = all;
    return Body::call(retraced<X, takes_in>(next), -1, source_line{});
  }
};

/// The value of `Body` along the last axis of `x`, whose shape was checked.
template <class Backend, class Body, class Result, class X>
Result evaluate_last_axis(X const& x, shape const& form, device on) {
  using function = last_axis_function<Body, X>;
  using traced_type = traced<function, typename function::signature_type>;
  using program_type = program<traced_type, Backend>;
  constexpr auto count = static_cast<unsigned>(function::slots.count);
  group_operand<Backend, X, X::type(), function::takes_in> const operands(x, on);
  std::array<array_operand, count> arrays;
  array_operand* to = arrays.data();
  operands.put(to);

  std::array<layout_view, count> layouts;
  std::array<void*, count + 3> bases;
  for (unsigned k = 0; k < count; ++k) {
    layouts[k] = arrays[k].layout;
    bases[k] = const_cast<void*>(arrays[k].data);
  }
  alignas(64) std::byte room[sizeof(plan<program_type>)];
  bound_call bound;
  bind_program<program_type>(layouts.data(), room, bound);
  typename Result::extents_type extents{};
  for (int d = 0; d < Result::rank(); ++d) extents[static_cast<unsigned>(d)] = form[d];
  Result out = Result::uninitialized(extents, on);
  run_plan(bound, bases.data(), int{count}, out.data(), nullptr);
  return out;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
