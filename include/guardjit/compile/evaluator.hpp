// guardjit: compile/evaluator.hpp: evaluates expressions, one kernel for each fused group
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EVALUATOR_HPP
#define GUARDJIT_COMPILE_EVALUATOR_HPP

#include <guardjit/compile/group_inputs.hpp>
#include <guardjit/compile/row_evaluator.hpp>
#include <guardjit/expr/operators.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <int Rank>
typename layout<Rank>::values first_values(std::array<index_t, max_rank> const& from) {
  typename layout<Rank>::values values{};
  for (unsigned d = 0; d < static_cast<unsigned>(Rank); ++d) values[d] = from[d];
  return values;
}

/// A tensor in dtype `Type`, row-major where it is converted.
template <dtype Type, element T, index_t... Extents>
tensor<element_t<Type>, Extents...> converted(tensor<T, Extents...> const& x) {
  using result = tensor<element_t<Type>, Extents...>;
  if constexpr (std::is_same_v<result, tensor<T, Extents...>>) {
    return x;
  } else {
    auto out = result::uninitialized(first_values<result::rank()>(x.shape().extents), x.where());
    tensor<T, Extents...> const packed = x.is_contiguous() ? x : x.clone();
    convert_elements<element_t<Type>, T>(packed.data(), out.data(), out.size());
    return out;
  }
}

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

  /// The value of an operand; the tensors of expressions lie on device `on`, as was checked.
  template <element T, index_t... Extents>
  static tensor<T, Extents...> evaluate(tensor<T, Extents...> const& x, device) {
    return x;
  }
  /// Throws: `shape_error`, `index_error`.
  /// Complexity: a kernel and an allocation for each group; products copy operands of other dtypes.
  template <class Expression>
  static typename Expression::result_type evaluate(Expression const& e, device on) {
    using result = typename Expression::result_type;
    if constexpr (is_view(Expression::id)) {
      return view<Expression::id, result>(e.attribute(), evaluate(e.template operand<0>(), on));
    } else if constexpr (info_of(Expression::id).form == op_form::contraction) {
      return product(e, on);
    } else {
      detail::group_inputs<Backend, Expression> const in(e, on);
      return fresh(e, in, shape_of_group(e, in), on);
    }
  }

  /// Along the last axis by one kernel; other axes are made the last one.
  template <class Body, class X>
  static auto evaluate(row_expression<Body, X> const& e, device on) {
    using result = typename row_expression<Body, X>::result_type;
    X const& x = std::get<0>(e.operands());
    if constexpr (X::rank() == 0) {
      return evaluate(e.tree(), on);
    } else {
      constexpr int last = X::rank() - 1;
      shape const form = e.shape();
      int const axis = e.axis() < 0 ? e.axis() + X::rank() : e.axis();
      if (axis == last) return detail::evaluate_last_axis<Backend, Body, result>(x, form, on);
      return along_axis<Body, result>(evaluate(x, on), axis, on);
    }
  }

  /// Writes the value to `to`, whose shape was checked, as if it was computed first.
  /// Rules: N53, POL-12.
  template <class Expression>
  static void evaluate_into(Expression const& e, device on, layout_view const& to, void* out) {
    memory_view const target{out, to, size_of(Expression::type())};
    if constexpr (is_elementwise(Expression::id)) {
      detail::group_inputs<Backend, Expression> const in(e, on);
      if (in.allow_writing(target, true)) return run_group(e, in, to.shape(), to, out);
    }
    write_apart(evaluate(e, on), target);
  }
  /// Gives the handle `to` the value: in its elements, which nobody else has and which have the
  /// value's shape, or in fresh ones.
  template <class Expression, class Tensor>
  static void assign(Expression const& e, device on, Tensor& to) {
    if constexpr (is_elementwise(Expression::id)) {
      detail::group_inputs<Backend, Expression> const in(e, on);
      layout_view const form = to.layout().view();
      if (in.allow_writing({to.data(), form, size_of(Tensor::type())}, true))
        return run_group(e, in, form.shape(), form, to.data());
      to = Tensor(fresh(e, in, form.shape(), on));
    } else {
      to = Tensor(evaluate(e, on));
    }
  }
  /// Copies the elements of a tensor to memory of the same shape and dtype, which may overlap it.
  template <class Tensor> static void write_apart(Tensor const& x, memory_view const& to) {
    memory_view const from{x.data(), x.layout().view(), to.element};
    bool const apart = overlap_of(to, from) == overlap::disjoint;
    Tensor const source = apart ? x : x.clone();
    copy_elements(to.element, to.layout, const_cast<void*>(to.data), source.layout().view(),
                  source.data());
  }

 private:
  /// The shape of the elements that the kernel of a group computes: those that a reduction reduces.
  template <class Expression, class Inputs>
  static shape shape_of_group(Expression const& e, Inputs const& in) {
    using reduced_type = std::remove_cvref_t<decltype(e.template operand<0>())>;
    constexpr int rank = [] {
      if constexpr (is_reduction(Expression::id)) return reduced_type::rank();
      else return Expression::rank();
    }();
    if (auto const* const common = in.common(rank)) return common->layout.shape();
    if constexpr (is_reduction(Expression::id)) return e.template operand<0>().shape();
    else return e.shape();
  }
  template <class Expression> static shape result_shape(Expression const& e, shape const& form) {
    if constexpr (!is_reduction(Expression::id)) return form;
    else return detail::inferred_shape(Expression::id, {&form, 1}, e.attribute(), e.line());
  }

  template <class Expression, class Inputs>
  static auto fresh(Expression const& e, Inputs const& in, shape const& form, device on) {
    using result = typename Expression::result_type;
    result out = result::uninitialized(
        detail::first_values<result::rank()>(result_shape(e, form).extents), on);
    run_group(e, in, form, out.layout().view(), out.data());
    return out;
  }
  template <class Expression, class Inputs>
  static void run_group(Expression const& e, Inputs const& in, shape const& form,
                        layout_view const& to, void* out) {
    using formula = typename Inputs::formula;
    if (to.count() == 0) return;
    if constexpr (is_reduction(Expression::id)) {
      Backend::template reduce<formula>(
          reduce_nest_of(form, e.attribute().axes, in.template layouts<0>({})), out, in.data());
    } else {
      Backend::template elementwise<formula>(
          elementwise_nest(form, in.template layouts<1>({to})), out, in.data());
    }
  }

  template <class Expression> static auto product(Expression const& e, device on) {
    using result = typename Expression::result_type;
    constexpr dtype compute = Expression::compute;
    auto const left = detail::converted<compute>(evaluate(e.template operand<0>(), on));
    auto const right = detail::converted<compute>(evaluate(e.template operand<1>(), on));
    shape const shapes[] = {left.shape(), right.shape()};
    shape const form = detail::inferred_shape(Expression::id, shapes, e.attribute(), e.line());
    result out =
        result::uninitialized(detail::first_values<result::rank()>(form.extents), on);
    detail::run_op<Backend, Expression::id, compute, result::type(), 2>(
        out.layout().view(), out.data(),
        {{{left.layout().view(), left.data()}, {right.layout().view(), right.data()}}});
    return out;
  }

  /// A function along another axis than the last, which is made the last one.
  template <class Body, class Result, element T, index_t... Extents>
  static Result along_axis(tensor<T, Extents...> const& x, int axis, device on) {
    constexpr int rank = sizeof...(Extents);
    using moved_type = detail::dynamic_tensor_t<T, rank>;
    using value_type = detail::dynamic_tensor_t<typename Result::element_type, Result::rank()>;
    attributes there, back;
    for (int d = 0, next = 0; d < rank; ++d) {
      int const to = d == axis ? rank - 1 : next++;
      there.order[static_cast<unsigned>(to)] = static_cast<std::int8_t>(d);
      back.order[static_cast<unsigned>(d)] = static_cast<std::int8_t>(to);
    }
    moved_type const moved = view<op::permute, moved_type>(there, x);
    value_type const value = evaluate(row_expression<Body, moved_type>(moved, -1, {}), on);
    if constexpr (Result::rank() == rank)
      return Result(view<op::permute, value_type>(back, value).clone());
    else return Result(value);
  }

  /// Handles share elements, whatever the constness of the one that a view is made of.
  template <op Id, class Result, element T, index_t... Extents>
  static Result view(attributes const& extra, tensor<T, Extents...> x) {
    detail::op_view const v = detail::view_of(Id, x.layout().view(), extra);
    using layout_type = typename Result::layout_type;
    auto const extents = detail::first_values<Result::rank()>(v.layout.shape().extents);
    if (v.possible)
      return Result::adopt(
          x.storage(), x.data() + v.offset,
          layout_type(extents, detail::first_values<Result::rank()>(v.layout.strides())));
    Result copy = Result::uninitialized(extents, x.where());
    copy_elements(x.layout().view(), static_cast<T const*>(x.data()), copy.data());
    return copy;
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
