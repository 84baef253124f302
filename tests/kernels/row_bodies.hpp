// What every backend must do with formulas of rows, as functions over the backend.
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_ROW_BODIES_HPP
#define GUARDJIT_TESTS_KERNELS_ROW_BODIES_HPP

#include "harness.hpp"
#include <algorithm>

namespace kernel_tests {

/// Row formulas: rows of every length, steps, in place.
template <class Backend, class T> void row_formulas() {
  constexpr auto t = dtype_v<T>;
  using softmax = numbers<1, 6, word(op::input, t, 0), word(op::amax, t, 0), word(op::sub, t, 0, 1),
                          word(op::exp, t, 2), word(op::sum, t, 3), word(op::div, t, 3, 4)>;
  // (x - mean) / sqrt(mean((x - mean)²) + eps) * w + bias, bias with one value a row
  using norm = numbers<3, 13, word(op::input, t, 0), word(op::mean, t, 0), word(op::sub, t, 0, 1),
                       word(op::mul, t, 2, 2), word(op::mean, t, 3), word(op::constant, t, 13),
                       word(op::add, t, 4, 5), word(op::sqrt, t, 6), word(op::div, t, 2, 7),
                       word(op::input, t, 1), word(op::mul, t, 8, 9), word(op::input, t, 2, 1),
                       word(op::add, t, 10, 11), bits(1e-5)>;
  using logsumexp = numbers<1, 7, word(op::input, t, 0), word(op::amax, t, 0),
                            word(op::sub, t, 0, 1), word(op::exp, t, 2), word(op::sum, t, 3),
                            word(op::log, t, 4), word(op::add, t, 5, 1)>;
  // mean((x - mean)²) with correction 3
  using corrected = numbers<1, 5, word(op::input, t, 0), word(op::mean, t, 0), word(op::sub, t, 0, 1),
                           word(op::square, t, 2), word(op::mean, t, 3, 3)>;
  double const tolerance = std::is_same_v<T, float> ? 4e-6 : 1e-14;
  int wrong = 0;
  for (index_t n : {1, 3, 10, 16, 17, 64, 100, 1000, 4096, 9001})
    for (index_t step : {1, 2, 5}) {
      index_t const rows = n > 1000 ? 2 : 5;
      std::vector<T> x(static_cast<std::size_t>(rows * n * step)), w(static_cast<std::size_t>(n)),
          bias(static_cast<std::size_t>(rows)), out(x.size());
      for (auto* v : {&x, &w, &bias})
        for (auto& e : *v) e = random_value<T>();
      auto const at = [&](index_t r, index_t i) {
        return static_cast<std::size_t>((r * n + i) * step);
      };
      std::vector<double> largest(bias.size(), -1e300), total(bias.size()), mean(bias.size()),
          variance(bias.size());
      for (index_t r = 0; r < rows; ++r) {
        auto const k = static_cast<std::size_t>(r);
        long double sum = 0, squares = 0, exps = 0;
        for (index_t i = 0; i < n; ++i)
          largest[k] = std::max(largest[k], static_cast<double>(x[at(r, i)]));
        for (index_t i = 0; i < n; ++i) sum += static_cast<long double>(x[at(r, i)]);
        for (index_t i = 0; i < n; ++i)
          squares += std::pow(
              static_cast<long double>(x[at(r, i)]) - sum / static_cast<long double>(n), 2);
        for (index_t i = 0; i < n; ++i)
          exps += std::exp(static_cast<long double>(x[at(r, i)]) -
                           static_cast<long double>(largest[k]));
        total[k] = static_cast<double>(exps);
        mean[k] = static_cast<double>(sum / static_cast<long double>(n));
        variance[k] = static_cast<double>(squares / static_cast<long double>(n));
      }
      auto const close = [&](T got, double expected) {
        return std::fabs(static_cast<double>(got) - expected) <=
               tolerance * (1 + 30 * std::fabs(expected));
      };

      row_nest<2> nest;
      nest.rows.add_inner(rows, {n * step, n * step});
      nest.length = n;
      nest.step = {step, step};
      void const* in[] = {x.data(), w.data(), bias.data()};
      Backend::template rows<softmax>(nest, out.data(), in);
      auto const check_softmax = [&](std::vector<T> const& got) {
        for (index_t r = 0; r < rows; ++r)
          for (index_t i = 0; i < n; ++i) {
            auto const k = static_cast<std::size_t>(r);
            double const expected =
                std::exp(static_cast<double>(x[at(r, i)]) - largest[k]) / total[k];
            wrong += !(std::fabs(static_cast<double>(got[at(r, i)]) - expected) <=
                       10 * tolerance * expected + 1e-38);
          }
      };
      check_softmax(out);
      std::vector<T> place = x;
      void const* own[] = {place.data()};
      Backend::template rows<softmax>(nest, place.data(), own);
      check_softmax(place);

      row_nest<4> four;
      four.rows.add_inner(rows, {n * step, n * step, 0, 1});
      four.length = n;
      four.step = {step, step, 1, 0};
      Backend::template rows<norm>(four, out.data(), in);
      for (index_t r = 0; r < rows; ++r)
        for (index_t i = 0; i < n; ++i) {
          auto const k = static_cast<std::size_t>(r);
          double const expected = (static_cast<double>(x[at(r, i)]) - mean[k]) /
                                      std::sqrt(variance[k] + 1e-5) *
                                      static_cast<double>(w[static_cast<std::size_t>(i)]) +
                                  static_cast<double>(bias[k]);
          wrong += !close(out[at(r, i)], expected);
        }

      std::vector<T> one(bias.size() + 1, T(55));
      row_nest<2> single = nest;
      single.rows = {};
      single.rows.add_inner(rows, {1, n * step});
      single.step = {0, step};
      single.one_a_row = true;
      Backend::template rows<logsumexp>(single, one.data(), in);
      for (std::size_t k = 0; k < bias.size(); ++k)
        wrong += !close(one[k], largest[k] + std::log(total[k]));
      CHECK(one.back() == T(55));
      Backend::template rows<corrected>(single, one.data(), in);
      for (std::size_t k = 0; k < bias.size(); ++k)
        wrong += n <= 3 ? one[k] == one[k]
                        : !close(one[k], variance[k] * static_cast<double>(n) / static_cast<double>(n - 3));
      CHECK(one.back() == T(55));
    }
  CHECK(wrong == 0);

  // Rows of no elements have a value, if the result has one a row.
  row_nest<2> empty;
  empty.rows.add_inner(3, {1, 0});
  empty.one_a_row = true;
  std::vector<T> nothing(1), sums(3, T(55));
  void const* in[] = {nothing.data()};
  Backend::template rows<logsumexp>(empty, sums.data(), in);
  for (T v : sums) CHECK(v == -std::numeric_limits<T>::infinity());
  Backend::template rows<corrected>(empty, sums.data(), in);
  for (T v : sums) CHECK(v != v);
}

}  // namespace kernel_tests

#endif
