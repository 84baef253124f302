// Row formulas whose reductions share passes, by every backend of this folder.
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "reduction_bodies.hpp"

using namespace kernel_tests;
using on_eigen = backends::eigen;
using on_reference = backends::reference;

namespace {

/// Rows of `Slots` slots, one after another, with `step` between the elements of all of them.
template <int Slots> row_nest<Slots + 1> rows_of(index_t rows, index_t n, index_t step) {
  row_nest<Slots + 1> nest;
  std::array<index_t, Slots + 1> along, between;
  along.fill(step);
  between.fill(n * step);
  nest.rows.add_inner(rows, between);
  nest.length = n;
  nest.step = along;
  return nest;
}

template <class T> std::vector<T> random_row(index_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& v : x) v = random_value<T>();
  return x;
}

/// (x - amin) / (amax - amin)
template <dtype t> using to_unit =
    numbers<1, 6, word(op::input, t, 0), word(op::amin, t, 0), word(op::amax, t, 0),
            word(op::sub, t, 0, 1), word(op::sub, t, 2, 1), word(op::div, t, 3, 4)>;

/// sum(x) - sum(x²) + prod(x / 8) * amax(-x), one value a row.
template <dtype t> using four_totals =
    numbers<1, 13, word(op::input, t, 0), word(op::sum, t, 0), word(op::square, t, 0),
            word(op::sum, t, 2), word(op::constant, t, 13), word(op::mul, t, 0, 4),
            word(op::prod, t, 5), word(op::neg, t, 0), word(op::amax, t, 7), word(op::sub, t, 1, 3),
            word(op::mul, t, 6, 8), word(op::add, t, 9, 10), word(op::neg, t, 11), bits(0.125)>;

/// Reductions that share a pass have the bits that each has alone.
template <class Backend, class T> void as_if_alone() {
  constexpr auto t = dtype_v<T>;
  using squares = numbers<1, 3, word(op::input, t, 0), word(op::square, t, 0), word(op::sum, t, 1)>;
  using product = numbers<1, 4, word(op::input, t, 0), word(op::constant, t, 4),
                          word(op::mul, t, 0, 1), word(op::prod, t, 2), bits(0.125)>;
  using negative = numbers<1, 3, word(op::input, t, 0), word(op::neg, t, 0), word(op::amax, t, 1)>;
  for (index_t n : {1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 130, 1000, 2047, 2048, 2049, 4100, 9001}) {
    test_operand<T> const x({n}, placement::contiguous);
    void const* in[] = {x.data()};
    row_nest<2> nest;
    nest.length = n;
    nest.one_a_row = true;
    nest.step = {0, 1};
    T got{};
    Backend::template rows<four_totals<t>>(nest, &got, in);
    T const a = reduce<Backend, unary<op::sum, t>, T>({n}, 1, x, n)[0];
    T const b = reduce<Backend, squares, T>({n}, 1, x, n)[0];
    T const c = reduce<Backend, product, T>({n}, 1, x, n)[0];
    T const d = reduce<Backend, negative, T>({n}, 1, x, n)[0];
    T const difference = a - b, last = c * d;
    CHECK_MESSAGE(same(got, static_cast<T>(-(difference + last))), "n = ", n);
  }
}

/// Rows of any number, length and step, next to each other or apart, into another array or their own.
template <class Backend, class T> void unit_rows() {
  constexpr auto t = dtype_v<T>;
  int wrong = 0;
  for (index_t n : {1, 2, 16, 17, 100, 1023, 1024, 1025, 5000})
    for (index_t rows : {1, 2, 3, 6})
      for (index_t step : {1, 3}) {
        std::vector<T> const x = random_row<T>(rows * n * step);
        std::vector<T> out(x.size(), T(77)), own = x;
        auto const nest = rows_of<1>(rows, n, step);
        void const *in[] = {x.data()}, *itself[] = {own.data()};
        Backend::template rows<to_unit<t>>(nest, out.data(), in);
        Backend::template rows<to_unit<t>>(nest, own.data(), itself);
        for (index_t r = 0; r < rows; ++r) {
          auto const at = [&](index_t i) { return static_cast<std::size_t>((r * n + i) * step); };
          T low = x[at(0)], high = low;
          for (index_t i = 1; i < n; ++i) low = std::min(low, x[at(i)]), high = std::max(high, x[at(i)]);
          for (index_t i = 0; i < n; ++i) {
            T const apart = x[at(i)] - low, whole = high - low;
            wrong += !same(out[at(i)], apart / whole) || !same(own[at(i)], out[at(i)]);
            for (index_t k = 1; k < step; ++k) {
              auto const between = at(i) + static_cast<std::size_t>(k);
              wrong += !same(out[between], T(77)) || !same(own[between], x[between]);
            }
          }
        }
      }
  CHECK(wrong == 0);
}

/// NaN and infinities at any place reach both reductions of a pass. Rules: POL-5.
template <class Backend, class T> void special_rows() {
  constexpr auto t = dtype_v<T>;
  using limits = std::numeric_limits<T>;
  using both = numbers<1, 4, word(op::input, t, 0), word(op::amax, t, 0), word(op::amin, t, 0),
                       word(op::add, t, 1, 2)>;
  int wrong = 0;
  for (index_t n : {1, 5, 16, 33, 64, 100, 150})
    for (index_t place = 0; place < n; ++place) {
      std::vector<T> x = random_row<T>(2 * n), out(x.size());
      auto nest = rows_of<1>(2, n, 1);
      void const* in[] = {x.data()};
      x[static_cast<std::size_t>(place)] = limits::quiet_NaN();
      Backend::template rows<to_unit<t>>(nest, out.data(), in);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) wrong += out[i] == out[i];
      nest.rows = {};
      nest.rows.add_inner(2, {1, n});
      nest.step[0] = 0;
      nest.one_a_row = true;
      Backend::template rows<both>(nest, out.data(), in);
      wrong += out[0] == out[0];
      wrong += out[1] != out[1];
      x[static_cast<std::size_t>(place)] = -limits::infinity();
      Backend::template rows<both>(nest, out.data(), in);
      wrong += out[0] != -limits::infinity();
    }
  CHECK(wrong == 0);
}

/// Exponentials that do not fit where they are kept are computed again, with the same bits.
template <class Backend, class T> void long_rows() {
  constexpr auto t = dtype_v<T>;
  // exp(x) / sum(exp(x)) * w + amax(w): w is read behind the first write
  using weighted = numbers<2, 8, word(op::input, t, 0), word(op::exp, t, 0), word(op::sum, t, 1),
                           word(op::div, t, 1, 2), word(op::input, t, 1), word(op::mul, t, 3, 4),
                           word(op::amax, t, 4), word(op::add, t, 5, 6)>;
  long double const tolerance = std::is_same_v<T, float> ? 1e-5L : 1e-13L;
  for (index_t n : {1000, 2048, 2050, 4096, 4097, 20000}) {
    std::vector<T> const x = random_row<T>(n), w = random_row<T>(n);
    std::vector<T> apart(3 * x.size()), next(x.size());
    void const* in[] = {x.data(), w.data()};
    auto nest = rows_of<2>(1, n, 1);
    Backend::template rows<weighted>(nest, next.data(), in);
    nest.step[0] = 3;
    Backend::template rows<weighted>(nest, apart.data(), in);
    long double sum = 0;
    T high = w[0];
    for (T v : x) sum += std::exp(static_cast<long double>(v));
    for (T v : w) high = std::max(high, v);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      wrong += !same(next[i], apart[3 * i]);
      auto const want = std::exp(static_cast<long double>(x[i])) / sum * static_cast<long double>(w[i]) +
                        static_cast<long double>(high);
      wrong += !(std::fabs(static_cast<long double>(next[i]) - want) <= tolerance);
    }
    CHECK_MESSAGE(wrong == 0, "n = ", n);
  }
}

/// Rows of rank 0, of several loops, and slots that are converted or stand still along the row.
template <class Backend> void layouts_of_rows() {
  constexpr auto f = dtype::f32;
  float const one = 3;
  float got = 7;
  void const* single[] = {&one};
  row_nest<2> nest;
  nest.length = 1;
  Backend::template rows<to_unit<f>>(nest, &got, single);
  CHECK(got != got);
  nest.length = 0;
  got = 7;
  Backend::template rows<to_unit<f>>(nest, &got, single);
  CHECK(got == 7);

  // x - amin(x) + amax(whole numbers) + s, where s stands still, in 2 × 3 rows of which one loop goes back
  using mixed = numbers<3, 9, word(op::input, f, 0), word(op::amin, f, 0), word(op::sub, f, 0, 1),
                        word(op::input, dtype::i32, 1), word(op::to, f, 3), word(op::amax, f, 4),
                        word(op::add, f, 2, 5), word(op::input, f, 2), word(op::add, f, 6, 7)>;
  for (index_t n : {1, 20, 300, 1500}) {
    std::vector<float> const x = random_row<float>(6 * n), s = random_row<float>(6);
    std::vector<std::int32_t> const whole = random_row<std::int32_t>(6 * n);
    std::vector<float> out(x.size());
    row_nest<4> rows;
    rows.rows.add_inner(2, {3 * n, 3 * n, 3 * n, 3});
    rows.rows.add_inner(3, {n, -n, n, 1});
    rows.length = n;
    rows.step = {1, 1, 1, 0};
    void const* in[] = {x.data() + 2 * n, whole.data(), s.data()};
    Backend::template rows<mixed>(rows, out.data(), in);
    int wrong = 0;
    for (index_t r = 0; r < 6; ++r) {
      index_t const from = r / 3 * 3 + 2 - r % 3;
      auto const begin = x.begin() + from * n;
      float const low = *std::min_element(begin, begin + n);
      auto const places = whole.begin() + r * n;
      auto const high = static_cast<float>(*std::max_element(places, places + n));
      for (index_t i = 0; i < n; ++i) {
        float const apart = begin[i] - low, sum = apart + high;
        wrong += !same(out[static_cast<std::size_t>(r * n + i)], sum + s[static_cast<std::size_t>(r)]);
      }
    }
    CHECK_MESSAGE(wrong == 0, "n = ", n);
  }
}

}  // namespace

TEST_CASE("POL-21: reductions that share a pass over a row have the bits of each alone") {
  as_if_alone<on_reference, float>();
  as_if_alone<on_eigen, float>();
  as_if_alone<on_eigen, double>();
}
TEST_CASE("N33: rows of any number, length and step, in place too") {
  unit_rows<on_reference, float>();
  unit_rows<on_eigen, float>();
  unit_rows<on_eigen, double>();
}
TEST_CASE("POL-5: NaN and infinities in rows with several reductions") {
  special_rows<on_reference, float>();
  special_rows<on_eigen, float>();
  special_rows<on_eigen, double>();
}
TEST_CASE("POL-21: long rows have the bits of those whose values are kept") {
  long_rows<on_reference, double>();
  long_rows<on_eigen, float>();
  long_rows<on_eigen, double>();
}
TEST_CASE("N33, POL-7: rows of rank 0, empty, reversed, converted and stretched") {
  layouts_of_rows<on_reference>();
  layouts_of_rows<on_eigen>();
}
