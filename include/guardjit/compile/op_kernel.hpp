// guardjit: compile/op_kernel.hpp: one op on tensors of any dtype and shape, by a backend's kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OP_KERNEL_HPP
#define GUARDJIT_COMPILE_OP_KERNEL_HPP

#include <guardjit/compile/flat_op.hpp>
#include <guardjit/compile/movement.hpp>
#include <guardjit/compile/plain_backend.hpp>
#include <guardjit/compile/view_kernel.hpp>
#include <guardjit/modes/infer.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/numbers.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

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

/// Writes one op's result to `out`.
/// Precondition: the operands fit, `result` is row-major.
template <class Backend, op Id, dtype Compute, dtype Result, std::size_t Arity>
void run_op(layout_view const& result, void* out, std::array<array_operand, Arity> const& in,
            [[maybe_unused]] attributes const& extra) {
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
          reduce_nest_of<1>(in[0].layout.shape(), extra.axes, {in[0].layout}, extra.correction), out, data);
    } else {
      std::array<layout_view, Arity + 1> layouts{result};
      for (unsigned k = 0; k < Arity; ++k) layouts[k + 1] = in[k].layout;
      Backend::template elementwise<formula>(elementwise_nest<Arity + 1>(result.shape(), layouts),
                                             out, data);
    }
  }
}

/// The op's result, as `inferred` says.
template <class Backend, op Id, dtype Compute, dtype Result>
any_tensor compute_op(op_call const& call, inferred_op const& inferred) {
  any_tensor result = any_tensor::uninitialized(Result, inferred.extents, inferred.where);
  [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
    call_input const in[] = {{call.arg(Slot), slot_type(Id, Slot, Compute)}...};
    run_op<Backend, Id, Compute, Result, sizeof...(Slot)>(
        result.layout().view(), result.data(), {in[Slot].array()...}, call.attribute());
  }
  (std::make_integer_sequence<int, info_of(Id).arity>{});
  return result;
}

inline inferred_op infer_call(op_call const& call) {
  return infer_op(call.op(), call.operands(), call.attribute(), call.where());
}

/// Calls `compute(compute_type, result_type)`, constants, for the dtype that operands promote to.
/// `To` is what a conversion gives.
template <op Id, dtype To> void with_types(inferred_op const& inferred, auto const& compute) {
  for_each_index<dtype_count>([&]<int K>(std::integral_constant<int, K>) {
    constexpr auto type = static_cast<dtype>(K);
    constexpr dtype given = Id == op::to ? To : result_type(Id, type);
    if constexpr (computes_in(Id, type))
      if (inferred.types.compute == type)
        compute(std::integral_constant<dtype, type>{}, std::integral_constant<dtype, given>{});
  });
}

/// Computes in whichever dtype the operands of the call promote to, by the backend's kernels.
template <class Backend, op Id, dtype To>
any_tensor compute_any(op_call const& call, inferred_op const& inferred) {
  any_tensor result;
  with_types<Id, To>(inferred, [&]<dtype Compute, dtype Given>(std::integral_constant<dtype, Compute>,
                                                               std::integral_constant<dtype, Given>) {
    result = compute_op<Backend, Id, Compute, Given>(call, inferred);
  });
  return result;
}

/// The plain loop of an elementwise op for whatever dtype its operands promote to.
template <class Backend, op Id, dtype To> flat_kernel plain_kernel(inferred_op const& inferred) {
  flat_kernel kernel = nullptr;
  with_types<Id, To>(inferred, [&]<dtype Compute, dtype Given>(std::integral_constant<dtype, Compute>,
                                                               std::integral_constant<dtype, Given>) {
    kernel = &flat_elements<plain_backend<Backend>, one_node_formula<Id, Compute, Given>>;
  });
  return kernel;
}

/// The result of an op that moves elements, whatever their dtype.
template <class Backend, op Id> any_tensor move_elements(op_call const& call, inferred_op const& inferred) {
  device const on = Id == op::arange ? call.device_of_result() : inferred.where;
  any_tensor result = any_tensor::uninitialized(inferred.types.result, inferred.extents, on);
  layout_view const to = result.layout().view();
  int const axis = call.attribute().axis;
  if constexpr (Id == op::arange) {
    Backend::arange(result.data_as<std::int64_t>(), result.size());
  } else if constexpr (Id == op::concat) {
    index_t start = 0;
    for (int k = 0; k < 2; ++k) {
      call_input const part(call.arg(k), inferred.types.compute);
      array_operand const& in = part.array();
      concat_part const place = concat_part_of(to, axis, start, in.layout);
      visit_dtype(inferred.types.compute, [&]<class T>(std::type_identity<T>) {
        run_concat_part<Backend, dtype_v<T>, dtype_v<T>>(place, result.data(), in.data);
      });
      start += in.layout.extents[axis];
    }
  } else {
    call_input const x(call.arg(0), inferred.types.compute), index(call.arg(1), call.arg(1).type());
    run_any_gather<Backend>({Id, axis, call.where()}, inferred.types.result, call.arg(1).type(), to,
                            result.data(), x.array(), index.array());
  }
  return result;
}

}  // namespace detail

/// A kernel of op `Id` as an `op_kernel`, for callers whose operands' dtypes are types: where the
/// operands promote to `Compute` and the result is `Result`, it is the backend's; operands of other
/// dtypes, which a mode may go on with, take plain loops. Elementwise ops copy operands that are not
/// as long as the result and row-major: such calls run under modes, and every compiled function has
/// kernels for all its ops, which should cost the C++ compiler little. `To` of a conversion is
/// `Result`.
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
  } else if constexpr (form == op_form::movement) {
    return detail::move_elements<Backend, Id>(call, inferred);
  } else if constexpr (form == op_form::elementwise) {
    using formula = detail::one_node_formula<Id, Compute, Result>;
    bool const as_typed = inferred.types.compute == Compute;
    return detail::run_flat(call, inferred,
                            as_typed ? &detail::flat_elements<Backend, formula>
                                     : detail::plain_kernel<Backend, Id, Result>(inferred));
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
  else if constexpr (form == op_form::movement)
    return detail::move_elements<Backend, Id>(call, inferred);
  else return detail::compute_any<Backend, Id, To>(call, inferred);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
