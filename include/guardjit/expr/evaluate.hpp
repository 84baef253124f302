// guardjit: expr/evaluate.hpp: an expression becomes a tensor: by fused kernels, or through the modes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EVALUATE_HPP
#define GUARDJIT_EXPR_EVALUATE_HPP

#include <guardjit/expr/deferred_value.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Type>
concept complete = requires {
  sizeof(Type);
};

/// Views and factories compute nothing, and so need no backend.
template <class Backend, op Id> constexpr bool require_backend() {
  constexpr bool computes = !is_view(Id) && info_of(Id).form != op_form::factory;
  if constexpr (computes)
    static_assert(
        complete<Backend>,
        "guardjit: an op on tensors runs by the default backend: include "
        "<guardjit/kernels/eigen.hpp>, or name backend(reference) in a compiled function, or "
        "define GUARDJIT_DEFAULT_BACKEND=reference");
  return !computes || complete<Backend>;
}

template <class Result> Result from_any(any_tensor const& x) {
  return [&]<element T, index_t... Extents>(std::type_identity<tensor<T, Extents...>>) {
    return x.as<T, Extents...>();
  }
  (std::type_identity<Result>{});
}

/// The last op of an expression.
template <class Expression> inline constexpr op last_op =
    expression_nodes<typename Expression::code_type>::list.back().id;

/// The value of an expression as modes make it.
template <class Backend, class Expression>
[[gnu::cold]] any_tensor told_value(Expression const& e, bool in_place = false) {
  auto const leaves = e.leaf_views();
  return run_through_modes(e.view(leaves), part_runners<Backend, Expression>::list,
                           Expression::static_shape(), in_place);
}

template <class Backend, class Expression>
typename Expression::result_type evaluate(Expression const& e) {
  using result = typename Expression::result_type;
  if constexpr (!require_backend<Backend, last_op<Expression>>()) {
    return result();
  } else {
    if (dispatch_active()) [[unlikely]]
      return from_any<result>(told_value<Backend>(e));
    return evaluator<Backend>::evaluate(e);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
