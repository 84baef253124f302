// What every backend must do, as functions over the backend.
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_BODIES_HPP
#define GUARDJIT_TESTS_KERNELS_BODIES_HPP

#include "harness.hpp"
#include <algorithm>

namespace kernel_tests {

template <class T> T straight_max(T a, T b) {
  if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class T> T straight_min(T a, T b) {
  if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// Chains, selections and conversions of float formulas.
template <class Backend, class T> void float_formulas() {
  constexpr auto t = dtype_v<T>, boolean = dtype::boolean;
  using chain = numbers<4, 7, word(op::input, t, 0), word(op::input, t, 1), word(op::input, t, 2),
                        word(op::input, t, 3), word(op::mul, t, 0, 1), word(op::add, t, 4, 2),
                        word(op::sub, t, 5, 3)>;
  CHECK(inexact_elements<Backend, chain, T, T, T, T, T>([](T a, T b, T c, T d) {
          T const p = a * b;
          return p + c - d;
        }) == 0);
  // sqrt(where(m and a > b, relu(a), -b / 3)) with a bool operand
  using selection =
      numbers<3, 11, word(op::input, t, 0), word(op::input, t, 1), word(op::input, boolean, 2),
              word(op::gt, boolean, 0, 1), word(op::mul, boolean, 2, 3), word(op::relu, t, 0),
              word(op::constant, t, 11), word(op::neg, t, 1), word(op::div, t, 7, 6),
              word(op::where, t, 4, 5, 8), word(op::sqrt, t, 9), bits(3.0)>;
  CHECK(inexact_elements<Backend, selection, T, T, T, bool>([](T a, T b, bool m) {
          return std::sqrt(m && a > b ? straight_max(a, T(0)) : -b / T(3));
        }) == 0);
  CHECK(inexact_elements<Backend, binary<op::maximum, t>, T, T, T>(straight_max<T>) == 0);
  CHECK(inexact_elements<Backend, binary<op::lt, t, boolean>, bool, T, T>(
            [](T a, T b) { return a < b; }) == 0);
  // bytes and whole numbers come in through conversions, the result leaves as bytes
  using mixed = numbers<3, 8, word(op::input, t, 0), word(op::input, dtype::u8, 1),
                        word(op::input, dtype::i64, 2), word(op::to, t, 1), word(op::to, t, 2),
                        word(op::mul, t, 0, 3), word(op::add, t, 5, 4), word(op::to, dtype::u8, 6)>;
  CHECK(inexact_elements<Backend, mixed, std::uint8_t, T, std::uint8_t, std::int64_t>(
            [](T a, std::uint8_t u, std::int64_t i) {
              T const p = a * static_cast<T>(u), v = p + static_cast<T>(i);
              return v <= T(0)     ? std::uint8_t(0)
                     : v >= T(255) ? std::uint8_t(255)
                                   : static_cast<std::uint8_t>(v);
            }) == 0);
  // truth values by all their ops
  using logic =
      numbers<3, 13, word(op::input, t, 0), word(op::input, t, 1), word(op::input, boolean, 2),
              word(op::le, boolean, 0, 1), word(op::bitwise_and, boolean, 2, 3),
              word(op::ge, boolean, 0, 1), word(op::bitwise_xor, boolean, 4, 5),
              word(op::logical_not, boolean, 0), word(op::logical_or, boolean, 6, 7),
              word(op::bitwise_not, boolean, 8), word(op::ne, boolean, 9, 2),
              word(op::le, boolean, 10, 4), word(op::logical_and, boolean, 11, 2)>;
  CHECK(inexact_elements<Backend, logic, bool, T, T, bool>([](T a, T b, bool m) {
          bool const both = m && a <= b, v = !((both != (a >= b)) || a == 0);
          return (v != m) <= both && m;
        }) == 0);
  // a condition that is a float, and a float that is a condition
  using truth =
      numbers<2, 6, word(op::input, t, 0), word(op::input, boolean, 1), word(op::to, boolean, 0),
              word(op::eq, boolean, 1, 2), word(op::to, t, 3), word(op::add, t, 4, 0)>;
  CHECK(inexact_elements<Backend, truth, T, T, bool>(
            [](T a, bool m) { return T(m == (a != T(0))) + a; }) == 0);
}

/// A bias: one operand is the same in every row, another has one value a row; in place too.
template <class Backend> void stretched_operands() {
  constexpr auto f = dtype::f32;
  using formula = numbers<3, 6, word(op::input, f, 0), word(op::input, f, 1), word(op::input, f, 2),
                          word(op::add, f, 0, 1), word(op::mul, f, 3, 2), word(op::relu, f, 4)>;
  int wrong = 0;
  for (index_t rows : {1, 2, 7, 8, 40, 65})
    for (index_t columns : {1, 2, 10, 16, 33, 100, 256, 700})
      for (index_t const by_row : {0, 1}) {
        test_operand<float> x({3, rows, columns}, placement::contiguous),
            out({3, rows, columns}, placement::contiguous);
        test_operand<float> const bias({columns}, placement::contiguous), scale({rows}, placement::contiguous);
        std::vector<float> expected;
        for_each_index({3, rows, columns}, [&](auto const& i) {
          expected.push_back(straight_max(
              (x.at(offset_of(i, x.strides)) + bias.at(i[2])) * scale.at(by_row * i[1]), 0.0f));
        });
        loop_nest<4> nest;
        nest.add_inner(3, {rows * columns, rows * columns, 0, 0});
        nest.add_inner(rows, {columns, columns, 0, by_row});
        nest.add_inner(columns, {1, 1, 1, 0});
        void const* in[] = {x.data(), bias.data(), scale.data()};
        Backend::template elementwise<formula>(nest, out.data(), in);
        Backend::template elementwise<formula>(nest, x.data(), in);
        for (std::size_t k = 0; k < expected.size(); ++k)
          wrong += !same(out.memory[k], expected[k]) + !same(x.memory[k], expected[k]);
      }
  CHECK(wrong == 0);
}

/// x, then y -> y + x and y -> y * 0.5, a hundred times each.
template <class Indices = std::make_integer_sequence<int, 200>> struct long_formula;
template <int... K> struct long_formula<std::integer_sequence<int, K...>> {
  using type = numbers<1, 202, word(op::input, dtype::f32, 0), word(op::constant, dtype::f32, 202),
                       (K % 2 == 0 ? word(op::add, dtype::f32, K == 0 ? 0 : K + 1, 0)
                                   : word(op::mul, dtype::f32, K + 1, 1))...,
                       bits(0.5)>;
};
template <class Backend> void many_nodes() {
  CHECK(inexact_elements<Backend, typename long_formula<>::type, float, float>([](float x) {
          float y = x;
          for (int k = 0; k < 100; ++k) y = (y + x) * 0.5f;
          return y;
        }) == 0);
}

/// Formulas that no packet holds: integers, bool, two float dtypes at once.
template <class Backend> void other_formulas() {
  using std::int64_t, std::uint8_t;
  constexpr auto i32 = dtype::i32, i64 = dtype::i64, u8 = dtype::u8, boolean = dtype::boolean,
                 f32 = dtype::f32, f64 = dtype::f64;
  using whole =
      numbers<3, 7, word(op::input, i64, 0), word(op::input, i64, 1), word(op::input, boolean, 2),
              word(op::mul, i64, 0, 1), word(op::sub, i64, 3, 0), word(op::maximum, i64, 4, 1),
              word(op::where, i64, 2, 5, 0)>;
  CHECK(inexact_elements<Backend, whole, int64_t, int64_t, int64_t, bool>(
            [](int64_t a, int64_t b, bool m) { return m ? std::max(a * b - a, b) : a; }) == 0);
  using narrow = numbers<2, 5, word(op::input, i32, 0), word(op::input, i32, 1),
                         word(op::mul, i32, 0, 1), word(op::sub, i32, 2, 0), word(op::to, i64, 3)>;
  CHECK(inexact_elements<Backend, narrow, int64_t, std::int32_t, std::int32_t>(
            [](std::int32_t a, std::int32_t b) { return int64_t{a * b - a}; }) == 0);
  using bytes = numbers<2, 5, word(op::input, u8, 0), word(op::input, u8, 1),
                        word(op::mul, u8, 0, 1), word(op::neg, u8, 2), word(op::add, u8, 3, 0)>;
  CHECK(inexact_elements<Backend, bytes, uint8_t, uint8_t, uint8_t>(
            [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a - a * b); }) == 0);
  using logic = numbers<2, 5, word(op::input, boolean, 0), word(op::input, boolean, 1),
                        word(op::add, boolean, 0, 1), word(op::eq, boolean, 2, 0),
                        word(op::minimum, boolean, 3, 1)>;
  CHECK(inexact_elements<Backend, logic, bool, bool, bool>(
            [](bool a, bool b) { return ((a || b) == a) && b; }) == 0);
  using doubles = numbers<2, 5, word(op::input, f32, 0), word(op::input, f64, 1),
                          word(op::mul, f32, 0, 0), word(op::to, f64, 2), word(op::add, f64, 3, 1)>;
  CHECK(inexact_elements<Backend, doubles, double, float, double>([](float a, double b) {
          float const p = a * a;
          return static_cast<double>(p) + b;
        }) == 0);
  CHECK(inexact_elements<Backend, unary<op::to, f64, f32>, float, double>(
            [](double a) { return static_cast<float>(a); }) == 0);
  CHECK(inexact_elements<Backend, unary<op::to, f32, i64>, int64_t, float>(
            [](float a) { return static_cast<int64_t>(a); }) == 0);
}

/// Every pair of special values through the exact ops. Rules: POL-5, POL-8, POL-15, POL-16, POL-24, POL-26.
template <class Backend, class T> void special_pairs() {
  constexpr auto t = dtype_v<T>;
  std::vector<T> a, b;
  for (T x : special_values<T>())
    for (T y : special_values<T>()) {
      a.push_back(x);
      b.push_back(y);
    }
  auto const check = [&]<class Formula, class Out>(std::type_identity<Formula>,
                                                   std::type_identity<Out>, auto const& f) {
    auto const got = apply<Backend, Formula, Out, T>({a, b});
    int wrong = 0;
    for (std::size_t k = 0; k < a.size(); ++k) wrong += !same<Out>(got[k], f(a[k], b[k]));
    CHECK(wrong == 0);
  };
  constexpr std::type_identity<T> number;
  constexpr std::type_identity<bool> truth;
  check(std::type_identity<binary<op::maximum, t>>{}, number, straight_max<T>);
  check(std::type_identity<binary<op::minimum, t>>{}, number, straight_min<T>);
  check(std::type_identity<binary<op::add, t>>{}, number, [](T x, T y) { return x + y; });
  check(std::type_identity<binary<op::mul, t>>{}, number, [](T x, T y) { return x * y; });
  check(std::type_identity<binary<op::div, t>>{}, number, [](T x, T y) { return x / y; });
  check(std::type_identity<binary<op::lt, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x < y; });
  check(std::type_identity<binary<op::gt, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x > y; });
  check(std::type_identity<binary<op::eq, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x == y; });
  check(std::type_identity<binary<op::le, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x <= y; });
  check(std::type_identity<binary<op::ge, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x >= y; });
  check(std::type_identity<binary<op::ne, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return x != y; });
  check(std::type_identity<binary<op::logical_xor, t, dtype::boolean>>{}, truth,
        [](T x, T y) { return (x != 0) != (y != 0); });
  check(std::type_identity<binary<op::fmod, t>>{}, number, [](T x, T y) { return std::fmod(x, y); });
  check(std::type_identity<binary<op::trunc_divide, t>>{}, number,
        [](T x, T y) { return std::trunc(x / y); });
  check(std::type_identity<binary<op::remainder, t>>{}, number, [](T x, T y) {
    T const m = std::fmod(x, y);
    return m == 0 ? std::copysign(T(0), y) : std::signbit(m) != std::signbit(y) ? m + y : m;
  });
  check(std::type_identity<binary<op::fmin, t>>{}, number,
        [](T x, T y) { return x != x ? y : y != y ? x : straight_min(x, y); });
  auto const alone = [&]<class Formula>(std::type_identity<Formula>, auto const& f) {
    auto const got = apply<Backend, Formula, T, T>({special_values<T>()});
    int wrong = 0;
    for (std::size_t k = 0; k < got.size(); ++k) wrong += !same(got[k], f(special_values<T>()[k]));
    CHECK(wrong == 0);
  };
  alone(std::type_identity<unary<op::relu, t>>{}, [](T x) { return straight_max(x, T(0)); });
  alone(std::type_identity<unary<op::neg, t>>{}, [](T x) { return -x; });
  alone(std::type_identity<unary<op::sqrt, t>>{}, [](T x) { return std::sqrt(x); });
  alone(std::type_identity<unary<op::abs, t>>{}, [](T x) { return std::fabs(x); });
  alone(std::type_identity<unary<op::sign, t>>{}, [](T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x; });
  alone(std::type_identity<unary<op::floor, t>>{}, [](T x) { return std::floor(x); });
  alone(std::type_identity<unary<op::ceil, t>>{}, [](T x) { return std::ceil(x); });
  alone(std::type_identity<unary<op::round, t>>{}, [](T x) { return std::nearbyint(x); });
  alone(std::type_identity<unary<op::reciprocal, t>>{}, [](T x) { return T(1) / x; });
  using clipped = numbers<2, 3, word(op::input, t, 0), word(op::input, t, 1), word(op::clip, t, 0, 1, 0)>;
  check(std::type_identity<clipped>{}, number,
        [](T x, T y) { return straight_min(straight_max(x, y), x); });
  auto const whole =
      apply<Backend, unary<op::to, t, dtype::i64>, std::int64_t, T>({special_values<T>()});
  for (std::size_t k = 0; k < whole.size(); ++k) {
    T const x = special_values<T>()[k];
    auto const expected = x != x                          ? 0
                          : x >= T(9223372036854775808.0) ? std::numeric_limits<std::int64_t>::max()
                          : x < T(-9223372036854775808.0) ? std::numeric_limits<std::int64_t>::min()
                                                          : static_cast<std::int64_t>(x);
    CHECK(whole[k] == expected);
  }
}

/// exp, log and tanh against `long double`. Rules: section 8 of the numerics.
template <class Backend, class T> void inexact_functions() {
  constexpr auto t = dtype_v<T>;
  constexpr bool single = std::is_same_v<T, float>;
  using limits = std::numeric_limits<T>;
  auto const worst = [&]<class Formula>(std::type_identity<Formula>, double low, double high,
                                        auto const& f) {
    std::vector<T> x;
    for (int k = 0; k < 20000; ++k) x.push_back(static_cast<T>(low + (high - low) * k / 20000));
    auto const got = apply<Backend, Formula, T, T>({x});
    double most = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      most = std::max(most, ulps(got[k], f(static_cast<long double>(x[k]))));
    return most;
  };
  constexpr std::type_identity<unary<op::exp, t>> exp_of;
  constexpr std::type_identity<unary<op::log, t>> log_of;
  constexpr std::type_identity<unary<op::tanh, t>> tanh_of;
  auto const exact_exp = [](long double x) { return std::exp(x); };
  auto const exact_log = [](long double x) { return std::log(x); };
  auto const exact_tanh = [](long double x) { return std::tanh(x); };
  CHECK(worst(exp_of, single ? -104 : -746, single ? 89 : 710, exact_exp) <= 2);
  CHECK(worst(exp_of, -1, 1, exact_exp) <= 2);
  CHECK(worst(log_of, 0, 3, exact_log) <= 2);
  CHECK(worst(log_of, 0, 1e7, exact_log) <= 2);
  CHECK(worst(log_of, 0, static_cast<double>(limits::min()) * 2, exact_log) <= 2);
  CHECK(worst(tanh_of, -12, 12, exact_tanh) <= (single ? 5 : 4));
  CHECK(worst(tanh_of, -0.01, 0.01, exact_tanh) <= (single ? 5 : 4));
  auto const check = [&]<class Formula>(std::type_identity<Formula>, std::vector<T> x,
                                        std::vector<T> const& expected) {
    auto const got = apply<Backend, Formula, T, T>({x});
    for (std::size_t k = 0; k < x.size(); ++k) {
      INFO("x = ", x[k], ", got ", got[k]);
      CHECK(same(got[k], expected[k]));
    }
  };
  T const inf = limits::infinity(), nan = limits::quiet_NaN();
  check(exp_of, {-inf, inf, nan, T(0), T(-0.0), T(single ? 88.8 : 709.9), T(-1000)},
        {T(0), inf, nan, T(1), T(1), inf, T(0)});
  check(log_of, {T(0), T(-0.0), T(-1), -inf, inf, nan, T(1)},
        {-inf, -inf, nan, nan, inf, nan, T(0)});
  check(tanh_of, {inf, -inf, nan, T(0), T(-0.0), T(50), T(-50)},
        {T(1), T(-1), nan, T(0), T(-0.0), T(1), T(-1)});
}

/// Equal operands give equal bits at every place of every loop. Rules: POL-17.
template <class Backend, class T> void same_bits_everywhere() {
  constexpr auto t = dtype_v<T>;
  using smooth = numbers<1, 6, word(op::input, t, 0), word(op::tanh, t, 0), word(op::exp, t, 1),
                         word(op::mul, t, 2, 0), word(op::log, t, 3), word(op::sqrt, t, 4)>;
  // The same with a detour through i64, which no packet takes.
  using detour = numbers<2, 10, word(op::input, t, 0), word(op::tanh, t, 0), word(op::exp, t, 1),
                         word(op::mul, t, 2, 0), word(op::log, t, 3), word(op::sqrt, t, 4),
                         word(op::input, dtype::i64, 1), word(op::neg, dtype::i64, 6),
                         word(op::to, t, 7), word(op::add, t, 5, 8)>;
  int wrong = 0;
  for (T x : {T(0.1), T(1.7), T(2.9), T(11.3)}) {
    std::vector<T> many(77, x), out(80);
    std::vector<std::int64_t> zeros(77, 0);
    T one{};
    void const* in[] = {many.data(), zeros.data()};
    Backend::template elementwise<smooth>(loop_nest<2>{}, &one, in);
    for (index_t n : {1, 3, 15, 16, 17, 33, 64, 76})
      for (index_t start : {0, 1}) {
        void const* from[] = {many.data() + start, zeros.data()};
        loop_nest<2> nest;
        nest.add_inner(n, {1, 1});
        Backend::template elementwise<smooth>(nest, out.data(), from);
        for (index_t k = 0; k < n; ++k) wrong += !same(out[static_cast<std::size_t>(k)], one);
      }
    loop_nest<2> stretched;
    stretched.add_inner(20, {2, 0});
    Backend::template elementwise<smooth>(stretched, out.data(), in);
    for (std::size_t k = 0; k < 20; ++k) wrong += !same(out[2 * k], one);
    loop_nest<3> nest;
    nest.add_inner(7, {1, 1, 1});
    Backend::template elementwise<detour>(nest, out.data(), in);
    for (std::size_t k = 0; k < 7; ++k) wrong += !same(out[k], one);
  }
  CHECK(wrong == 0);
}

}  // namespace kernel_tests

#endif
