// What every backend must do with reductions and products, as functions over the backend.
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_REDUCTION_BODIES_HPP
#define GUARDJIT_TESTS_KERNELS_REDUCTION_BODIES_HPP

#include "harness.hpp"
#include <algorithm>

namespace kernel_tests {

/// A result of dtype bool: `std::vector<bool>` has no array.
using bool_byte = unsigned char;

/// Reduces the axes of `mask` of an operand; the other axes are those of the result.
template <class Backend, class Formula, class Out, class In>
std::vector<Out> reduce(extents_type const& extents, unsigned mask, test_operand<In> const& in,
                        index_t count) {
  reduce_nest<2> nest;
  nest.count = count;
  extents_type kept;
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (!(mask >> d & 1)) kept.push_back(extents[d]);
  test_operand<Out> const shape(kept, placement::contiguous);
  std::size_t at = 0, results = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (mask >> d & 1) {
      nest.inner.add_inner(extents[d], {0, in.strides[d]});
    } else {
      nest.outer.add_inner(extents[d], {shape.strides[at++], in.strides[d]});
      results *= static_cast<std::size_t>(extents[d]);
    }
  }
  std::vector<Out> out(results);
  void const* pointers[] = {in.data()};
  Backend::template reduce<Formula>(nest, out.data(), pointers);
  return out;
}

/// sum, mean, amax and amin along every set of axes in every layout, against `long double`.
/// Rules: POL-9, N21.
template <class Backend, class T> void reductions() {
  constexpr auto t = dtype_v<T>;
  int wrong = 0;
  double const unit = std::ldexp(1.0, -std::numeric_limits<T>::digits);
  for (extents_type const& extents : {extents_type{},
                                      {1},
                                      {15},
                                      {16},
                                      {17},
                                      {100},
                                      {1000},
                                      {5000},
                                      {64, 33},
                                      {300, 7},
                                      {40, 200},
                                      {6, 70, 18},
                                      {2, 3, 4, 5, 3}})
    for (auto const how : all_placements)
      for (unsigned mask = 1; mask < (1u << extents.size()) || mask == 1; ++mask) {
        if (extents.empty() && mask > 1) break;
        test_operand<T> const in(extents, how);
        index_t count = 1;
        extents_type kept;
        for (std::size_t d = 0; d < extents.size(); ++d)
          if (mask >> d & 1) count *= extents[d];
          else kept.push_back(extents[d]);
        struct exact {
          long double sum = 0, size = 0;
          T largest = -std::numeric_limits<T>::infinity(), smallest = -largest;
        };
        test_operand<T> const shape(kept, placement::contiguous);
        std::vector<exact> expected(std::max<std::size_t>(shape.memory.size(), 1));
        for_each_index(extents, [&](auto const& index) {
          std::vector<index_t> at;
          for (std::size_t d = 0; d < extents.size(); ++d)
            if (!(mask >> d & 1)) at.push_back(index[d]);
          auto& e = expected[static_cast<std::size_t>(offset_of(at, shape.strides))];
          T const v = in.at(offset_of(index, in.strides));
          e.sum += v;
          e.size += std::fabs(v);
          e.largest = std::max(e.largest, v);
          e.smallest = std::min(e.smallest, v);
        });
        auto const sums = reduce<Backend, unary<op::sum, t>, T>(extents, mask, in, count);
        auto const means = reduce<Backend, unary<op::mean, t>, T>(extents, mask, in, count);
        auto const largest = reduce<Backend, unary<op::amax, t>, T>(extents, mask, in, count);
        auto const smallest = reduce<Backend, unary<op::amin, t>, T>(extents, mask, in, count);
        double const bound = (32 + std::log2(static_cast<double>(count))) * unit;
        for (std::size_t k = 0; k < sums.size(); ++k) {
          wrong += !(std::fabs(sums[k] - expected[k].sum) <= bound * expected[k].size);
          long double const mean = expected[k].sum / static_cast<long double>(count);
          long double const mean_bound =
              (std::is_same_v<T, float>
                   ? 1.01 * unit * std::fabs(mean)
                   : bound * expected[k].size / static_cast<long double>(count) +
                         unit * std::fabs(mean));
          wrong += !(std::fabs(means[k] - mean) <=
                     mean_bound + 1e-12L * static_cast<long double>(std::is_same_v<T, float>));
          wrong += !same(largest[k], expected[k].largest);
          wrong += !same(smallest[k], expected[k].smallest);
        }
      }
  CHECK(wrong == 0);
}

/// Products of numbers near 1, along rows and columns, against `long double`: each multiplication
/// rounds once. Rules: N21, POL-9.
template <class Backend, class T> void product_reductions() {
  constexpr auto t = dtype_v<T>;
  int wrong = 0;
  for (index_t rows : {1, 3, 33, 700})
    for (index_t columns : {1, 7, 16, 70, 1100})
      for (auto const how : all_placements)
        for (unsigned mask : {1u, 2u, 3u}) {
          test_operand<T> in({rows, columns}, how);
          for (T& v : in.memory) v = T(1) + v / T(1000) * (v < T(0) ? T(-1) : T(1));
          index_t const count = (mask & 1 ? rows : 1) * (mask & 2 ? columns : 1);
          std::vector<long double> expected(static_cast<std::size_t>(rows * columns / count), 1);
          for_each_index({rows, columns}, [&](auto const& index) {
            index_t const to = mask == 3 ? 0 : mask == 1 ? index[1] : index[0];
            expected[static_cast<std::size_t>(to)] *=
                static_cast<long double>(in.at(offset_of(index, in.strides)));
          });
          auto const got =
              reduce<Backend, unary<op::prod, t>, T>({rows, columns}, mask, in, count);
          long double const bound =
              static_cast<long double>(count) * std::ldexp(1.0L, -std::numeric_limits<T>::digits);
          for (std::size_t k = 0; k < got.size(); ++k)
            if (std::isfinite(static_cast<T>(expected[k])))
              wrong += !(std::fabs(got[k] - expected[k]) <= bound * std::fabs(expected[k]));
        }
  CHECK(wrong == 0);
}

/// `any` and `all` of every dtype: one element that is unlike the others, at every place.
/// Rules: POL-8.
template <class Backend> void truth_reductions() {
  for_each_type(element_types{}, []<class T>(std::type_identity<T>) {
    using any_of = unary<op::any, dtype_v<T>, dtype::boolean>;
    using all_of = unary<op::all, dtype_v<T>, dtype::boolean>;
    int wrong = 0;
    for (index_t n : {1, 7, 40})
      for (index_t place = -1; place < n; ++place) {
        test_operand<T> in({n}, placement::contiguous);
        for (T const other : {T(0), T(1)}) {
          in.memory.assign(in.memory.size(), other);
          if (place >= 0) in.memory[static_cast<std::size_t>(place)] = T(1) - other;
          bool const some = other != T(0) ? n > 1 || place < 0 : place >= 0;
          bool const every = other != T(0) ? place < 0 : n == 1 && place == 0;
          wrong += reduce<Backend, any_of, bool_byte>({n}, 1, in, n)[0] != bool_byte{some};
          wrong += reduce<Backend, all_of, bool_byte>({n}, 1, in, n)[0] != bool_byte{every};
        }
      }
    CHECK(wrong == 0);
    test_operand<T> const none({2, 0}, placement::contiguous);
    CHECK(reduce<Backend, any_of, bool_byte>({2, 0}, 2, none, 0)[1] == 0);
    CHECK(reduce<Backend, all_of, bool_byte>({2, 0}, 2, none, 0)[1] == 1);
  });
  test_operand<float> nan({3}, placement::contiguous);
  nan.memory = {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN()};
  CHECK(reduce<Backend, unary<op::any, dtype::f32, dtype::boolean>, bool_byte>({3}, 1, nan, 3)[0] == 1);
  CHECK(reduce<Backend, unary<op::any, dtype::f32, dtype::boolean>, bool_byte>({2}, 1, nan, 2)[0] == 0);
}

/// A chain under a reduction, with a stretched and a converted operand.
template <class Backend> void fused_reductions() {
  constexpr auto f = dtype::f32;
  // sum(exp(x - m) * u), where m has one value a row and u is bytes
  using formula =
      numbers<3, 8, word(op::input, f, 0), word(op::input, f, 1), word(op::input, dtype::u8, 2),
              word(op::sub, f, 0, 1), word(op::exp, f, 3), word(op::to, f, 2),
              word(op::mul, f, 4, 5), word(op::sum, f, 6)>;
  int wrong = 0;
  for (index_t rows : {1, 3, 40})
    for (index_t columns : {1, 15, 16, 70, 700})
      for (int const variant : {0, 1, 2, 3}) {
        bool const along_rows = (variant & 1) != 0, is_transposed = (variant & 2) != 0;
        test_operand<float> const x({rows, columns}, placement::contiguous), m({rows}, placement::contiguous);
        test_operand<std::uint8_t> const u({rows, columns},
                                      is_transposed ? placement::transposed : placement::contiguous);
        reduce_nest<4> nest;
        std::array<index_t, 4> const row{along_rows ? 0 : 1, columns, 1, u.strides[0]},
            column{along_rows ? 1 : 0, 1, 0, u.strides[1]};
        (along_rows ? nest.inner : nest.outer).add_inner(rows, row);
        (along_rows ? nest.outer : nest.inner).add_inner(columns, column);
        nest.count = along_rows ? rows : columns;
        std::vector<float> out(static_cast<std::size_t>(along_rows ? columns : rows));
        void const* in[] = {x.data(), m.data(), u.data()};
        Backend::template reduce<formula>(nest, out.data(), in);
        for (std::size_t k = 0; k < out.size(); ++k) {
          double sum = 0;
          for (index_t j = 0; j < nest.count; ++j) {
            index_t const r = along_rows ? j : static_cast<index_t>(k),
                          c = along_rows ? static_cast<index_t>(k) : j;
            sum += std::exp(static_cast<double>(x.at(r * columns + c)) -
                            static_cast<double>(m.at(r))) *
                   u.at(r * u.strides[0] + c * u.strides[1]);
          }
          wrong += !(std::fabs(out[k] - sum) <= 1e-5 * sum);
        }
      }
  CHECK(wrong == 0);
}

/// A mean in f64 of f32, along rows and columns: operands are converted in packets.
template <class Backend> void converted_reductions() {
  using formula = numbers<1, 3, word(op::input, dtype::f32, 0), word(op::to, dtype::f64, 0),
                          word(op::mean, dtype::f64, 1)>;
  int wrong = 0;
  for (index_t rows : {1, 3, 40, 150})
    for (index_t columns : {1, 15, 16, 70, 300})
      for (auto const how : all_placements)
        for (unsigned mask : {1u, 2u}) {
          test_operand<float> const in({rows, columns}, how);
          index_t const count = mask == 1 ? rows : columns;
          std::vector<long double> sum(static_cast<std::size_t>(rows * columns / count)), size(sum);
          for_each_index({rows, columns}, [&](auto const& index) {
            auto const to = static_cast<std::size_t>(mask == 1 ? index[1] : index[0]);
            auto const v = static_cast<long double>(in.at(offset_of(index, in.strides)));
            sum[to] += v;
            size[to] += std::fabs(v);
          });
          auto const got = reduce<Backend, formula, double>({rows, columns}, mask, in, count);
          for (std::size_t k = 0; k < got.size(); ++k)
            wrong += !(std::fabs(got[k] * static_cast<long double>(count) - sum[k]) <=
                       45 * std::ldexp(1.0L, -53) * size[k]);
        }
  CHECK(wrong == 0);
}

/// Integers and bool: exact. Rules: POL-3, POL-9.
template <class Backend> void whole_reductions() {
  using std::int64_t, std::uint8_t;
  for (auto const how : all_placements) {
    test_operand<uint8_t> const bytes({12, 50}, how);
    test_operand<bool> const flags({12, 50}, how);
    int64_t sum = 0, set = 0, largest = 0, smallest = 255;
    for_each_index({12, 50}, [&](auto const& index) {
      sum += bytes.at(offset_of(index, bytes.strides));
      largest = std::max<int64_t>(largest, bytes.at(offset_of(index, bytes.strides)));
      smallest = std::min<int64_t>(smallest, bytes.at(offset_of(index, bytes.strides)));
      set += flags.at(offset_of(index, flags.strides));
    });
    CHECK(reduce<Backend, unary<op::sum, dtype::u8, dtype::i64>, int64_t>({12, 50}, 3, bytes,
                                                                          600)[0] == sum);
    CHECK(reduce<Backend, unary<op::sum, dtype::boolean, dtype::i64>, int64_t>({12, 50}, 3, flags,
                                                                               600)[0] == set);
    CHECK(reduce<Backend, unary<op::amax, dtype::u8>, uint8_t>({12, 50}, 3, bytes, 600)[0] ==
          largest);
    CHECK(reduce<Backend, unary<op::amin, dtype::u8>, uint8_t>({12, 50}, 3, bytes, 600)[0] ==
          smallest);
    CHECK(reduce<Backend, unary<op::prod, dtype::boolean, dtype::i64>, int64_t>(
              {12, 50}, 3, flags, 600)[0] == (set == 600 ? 1 : 0));
    CHECK(reduce<Backend, unary<op::mean, dtype::u8, dtype::f64>, double>(
              {12, 50}, 3, bytes, 600)[0] == static_cast<double>(sum) / 600);
  }
  test_operand<int64_t> wide({2}, placement::contiguous);
  wide.memory = {std::numeric_limits<int64_t>::max(), 1};
  CHECK(reduce<Backend, unary<op::sum, dtype::i64>, int64_t>({2}, 1, wide, 2)[0] ==
        std::numeric_limits<int64_t>::min());
  wide.memory = {std::numeric_limits<int64_t>::max(), 2};
  CHECK(reduce<Backend, unary<op::prod, dtype::i64>, int64_t>({2}, 1, wide, 2)[0] == -2);
  // i32 is summed and multiplied in i64
  test_operand<std::int32_t> narrow({40}, placement::contiguous);
  narrow.memory.assign(narrow.memory.size(), std::numeric_limits<std::int32_t>::min());
  int64_t const lowest = std::numeric_limits<std::int32_t>::min();
  CHECK(reduce<Backend, unary<op::sum, dtype::i32, dtype::i64>, int64_t>({40}, 1, narrow, 40)[0] ==
        40 * lowest);
  CHECK(reduce<Backend, unary<op::mean, dtype::i32, dtype::f64>, double>({40}, 1, narrow, 40)[0] ==
        static_cast<double>(lowest));
  CHECK(reduce<Backend, unary<op::amax, dtype::i32>, std::int32_t>({40}, 1, narrow, 40)[0] == lowest);
  CHECK(reduce<Backend, unary<op::amin, dtype::i32>, std::int32_t>({40}, 1, narrow, 40)[0] == lowest);
  CHECK(reduce<Backend, unary<op::prod, dtype::i32, dtype::i64>, int64_t>({2}, 1, narrow, 2)[0] ==
        lowest * lowest);
}

/// Rules: POL-7.
template <class Backend> void empty_reductions() {
  test_operand<float> const in({3, 0}, placement::contiguous);
  for (float v : reduce<Backend, unary<op::sum, dtype::f32>, float>({3, 0}, 2, in, 0))
    CHECK(same(v, 0.0f));
  for (float v : reduce<Backend, unary<op::prod, dtype::f32>, float>({3, 0}, 2, in, 0))
    CHECK(same(v, 1.0f));
  for (float v : reduce<Backend, unary<op::mean, dtype::f32>, float>({3, 0}, 2, in, 0))
    CHECK(v != v);
  test_operand<std::int64_t> const whole({3, 0}, placement::contiguous);
  for (double v :
       reduce<Backend, unary<op::mean, dtype::i64, dtype::f64>, double>({3, 0}, 2, whole, 0))
    CHECK(v != v);
  CHECK(reduce<Backend, unary<op::amax, dtype::f32>, float>({3, 0}, 1, in, 3).empty());
  CHECK(reduce<Backend, unary<op::amin, dtype::f32>, float>({3, 0}, 1, in, 3).empty());
}

/// Zeros and signs. Rules: POL-15.
template <class Backend> void signed_zero_reductions() {
  for (index_t n : {1, 15, 16, 40, 1000}) {
    test_operand<float> in({n}, placement::contiguous);
    in.memory.assign(in.memory.size(), -0.0f);
    CHECK(same(reduce<Backend, unary<op::sum, dtype::f32>, float>({n}, 1, in, n)[0], 0.0f));
    CHECK(same(reduce<Backend, unary<op::amax, dtype::f32>, float>({n}, 1, in, n)[0], -0.0f));
    in.memory[static_cast<std::size_t>(n - 1)] = 0.0f;
    CHECK(same(reduce<Backend, unary<op::amax, dtype::f32>, float>({n}, 1, in, n)[0], 0.0f));
    in.memory.assign(in.memory.size(), 0.0f);
    CHECK(same(reduce<Backend, unary<op::amin, dtype::f32>, float>({n}, 1, in, n)[0], 0.0f));
    in.memory[static_cast<std::size_t>(n / 2)] = -0.0f;
    CHECK(same(reduce<Backend, unary<op::amin, dtype::f32>, float>({n}, 1, in, n)[0], -0.0f));
  }
}

/// NaN at every place, along both axes. Rules: POL-5.
template <class Backend, op Extreme = op::amax> void nan_in_extreme() {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  for (index_t n = 1; n <= 64; ++n)
    for (index_t place = 0; place < n; ++place) {
      test_operand<float> in({n}, placement::contiguous);
      in.memory[static_cast<std::size_t>(place)] = nan;
      float const v = reduce<Backend, unary<Extreme, dtype::f32>, float>({n}, 1, in, n)[0];
      if (v == v) CHECK_MESSAGE(false, "n = ", n, ", place = ", place);
    }
  test_operand<float> table({70, 20}, placement::contiguous);
  for (std::size_t column = 0; column < 20; ++column)
    table.memory[column * 3 % 70 * 20 + column] = nan;
  for (float v : reduce<Backend, unary<Extreme, dtype::f32>, float>({70, 20}, 1, table, 70))
    CHECK(v != v);
}

/// Matrix products of every layout against `long double`; whole numbers exactly.
/// Rules: N31, N32, N33, POL-3.
template <class Backend, class T> void products() {
  int wrong = 0;
  for (index_t m : {1, 2, 7, 33})
    for (index_t k : {0, 1, 5, 90})
      for (index_t n : {1, 3, 16, 100})
        for (auto const left_layout : all_placements)
          for (auto const right_layout :
               {placement::contiguous, placement::stepped, placement::transposed}) {
            constexpr index_t batches = 2;
            test_operand<T> const left({m, k}, left_layout), right({batches, k, n}, right_layout);
            matmul_nest nest{
                m, n, k, left.strides[0], left.strides[1], right.strides[1], right.strides[2], {}};
            nest.batch.add_inner(batches, {m * n, 0, right.strides[0]});
            std::vector<T> out(static_cast<std::size_t>(batches * m * n), T(77));
            Backend::template matmul<T>(nest, out.data(), left.data(), right.data());
            for (index_t b = 0; b < batches; ++b)
              for (index_t i = 0; i < m; ++i)
                for (index_t j = 0; j < n; ++j) {
                  long double sum = 0, size = 0;
                  for (index_t p = 0; p < k; ++p) {
                    long double const term =
                        static_cast<long double>(
                            left.at(i * left.strides[0] + p * left.strides[1])) *
                        static_cast<long double>(right.at(
                            b * right.strides[0] + p * right.strides[1] + j * right.strides[2]));
                    sum += term;
                    size += std::fabs(term);
                  }
                  auto const got = out[static_cast<std::size_t>((b * m + i) * n + j)];
                  if constexpr (std::is_integral_v<T>) wrong += got != static_cast<T>(sum);
                  else
                    wrong += !(std::fabs(got - sum) <=
                               static_cast<long double>(k + 2) *
                                   std::ldexp(1.0L, -std::numeric_limits<T>::digits) * size);
                }
          }
  CHECK(wrong == 0);
}

}  // namespace kernel_tests

#endif
