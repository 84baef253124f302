// guardjit: expr/row_expression.hpp: functions along one axis that one kernel computes row by row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_ROW_EXPRESSION_HPP
#define GUARDJIT_EXPR_ROW_EXPRESSION_HPP

#include <guardjit/expr/expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
template <class Body, class X>
using row_tree_t = decltype(Body::call(std::declval<X const&>(), 0, source_line{}));
}  // namespace detail

/// `Body::call(x, axis, where)`, a composite of ops along one axis, not taken apart: along the last
/// axis one kernel computes it. `tree()` is what it is made of.
/// Lifetime: as `op_expression`.
template <class Body, class X>
class [[nodiscard]] row_expression
    : public typed_expression<row_expression<Body, X>,
                              typename detail::row_tree_t<Body, X>::result_type> {
 public:
  /// The last op.
  static constexpr op id = detail::row_tree_t<Body, X>::id;
  static constexpr dtype compute = detail::row_tree_t<Body, X>::compute;

  template <class Value>
  row_expression(Value&& x, int axis, source_line where)
      : operands_(std::forward<Value>(x)), axis_(axis), line_(where) {}

  std::tuple<X> const& operands() const { return operands_; }
  int axis() const { return axis_; }
  source_line line() const { return line_; }
  auto tree() const { return Body::call(std::get<0>(operands_), axis_, line_); }
  guardjit::shape shape() const { return tree().shape(); }

 private:
  std::tuple<X> operands_;
  int axis_;
  source_line line_;
};

template <class Body, class X> inline constexpr bool is_operand_v<row_expression<Body, X>> = true;

namespace detail {

/// A composite function along one axis, by default the last: an expression on tensors of known types,
/// its ops one by one in traces and on `any_tensor`s.
template <class Body> struct row_function : describable<row_function<Body>> {
  using describable<row_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis = -1,
                            source_line where = std::source_location::current()) const {
    using operand_type = std::remove_cvref_t<X>;
    if constexpr (typed_operands<operand_type>)
      return row_expression<Body, operand_type>(std::forward<X>(x), axis, where);
    else return Body::call(x, axis, where);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
