// guardjit: expr/operators.hpp: what the operators of tensors do: the ops of the same meaning
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_OPERATORS_HPP
#define GUARDJIT_EXPR_OPERATORS_HPP

#include <guardjit/expr/assign.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
/// The op of a sign with `operands` operands.
constexpr op op_of_sign(char sign, int operands) {
  switch (sign) {
    case '+': return op::add;
    case '-': return operands == 1 ? op::neg : op::sub;
    case '*': return op::mul;
    case '/': return op::div;
    case '<': return op::lt;
    case '>': return op::gt;
    case 'l': return op::le;
    case 'g': return op::ge;
    case '!': return op::ne;
    case '&': return op::bitwise_and;
    case '|': return op::bitwise_or;
    case '^': return op::bitwise_xor;
    case '~': return op::bitwise_not;
    default: return op::eq;
  }
}
}  // namespace detail

/// `a + b` is `add(a, b)`, and so on. Rules: M22.
template <char Sign, class... Operands>
requires detail::eager_operands<detail::operand_value_t<Operands>...>
auto apply_operator(detail::operator_tag<Sign>, source_line where, Operands&&... in) {
  return detail::run_eager<default_backend>(op_tag<detail::op_of_sign(Sign, sizeof...(Operands))>{},
                                            detail::no_attributes, where,
                                            static_cast<Operands&&>(in)...);
}

/// On descriptions it is the description of the op.
template <char Sign, class... Parts>
requires(description<Parts> || ...)
constexpr auto apply_operator(detail::operator_tag<Sign>, source_line where, Parts const&... parts) {
  constexpr op id = detail::op_of_sign(Sign, sizeof...(Parts));
  using function = std::conditional_t<sizeof...(Parts) == 1, detail::unary_function<id>,
                                      detail::binary_function<id>>;
  return described_call<function, Parts...>(where, parts...);
}

/// `a += b` is `add(a, b)`, written into the elements of `a`. Rules: M22, N53.
template <char Sign, class Target, class Other>
requires detail::eager_operands<Target, Other> Target& apply_in_place(detail::operator_tag<Sign>,
                                                                      source_line where, Target& a,
                                                                      Other const& b) {
  detail::run_in_place<default_backend, detail::op_of_sign(Sign, 2)>(where, a, b);
  return a;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
