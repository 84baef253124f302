// guardjit: tests/expr/functions.cpp: functions of one element, clip and pow against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "loop_bodies.hpp"

using namespace eager;
using gj::op;
using gj::backends::reference;

namespace {

using numbers = gj::type_list<std::uint8_t, std::int32_t, std::int64_t, float, double>;

template <class T> constexpr bool is_float = std::is_floating_point_v<T>;

/// A function of floats against `exact` of `long double`; other dtypes give what f64 gives.
template <op Id> void check_function(auto const& exact, double ulp) {
  gj::for_each_type(gj::type_list<float, double>{}, [&]<class T>(std::type_identity<T>) {
    check_op<reference, Id, T>([&](T x) { return static_cast<T>(exact(static_cast<long double>(x))); }, ulp);
  });
  gj::for_each_type(gj::type_list<bool, std::uint8_t, std::int32_t, std::int64_t>{},
                    []<class T>(std::type_identity<T>) {
                      any_tensor const a = make<T>({3, 5}, form::strided);
                      any_tensor const same = run<reference, Id>({}, gj::to<double>(a));
                      check_elements<double>(run<reference, Id>({}, a), {3, 5}, elements<double>(same));
                    });
}

template <class T> T wrapped_product(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
/// POL-23, one factor after another.
template <class T> T whole_power(T a, int b) {
  if (b < 0) return a == T(1) || (a == static_cast<T>(-1) && b % 2 == 0) ? T(1) : a == static_cast<T>(-1) ? a : T(0);
  T result(1);
  for (int k = 0; k < b; ++k) result = wrapped_product(result, a);
  return result;
}

}  // namespace

TEST_CASE("abs and square take all dtypes, sign all but bool") {
  gj::for_each_type(numbers{}, []<class T>(std::type_identity<T>) {
    check_op<reference, op::abs, T>([](T x) {
      if constexpr (is_float<T>) return std::fabs(x);
      else return x < T(0) ? wrapped_product(x, static_cast<T>(-1)) : x;
    });
    check_op<reference, op::square, T>([](T x) {
      if constexpr (is_float<T>) return x * x;
      else return wrapped_product(x, x);
    });
    check_op<reference, op::sign, T>(
        [](T x) { return x > T(0) ? T(1) : x < T(0) ? static_cast<T>(-1) : x; });
  });
  check_op<reference, op::abs, bool>([](bool x) { return x; });
  check_op<reference, op::square, bool>([](bool x) { return x; });
}

TEST_CASE("floor, ceil and round of floats, integers stay") {
  gj::for_each_type(numbers{}, []<class T>(std::type_identity<T>) {
    auto const by = [](auto const& f) {
      return [=](T x) {
        if constexpr (is_float<T>) return static_cast<T>(f(x));
        else return x;
      };
    };
    check_op<reference, op::floor, T>(by([](auto x) { return std::floor(x); }));
    check_op<reference, op::ceil, T>(by([](auto x) { return std::ceil(x); }));
    check_op<reference, op::round, T>(by([](auto x) { return std::nearbyint(x); }));
  });
}

TEST_CASE("clip: the upper bound wins, NaN in any place gives NaN") {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    check_op<reference, op::clip, T>([](T x, T lo, T hi) {
      if constexpr (is_float<T>) {
        if (x != x || lo != lo || hi != hi) return std::numeric_limits<T>::quiet_NaN();
        if (x == T(0) && lo == T(0)) x = std::signbit(x) && std::signbit(lo) ? -T(0) : T(0);
        T const raised = x < lo ? lo : x;
        if (raised == T(0) && hi == T(0)) return std::signbit(raised) || std::signbit(hi) ? -T(0) : T(0);
        return hi < raised ? hi : raised;
      } else {
        T const raised = x < lo ? lo : x;
        return hi < raised ? hi : raised;
      }
    });
  });
  gj::tensor<float, 3> const x{-1, 0.5f, 7};
  static_assert(std::is_same_v<decltype(eval(gj::clip(x, 0, 1))), gj::tensor<float, 3>>);
  CHECK(eval(gj::clip(x, 0, 1))(2) == 1);
  CHECK(eval(gj::clip(x, 5, 1))(0) == 1);
  CHECK(gj::clip(any_tensor(x), gj::tensor<double, 1>{0.25}, 1).type() == gj::dtype::f64);
  gj::tensor<std::uint8_t, 1> const byte{7};
  CHECK(thrown<gj::dtype_error>([&] {
          eval(gj::clip(byte, -1, 9));
        }).find("clip(x, lo, hi): the scalar must be in the range of the dtype: -1 for u8; ") !=
        std::string::npos);
}

TEST_CASE("pow of integers wraps, negative exponents give 0 but for 1 and -1") {
  gj::for_each_type(gj::type_list<std::int32_t, std::int64_t>{}, []<class T>(std::type_identity<T>) {
    for (int power : {0, 1, 2, 3, 31, 40, 63, -1, -2, -3}) {
      any_tensor const a = make<T>({8}, form::reversed);
      std::vector<T> want;
      for (T v : elements<T>(a)) want.push_back(whole_power(v, power));
      check_elements<T>(gj::pow(a, power), {8}, want);
      check_elements<T>(gj::pow(a.as<T, 8>(), gj::tensor<T, 1>{static_cast<T>(power)}), {8}, want);
    }
  });
  any_tensor const bytes = make<std::uint8_t>({8}, form::contiguous);
  std::vector<std::uint8_t> want;
  for (std::uint8_t v : elements<std::uint8_t>(bytes)) want.push_back(whole_power(v, 5));
  check_elements<std::uint8_t>(gj::pow(bytes, 5), {8}, want);
  CHECK_THROWS_AS(gj::pow(make<bool>({2}, form::contiguous), true), gj::dtype_error);
}

TEST_CASE("pow of floats as in C, also for mixed dtypes") {
  check_op<reference, op::pow, float>(
      [](float a, float b) { return static_cast<float>(std::pow(static_cast<long double>(a), b)); }, 4);
  check_op<reference, op::pow, double>(
      [](double a, double b) { return static_cast<double>(std::pow(static_cast<long double>(a), b)); }, 4);
  gj::tensor<std::int32_t, 2> const n{2, -3};
  static_assert(std::is_same_v<decltype(eval(gj::pow(n, 0.5f))), gj::tensor<float, 2>>);
  CHECK(eval(gj::pow(n, 2.0))(1) == 9);
}

TEST_CASE("functions of floats; integers and bool give f64") {
  check_function<op::reciprocal>([](long double x) { return 1 / x; }, 1);
  check_function<op::rsqrt>([](long double x) { return 1 / std::sqrt(x); }, 2);
  check_function<op::expm1>([](long double x) { return std::expm1(x); }, 3);
  check_function<op::log1p>([](long double x) { return std::log1p(x); }, 3);
  check_function<op::sin>([](long double x) { return std::sin(x); }, 2);
  check_function<op::cos>([](long double x) { return std::cos(x); }, 2);
  check_function<op::erf>([](long double x) { return std::erf(x); }, 4);
}

TEST_CASE("activations; integers and bool give f64") {
  auto const far = [](auto const& f) { return [f](long double x) { return x < -800 ? -0.0L : f(x); }; };
  check_function<op::sigmoid>([](long double x) { return 1 / (1 + std::exp(-x)); }, 4);
  check_function<op::silu>(far([](long double x) { return x / (1 + std::exp(-x)); }), 4);
  check_function<op::softplus>(
      [](long double x) { return x > 100 ? x : std::log1p(std::exp(x)); }, 4);
  check_function<op::gelu>(
      far([](long double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5L)); }), 4 * (1 + 2.25 * 2.25));
  check_function<op::gelu_tanh>(far([](long double x) {
                                  long double const root = 0.79788456080286535587989211986876L;
                                  return x / (1 + std::exp(-2 * root * (x + 0.044715L * x * x * x)));
                                }),
                                4 * (1 + 2.25 * 2.25));
  gj::tensor<float, 1> const x{-1};
  CHECK(eval(gj::gelu(x))(0) == doctest::Approx(-0.15865525f));
  CHECK(eval(gj::gelu(x, gj::tanh_form))(0) == doctest::Approx(-0.15880801f));
}
