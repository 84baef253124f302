// guardjit: expr/composite/as_floating.hpp: operands of composite functions in the dtype that they compute in
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_AS_FLOATING_HPP
#define GUARDJIT_EXPR_COMPOSITE_AS_FLOATING_HPP

#include <guardjit/ops/functions.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An operand whose type says its dtype.
template <class X>
concept typed_operand = requires { typename std::integral_constant<dtype, X::type()>; };

/// `x` where its dtype is a float, else `x` as f64.
template <class X> constexpr auto as_floating(X const& x, source_line line) {
  if constexpr (typed_operand<X>) {
    if constexpr (is_floating(X::type())) return x;
    else return to<double>(x, line);
  } else {
    return is_floating(x.type()) ? x : to<double>(x, line);
  }
}

/// `x` as f64.
template <class X> constexpr auto as_double(X const& x, source_line line) {
  if constexpr (typed_operand<X>) {
    if constexpr (X::type() == dtype::f64) return x;
    else return to<double>(x, line);
  } else {
    return x.type() == dtype::f64 ? x : to<double>(x, line);
  }
}

/// A result in f64, in the dtype of functions whose result code is M.
template <class X> constexpr auto as_averaged(X const& x, auto const& result, source_line line) {
  if constexpr (typed_operand<X>) {
    if constexpr (X::type() == dtype::f32) return to<float>(result, line);
    else return result;
  } else {
    return x.type() == dtype::f32 ? to<float>(result, line) : result;
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
