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

template <op Id, class T> constexpr scalar_bits evaluate_formula_of(scalar_bits const* in) {
  auto const arg = [in](int k) { return lane<T>{in[k].template as<T>()}; };
  constexpr int arity = info_of(Id).arity;
  if constexpr (Id == op::where)
    return scalar_bits::of(op_row<Id>::eval(lane<bool>{in[0].as<bool>()}, arg(1), arg(2)).value);
  else if constexpr (arity == 1) return scalar_bits::of(op_row<Id>::eval(arg(0)).value);
  else if constexpr (arity == 2) return scalar_bits::of(op_row<Id>::eval(arg(0), arg(1)).value);
  else return scalar_bits::of(op_row<Id>::eval(arg(0), arg(1), arg(2)).value);
}

inline constexpr scalar_bits no_scalars[3]{};
/// Whether the compiler can evaluate the formula of an op: its `eval` is constexpr, as those of exact
/// ops are.
template <op Id, class T> concept constant_formula =
    requires { typename std::bool_constant<(evaluate_formula_of<Id, T>(no_scalars), true)>; };

template <op Id, class T> constexpr scalar_formula formula_or_null() {
  if constexpr (is_elementwise(Id) && Id != op::to)
    if constexpr (computes_in(Id, dtype_v<T>))
      if constexpr (constant_formula<Id, T>) return &evaluate_formula_of<Id, T>;
  return nullptr;
}

/// The formulas of all ops that the compiler can evaluate, by op and dtype.
inline constexpr auto constant_formulas = []<int... Id>(std::integer_sequence<int, Id...>) {
  constexpr auto row = []<op Op, class... T>(std::integral_constant<op, Op>, type_list<T...>) {
    return std::array{formula_or_null<Op, T>()...};
  };
  return std::array{row(std::integral_constant<op, static_cast<op>(Id)>{}, element_types{})...};
}(std::make_integer_sequence<int, op_count>{});

constexpr scalar_formula constant_formula_of(op id, dtype compute) {
  return constant_formulas[static_cast<unsigned>(id)][static_cast<unsigned>(compute)];
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
