// guardjit: tests/conformance/numerics/floats.cpp: cases of special values of floats
// SPDX-License-Identifier: BSL-1.0
#include "paths.hpp"

using namespace paths;

namespace {

using floats = gj::type_list<float, double>;

template <class T> constexpr T endless = std::numeric_limits<T>::infinity();
template <class T> constexpr T none = std::numeric_limits<T>::quiet_NaN();

constexpr auto functions = [](auto const& x, auto const& k) {
  return chosen(k, 0, gj::exp(x), gj::log(x), gj::sin(x), gj::cos(x), gj::tanh(x), gj::sqrt(x), gj::rsqrt(x),
                gj::sigmoid(x), gj::silu(x), gj::gelu(x), gj::gelu(x, gj::tanh_form), gj::expm1(x), gj::log1p(x),
                gj::erf(x), gj::softplus(x), gj::reciprocal(x));
};
constexpr auto extremes = [](auto const& a, auto const& b, auto const& k) {
  return chosen(k, 0, gj::maximum(a, b), gj::minimum(a, b), gj::fmax(a, b), gj::fmin(a, b));
};
constexpr auto comparisons = [](auto const& a, auto const& b, auto const& k) {
  return chosen(k, 0, a < b, a > b, a <= b, a >= b, a == b, a != b);
};
constexpr auto quotients = [](auto const& a, auto const& b, auto const& k) {
  return chosen(k, 0, gj::floor_divide(a, b), gj::remainder(a, b), gj::fmod(a, b));
};

}  // namespace

TEST_CASE("NUM-022: special values of functions") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    constexpr T i = endless<T>, n = none<T>, m(-0.0);
    auto const x = row<T>({-i, i, n, 0, m, -1});
    // In the order of `functions`; of -1 only what is exact, 7 stands for the others.
    T const half(0.5);
    std::vector<T> const want[] = {{0, i, n, 1, 1, 7},  {n, i, n, -i, -i, n}, {n, n, n, 0, m, 7},
                                   {n, n, n, 1, 1, 7},  {-1, 1, n, 0, m, 7},  {n, i, n, 0, m, n},
                                   {n, 0, n, i, -i, n}, {0, 1, n, half, half, 7}, {m, i, n, 0, m, 7},
                                   {m, i, n, 0, m, 7},  {m, i, n, 0, m, 7},   {-1, i, n, 0, m, 7},
                                   {n, i, n, 0, m, -i}, {-1, 1, n, 0, m, 7},  {0, i, n, 7, 7, 7},
                                   {m, 0, n, i, -i, -1}};
    for (int k = 0; k < int{std::size(want)}; ++k) {
      CAPTURE(k);
      on_each(
          functions,
          [&](gj::any_tensor const& got) {
            auto const have = elements<T>(got);
            REQUIRE(have.size() == 6);
            for (std::size_t at = 0; at < 6; ++at) {
              CAPTURE(at);
              INFO("got ", have[at]);
              if (want[k][at] != T(7)) CHECK(same<T>(have[at], want[k][at]));
            }
          },
          x, k);
    }
    // pow as in C
    expect<T>({1, 1, 1, n, i, -i, 0, m, i, n, 1, 0},
              [](auto const& a, auto const& b) { return gj::pow(a, b); },
              row<T>({n, 1, -1, n, 0, m, 0, m, -i, -1, -i, T(0.5)}),
              row<T>({0, n, i, 1, -1, -1, 2, 3, 2, T(0.5), 0, i}));
  });
}

TEST_CASE("NUM-023: maximum, minimum, fmax and fmin with NaN on the left, the right and on both sides") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    constexpr T n = none<T>;
    for (std::size_t length : {1u, 3u, 8u, 23u, 40u}) {
      CAPTURE(length);
      auto const left = row(repeated<T>({n, 2, n, 5}, length)), right = row(repeated<T>({3, n, n, 4}, length));
      expect(repeated<T>({n, n, n, 5}, length), extremes, left, right, 0);
      expect(repeated<T>({n, n, n, 4}, length), extremes, left, right, 1);
      expect(repeated<T>({3, 2, n, 5}, length), extremes, left, right, 2);
      expect(repeated<T>({3, 2, n, 4}, length), extremes, left, right, 3);
    }
  });
}

TEST_CASE("NUM-026: small and infinite arguments of exp, sqrt and sigmoid") {
  auto const x = row<float>({-100, -endless<float>, endless<float>, -0.0f, -90});
  auto const at = [&](int k, std::size_t place, double want, double distance) {
    on_each(
        functions,
        [&](gj::any_tensor const& got) {
          float const v = elements<float>(got)[place];
          CAPTURE(v);
          CHECK(std::fabs(static_cast<double>(v) - want) <= distance);
          if (distance == 0) CHECK(std::signbit(v) == std::signbit(want));
        },
        x, k);
  };
  constexpr double smallest = std::numeric_limits<float>::min();
  at(0, 0, std::exp(-100.0), smallest);
  at(0, 1, 0, 0);
  at(5, 3, -0.0, 0);
  at(7, 4, 1 / (1 + std::exp(90.0)), smallest);
  expect<float>({endless<float>}, [](auto const& v) { return gj::sqrt(v); }, row<float>({endless<float>}));
}

TEST_CASE("NUM-027: round takes ties to even and keeps the sign of zeros") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    std::vector<T> const x{T(0.5), T(1.5), T(2.5), T(-0.5), T(-0.2)}, want{0, 2, 2, T(-0.0), T(-0.0)};
    for (std::size_t length : {5u, 37u})
      expect(repeated(want, length), [](auto const& v) { return gj::round(v); }, row(repeated(x, length)));
  });
}

TEST_CASE("NUM-028: remainder has the sign of the divisor, fmod that of the dividend, zeros too") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    auto const a = row<T>({-2, -6, 0, 9}), b = row<T>({1, 3, -7, -3});
    expect<T>({0, 0, T(-0.0), T(-0.0)}, quotients, a, b, 1);
    expect<T>({T(-0.0), T(-0.0), 0, 0}, quotients, a, b, 2);
  });
}

TEST_CASE("NUM-029: floor_divide of f64 as in Python") {
  constexpr double i = endless<double>;
  expect<double>({3, -4, -4, 3, -i, none<double>, -1}, quotients, row<double>({7, 7, -7, -7, 5, 0, -5}),
                 row<double>({2, -2, 2, -2, -0.0, 0, i}), 0);
  std::vector<double> a, b;
  std::uint64_t state = 5;
  auto const next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  while (a.size() < 1'000'000) {
    double const x = static_cast<double>(static_cast<std::int64_t>(next())) * 0x1p-40;
    int const exponent = -40 - static_cast<int>(next() >> 60);
    double const y = std::ldexp(static_cast<double>(static_cast<std::int64_t>(next())), exponent);
    if (std::fabs(x / y) < 0x1p50) a.push_back(x), b.push_back(y);
  }
  auto const left = row(a), right = row(b);
  std::vector<double> q;
  on_each(quotients, [&](gj::any_tensor const& got) { q = elements<double>(got); }, left, right, 0);
  on_each(
      quotients,
      [&](gj::any_tensor const& got) {
        auto const r = elements<double>(got);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
          // The rounding is that of r, which may be larger than a.
          auto const whole = static_cast<long double>(q[k]) * static_cast<long double>(b[k]) +
                             static_cast<long double>(r[k]);
          double const larger = std::max(std::fabs(a[k]), std::fabs(r[k]));
          double const rounding = std::nextafter(larger, i) - larger;
          wrong += !(std::fabs(whole - static_cast<long double>(a[k])) <= static_cast<long double>(rounding)) ||
                   !(std::fabs(r[k]) <= std::fabs(b[k]));
        }
        CHECK(wrong == 0);
      },
      left, right, 1);
}

TEST_CASE("NUM-033: comparisons of NaN are false, but for ne") {
  gj::for_each_type(floats{}, []<class T>(std::type_identity<T>) {
    constexpr T n = none<T>;
    T const smallest = std::numeric_limits<T>::denorm_min();
    std::vector<T> const values{n, 0, T(-0.0), 1, -1, endless<T>, -endless<T>, smallest, n};
    for (std::size_t length : {9u, 29u}) {
      auto const others = row(repeated(values, length)), nans = row(std::vector<T>(length, n));
      for (int k = 0; k < 6; ++k) {
        CAPTURE(k);
        auto const check = [&](gj::any_tensor const& got) {
          REQUIRE(got.type() == gj::dtype::boolean);
          gj::any_tensor const packed = got.clone();
          for (gj::index_t at = 0; at < packed.size(); ++at) CHECK(packed.data_as<bool>()[at] == (k == 5));
        };
        on_each(comparisons, check, nans, others, k);
        on_each(comparisons, check, others, nans, k);
      }
    }
  });
}
