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

/// Whether an op has a formula that the compiler can evaluate, exactly.
constexpr bool has_constant_formula(op id) {
  return is_elementwise(id) && id != op::exp && id != op::log && id != op::tanh && id != op::sqrt;
}

/// The value of `v` in another dtype. Rules: POL-8.
constexpr scalar_bits convert_bits(scalar_bits v, dtype from, dtype to) {
  return visit_dtype(from, [&]<class From>(std::type_identity<From>) {
    return visit_dtype(to, [&]<class To>(std::type_identity<To>) {
      return scalar_bits::of(convert<To>(v.as<From>()));
    });
  });
}

/// One op on one element; operands have the dtype `compute` (the first of `where` is bool).
/// Precondition: `has_constant_formula(id)` and the dtypes are allowed.
constexpr scalar_bits evaluate_scalar(op id, dtype compute, dtype result, std::span<scalar_bits const> in) {
  if (id == op::to) return convert_bits(in[0], compute, result);
  return visit_dtype(compute, [&]<class T>(std::type_identity<T>) {
    using L = lane<T>;
    auto const arg = [&](unsigned k) { return L{in[k].template as<T>()}; };
    if (id == op::where) return scalar_bits::of(select_(lane<bool>{in[0].as<bool>()}, arg(1), arg(2)).value);
    switch (id) {
      case op::add: return scalar_bits::of(op_row<op::add>::eval(arg(0), arg(1)).value);
      case op::mul: return scalar_bits::of(op_row<op::mul>::eval(arg(0), arg(1)).value);
      case op::maximum: return scalar_bits::of(op_row<op::maximum>::eval(arg(0), arg(1)).value);
      case op::minimum: return scalar_bits::of(op_row<op::minimum>::eval(arg(0), arg(1)).value);
      case op::lt: return scalar_bits::of(op_row<op::lt>::eval(arg(0), arg(1)).value);
      case op::gt: return scalar_bits::of(op_row<op::gt>::eval(arg(0), arg(1)).value);
      case op::eq: return scalar_bits::of(op_row<op::eq>::eval(arg(0), arg(1)).value);
      default: break;
    }
    if constexpr (!std::is_same_v<T, bool>) {
      if (id == op::sub) return scalar_bits::of(op_row<op::sub>::eval(arg(0), arg(1)).value);
      if (id == op::neg) return scalar_bits::of(op_row<op::neg>::eval(arg(0)).value);
      if (id == op::relu) return scalar_bits::of(op_row<op::relu>::eval(arg(0)).value);
    }
    if constexpr (std::is_floating_point_v<T>)
      if (id == op::div) return scalar_bits::of(op_row<op::div>::eval(arg(0), arg(1)).value);
    return scalar_bits{};
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
