// guardjit: compile/row_program.hpp: a function along one axis as a program
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ROW_PROGRAM_HPP
#define GUARDJIT_COMPILE_ROW_PROGRAM_HPP

#include <guardjit/compile/group_call.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/expr/eager_result.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `Body` along the last axis of what the nodes `Operand` of `Formula` compute, as a function of the slots
/// of the formula.
template <class Body, class Formula, int... Operand> struct row_of_formula {
  constexpr sym operator()(auto const&... slot) const {
    sym const slots[] = {slot...};
    tracer& t = *slots[0].trace();
    int numbers[static_cast<unsigned>(Formula::size)]{};
    for (int k = 0; k < Formula::size; ++k) {
      formula_node const n = Formula::node(k);
      if (n.id == op::input) {
        numbers[k] = slots[n.a].id();
        continue;
      }
      int const in[] = {numbers[n.a], numbers[n.b], numbers[n.c]};
      attributes extra;
      extra.type = n.type;
      numbers[k] = append_node(t, n.id, extra, {},
                               {in, static_cast<unsigned>(info_of(n.id).arity)});
    }
    return Body::call(sym(&t, numbers[Operand])..., -1, source_line{});
  }
};

/// What `run_rows` runs: a row function, what its operands are, and the rank of their elements.
template <class Body, class Formula, int Rank, row_shape Shape, std::uint64_t Scalars, int... Operand>
struct row_call {
  using function = row_of_formula<Body, Formula, Operand...>;
  using formula = Formula;
  static constexpr int rank = Rank;
  static constexpr bool keeps_rows = Shape == row_shape::same;
  static constexpr bool is_scalar(unsigned slot) { return slot < 64 && (Scalars >> slot & 1u) != 0; }
  /// Arguments in the dtypes of the slots: of rank `Rank`, or 0 where `Scalars` has a bit. A slot from 64
  /// on is seen in the shape of the elements, whatever it is.
  template <int... Slot> static auto arguments_of(std::integer_sequence<int, Slot...>)
      -> call_signature<argument_type{Formula::input_type(Slot), false,
                                 unknown_shape(is_scalar(Slot) ? 0 : Rank)}...>;
  using arguments = decltype(arguments_of(std::make_integer_sequence<int, Formula::inputs>{}));
};

/// Runs a `row_call` along the axis that `call` names. Slots are seen in the shape of the elements, with
/// that axis moved to the end; the kernel writes rows, which are copied where the axis is another one and
/// has values of the result.
template <class Backend, class Call> void run_rows(group_call const& call) {
  using function = typename Call::function;
  using arguments = typename Call::arguments;
  constexpr int Rank = Call::rank;
  using program_type = program<traced<function, arguments>, Backend>;
  constexpr auto count = static_cast<unsigned>(Call::formula::inputs);

  int order[max_rank]{};
  int next = 0;
  for (int d = 0; d < Rank; ++d)
    if ((call.axes >> d & 1u) == 0) order[next++] = d;
  for (int d = 0; d < Rank; ++d)
    if ((call.axes >> d & 1u) != 0) order[next++] = d;
  bool const is_last = order[Rank - 1] == Rank - 1;

  std::array<any_layout, count> forms;
  std::array<layout_view, count> layouts;
  std::array<void*, count + 3> bases;
  for (unsigned k = 0; k < count; ++k) {
    bases[k] = const_cast<void*>(call.slots[k].data);
    if (Call::is_scalar(k)) {
      layouts[k] = call.slots[k].layout;
      continue;
    }
    any_layout const whole = expanded(call.slots[k].layout, call.form).layout;
    forms[k] = permuted(whole.view(), {order, static_cast<std::size_t>(Rank)}).layout;
    layouts[k] = forms[k].view();
  }
  alignas(64) std::byte room[sizeof(plan<program_type>)];
  bound_call bound;
  bind_program<program_type>(layouts.data(), room, bound);
  constexpr dtype type = program_type::result_types[0].type;
  bases[count] = call.out;
  // One value a row lies in the same order wherever the axis was.
  if (is_last || !Call::keeps_rows) return run_plan(bound, bases.data(), int{count} + 1, nullptr);

  any_tensor const rows = any_tensor::uninitialized(type, bound.results[0].layout.shape());
  bases[count] = const_cast<void*>(rows.data());
  run_plan(bound, bases.data(), int{count} + 1, nullptr);
  int back[max_rank]{};
  for (int d = 0; d < Rank; ++d) back[order[d]] = d;
  any_layout const moved_back =
      permuted(rows.layout().view(), {back, static_cast<std::size_t>(Rank)}).layout;
  copy_elements(size_of(type), call.to, call.out, moved_back.view(), rows.data());
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
