// guardjit: ops/reduction_functions.hpp: types of the functions that reduce axes: named ones, one, or all
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_REDUCTION_FUNCTIONS_HPP
#define GUARDJIT_OPS_REDUCTION_FUNCTIONS_HPP

#include <guardjit/ops/function_objects.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Reduced axes stay with extent 1: `sum(x, axes(1), keepdims)`.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

/// What is taken from the number of elements that `var` and `std` divide by, 1 where it is not named:
/// `var(x, axes(0), correction(0))`. Rules: N22.
struct correction {
  index_t value = 1;
  constexpr correction() = default;
  constexpr explicit correction(index_t taken) : value(taken) {}
};

namespace detail {

/// In place of `axes(…)`: all of them.
struct every_axis {};

/// The axes of a reduction as bits.
constexpr unsigned axis_bits(auto const& x, op, every_axis, source_line) { return (1u << x.rank()) - 1u; }
template <int Count>
constexpr unsigned axis_bits(auto const& x, op id, axes<Count> named, source_line where) {
  auto const normal = normal_axes(x, id, named, where);
  unsigned bits = 0;
  for (int k = 0; k < Count; ++k) bits |= 1u << normal[k];
  return bits;
}
/// How many they are; -1: all.
template <class Axes> inline constexpr int axis_count = -1;
template <int Count> inline constexpr int axis_count<axes<Count>> = Count;

/// A reduction over axes, with what else its attributes say.
template <op Id, bool Keeps, class X, class Axes>
constexpr auto reduced(X&& x, Axes named, source_line where, attributes extra = {}) {
  extra.axes = static_cast<std::uint8_t>(axis_bits(x, Id, named, where));
  extra.keepdims = Keeps;
  return apply_op(op_tag<Id, Keeps ? 0 : axis_count<Axes>>{}, extra, where, std::forward<X>(x));
}

/// The rank of `X` without axes, where its type says it.
template <class X, class Axes> constexpr int rank_without() {
  if constexpr (axis_count<Axes> < 0) return 0;
  else if constexpr (requires { typename std::integral_constant<int, X::rank()>; })
    return X::rank() - axis_count<Axes>;
  else return 0;
}
/// `x` without axes whose extent is 1, a view. `id` is the op that refuses wrong ones.
template <class X, class Axes>
constexpr auto without_axes(X const& x, op id, Axes named, source_line where) {
  unsigned const bits = axis_bits(x, id, named, where);
  attributes extra;
  for (int d = 0; d < x.rank(); ++d)
    if ((bits >> d & 1u) == 0) extra.target[extra.target.rank++] = to_extent(x.extent(d));
  return apply_op(op_tag<op::reshape, rank_without<X, Axes>()>{}, extra, where, x);
}

template <op Id> struct reduce_function : describable<reduce_function<Id>> {
  using describable<reduce_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    return reduced<Id, false>(std::forward<X>(x), every_axis{}, where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return reduced<Id, true>(std::forward<X>(x), every_axis{}, where);
  }
  template <tensor_operand X, int Count>
  constexpr auto operator()(X&& x, axes<Count> named,
                            source_line where = std::source_location::current()) const {
    return reduced<Id, false>(std::forward<X>(x), named, where);
  }
  template <tensor_operand X, int Count>
  constexpr auto operator()(X&& x, axes<Count> named, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return reduced<Id, true>(std::forward<X>(x), named, where);
  }
};

/// A reduction over all axes or along one, which is named by its number.
template <op Id> struct index_function : describable<index_function<Id>> {
  using describable<index_function>::operator();

  template <tensor_operand X>
  constexpr auto operator()(X&& x, source_line where = std::source_location::current()) const {
    return reduce_function<Id>{}(std::forward<X>(x), where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return reduce_function<Id>{}(std::forward<X>(x), keepdims, where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis,
                            source_line where = std::source_location::current()) const {
    return reduce_function<Id>{}(std::forward<X>(x), axes(axis), where);
  }
  template <tensor_operand X>
  constexpr auto operator()(X&& x, int axis, keepdims_t,
                            source_line where = std::source_location::current()) const {
    return reduce_function<Id>{}(std::forward<X>(x), axes(axis), keepdims, where);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
