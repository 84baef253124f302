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

/// Accumulates elements of `From` for one result of the reduction `Id`: `add` each, then `result`.
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

template <element From> struct accumulator<op::amax, From> {
  using result_type = From;
  using limits = detail::limits_of<From>;
  static constexpr From lowest =
      std::is_floating_point_v<From> ? -limits::infinity : limits::lowest;
  lane<From> largest{lowest};
  GUARDJIT_HD constexpr void add(From v) { largest = max_(largest, lane<From>{v}); }
  GUARDJIT_HD constexpr From result(index_t) const { return largest.value; }
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
