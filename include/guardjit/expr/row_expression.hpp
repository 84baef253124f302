// guardjit: expr/row_expression.hpp: functions along one axis that one kernel computes row by row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_ROW_EXPRESSION_HPP
#define GUARDJIT_EXPR_ROW_EXPRESSION_HPP

#include <guardjit/expr/deferred_value.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The result of a row function whose ops keep the axis.
template <class Whole, row_shape Shape> struct row_result { using type = Whole; };
template <class Whole> struct row_result<Whole, row_shape::dropped> {
  using type = dynamic_tensor_t<typename Whole::element_type, Whole::rank() - 1>;
};

/// A composite function along one axis, of one or two operands: in an expression one part, which one
/// kernel computes; in traces and on `any_tensor`s its ops one by one. `Body` has the ops,
/// `call(operands…, axis, where)`, which keep the axis, and the reduction that checks it, `checks`.
template <class Body, row_shape Shape = row_shape::same, class... Operands>
constexpr auto apply_row(int axis, source_line where, Operands const&... in) {
  if constexpr (typed_operands<Operands...>) {
    using whole = typename decltype(Body::call(
        std::declval<typename operand_value<Operands>::type const&>()..., 0, source_line{}))::result_type;
    using result = typename row_result<whole, Shape>::type;
    constexpr std::uint32_t word =
        expression_word{part_kind::row, result::type(), result::rank(), Body::checks,
                        row_dims(Shape, int{sizeof...(Operands)})}
            .word();
    using code = decltype(code_of<word>(typename operand_code<Operands>::type{}...));
    using type = decltype(expression_type<result, code>(typename operand_code<Operands>::rows{}...,
                                                        type_list<Body>{}));
    attributes extra;
    extra.axis = static_cast<std::int8_t>(axis);
    return type(std::in_place, extra, where, kept_operand<default_backend>(in)...);
  } else if constexpr (Shape == row_shape::dropped) {
    return without_axes(Body::call(in..., axis, where), Body::checks, axes(axis), where);
  } else {
    return Body::call(in..., axis, where);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
