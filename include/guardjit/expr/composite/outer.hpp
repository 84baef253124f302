// guardjit: expr/composite/outer.hpp: products of two vectors: dot and outer
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_OUTER_HPP
#define GUARDJIT_EXPR_COMPOSITE_OUTER_HPP

#include <guardjit/expr/composite/as_floating.hpp>
#include <guardjit/expr/composite/unsqueeze.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Refuses an operand that is no vector, of a known rank in the C++ compiler.
template <op Id, class X> constexpr void require_vector(X const& x, source_line where) {
  if constexpr (constexpr int rank = rank_of_type<X>(); rank > 1)
    require_no_mistake<mistake{mistake_kind::rank_too_high, Id, rank, 1, 0, {}}, mistakes::this_call>();
  else if constexpr (rank == 0)
    require_no_mistake<mistake{mistake_kind::rank_too_low, Id, 0, 1, 0, {}}, mistakes::this_call>();
  else if (x.rank() > 1) refuse_axis(x, Id, x.rank(), 1, mistake_kind::rank_too_high, where);
  else if (x.rank() < 1) refuse_axis(x, Id, x.rank(), 1, mistake_kind::rank_too_low, where);
}

/// A value in the dtype that sums and products of its dtype have.
template <class X> constexpr auto widened(X const& x, source_line where) {
  if constexpr (typed_operand<X>) {
    if constexpr (is_floating(X::type()) || X::type() == dtype::i64) return x;
    else return to<std::int64_t>(x, where);
  } else {
    return is_floating(x.type()) || x.type() == dtype::i64 ? x : to<std::int64_t>(x, where);
  }
}

struct dot_function : describable<dot_function> {
  using describable<dot_function>::operator();

  template <tensor_operand A, tensor_operand B>
  constexpr auto operator()(A const& a, B const& b,
                            source_line where = std::source_location::current()) const {
    require_vector<op::matmul>(a, where);
    require_vector<op::matmul>(b, where);
    return matmul(a, b, where);
  }
};

struct outer_function : describable<outer_function> {
  using describable<outer_function>::operator();

  template <tensor_operand A, tensor_operand B>
  constexpr auto operator()(A const& a, B const& b,
                            source_line where = std::source_location::current()) const {
    require_vector<op::mul>(a, where);
    require_vector<op::mul>(b, where);
    return mul(unsqueeze(widened(a, where), -1, where), widened(b, where), where);
  }
};

}  // namespace detail

/// The sum of the products of two vectors. Shapes: (n),(n) → (). Dtypes: integers and bool give i64.
/// Throws: `shape_error` where an operand is no vector or the extents differ.
/// Modes: `matmul`, once. Rules: N30, N32.
inline constexpr detail::dot_function dot{};

/// All products of an element of a with one of b. Shapes: (n),(m) → (n,m). Dtypes: integers and bool
/// give i64.
/// Throws: `shape_error` where an operand is no vector.
/// Modes: `reshape` and `mul`, before them `to` for integers and bool. Rules: POL-3.
inline constexpr detail::outer_function outer{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
