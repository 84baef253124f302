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

/// `Body` along the last axis of what `Formula` computes, as a function of the slots of the formula.
template <class Body, class Formula> struct row_of_formula {
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
    return Body::call(sym(&t, numbers[Formula::size - 1]), -1, source_line{});
  }
};

/// Arguments of rank `Rank` in the dtypes of the slots of a formula.
template <class Formula, int Rank, int... Slot>
auto slots_signature(std::integer_sequence<int, Slot...>)
    -> signature<argument_type{Formula::input_type(Slot), false, unknown_shape(Rank)}...>;

/// Runs `Body` along the axis that `call` names. All slots are seen in the shape of the elements, with
/// that axis moved to the end; the kernel writes rows, which are copied where the axis is another one.
template <class Backend, class Body, class Formula, int Rank> void run_rows(group_call const& call) {
  using function = row_of_formula<Body, Formula>;
  using arguments =
      decltype(slots_signature<Formula, Rank>(std::make_integer_sequence<int, Formula::inputs>{}));
  using program_type = program<traced<function, arguments>, Backend>;
  constexpr auto count = static_cast<unsigned>(Formula::inputs);

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
    any_layout const whole = expanded(call.slots[k].layout, call.form).layout;
    forms[k] = permuted(whole.view(), {order, static_cast<std::size_t>(Rank)}).layout;
    layouts[k] = forms[k].view();
    bases[k] = const_cast<void*>(call.slots[k].data);
  }
  alignas(64) std::byte room[sizeof(plan<program_type>)];
  bound_call bound;
  bind_program<program_type>(layouts.data(), room, bound);
  bases[count] = call.out;
  if (is_last) return run_plan(bound, bases.data(), int{count} + 1, nullptr);

  constexpr dtype type = program_type::result_types[0].type;
  any_tensor const rows = any_tensor::uninitialized(type, bound.results[0].layout.shape());
  bases[count] = const_cast<void*>(rows.data());
  run_plan(bound, bases.data(), int{count} + 1, nullptr);
  layout_view from = rows.layout().view();
  any_layout moved_back = rows.layout();
  if (from.rank == Rank) {
    int back[max_rank]{};
    for (int d = 0; d < Rank; ++d) back[order[d]] = d;
    moved_back = permuted(from, {back, static_cast<std::size_t>(Rank)}).layout;
  }
  copy_elements(size_of(type), call.to, call.out, moved_back.view(), rows.data());
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
