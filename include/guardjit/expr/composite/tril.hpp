// guardjit: expr/composite/tril.hpp: what depends on rows and columns: tril, triu, eye, one_hot
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_TRIL_HPP
#define GUARDJIT_EXPR_COMPOSITE_TRIL_HPP

#include <guardjit/expr/composite/arange.hpp>
#include <guardjit/expr/composite/unsqueeze.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <op Compare> struct triangle_function : describable<triangle_function<Compare>> {
  using describable<triangle_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X const& x, index_t k = 0,
                            source_line where = std::source_location::current()) const {
    if constexpr (constexpr int rank = rank_of_type<X>(); rank >= 0 && rank < 2) {
      require_no_mistake<mistake{mistake_kind::rank_too_low, op::where, rank, 2, 0, {}},
                         mistakes::this_call>();
      return x;
    } else {
      shape const form = extents_of(x);
      if (form.rank < 2)
        refuse_axis(x, op::where, form.rank, 2, mistake_kind::rank_too_low, where);
      auto const columns = counted_beside(x, form.rank < 2 ? 1 : form[form.rank - 1], where);
      auto const rows = counted_beside(x, form.rank < 2 ? 1 : form[form.rank - 2], where);
      auto const diagonals = sub(columns, unsqueeze(rows, -1, where), where);
      // `false` is a zero of every dtype.
      return guardjit::where(binary_function<Compare>{}(diagonals, k, where), x, false, where);
    }
  }
};

template <element T> struct eye_function {
  template <extent_like Rows>
  constexpr auto operator()(Rows const& n, source_line where = std::source_location::current()) const {
    return (*this)(n, n, where);
  }
  template <extent_like Rows, extent_like Columns>
  constexpr auto operator()(Rows const& n, Columns const& m,
                            source_line where = std::source_location::current()) const {
    auto const rows = counted_in_trace(n, m, where), columns = counted_in_trace(m, n, where);
    auto const ones = eq(unsqueeze(rows, -1, where), columns, where);
    if constexpr (std::is_same_v<T, bool>) return eval(ones);
    else return eval(to<T>(ones, where));
  }

 private:
  template <class Extent, class Other>
  static constexpr auto counted_in_trace(Extent const& n, Other const& other, source_line where) {
    if constexpr (std::is_same_v<Extent, extent_sym>) return counted_near(n, n.value(), where);
    else return counted_near(other, to_extent(n), where);
  }
};

struct one_hot_function : describable<one_hot_function> {
  using describable<one_hot_function>::operator();

  template <tensor_operand I>
  constexpr auto operator()(I const& i, extent_argument n,
                            source_line where = std::source_location::current()) const {
    auto const classes = counted_beside(i, n.value, where);
    // The take tests the indices and counts negative ones from the end.
    auto const chosen = take(classes, i, 0, where);
    return to<std::int64_t>(eq(unsqueeze(chosen, -1, where), classes, where), where);
  }
};

}  // namespace detail

/// The elements of matrices on and below diagonal `k`, 0 elsewhere; `k` counts to the right.
/// Shapes: as x, the last two axes are a matrix. Dtypes: as x. Throws: `shape_error` for a rank below 2.
/// Modes: `arange` twice, `reshape`, `sub`, `le`, `where`.
inline constexpr detail::triangle_function<op::le> tril{};
/// The same on and above the diagonal. Modes: with `ge` for `le`.
inline constexpr detail::triangle_function<op::ge> triu{};

/// Ones on the diagonal of an (n,m) matrix, zeros elsewhere: `eye<float>(3)`, `eye<bool>(2, 4)`; in a
/// trace one of the extents belongs to a symbol.
/// Modes: `arange` twice, `reshape`, `eq`, and `to` but for bool.
template <element T> inline constexpr detail::eye_function<T> eye{};

/// For each index a row of n zeros with 1 at its place. Shapes: that of i, then n. Dtypes: i is i32 or
/// i64, the result i64.
/// Throws: `index_error` with the first index out of range; negative ones count from the end.
/// Modes: `arange`, `take`, `reshape`, `eq`, `to`. Rules: N41, POL-11.
inline constexpr detail::one_hot_function one_hot{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
