// guardjit: tests/paths/oracle.cpp: each op by plain loops, and how its error follows from those of its operands
// SPDX-License-Identifier: BSL-1.0
#include "oracle.hpp"

#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/reference.hpp>

#include <array>
#include <limits>
#include <vector>

namespace paths {

namespace {

using gj::dtype;
using gj::op;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <int Id> constexpr gj::op_kernel kernel_of() {
  constexpr auto id = static_cast<op>(Id);
  if constexpr (gj::info_of(id).form == gj::op_form::leaf) return nullptr;
  else return gj::evaluator<gj::backends::reference>::any_kernel<id, float>();
}
constexpr auto kernels = []<int... Id>(std::integer_sequence<int, Id...>) {
  return std::array{kernel_of<Id>()...};
}(std::make_integer_sequence<int, gj::op_count>{});

gj::op_kernel kernel_of(op id, dtype to) {
  if (id != op::to) return kernels[static_cast<unsigned>(id)];
  return gj::visit_dtype(to, []<class T>(std::type_identity<T>) {
    return gj::evaluator<gj::backends::reference>::any_kernel<op::to, T>();
  });
}

any_tensor plain(op id, gj::attributes const& extra, gj::source_line where,
                 std::span<gj::operand const> operands) {
  gj::infer_op(id, operands, extra, where);
  gj::op_call call({.id = id,
                    .operands = operands,
                    .attribute = &extra,
                    .kernel = kernel_of(id, extra.type),
                    .where = where});
  return gj::dispatch(call);
}
any_tensor plain(op id, gj::attributes const& extra, gj::operand const& x) {
  return plain(id, extra, {}, std::span(&x, 1));
}

/// The bound of section 8 in ULP; 0 for an exact op.
double ulps_of(op id) {
  switch (id) {
    case op::exp: case op::log: case op::sin: case op::cos: case op::rsqrt: return 2;
    case op::expm1: case op::log1p: return 3;
    case op::pow: case op::softplus: case op::sigmoid: return 4;
    case op::tanh: case op::silu: return 5;
    case op::erf: case op::gelu: case op::gelu_tanh: return 6;
    default: return 0;
  }
}

/// Arrays of f64 that bound errors.
any_tensor wide(gj::operand const& x) {
  if (!x.is_scalar()) return gj::to<double>(x.tensor());
  return gj::tensor<double>(x.scalar<double>());
}
any_tensor number(double v) { return gj::tensor<double>(v); }
bool is_exact(known_operand const& x) { return !x.error; }
any_tensor error_of(known_operand const& x) { return x.error ? x.error : number(0); }
any_tensor size_of(known_operand const& x) { return gj::abs(wide(x.plain)); }

struct step {
  op id;
  gj::attributes const& extra;
  std::span<known_operand const> in;
  any_tensor const& value;

  double unit() const { return value.type() == dtype::f32 ? 0x1p-24 : 0x1p-53; }
  double smallest() const { return value.type() == dtype::f32 ? 0x1p-126 : 0x1p-1022; }

  /// Two results of which each is `ulps` of the exact one away, of equal operands. A value that is
  /// infinite since it grew so large may be finite elsewhere; NaN, and what follows from infinity, may not.
  any_tensor rounding(double ulps) const {
    if (!gj::is_floating(value.type())) return number(0);
    any_tensor const v = wide(value), size = gj::abs(v);
    any_tensor from_infinity = gj::tensor<bool>(false);
    for (known_operand const& x : in)
      if (gj::is_elementwise(id)) from_infinity = gj::logical_or(from_infinity, gj::eq(size_of(x), infinity));
    any_tensor const at_infinity = gj::where(gj::logical_or(from_infinity, gj::ne(v, v)), 0.0, number(infinity));
    any_tensor factor = number(4 * ulps * unit());
    if (id == op::gelu || id == op::gelu_tanh) factor = factor * (1.0 + gj::square(wide(in[0].plain)));
    return gj::where(gj::lt(size, infinity), size * factor + smallest(), at_infinity);
  }

  /// One application of the same op to what is beside the values.
  any_tensor same_op(any_tensor const& x) const { return plain(id, extra, x); }
  any_tensor same_op(any_tensor const& a, any_tensor const& b) const {
    gj::operand const both[] = {a, b};
    return plain(id, extra, {}, both);
  }

  /// `terms` additions in any order; a NaN among the summands is one of the sum. Nothing is known where the
  /// sum of some may be too large, of others too small.
  any_tensor any_order(any_tensor const& sum_of_sizes, double factor) const {
    double const largest = value.type() == dtype::f32 ? 0x1p127 : 0x1p1023;
    any_tensor const error = gj::where(gj::lt(sum_of_sizes, largest), sum_of_sizes * factor, infinity);
    return gj::where(gj::ne(sum_of_sizes, sum_of_sizes), 0.0, error);
  }

  any_tensor product() const {
    any_tensor e = rounding(1);
    if (!is_exact(in[1])) e = e + size_of(in[0]) * in[1].error;
    if (!is_exact(in[0])) e = e + size_of(in[1]) * in[0].error;
    return is_exact(in[0]) || is_exact(in[1]) ? e : e + in[0].error * in[1].error;
  }
  any_tensor quotient() const {
    any_tensor const room = gj::maximum(size_of(in[1]) - error_of(in[1]), 0.0);
    return (error_of(in[0]) + gj::abs(wide(value)) * error_of(in[1])) / room + rounding(1);
  }
  any_tensor reduced() const {
    double const count = value.size() == 0 ? 0
        : static_cast<double>(in[0].plain.tensor().size()) / static_cast<double>(value.size());
    double const divisor = count - static_cast<double>(extra.correction);
    gj::attributes const& how = extra;
    any_tensor e = any_order(plain(op::sum, how, size_of(in[0])), 2 * (32 + count) * unit());
    if (!is_exact(in[0])) e = e + plain(op::sum, how, in[0].error);
    return id == op::mean ? e / divisor + rounding(2) : e;
  }
  /// A product in any order, where no part of it can be too large or too small; else nothing is known.
  any_tensor multiplied() const {
    any_tensor const size = size_of(in[0]);
    any_tensor const most = same_op(gj::maximum(size, 1.0)), least = same_op(gj::minimum(size, 1.0));
    double const terms = static_cast<double>(size.size());
    any_tensor const is_known = gj::logical_and(gj::lt(most, 1 / smallest()), gj::gt(least, smallest()));
    return gj::where(is_known, gj::abs(wide(value)) * (2 * terms * unit()), infinity);
  }
  any_tensor contracted() const {
    any_tensor const a = size_of(in[0]), b = size_of(in[1]);
    auto const inner = static_cast<double>(a.extent(a.rank() - 1));
    any_tensor e = any_order(same_op(a, b), 2 * (inner + 2) * unit()) + smallest();
    if (!is_exact(in[0])) e = e + same_op(in[0].error, b);
    if (!is_exact(in[1])) e = e + same_op(a, in[1].error);
    return is_exact(in[0]) || is_exact(in[1]) ? e : e + same_op(in[0].error, in[1].error);
  }

  /// Precondition: an operand is not exact, or the op is not.
  any_tensor error() const {
    bool exact = true;
    for (known_operand const& x : in) exact = exact && is_exact(x);
    if (gj::is_view(id)) return same_op(in[0].error);
    switch (id) {
      case op::sum: case op::mean: return reduced();
      case op::matmul: return contracted();
      case op::prod: return exact ? multiplied() : number(infinity);
      case op::amax: case op::amin: return plain(op::amax, extra, in[0].error);
      case op::add: case op::sub: return error_of(in[0]) + error_of(in[1]) + rounding(1);
      case op::mul: return product();
      case op::square: return 2.0 * size_of(in[0]) * in[0].error + gj::square(in[0].error) + rounding(1);
      case op::div: return quotient();
      case op::neg: case op::abs: case op::relu: return in[0].error;
      case op::to: return gj::is_floating(value.type()) ? in[0].error + rounding(1) : number(infinity);
      case op::maximum: case op::minimum: case op::fmax: case op::fmin:
        return gj::maximum(error_of(in[0]), error_of(in[1]));
      case op::clip:
        return gj::maximum(gj::maximum(error_of(in[0]), error_of(in[1])), error_of(in[2]));
      case op::where:
        if (!is_exact(in[0])) return number(infinity);
        return gj::where(in[0].plain.tensor(), error_of(in[1]), error_of(in[2]));
      default: break;
    }
    if (exact) return rounding(ulps_of(id));
    switch (id) {
      case op::tanh: case op::sin: case op::cos: case op::erf: case op::sigmoid: case op::softplus:
      case op::silu: case op::gelu: case op::gelu_tanh:  // derivatives below 1.2
        return 1.2 * in[0].error + rounding(ulps_of(id));
      case op::exp: case op::expm1: {
        any_tensor const near = 2.0 * in[0].error * (gj::abs(wide(value)) + 1.0);
        return gj::where(gj::lt(in[0].error, 1.0), near, infinity) + rounding(ulps_of(id));
      }
      default: return number(infinity);
    }
  }
};

/// Sums and products of floats come in an order that a backend chooses.
bool has_one_result(op id, std::span<gj::operand const> operands, dtype type) {
  if (!gj::is_floating(type)) return true;
  if (id == op::mean) return !gj::is_floating(operands[0].type());
  return ulps_of(id) == 0 && id != op::sum && id != op::prod && id != op::matmul;
}

}  // namespace

known run(op id, gj::attributes const& extra, gj::source_line where, std::span<known_operand const> in) {
  std::vector<gj::operand> operands;
  bool exact = true;
  for (known_operand const& x : in) {
    operands.push_back(x.plain);
    exact = exact && is_exact(x);
  }
  known result(plain(id, extra, where, operands));
  if (exact && has_one_result(id, operands, result.type())) return result;
  any_tensor const error = step{id, extra, in, result.value}.error();
  gj::attributes all;
  all.target = result.value.shape();
  result.error = plain(op::expand, all, error);
  return result;
}

}  // namespace paths
