// guardjit: expr/composite/like.hpp: tensors of one value, of the shape and dtype of another one
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_LIKE_HPP
#define GUARDJIT_EXPR_COMPOSITE_LIKE_HPP

#include <guardjit/expr/composite/device_beside.hpp>
#include <guardjit/expr/composite/unsqueeze.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A factory in a trace, of the dtype of `x` and shape `form`.
template <op Id, class Result, class Value>
constexpr sym made_like(sym const& x, shape const& form, Value value, source_line where) {
  tracer& t = *x.trace();
  attributes extra;
  extra.type = x.type();
  extra.target = form;
  extra.beside = argument_beside(x);
  if constexpr (Id == op::full) {
    if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      t.begin(op::full, where);
      if (!is_in_range(value, x.type()))
        t.fail(mistake_kind::scalar_out_of_range, static_cast<index_t>(value), 0, 0, x.type());
    }
    int const in[] = {sym_operand(value, where).node_in(t)};
    return {&t, append_node(t, Id, extra, where, in)};
  } else {
    return {&t, append_node(t, Id, extra, where, {})};
  }
}

/// A factory in eager code, on the device of `x`. `Result` is its type: `any_tensor` where that of `x`
/// is known at run time.
template <op Id, class Result, class Backend = default_backend, class X, class Value>
  requires eager_operands<X>
Result made_like(X const& x, shape const& form, Value value, source_line where) {
  constexpr bool typed = !std::is_same_v<Result, any_tensor>;
  attributes extra;
  extra.type = x.type();
  extra.target = form;
  if constexpr (Id == op::full) check_scalar(value, Id, x.type(), where);
  device const on = device_beside(x);
  operand const operands[] = {operand(value)};
  op_promise promise{};
  if constexpr (typed) promise = {Result::type(), Result::static_shape()};
  op_call call({.id = Id,
                .operands = {operands, std::size_t{info_of(Id).arity}},
                .attribute = &extra,
                .kernel = evaluator<Backend>::template any_kernel<Id, void>(),
                .where = where,
                .device = &on,
                .promise = typed ? &promise : nullptr});
  if constexpr (typed) return from_any<Result>(dispatch(call));
  else return dispatch(call);
}

template <op Id> struct like_function : describable<like_function<Id>> {
  using describable<like_function>::operator();

  template <tensor_operand X>
    requires(Id != op::full)
  constexpr auto operator()(X const& x, source_line where = std::source_location::current()) const {
    return made_like<Id, typename operand_value<X>::type>(x, extents_of(x), Id == op::ones, where);
  }
  template <tensor_operand X, scalar_operand Value>
    requires(Id == op::full)
  constexpr auto operator()(X const& x, Value value,
                            source_line where = std::source_location::current()) const {
    return made_like<Id, typename operand_value<X>::type>(x, extents_of(x), value, where);
  }
};

}  // namespace detail

/// A tensor of zeros of the shape and dtype of x, whose elements are not read.
/// Modes: `zeros`.
inline constexpr detail::like_function<op::zeros> zeros_like{};
/// The same of ones. Modes: `ones`.
inline constexpr detail::like_function<op::ones> ones_like{};
/// The same of one value, `full_like(x, 2.5f)`, converted to the dtype of x.
/// Throws: `dtype_error` for an integer that the dtype does not hold. Modes: `full`.
inline constexpr detail::like_function<op::full> full_like{};
/// The same for elements that will be written: what they are is not promised, today 0. Modes: `zeros`.
inline constexpr detail::like_function<op::zeros> empty_like{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
