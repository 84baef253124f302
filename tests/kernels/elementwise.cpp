// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "bodies.hpp"

using namespace kernel_tests;
using backends::eigen, backends::reference;

TEST_CASE("elementwise formulas in f32, all layouts") {
  float_formulas<reference, float>();
  float_formulas<eigen, float>();
}
TEST_CASE("elementwise formulas in f64, all layouts") {
  float_formulas<reference, double>();
  float_formulas<eigen, double>();
}
TEST_CASE("operands that are stretched over rows, and over one row") {
  stretched_operands<reference>();
  stretched_operands<eigen>();
}
TEST_CASE("formulas of hundreds of nodes") {
  many_nodes<reference>();
  many_nodes<eigen>();
}
TEST_CASE("POL-3, POL-8: elementwise formulas of integers, bool and several dtypes, all layouts") {
  other_formulas<reference>();
  other_formulas<eigen>();
}
TEST_CASE("POL-5, POL-15, POL-24, POL-26: pairs of special values through the exact ops") {
  special_pairs<reference, float>();
  special_pairs<reference, double>();
  special_pairs<eigen, float>();
  special_pairs<eigen, double>();
}
TEST_CASE("exp, log and tanh keep their bounds and special values") {
  inexact_functions<reference, float>();
  inexact_functions<reference, double>();
  inexact_functions<eigen, float>();
  inexact_functions<eigen, double>();
}
TEST_CASE("POL-17: equal operands give equal bits in every lane, tail and layout") {
  same_bits_everywhere<reference, float>();
  same_bits_everywhere<eigen, float>();
  same_bits_everywhere<eigen, double>();
}

TEST_CASE("NUM-024: maximum and minimum of zeros of both signs, in a scalar, a packet and a tail") {
  auto const check = [&]<class Backend>(std::type_identity<Backend>) {
    for (std::size_t n : {1u, 5u, 16u, 23u, 40u}) {
      std::vector<float> const minus(n, -0.0f), plus(n, 0.0f);
      for (auto const& in : {std::vector{minus, plus}, std::vector{plus, minus}}) {
        for (float v : apply<Backend, binary<op::maximum, dtype::f32>, float, float>(in)) CHECK((v == 0 && !std::signbit(v)));
        for (float v : apply<Backend, binary<op::minimum, dtype::f32>, float, float>(in)) CHECK((v == 0 && std::signbit(v)));
      }
    }
  };
  check(std::type_identity<reference>{});
  check(std::type_identity<eigen>{});
}

TEST_CASE("POL-21: a product and a sum are two roundings in every lane") {
  std::vector<double> const a(21, 1 + std::ldexp(1.0, -27)), c(21, -1 - std::ldexp(1.0, -26));
  using product_sum = numbers<3, 5, word(op::input, dtype::f64, 0), word(op::input, dtype::f64, 1), word(op::input, dtype::f64, 2),
                              word(op::mul, dtype::f64, 0, 1), word(op::add, dtype::f64, 3, 2)>;
  for (double v : apply<reference, product_sum, double, double>({a, a, c})) CHECK(v == 0);
  for (double v : apply<eigen, product_sum, double, double>({a, a, c})) CHECK(v == 0);
}
