// guardjit: expr/composite/flip.hpp: axes in reverse
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_FLIP_HPP
#define GUARDJIT_EXPR_COMPOSITE_FLIP_HPP

#include <guardjit/expr/composite/unsqueeze.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

struct flip_function : describable<flip_function> {
  using describable<flip_function>::operator();

  template <tensor_operand X, int Count>
  constexpr auto operator()(X const& x, axes<Count> named,
                            source_line where = std::source_location::current()) const {
    return reversed<0>(x, normal_axes(x, op::slice, named, where), where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X const& x, source_line where = std::source_location::current()) const {
    constexpr int rank = rank_of_type<X>();
    if constexpr (rank >= 0) {
      axes<rank> every;
      for (int d = 0; d < rank; ++d) every.list[static_cast<unsigned>(d)] = static_cast<std::int8_t>(d);
      return reversed<0>(x, every, where);
    } else {
      X result = x;
      for (int d = 0; d < x.rank(); ++d) result = backwards(result, d, where);
      return result;
    }
  }

 private:
  static constexpr auto backwards(auto const& x, int axis, source_line where) {
    return slice(x, axis, -1, slice_end, -1, where);
  }
  /// Recursive, since each slice of an expression has a type of its own.
  template <int Next, int Count>
  static constexpr auto reversed(auto const& x, axes<Count> const& list, source_line where) {
    if constexpr (Next == Count) return x;
    else return reversed<Next + 1>(backwards(x, list[Next], where), list, where);
  }
};

}  // namespace detail

/// A view with the named axes in reverse, `flip(x, axes(0, -1))`, or with all, `flip(x)`.
/// Throws: `index_error` where there is no such axis; `shape_error` where one is named twice.
/// Modes: `slice`, once an axis. Rules: N5, N50.
inline constexpr detail::flip_function flip{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
