// guardjit: expr/eager.hpp: what ops on tensors do: expressions of known types, all else at once
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EAGER_HPP
#define GUARDJIT_EXPR_EAGER_HPP

#include <guardjit/expr/evaluate.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Operands of which one is an `any_tensor` or an `operand`: checked, through the modes, by a kernel.
/// With an `operand` it gives one: handlers compute with scalars that stay weak, as in a trace.
template <class Backend, op Id, class To, class... Operands>
auto run_any(attributes const& extra, source_line where, bool in_place, Operands const&... in) {
  operand const operands[] = {operand(value_of_operand(in))...};
  bool const is_weak = infer_op(Id, operands, extra, where).types.weak;
  op_call call({.id = Id,
                .operands = operands,
                .attribute = &extra,
                .kernel = evaluator<Backend>::template any_kernel<Id, To>(),
                .where = where,
                .in_place = in_place});
  if constexpr (!(std::is_same_v<Operands, operand> || ...)) return dispatch(call);
  else if (is_weak) return scalar_of_tensor(call.kernel()(call));
  else return operand(dispatch(call));
}

/// What a view of a frozen tensor gives, as frozen: it shares that one's storage, or is a copy.
template <element T, index_t... Extents> frozen<T, Extents...> frozen_view(tensor<T, Extents...> x) {
  if (x.storage() && !frozen_memory::of(x.storage())) return freeze(std::move(x));
  return frozen_access::from(std::move(x));
}

/// An op in eager code on backend `Backend`: typed operands give an expression, but for views of
/// tensors, which are tensors.
template <class Backend, op Id, int Dims, class To, class... Operands>
requires eager_operands<operand_value_t<Operands>...>
auto run_eager(op_tag<Id, Dims, To>, attributes const& extra, source_line where,
               Operands&&... in) {
  if constexpr (typed_operands<operand_value_t<Operands>...>) {
    constexpr static_result facts =
        static_result_of<Id, Dims, To, typename operand_value<operand_value_t<Operands>>::type...>;
    require_no_mistake<facts.wrong, mistakes::this_call>();
    if constexpr (facts.wrong) {
      return tensor_of_t<facts.types.result, facts.extents>();
    } else {
      using result = result_of_op_t<Id, Dims, To, operand_value_t<Operands>...>;
      using type =
          expression_of_t<result, word_of_op<Id, Dims, result>, operand_value_t<Operands>...>;
      if constexpr ((std::is_arithmetic_v<operand_value_t<Operands>> || ...))
        (check_scalar(in, Id, facts.types.compute, where), ...);
      if constexpr (is_view(Id) && (is_frozen_v<std::remove_cvref_t<Operands>> || ...))
        return frozen_view(type(std::in_place, extra, where, static_cast<Operands&&>(in)...)
                               .template evaluate<Backend>());
      else if constexpr (is_view(Id) && !(expression<operand_value_t<Operands>> || ...))
        return type(std::in_place, extra, where, static_cast<Operands&&>(in)...)
            .template evaluate<Backend>();
      else if constexpr ((is_long<operand_value_t<Operands>> || ...))
        return type(std::in_place, extra, where, kept_operand<Backend>(static_cast<Operands&&>(in))...);
      else return type(std::in_place, extra, where, static_cast<Operands&&>(in)...);
    }
  } else if constexpr (!require_backend<Backend, Id>()) {
    return any_tensor();
  } else {
    return run_any<Backend, Id, To>(extra, where, false, operand_itself(in)...);
  }
}

/// A factory in eager code, on the default device where `on` is null.
template <class Backend, op Id, int Rank, class T, class Value>
auto run_factory(attributes const& extra, source_line where, Value value, device const* on = nullptr) {
  using result = tensor_of_t<dtype_v<T>, unknown_shape(Rank)>;
  inferred_shape(Id, {}, extra, where);
  constexpr std::size_t arity = info_of(Id).arity;
  operand const operands[] = {operand(value)};
  op_promise const promise{result::type(), result::static_shape()};
  op_call call({.id = Id,
                .operands = {operands, arity},
                .attribute = &extra,
                .kernel = evaluator<Backend>::template kernel<Id, dtype_v<T>, dtype_v<T>>(),
                .where = where,
                .device = on,
                .promise = &promise});
  return from_any<result>(dispatch(call));
}

}  // namespace detail

/// An op in eager code. Operands of known types give an expression, which runs when it is evaluated;
/// a view of a tensor is a tensor at once, and so is an op on an `any_tensor`, where it gives one.
/// Throws: `dtype_error` for an integer scalar that the dtype does not hold; `index_error` and
/// `shape_error` for axes that are wrong by themselves; at evaluation
/// `shape_error`, `index_error`, `device_error` for operands that the op does not allow, before any
/// mode is asked; what modes throw; `std::bad_alloc`.
/// Modes: told once, at evaluation. Rules: M10, M15, M20, M22, M24.
template <op Id, int Dims, class To, class... Operands>
requires detail::eager_operands<std::remove_cvref_t<Operands>...>
auto apply_op(op_tag<Id, Dims, To> tag, attributes const& extra, source_line where,
              Operands&&... in) {
  return detail::run_eager<default_backend>(tag, extra, where, static_cast<Operands&&>(in)...);
}

/// A factory in eager code. Rules: as `apply_op`; M40.
template <op Id, int Rank, class T, class Value, std::integral... Extents>
auto apply_factory(op_tag<Id, Rank, T>, attributes const& extra, source_line where, Value value,
                   Extents const&...) {
  return detail::run_factory<default_backend, Id, Rank, T>(extra, where, value);
}
/// The same on a device that the caller names.
/// Throws: `device_error` where that is no host memory.
template <op Id, int Rank, class T, class Value>
auto apply_factory_on(op_tag<Id, Rank, T>, attributes const& extra, device on, source_line where,
                      Value value) {
  return detail::run_factory<default_backend, Id, Rank, T>(extra, where, value, &on);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
