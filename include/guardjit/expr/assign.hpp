// guardjit: expr/assign.hpp: what `x = expression` and `view = value` do
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_ASSIGN_HPP
#define GUARDJIT_EXPR_ASSIGN_HPP

#include <guardjit/expr/in_place.hpp>
#include <guardjit/tensor/overlap.hpp>
#include <guardjit/tensor/views.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// `view = value` would need another dtype than that of the view.
template <dtype Target, dtype Value> struct assigned_dtype_differs;
}  // namespace mistakes

namespace detail {

/// Throws: `shape_error` where a value does not broadcast to a view.
inline void require_broadcast(shape const& from, shape const& to, source_line where) {
  attributes extra;
  extra.target = to;
  inferred_shape(op::expand, {&from, 1}, extra, where);
}

/// Writes elements of any shape that broadcasts to that of `to`.
template <class Backend, class Tensor>
void write_broadcast(memory_view const& to, Tensor const& x, source_line where) {
  shape const form = to.layout.shape();
  require_broadcast(x.shape(), form, where);
  any_tensor const whole = any_tensor::adopt(
      x.storage(), const_cast<void*>(static_cast<void const*>(x.data())), x.type(),
      expanded(x.layout().view(), form).layout, x.where());
  evaluator<Backend>::write_apart(whole, to);
}

/// The dtype of elements that a value would be written as.
template <class Value> constexpr dtype written_type(dtype target) {
  if constexpr (std::is_same_v<Value, any_tensor>) return target;
  else if constexpr (eager_operand<Value>::scalar)
    return promote_weak(target, eager_operand<Value>::type.type);
  else return Value::type();
}

inline void require_distinct_elements(layout_view const& to, source_line where) {
  if (has_repeated_elements(to))
    raise<overlap_error>(fixed_text{} << "guardjit: view = value: the view of shape " << to.shape()
                                      << " has one element at two indices; " << where);
}

template <class Backend, element T, class Value>
void write_elements(memory_view const& to, Value const& value) {
  source_line where;
  if constexpr (expression<Value>) where = value.line();
  require_distinct_elements(to.layout, where);
  if constexpr (eager_operand<Value>::scalar) {
    check_scalar(value, op::full, dtype_v<T>, where);
    write_broadcast<Backend>(to, tensor<T>(scalar_as<T>(operand(value))), where);
  } else if constexpr (std::is_same_v<Value, any_tensor>) {
    if (!value || value.type() != dtype_v<T>)
      raise<dtype_error>(fixed_text{} << "guardjit: view = value: the value is "
                                      << (value ? name_of(value.type()) : "no tensor") << ", but the view is "
                                      << name_of(dtype_v<T>));
    write_broadcast<Backend>(to, value, where);
  } else if constexpr (!expression<Value>) {
    write_broadcast<Backend>(to, value, where);
  } else if (dispatch_active()) {
    require_broadcast(value.shape(), to.layout.shape(), where);  // before any mode is asked
    write_broadcast<Backend>(to, told_value<Backend>(value), where);
  } else {
    any_tensor apart;
    if (!evaluator<Backend>::write(value, to, apart)) write_broadcast<Backend>(to, apart, where);
  }
}

}  // namespace detail

/// `to = e`. `is_temporary`: nobody evaluates `e` again. Rules: N52.
template <element T, index_t... Extents, expression E, class Backend = default_backend>
void assign_value(tensor<T, Extents...>& to, E const& e, bool is_temporary) {
  if constexpr (detail::require_backend<Backend, detail::last_op<E>>()) {
    // A handle that shares its elements with nobody but the expression may write them.
    index_t const given_up = is_temporary ? detail::handles_in(e, to.storage().block()) : 0;
    if (dispatch_active() || !to.is_contiguous() || to.storage().owners() != 1 + given_up) {
      to = tensor<T, Extents...>(e.template evaluate<Backend>());
      return;
    }
    any_tensor apart;
    if (!evaluator<Backend>::write(e, {to.data(), to.layout().view(), int{sizeof(T)}}, apart))
      to = detail::from_any<tensor<T, Extents...>>(apart);
  }
}

/// Writes a value into the elements of a view. Rules: N53, POL-12, POL-13.
template <element T, index_t... Extents, class Value, class Backend = default_backend>
void write_value(tensor_view<T, Extents...> const& to, Value const& value) {
  constexpr dtype type = detail::written_type<Value>(dtype_v<T>);
  if constexpr (type != dtype_v<T>)
    static_assert(no_mistake<mistakes::assigned_dtype_differs<dtype_v<T>, type>>,
                  "guardjit: view = value: the value must have the dtype of the view; to<T>(value) "
                  "converts");
  else if constexpr (detail::require_backend<Backend, op::add>())
    detail::write_elements<Backend, T>({to.data(), to.layout().view(), int{sizeof(T)}},
                                               value);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
