// guardjit: expr/row_expression.hpp: functions along one axis that one kernel computes row by row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_ROW_EXPRESSION_HPP
#define GUARDJIT_EXPR_ROW_EXPRESSION_HPP

#include <guardjit/expr/expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A composite function along one axis, by default the last: in an expression one part, which one
/// kernel computes; in traces and on `any_tensor`s its ops one by one. `Body` has the ops,
/// `call(x, axis, where)`, what becomes of the extent, `shape`, and the reduction that checks the
/// axis, `checks`.
template <class Body> struct row_function : describable<row_function<Body>> {
  using describable<row_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis = -1,
                            source_line where = std::source_location::current()) const {
    using operand_of_row = std::remove_cvref_t<X>;
    if constexpr (typed_operands<operand_of_row>) {
      using value = typename operand_value<operand_of_row>::type;
      using result = typename decltype(
          Body::call(std::declval<value const&>(), 0, source_line{}))::result_type;
      constexpr std::uint32_t word =
          expression_word{part_kind::row, result::type(), result::rank(), Body::checks,
                          static_cast<int>(Body::shape)}
              .word();
      using code = decltype(code_of<word>(typename operand_code<operand_of_row>::type{}));
      using type = decltype(expression_type<result, code>(typename operand_code<operand_of_row>::rows{},
                                                          type_list<Body>{}));
      attributes extra;
      extra.axis = static_cast<std::int8_t>(axis);
      return type(std::in_place, extra, where, std::forward<X>(x));
    } else {
      return Body::call(x, axis, where);
    }
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
