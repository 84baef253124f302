// guardjit: compile/evaluator.hpp: evaluates expressions, one kernel for each fused group
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EVALUATOR_HPP
#define GUARDJIT_COMPILE_EVALUATOR_HPP

#include <guardjit/compile/one_loop.hpp>
#include <guardjit/compile/op_kernel.hpp>
#include <guardjit/compile/row_program.hpp>
#include <guardjit/expr/operators.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <std::size_t Front, class Formula> std::array<layout_view, Front + Formula::inputs> layouts_of(
    group_call const& call) {
  std::array<layout_view, Front + Formula::inputs> layouts;
  if constexpr (Front == 1) layouts[0] = call.to;
  for (std::size_t k = 0; k < Formula::inputs; ++k) layouts[Front + k] = call.slots[k].layout;
  return layouts;
}
template <class Formula> struct slot_data {
  void const* at[Formula::inputs == 0 ? 1 : Formula::inputs];
  explicit slot_data(group_call const& call) {
    for (unsigned k = 0; k < Formula::inputs; ++k) at[k] = call.slots[k].data;
  }
};

/// The kernel of an elementwise op with what is computed on the way.
template <class Backend, class Formula> void run_elementwise(group_call const& call) {
  Backend::template elementwise<Formula>(elementwise_nest(call.form, layouts_of<1, Formula>(call)),
                                         call.out, slot_data<Formula>(call).at);
}
/// The same of a reduction.
template <class Backend, class Formula> void run_reduction(group_call const& call) {
  Backend::template reduce<Formula>(
      reduce_nest_of(call.form, call.axes, layouts_of<0, Formula>(call), call.correction), call.out,
      slot_data<Formula>(call).at);
}
/// A matrix product. Operands of another dtype are converted.
template <class Backend, dtype Compute, dtype Left, dtype Right>
void run_product(group_call const& call) {
  auto const converted = [](dtype from, array_operand const& x) {
    any_layout const packed(x.layout.shape());
    any_tensor copy = any_tensor::uninitialized(from, packed.shape());
    copy_elements(size_of(from), packed.view(), copy.data(), x.layout, x.data);
    return promoted(copy, Compute);
  };
  any_tensor copies[2];
  array_operand in[] = {call.slots[0], call.slots[1]};
  dtype const types[] = {Left, Right};
  for (int k = 0; k < 2; ++k) {
    if (types[k] == Compute) continue;
    copies[k] = converted(types[k], in[k]);
    in[k] = {copies[k].layout().view(), copies[k].data()};
  }
  Backend::template matmul<element_t<Compute>>(matmul_nest_of(in[0].layout, in[1].layout), call.out,
                                               in[0].data, in[1].data);
}

/// A concat. Operands of other dtypes are converted on the way.
template <class Backend, dtype Type, dtype Left, dtype Right>
void run_concat(group_call const& call) {
  array_operand const &left = call.slots[0], &right = call.slots[1];
  concat_part const first = concat_part_of(call.to, call.axis, 0, left.layout);
  concat_part const second =
      concat_part_of(call.to, call.axis, left.layout.extents[call.axis], right.layout);
  run_concat_part<Backend, Left, Type>(first, call.out, left.data);
  run_concat_part<Backend, Right, Type>(second, call.out, right.data);
}
/// A take or gather.
template <class Backend, op Id, dtype Type, dtype Index> void run_indexed(group_call const& call) {
  array_operand const &x = call.slots[0], &index = call.slots[1];
  run_gather<Backend, element_t<Type>, element_t<Index>>(
      {Id, call.axis, call.where}, gather_nest_of(Id, call.to, x.layout, index.layout, call.axis),
      index_nest_of(index.layout), call.out, x.data, index.data);
}

/// The kernels of an expression. A static entry for each code and backend.
template <class Backend, class Code, class Rows> struct expression_kernels {
  using groups = expression_groups<Code>;
  static constexpr auto const& plan = groups::plan;

  /// Bits of the slots that are scalars.
  static constexpr std::uint64_t scalar_slots(int step) {
    group_step const& s = plan.steps[static_cast<unsigned>(step)];
    std::uint64_t bits = 0;
    for (int k = 0; k < s.slots && k < 64; ++k) {
      group_slot const& slot = plan.slots[static_cast<unsigned>(s.first_slot + k)];
      if (groups::nodes[static_cast<unsigned>(slot.part)].kind == part_kind::scalar)
        bits |= std::uint64_t{1} << k;
    }
    return bits;
  }
  static constexpr expression_node root(int step) {
    return groups::nodes[static_cast<unsigned>(plan.steps[static_cast<unsigned>(step)].root)];
  }
  template <int Step, int... K> static auto row_call_of(std::integer_sequence<int, K...>)
      -> row_call<nth_type_t<root(Step).row, Rows>, typename groups::template formula<Step>,
                  rank_of_operands(groups::nodes, root(Step)), shape_of_row(root(Step).dims),
                  scalar_slots(Step), int{plan.steps[Step].operands[K]}...>;

  template <int Step> static constexpr group_kernel kernel() {
    constexpr expression_node n = groups::nodes[static_cast<unsigned>(plan.steps[Step].root)];
    if constexpr (n.kind == part_kind::row) {
      return &run_rows<Backend, decltype(row_call_of<Step>(
                                    std::make_integer_sequence<int, operands_of_row(n.dims)>{}))>;
    } else if constexpr (is_elementwise(n.id)) {
      return &run_elementwise<Backend, typename groups::template formula<Step>>;
    } else if constexpr (is_reduction(n.id)) {
      return &run_reduction<Backend, typename groups::template formula<Step>>;
    } else if constexpr (is_view(n.id)) {
      return nullptr;
    } else {
      constexpr dtype left = groups::nodes[static_cast<unsigned>(n.in[0])].type;
      constexpr dtype right = groups::nodes[static_cast<unsigned>(n.in[1])].type;
      if constexpr (n.id == op::concat) return &run_concat<Backend, n.type, left, right>;
      else if constexpr (info_of(n.id).types == dtype_rule::indexed)
        return &run_indexed<Backend, n.id, n.type, right>;
      else return &run_product<Backend, n.compute, left, right>;
    }
  }
  static constexpr auto list = []<int... Step>(std::integer_sequence<int, Step...>) {
    return std::array<group_kernel, sizeof...(Step)>{kernel<Step>()...};
  }(std::make_integer_sequence<int, plan.count>{});
  static constexpr group_table table{{plan.steps.data(), static_cast<unsigned>(plan.count)},
                                     plan.slots.data(), plan.step_of.data(), list.data()};
};

}  // namespace detail

/// Runs ops of eager code by the kernels of `Backend`.
template <class Backend> struct evaluator {
  /// The kernel of calls whose operands' dtypes are known at run time only; `To` is what a
  /// conversion gives.
  template <op Id, class To> static constexpr op_kernel any_kernel() {
    if constexpr (Id == op::to) return &any_op_kernel<Backend, Id, dtype_v<To>>;
    else return &any_op_kernel<Backend, Id>;
  }
  /// The kernel of calls of typed operands.
  template <op Id, dtype Compute, dtype Result> static constexpr op_kernel kernel() {
    return &op_kernel_of<Backend, Id, Compute, Result>;
  }

  /// The value of an expression.
  /// Throws: as `tensor_expression::evaluate`.
  /// Complexity: a kernel and an allocation for each group; products copy operands of other dtypes.
  template <class Expression>
  static typename Expression::result_type evaluate(Expression const& e) {
    using result = typename Expression::result_type;
    auto leaves = e.leaf_views();
    detail::deferred_values<Expression::code_type::size.deferred> const values(leaves);
    using loop = detail::one_loop<typename Expression::code_type>;
    if constexpr (loop::possible) {
      if (detail::leaf_view const* const x = loop::common(leaves.data())) {
        result out = result::uninitialized(extents_of<result>(x->extents), x->where());
        loop::template run<Backend>(leaves.data(), e.scalars(), out.data(), out.size());
        return out;
      }
    }
    result out = result::adopt({}, nullptr, {});
    any_tensor other;
    auto const make = [](void* owner, shape const& form, device on) -> memory_view {
      auto& to = *static_cast<result*>(owner);
      to = result::uninitialized(extents_of<result>(form), on);
      return {to.data(), to.layout().view(), size_of(result::type())};
    };
    if (!run(e, leaves, {{}, &out, make}, other)) out = detail::from_any<result>(other);
    return out;
  }

  /// Writes the value to memory, as if it was computed first, and returns true; false where `value` has
  /// it: its shape is another one, or what it reads does not allow it.
  /// Rules: N52, N53, POL-12.
  template <class Expression>
  static bool write(Expression const& e, memory_view const& to, any_tensor& value) {
    auto leaves = e.leaf_views();
    detail::deferred_values<Expression::code_type::size.deferred> const values(leaves);
    using loop = detail::one_loop<typename Expression::code_type>;
    if constexpr (loop::possible) {
      detail::leaf_view const* const x = loop::common(leaves.data());
      if (x && loop::may_write(leaves.data(), *x, to)) {
        loop::template run<Backend>(leaves.data(), e.scalars(), const_cast<void*>(to.data),
                                    to.layout.count());
        return true;
      }
    }
    return run(e, leaves, {to}, value);
  }
  /// Copies the elements of a tensor to memory of the same shape and dtype, which may overlap it.
  static void write_apart(any_tensor const& x, memory_view const& to) {
    memory_view const from{x.data(), x.layout().view(), to.element};
    overlap const how = overlap_of(to, from);
    if (how == overlap::same_view) return;
    any_tensor const source = how == overlap::disjoint ? x : x.clone();
    copy_elements(to.element, to.layout, const_cast<void*>(to.data), source.layout().view(),
                  source.data());
  }

 private:
  template <class Tensor> static typename Tensor::extents_type extents_of(auto const& from) {
    typename Tensor::extents_type extents{};
    for (int d = 0; d < Tensor::rank(); ++d) extents[static_cast<unsigned>(d)] = from[d];
    return extents;
  }
  template <class Expression>
  static bool run(Expression const& e, std::span<detail::leaf_view const> leaves,
                  detail::group_output const& to, any_tensor& value) {
    using kernels = detail::expression_kernels<Backend, typename Expression::code_type,
                                               typename Expression::rows_type>;
    constexpr auto slots = static_cast<unsigned>(kernels::plan.most_slots);
    std::array<any_tensor, static_cast<unsigned>(kernels::plan.count)> values;
    std::array<detail::array_operand, slots> arrays;
    std::array<std::uint64_t, slots> scalars;
    detail::expression_view const view = e.view(leaves);
    return detail::group_evaluation(view, kernels::table,
                                    {values.data(), arrays.data(), scalars.data()})
        .run(to, value);
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
