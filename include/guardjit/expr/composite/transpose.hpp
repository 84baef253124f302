// guardjit: expr/composite/transpose.hpp: axes exchanged or moved
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_TRANSPOSE_HPP
#define GUARDJIT_EXPR_COMPOSITE_TRANSPOSE_HPP

#include <guardjit/ops/functions.hpp>

#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
struct transpose_function : describable<transpose_function> {
  using describable<transpose_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int i, int j,
                            source_line where = std::source_location::current()) const {
    auto const first = static_cast<unsigned>(normal_axes(x, op::permute, axes(i), where)[0]);
    auto const second = static_cast<unsigned>(normal_axes(x, op::permute, axes(j), where)[0]);
    attributes extra;
    for (unsigned d = 0; d < static_cast<unsigned>(x.rank()); ++d)
      extra.order[d] = static_cast<std::int8_t>(d);
    std::swap(extra.order[first], extra.order[second]);
    return apply_op(op_tag<op::permute>{}, extra, where, std::forward<X>(x));
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    attributes extra;
    auto const rank = static_cast<unsigned>(x.rank());
    for (unsigned d = 0; d < rank; ++d) extra.order[d] = static_cast<std::int8_t>(rank - 1 - d);
    return apply_op(op_tag<op::permute>{}, extra, where, std::forward<X>(x));
  }
};

struct movedim_function : describable<movedim_function> {
  using describable<movedim_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, int from, int to,
                            source_line where = std::source_location::current()) const {
    int const first = normal_axes(x, op::permute, axes(from), where)[0];
    int const last = normal_axes(x, op::permute, axes(to), where)[0];
    attributes extra;
    for (int d = 0, next = 0; d < x.rank(); ++d) {
      if (next == first) ++next;
      extra.order[static_cast<unsigned>(d)] = static_cast<std::int8_t>(d == last ? first : next++);
    }
    return apply_op(op_tag<op::permute>{}, extra, where, std::forward<X>(x));
  }
};
}  // namespace detail

/// A view with axes `i` and `j` exchanged, `transpose(x, i, j)`, or with all axes in reverse order,
/// `transpose(x)`: of a matrix the transposed one. Negative axes count from the end.
/// Throws: `index_error` where there is no such axis.
/// Modes: `permute`, once. Rules: N5, N50.
inline constexpr detail::transpose_function transpose{};

/// A view with axis `from` at place `to`; the others keep their order.
/// Throws: `index_error` where there is no such axis.
/// Modes: `permute`, once. Rules: N5, N50.
inline constexpr detail::movedim_function movedim{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
