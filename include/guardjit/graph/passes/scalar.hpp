// guardjit: graph/passes/scalar.hpp: one elementwise op on one element, as bits
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_SCALAR_HPP
#define GUARDJIT_GRAPH_PASSES_SCALAR_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/ops/lane.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// A value of any dtype as 64 bits: floats as `double`, all others as `std::int64_t`.
struct scalar_bits {
  std::uint64_t bits = 0;
  template <element T> constexpr T as() const {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_bit_cast(double, bits));
    else return static_cast<T>(static_cast<std::int64_t>(bits));
  }
  template <element T> static constexpr scalar_bits of(T value) {
    if constexpr (std::is_floating_point_v<T>)
      return {__builtin_bit_cast(std::uint64_t, static_cast<double>(value))};
    else
      return {static_cast<std::uint64_t>(static_cast<std::int64_t>(value))};
  }
};

/// The value of every element that `zeros` or `ones` makes.
constexpr scalar_bits filling(op id, dtype type) {
  int const value = id == op::ones ? 1 : 0;
  return is_floating(type) ? scalar_bits::of(double{1} * value) : scalar_bits::of(std::int64_t{value});
}

/// The value of `v` in another dtype. Rules: POL-8.
constexpr scalar_bits convert_bits(scalar_bits v, dtype from, dtype to) {
  return visit_dtype(from, [&]<class From>(std::type_identity<From>) {
    return visit_dtype(to, [&]<class To>(std::type_identity<To>) {
      return scalar_bits::of(convert<To>(v.as<From>()));
    });
  });
}

namespace detail {

/// An op on one element, whose operands have the dtype that it computes in (the first of `where` is
/// bool).
using scalar_formula = scalar_bits (*)(scalar_bits const*);

/// Shared by all ops: a closure in each formula would cost the compiler as much as the formula.
template <class T> constexpr lane<T> lane_of(scalar_bits v) { return {v.as<T>()}; }
template <class T> constexpr scalar_bits bits_of(lane<T> v) { return scalar_bits::of(v.value); }

template <op Id, class T> constexpr scalar_bits evaluate_formula_of(scalar_bits const* in) {
  constexpr int arity = op_row<Id>::info.arity;
  if constexpr (Id == op::where)
    return bits_of(op_row<Id>::eval(lane_of<bool>(in[0]), lane_of<T>(in[1]), lane_of<T>(in[2])));
  else if constexpr (arity == 1) return bits_of(op_row<Id>::eval(lane_of<T>(in[0])));
  else if constexpr (arity == 2) return bits_of(op_row<Id>::eval(lane_of<T>(in[0]), lane_of<T>(in[1])));
  else return bits_of(op_row<Id>::eval(lane_of<T>(in[0]), lane_of<T>(in[1]), lane_of<T>(in[2])));
}

inline constexpr scalar_bits no_scalars[3]{};
/// Whether the compiler can evaluate the formula of an op: its `eval` is constexpr, as those of exact
/// ops are.
template <op Id, class T> concept constant_formula =
    requires { typename std::bool_constant<(evaluate_formula_of<Id, T>(no_scalars), true)>; };

template <bool Computes, op Id, class T> inline constexpr scalar_formula formula_or_null = nullptr;
template <op Id, class T>
  requires constant_formula<Id, T>
inline constexpr scalar_formula formula_or_null<true, Id, T> = &evaluate_formula_of<Id, T>;

/// Whether elements of an op are made one by one, in this dtype.
constexpr bool may_be_scalar(op id, dtype compute) {
  return is_elementwise(id) && id != op::to && computes_in(id, compute);
}

/// The formulas of all ops in one dtype, by op.
template <class T> constexpr scalar_formula formula_of(op id) {
  constexpr auto all = []<int... Id>(std::integer_sequence<int, Id...>) {
    return std::array{
        formula_or_null<may_be_scalar(static_cast<op>(Id), dtype_v<T>), static_cast<op>(Id), T>...};
  }(std::make_integer_sequence<int, op_count>{});
  return all[static_cast<unsigned>(id)];
}

constexpr scalar_formula constant_formula_of(op id, dtype compute) {
  return visit_dtype(compute, [id]<class T>(std::type_identity<T>) { return formula_of<T>(id); });
}

}  // namespace detail

/// Whether an elementwise op has a formula in this dtype that the compiler can evaluate, exactly.
/// Rules: POL-22.
constexpr bool has_constant_formula(op id, dtype compute) {
  return id == op::to || detail::constant_formula_of(id, compute) != nullptr;
}

/// One op on one element; operands have the dtype `compute` (the first of `where` is bool).
/// Precondition: `has_constant_formula(id, compute)`.
constexpr scalar_bits evaluate_scalar(op id, dtype compute, dtype result, std::span<scalar_bits const> in) {
  if (id == op::to) return convert_bits(in[0], compute, result);
  return detail::constant_formula_of(id, compute)(in.data());
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
