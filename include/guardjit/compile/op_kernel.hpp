// guardjit: compile/op_kernel.hpp: one op on tensors of any dtype and shape, by a backend's kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OP_KERNEL_HPP
#define GUARDJIT_COMPILE_OP_KERNEL_HPP

#include <guardjit/compile/plain_backend.hpp>
#include <guardjit/compile/view_kernel.hpp>
#include <guardjit/modes/infer.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/numbers.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The dtype of slot `slot` of an op that computes in `compute`.
constexpr dtype slot_type(op id, int slot, dtype compute) {
  return info_of(id).types == dtype_rule::selected && slot == 0 ? dtype::boolean : compute;
}

constexpr std::uint64_t slot_word(op id, int slot, dtype compute) {
  return formula_node{op::input, slot_type(id, slot, compute), slot, 0, 0}.word();
}
constexpr std::uint64_t op_word(op id, dtype result, int arity) {
  return formula_node{id, result, 0, arity > 1 ? 1 : 0, arity > 2 ? 2 : 0}.word();
}

template <op Id, dtype Compute, dtype Result, int... Slot>
auto one_node(std::integer_sequence<int, Slot...>)
    -> numbers<int{sizeof...(Slot)}, int{sizeof...(Slot)} + 1, slot_word(Id, Slot, Compute)...,
               op_word(Id, Result, sizeof...(Slot))>;

/// The formula of one op, numbered as in fused kernels.
template <op Id, dtype Compute, dtype Result> using one_node_formula =
    decltype(one_node<Id, Compute, Result>(std::make_integer_sequence<int, info_of(Id).arity>{}));

/// An operand as kernels read it, in the dtype of its slot.
struct array_operand {
  layout_view layout;
  void const* data = nullptr;
};

/// Writes one op's result to `out`.
/// Precondition: the operands fit, `result` is row-major.
template <class Backend, op Id, dtype Compute, dtype Result, std::size_t Arity>
void run_op(layout_view const& result, void* out, std::array<array_operand, Arity> const& in,
            [[maybe_unused]] unsigned axes = 0) {
  constexpr op_form form = info_of(Id).form;
  static_assert(Arity == info_of(Id).arity);
  if (result.count() == 0) return;
  if constexpr (form == op_form::contraction) {
    Backend::template matmul<element_t<Compute>>(matmul_nest_of(in[0].layout, in[1].layout), out,
                                                 in[0].data, in[1].data);
  } else {
    using formula = one_node_formula<Id, Compute, Result>;
    void const* data[Arity];
    for (unsigned k = 0; k < Arity; ++k) data[k] = in[k].data;
    if constexpr (form == op_form::reduction) {
      Backend::template reduce<formula>(
          reduce_nest_of<1>(in[0].layout.shape(), axes, {in[0].layout}), out, data);
    } else {
      std::array<layout_view, Arity + 1> layouts{result};
      for (unsigned k = 0; k < Arity; ++k) layouts[k + 1] = in[k].layout;
      Backend::template elementwise<formula>(elementwise_nest<Arity + 1>(result.shape(), layouts),
                                             out, data);
    }
  }
}

/// Row-major elements of dtype `To`, to which that of `x` promotes.
template <dtype To> any_tensor promoted(any_tensor const& x) {
  any_tensor result = any_tensor::uninitialized(To, x.shape(), x.where());
  for_each_index<dtype_count>([&]<int From>(std::integral_constant<int, From>) {
    constexpr auto from = static_cast<dtype>(From);
    if constexpr (from != To && promote(from, To) == To)
      if (x.type() == from)
        convert_elements<element_t<To>, element_t<from>>(x.layout().view(), x.data(),
                                                         result.data());
  });
  return result;
}

/// The value of a scalar operand in the dtype of its slot.
template <element T> T scalar_as(operand const& x) {
  if (is_floating(x.type())) return convert<T>(x.scalar<double>());
  return convert<T>(x.scalar<std::int64_t>());
}

/// An operand of a call, converted where its dtype is not that of its slot.
/// Lifetime: refers to the operand.
template <dtype Type> class call_input {
 public:
  explicit call_input(operand const& x) {
    if (x.is_scalar()) {
      scalar_ = scalar_as<element_t<Type>>(x);
      array_.data = &scalar_;
    } else if (x.type() == Type) {
      array_ = {x.tensor().layout().view(), x.tensor().data()};
    } else {
      converted_ = promoted<Type>(x.tensor());
      array_ = {converted_.layout().view(), std::as_const(converted_).data()};
    }
  }
  call_input(call_input const&) = delete;
  call_input& operator=(call_input const&) = delete;
  array_operand const& array() const { return array_; }

 private:
  any_tensor converted_;
  element_t<Type> scalar_{};
  array_operand array_;
};

/// The op's result, as `inferred` says.
template <class Backend, op Id, dtype Compute, dtype Result>
any_tensor compute_op(op_call const& call, inferred_op const& inferred) {
  any_tensor result = any_tensor::uninitialized(Result, inferred.extents, inferred.where);
  [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
    auto const run = [&](call_input<slot_type(Id, Slot, Compute)> const&... in) {
      run_op<Backend, Id, Compute, Result, sizeof...(Slot)>(result.layout().view(), result.data(),
                                                            {in.array()...}, call.attribute().axes);
    };
    run(call_input<slot_type(Id, Slot, Compute)>(call.arg(Slot))...);
  }
  (std::make_integer_sequence<int, info_of(Id).arity>{});
  return result;
}

/// The result's dtype of an op that computes in `compute`.
constexpr dtype result_type(op id, dtype compute) {
  operand_type const in[] = {{slot_type(id, 0, compute)}, {compute}, {compute}};
  mistake wrong;
  return dtypes_of(id, {in, static_cast<unsigned>(info_of(id).arity)}, attributes{}, wrong).result;
}

/// Whether an op computes in `compute` for some operands.
constexpr bool computes_in(op id, dtype compute) {
  operand_type const in[] = {{slot_type(id, 0, compute)}, {compute}, {compute}};
  mistake wrong;
  auto const typed =
      dtypes_of(id, {in, static_cast<unsigned>(info_of(id).arity)}, attributes{}, wrong);
  return !wrong && typed.compute == compute;
}

inline inferred_op infer_call(op_call const& call) {
  return infer_op(call.op(), call.operands(), call.attribute(), call.where());
}

/// Computes in whichever dtype the operands of the call promote to.
template <class Backend, op Id, dtype To>
any_tensor compute_any(op_call const& call, inferred_op const& inferred) {
  any_tensor result;
  for_each_index<dtype_count>([&]<int K>(std::integral_constant<int, K>) {
    constexpr auto compute = static_cast<dtype>(K);
    constexpr dtype given = Id == op::to ? To : result_type(Id, compute);
    if constexpr (computes_in(Id, compute))
      if (inferred.types.compute == compute)
        result = compute_op<Backend, Id, compute, given>(call, inferred);
  });
  return result;
}

}  // namespace detail

/// A kernel of op `Id` as an `op_kernel`, for callers whose operands' dtypes are types: where the
/// operands promote to `Compute` and the result is `Result`, it is the backend's; operands of other
/// dtypes, which a mode may go on with, take plain loops. `To` of a conversion is `Result`.
/// Views share the operand's storage.
/// Throws: as `infer_op`.
/// Modes: none is asked.
template <class Backend, op Id, dtype Compute, dtype Result>
any_tensor op_kernel_of(op_call const& call) {
  constexpr op_form form = info_of(Id).form;
  auto const inferred = detail::infer_call(call);
  if constexpr (form == op_form::view) {
    return detail::view_of_call(call);
  } else if constexpr (form == op_form::factory) {
    return detail::fill_for_call(call);
  } else {
    if (inferred.types.compute == Compute) [[likely]]
      return detail::compute_op<Backend, Id, Compute, Result>(call, inferred);
    return detail::compute_any<detail::plain_backend<Backend>, Id, Result>(call, inferred);
  }
}

/// A kernel of op `Id` for operands of any dtypes that it allows, all by the backend. `To` is the
/// dtype that a conversion gives. It instantiates the kernels of this op only, one for each dtype
/// in which the op computes.
/// Throws: as `infer_op`.
/// Modes: none is asked.
template <class Backend, op Id, dtype To = dtype::f32>
any_tensor any_op_kernel(op_call const& call) {
  constexpr op_form form = info_of(Id).form;
  auto const inferred = detail::infer_call(call);
  if constexpr (form == op_form::view) return detail::view_of_call(call);
  else if constexpr (form == op_form::factory) return detail::fill_for_call(call);
  else return detail::compute_any<Backend, Id, To>(call, inferred);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
