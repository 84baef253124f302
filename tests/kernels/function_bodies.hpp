// guardjit: tests/kernels/function_bodies.hpp: functions of floats against `long double`, over the backend
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_FUNCTION_BODIES_HPP
#define GUARDJIT_TESTS_KERNELS_FUNCTION_BODIES_HPP

#include "harness.hpp"

#include <algorithm>
#include <string>

namespace kernel_tests {

/// One function of section 8 of the numerics: its bound in ULP, the ends of the range that is walked,
/// and values that are exact.
struct function_row {
  double bound_f32, bound_f64, low, high;
  long double (*exact)(long double);
  std::vector<std::pair<double, double>> special;
};

template <class Backend, class T, op Id> void check_function(function_row const& row, auto const& scale) {
  CAPTURE(name_of(Id));
  CAPTURE(name_of(dtype_v<T>));
  constexpr int count = 20011;
  std::vector<T> x;
  for (int k = 0; k < count; ++k) {
    x.push_back(static_cast<T>(row.low + (row.high - row.low) * k / count));
    x.push_back(static_cast<T>(std::ldexp(row.low + (row.high - row.low) * k / count, -12)));
  }
  auto const got = apply<Backend, unary<Id, dtype_v<T>>, T, T>({x});
  double most = 0, at = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double const error = ulps(got[k], row.exact(static_cast<long double>(x[k]))) / scale(x[k]);
    if (error > most) most = error, at = static_cast<double>(x[k]);
  }
  CAPTURE(at);
  CHECK(most <= (sizeof(T) == 4 ? row.bound_f32 : row.bound_f64));
  std::vector<T> in;
  for (auto const& [from, to] : row.special) in.push_back(static_cast<T>(from));
  auto const values = apply<Backend, unary<Id, dtype_v<T>>, T, T>({in});
  for (std::size_t k = 0; k < in.size(); ++k) {
    INFO("x = ", in[k], ", got ", values[k]);
    CHECK(same(values[k], static_cast<T>(row.special[k].second)));
  }
}
template <class Backend, class T, op Id> void check_function(function_row const& row) {
  check_function<Backend, T, Id>(row, [](T) { return 1.0; });
}

/// Rules: section 8.
template <class Backend, class T> void bounded_functions() {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr bool single = sizeof(T) == 4;
  check_function<Backend, T, op::sin>({2, 2, -300, 300, [](long double x) { return std::sin(x); },
                                       {{0, 0}, {-0.0, -0.0}, {inf, nan}, {-inf, nan}, {nan, nan}}});
  check_function<Backend, T, op::sin>({2, 2, -1e6, 1e6, [](long double x) { return std::sin(x); }, {}});
  check_function<Backend, T, op::cos>({2, 2, -300, 300, [](long double x) { return std::cos(x); },
                                       {{0, 1}, {-0.0, 1}, {inf, nan}, {-inf, nan}, {nan, nan}}});
  check_function<Backend, T, op::expm1>({3, 3, single ? -30 : -50, single ? 88.7 : 709.7,
                                         [](long double x) { return std::expm1(x); },
                                         {{0, 0}, {-0.0, -0.0}, {inf, inf}, {-inf, -1}, {nan, nan}, {-800, -1},
                                          {single ? 89 : 710, inf}}});
  check_function<Backend, T, op::log1p>({3, 3, -0.9999, 1e6, [](long double x) { return std::log1p(x); },
                                         {{0, 0}, {-0.0, -0.0}, {inf, inf}, {-1, -inf}, {-2, nan}, {-inf, nan},
                                          {nan, nan}}});
  check_function<Backend, T, op::rsqrt>({2, 2, 0, 1e6, [](long double x) { return 1 / std::sqrt(x); },
                                         {{0, inf}, {-0.0, -inf}, {inf, 0}, {-1, nan}, {-inf, nan}, {4, 0.5},
                                          {nan, nan}}});
  check_function<Backend, T, op::erf>({6, 4, -7, 7, [](long double x) { return std::erf(x); },
                                       {{0, 0}, {-0.0, -0.0}, {inf, 1}, {-inf, -1}, {nan, nan}, {30, 1}}});
  auto const logistic = [](long double x) { return 1 / (1 + std::exp(-x)); };
  check_function<Backend, T, op::sigmoid>({4, 4, single ? -104 : -745, 100, logistic,
                                           {{0, 0.5}, {-inf, 0}, {inf, 1}, {nan, nan}, {-800, 0}}});
  check_function<Backend, T, op::silu>({5, 4, single ? -104 : -745, 100,
                                        [](long double x) { return x / (1 + std::exp(-x)); },
                                        {{0, 0}, {-0.0, -0.0}, {-inf, -0.0}, {inf, inf}, {nan, nan},
                                         {-800, -0.0}}});
  check_function<Backend, T, op::softplus>({4, 4, single ? -104 : -745, 100,
                                            [](long double x) { return std::log1p(std::exp(x)); },
                                            {{-inf, 0}, {inf, inf}, {nan, nan}, {1000, 1000}}});
  auto const cancels = [](T x) { return x < -1 ? 1 + static_cast<double>(x) * static_cast<double>(x) : 1; };
  std::vector<std::pair<double, double>> const limits{{0, 0}, {-0.0, -0.0}, {-inf, -0.0}, {inf, inf},
                                                      {nan, nan}, {-1000, -0.0}, {1000, 1000}};
  check_function<Backend, T, op::gelu>(
      {6, 4, single ? -14 : -38, 30,
       [](long double x) { return x / 2 * std::erfc(-x * 0.70710678118654752440084436210484904L); }, limits},
      cancels);
  check_function<Backend, T, op::gelu_tanh>(
      {6, 4, single ? -11 : -22, 30,
       [](long double x) {
         return x / (1 + std::exp(-1.59576912160573071175978423973752L * (x + 0.044715L * x * x * x)));
       },
       limits},
      cancels);
}

/// Powers of floats. Rules: POL-23, section 8.
template <class Backend, class T> void powers() {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<T> a, b;
  for (double base : {0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.5, 1e-3, 1e5, inf, -inf, nan})
    for (double power : {0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, 2.5, 10.25, inf, -inf, nan}) {
      a.push_back(static_cast<T>(base));
      b.push_back(static_cast<T>(power));
    }
  auto const got = apply<Backend, binary<op::pow, dtype_v<T>>, T, T>({a, b});
  for (std::size_t k = 0; k < a.size(); ++k) {
    INFO("pow(", a[k], ", ", b[k], ") = ", got[k]);
    CHECK(ulps(got[k], std::pow(static_cast<long double>(a[k]), static_cast<long double>(b[k]))) <= 4);
  }
}

/// A function gives equal bits in packets, tails and single elements, to which an i64 forces a formula.
/// Rules: POL-17.
template <class Backend, class T, op Id> void same_bits_of() {
  constexpr auto t = dtype_v<T>;
  using plain = unary<Id, t>;
  using detour = numbers<2, 6, word(op::input, t, 0), word(op::input, dtype::i64, 1), word(Id, t, 0),
                         word(op::neg, dtype::i64, 1), word(op::to, t, 3), word(op::add, t, 2, 4)>;
  int wrong = 0;
  for (T x : {T(0.3), T(-0.7), T(1.9), T(-5.3), T(11.5)}) {
    std::vector<T> const many(77, x);
    std::vector<std::int64_t> const zeros(77, 0);
    std::vector<T> out(80);
    T one{};
    void const* in[] = {many.data(), zeros.data()};
    Backend::template elementwise<plain>(loop_nest<2>{}, &one, in);
    for (index_t n : {1, 3, 16, 17, 76}) {
      loop_nest<2> nest;
      nest.add_inner(n, {1, 1});
      Backend::template elementwise<plain>(nest, out.data(), in);
      for (index_t k = 0; k < n; ++k) wrong += !same(out[static_cast<std::size_t>(k)], one);
    }
    loop_nest<3> nest;
    nest.add_inner(7, {1, 1, 1});
    Backend::template elementwise<detour>(nest, out.data(), in);
    for (std::size_t k = 0; k < 7; ++k) wrong += !same(out[k], one + T(0));
  }
  CAPTURE(name_of(Id));
  CHECK(wrong == 0);
}
template <class Backend, class T, op... Id> void same_bits_of_each() { (same_bits_of<Backend, T, Id>(), ...); }
template <class Backend, class T> void same_function_bits() {
  same_bits_of_each<Backend, T, op::sin, op::cos, op::expm1, op::log1p, op::erf, op::sigmoid, op::silu,
                    op::gelu, op::gelu_tanh, op::softplus, op::rsqrt, op::round, op::abs, op::sign,
                    op::floor, op::ceil>();
}

}  // namespace kernel_tests

#endif
