// guardjit: reference/accumulate.hpp: accumulators of the reductions: their types and their order
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_ACCUMULATE_HPP
#define GUARDJIT_REFERENCE_ACCUMULATE_HPP

#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/op.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Elements that are added one after another before their sum enters the tree. Rules: N21.
inline constexpr int sum_run = 32;

/// Sums of runs, added as a binary tree while they come in: two equally high sums become one, so
/// that log2(runs) of them wait, at most 48. `V` is any type with `+`.
/// Rules: N21.
template <class V> struct tree_sum {
  V waiting[48];
  std::uint64_t runs = 0;

  GUARDJIT_HD constexpr void add_run(V run) {
    int height = 0;
    for (auto r = runs++; r & 1; r >>= 1) run = waiting[height++] + run;
    waiting[height] = run;
  }
  /// The sum of all runs and of `rest`, which is the last run or nothing.
  GUARDJIT_HD constexpr V total(V rest) const {
    int height = 0;
    for (auto r = runs; r != 0; r >>= 1, ++height)
      if (r & 1) rest = waiting[height] + rest;
    return rest;
  }
};

namespace detail {
/// A factor of a product, which a `tree_sum` takes in its order.
template <class V> struct factor {
  V value;
  friend GUARDJIT_HD constexpr factor operator+(factor a, factor b) { return {a.value * b.value}; }
};

__extension__ typedef __int128 wide_integer;
__extension__ typedef unsigned __int128 wide_unsigned;

/// total / count, rounded once. Requires: count > 0.
GUARDJIT_HD constexpr double rounded_quotient(wide_integer total, index_t count) {
  if (total == 0) return 0;
  bool const negative = total < 0;
  auto magnitude =
      negative ? -static_cast<wide_unsigned>(total) : static_cast<wide_unsigned>(total);
  // The dividend is made as long as it gets, so that the quotient has more bits than a double;
  // what the division leaves then only matters as "not exact", in the lowest bit.
  double scale = 1;
  for (; (magnitude >> 126) == 0; magnitude <<= 1) scale /= 2;
  auto const divisor = static_cast<wide_unsigned>(count);
  auto quotient = magnitude / divisor;
  if (quotient * divisor != magnitude) quotient |= 1;
  double const rounded = static_cast<double>(quotient) * scale;
  return negative ? -rounded : rounded;
}
}  // namespace detail

/// Accumulates elements of `From` for one result of the reduction `Id`: `add` each, then `result` of
/// their number, of a `mean` of its `mean_divisor`.
/// Rules: POL-5, POL-7, POL-9, POL-15, N21.
template <op Id, element From> struct accumulator;

template <element From>
requires std::is_integral_v<From>
struct accumulator<op::sum, From> {
  using result_type = std::int64_t;
  lane<std::int64_t> sum{};
  GUARDJIT_HD constexpr void add(From v) {
    sum = sum + lane<std::int64_t>{static_cast<std::int64_t>(v)};
  }
  GUARDJIT_HD constexpr std::int64_t result(index_t) const { return sum.value; }
};

template <element From>
requires std::is_floating_point_v<From>
struct accumulator<op::sum, From> {
  using result_type = From;
  tree_sum<From> tree;
  From run{};
  int filled = 0;
  GUARDJIT_HD constexpr void add(From v) {
    run += v;
    if (++filled < sum_run) return;
    tree.add_run(run);
    run = From(0);
    filled = 0;
  }
  GUARDJIT_HD constexpr From result(index_t) const { return tree.total(run); }
};

template <element From>
requires std::is_integral_v<From>
struct accumulator<op::prod, From> {
  using result_type = std::int64_t;
  lane<std::int64_t> product{1};
  GUARDJIT_HD constexpr void add(From v) {
    product = product * lane<std::int64_t>{static_cast<std::int64_t>(v)};
  }
  GUARDJIT_HD constexpr std::int64_t result(index_t) const { return product.value; }
};

template <element From>
requires std::is_floating_point_v<From>
struct accumulator<op::prod, From> {
  using result_type = From;
  tree_sum<detail::factor<From>> tree;
  detail::factor<From> run{1};
  int filled = 0;
  GUARDJIT_HD constexpr void add(From v) {
    run.value *= v;
    if (++filled < sum_run) return;
    tree.add_run(run);
    run.value = From(1);
    filled = 0;
  }
  GUARDJIT_HD constexpr From result(index_t) const { return tree.total(run).value; }
};

template <op Id, element From>
requires(Id == op::amax || Id == op::amin)
struct accumulator<Id, From> {
  using result_type = From;
  using limits = detail::limits_of<From>;
  static constexpr From highest = std::is_floating_point_v<From> ? limits::infinity : limits::largest;
  static constexpr From lowest = std::is_floating_point_v<From> ? -limits::infinity : limits::lowest;
  lane<From> extreme{Id == op::amax ? lowest : highest};
  GUARDJIT_HD constexpr void add(From v) {
    extreme = Id == op::amax ? max_(extreme, lane<From>{v}) : min_(extreme, lane<From>{v});
  }
  GUARDJIT_HD constexpr From result(index_t) const { return extreme.value; }
};

/// Precondition: elements are added in the order in which they are numbered.
template <op Id, element From>
requires(Id == op::argmax || Id == op::argmin)
struct accumulator<Id, From> {
  using result_type = std::int64_t;
  From extreme{};
  std::int64_t place = 0, seen = 0;
  GUARDJIT_HD constexpr void add(From v) {
    // Comparisons with a NaN are false: it is taken if it is the first, and never left.
    bool const is_beyond = Id == op::argmax ? extreme < v : v < extreme;
    if (seen == 0 || is_beyond || (v != v && extreme == extreme)) {
      extreme = v;
      place = seen;
    }
    ++seen;
  }
  GUARDJIT_HD constexpr std::int64_t result(index_t) const { return place; }
};

template <op Id, element From>
requires(Id == op::any || Id == op::all)
struct accumulator<Id, From> {
  using result_type = bool;
  bool holds = Id == op::all;
  GUARDJIT_HD constexpr void add(From v) {
    bool const is_true = convert<bool>(v);
    holds = Id == op::any ? holds || is_true : holds && is_true;
  }
  GUARDJIT_HD constexpr bool result(index_t) const { return holds; }
};

template <element From>
requires std::is_integral_v<From>
struct accumulator<op::mean, From> {
  using result_type = double;
  detail::wide_integer sum = 0;
  GUARDJIT_HD constexpr void add(From v) { sum += static_cast<detail::wide_integer>(v); }
  GUARDJIT_HD constexpr double result(index_t count) const {
    return count == 0 ? detail::limits_of<double>::nan : detail::rounded_quotient(sum, count);
  }
};

template <element From>
requires std::is_floating_point_v<From>
struct accumulator<op::mean, From> {
  using result_type = From;
  accumulator<op::sum, double> sum{};
  GUARDJIT_HD constexpr void add(From v) { sum.add(static_cast<double>(v)); }
  GUARDJIT_HD constexpr From result(index_t count) const {
    if (count == 0) return detail::limits_of<From>::nan;
    return static_cast<From>(sum.result(count) / static_cast<double>(count));
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
