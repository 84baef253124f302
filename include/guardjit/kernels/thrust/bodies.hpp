// guardjit: kernels/thrust/bodies.hpp: what one thread does for one element, result, row, product, index
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_THRUST_BODIES_HPP
#define GUARDJIT_KERNELS_THRUST_BODIES_HPP

#include <guardjit/kernels/thrust/flat_nest.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/reference/movement.hpp>
#include <guardjit/reference/row.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One element of an elementwise formula.
template <class Formula> struct element_body {
  flat_nest<Formula::inputs + 1> nest;
  operand_arrays<Formula::inputs> arrays;

  GUARDJIT_HD void operator()(index_t i) const {
    index_t at[Formula::inputs + 1]{};
    nest.advance(i, at);
    store_element(arrays.out, at[0], evaluate_at<Formula, scalar_lanes<>>(arrays.in, at).value);
  }
};

/// One result of a reduction, in the order of N21.
template <class Formula> struct reduction_body {
  flat_nest<Formula::inputs + 1> outer, inner;
  index_t count;
  operand_arrays<Formula::inputs> arrays;

  GUARDJIT_HD void operator()(index_t i) const {
    constexpr int operand = last_entry<Formula>::a;
    index_t start[Formula::inputs + 1]{};
    outer.advance(i, start);
    accumulator_of<Formula> total{};
    index_t const steps = inner.count();
    for (index_t j = 0; j < steps; ++j) {
      index_t at[Formula::inputs + 1];
      for (int k = 0; k <= Formula::inputs; ++k) at[k] = start[k];
      inner.advance(j, at);
      total.add(evaluate_at<Formula, scalar_lanes<>, operand>(arrays.in, at).value);
    }
    store_element(arrays.out, start[0], total.result(count));
  }
};

/// One row of a row formula.
template <class Formula> struct row_body {
  flat_nest<Formula::inputs + 1> rows;
  index_t length, results;
  index_t step[Formula::inputs + 1];
  operand_arrays<Formula::inputs> arrays;

  GUARDJIT_HD void operator()(index_t i) const {
    index_t start[Formula::inputs + 1]{};
    rows.advance(i, start);
    reference_row<Formula, scalar_lanes<>>::run(arrays.out, arrays.in, start, step, length, results,
                                                std::make_integer_sequence<int, Formula::size>{});
  }
};

/// One element of a batch of products.
template <class T> struct product_body {
  flat_nest<3> batch;
  index_t m, n, k, left_row, left_column, right_row, right_column;
  T* out;
  T const* left;
  T const* right;

  GUARDJIT_HD void operator()(index_t i) const {
    index_t at[3]{};
    batch.advance(i / (m * n), at);
    index_t const row = i / n % m, column = i % n;
    lane<T> sum{};
    for (index_t p = 0; p < k; ++p)
      sum = sum + lane<T>{left[at[1] + row * left_row + p * left_column]} *
                      lane<T>{right[at[2] + p * right_row + column * right_column]};
    out[at[0] + row * n + column] = sum.value;
  }
};

/// One element of a take or gather.
template <element T, element Index> struct gather_body {
  flat_nest<3> loops;
  index_t step, extent;
  void* out;
  void const* x;
  void const* indices;

  GUARDJIT_HD void operator()(index_t i) const {
    index_t at[3]{};
    loops.advance(i, at);
    index_t const place = index_place(load_element<Index>(indices, at[2]), extent);
    store_element(out, at[0], load_element<T>(x, at[1] + place * step));
  }
};

/// An index out of range with its number in order; the largest number where there is none.
struct numbered_index {
  index_t number = INT64_MAX, value = 0;
};
struct earlier_index {
  GUARDJIT_HD numbered_index operator()(numbered_index const& a, numbered_index const& b) const {
    return b.number < a.number ? b : a;
  }
};
/// The test of one index.
template <element Index> struct outside_body {
  flat_nest<1> loops;
  index_t extent;
  void const* indices;

  GUARDJIT_HD numbered_index operator()(index_t i) const {
    index_t at[1]{};
    loops.advance(i, at);
    index_t const value = load_element<Index>(indices, at[0]);
    return is_index(value, extent) ? numbered_index{} : numbered_index{i, value};
  }
};

struct arange_body {
  std::int64_t* out;
  GUARDJIT_HD void operator()(index_t i) const { out[i] = i; }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
