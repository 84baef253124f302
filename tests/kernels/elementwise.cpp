// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "bodies.hpp"

using namespace kernel_tests;
using on_eigen = backends::eigen;
using on_reference = backends::reference;

TEST_CASE("elementwise formulas in f32, all layouts") {
  float_formulas<on_reference, float>();
  float_formulas<on_eigen, float>();
}
TEST_CASE("elementwise formulas in f64, all layouts") {
  float_formulas<on_reference, double>();
  float_formulas<on_eigen, double>();
}
TEST_CASE("operands that are stretched over rows, and over one row") {
  stretched_operands<on_reference>();
  stretched_operands<on_eigen>();
}
TEST_CASE("formulas of hundreds of nodes") {
  many_nodes<on_reference>();
  many_nodes<on_eigen>();
}
TEST_CASE("POL-3, POL-8: elementwise formulas of integers, bool and several dtypes, all layouts") {
  other_formulas<on_reference>();
  other_formulas<on_eigen>();
}
TEST_CASE("POL-5, POL-15, POL-24, POL-26: pairs of special values through the exact ops") {
  special_pairs<on_reference, float>();
  special_pairs<on_reference, double>();
  special_pairs<on_eigen, float>();
  special_pairs<on_eigen, double>();
}
TEST_CASE("exp, log and tanh keep their bounds and special values") {
  inexact_functions<on_reference, float>();
  inexact_functions<on_reference, double>();
  inexact_functions<on_eigen, float>();
  inexact_functions<on_eigen, double>();
}
TEST_CASE("POL-17: equal operands give equal bits in every lane, tail and layout") {
  same_bits_everywhere<on_reference, float>();
  same_bits_everywhere<on_eigen, float>();
  same_bits_everywhere<on_eigen, double>();
}

TEST_CASE("NUM-024: maximum and minimum of zeros of both signs, in a scalar, a packet and a tail") {
  auto const check = [&]<class Backend>(std::type_identity<Backend>) {
    for (std::size_t n : {1u, 5u, 16u, 23u, 40u}) {
      std::vector<float> const minus(n, -0.0f), plus(n, 0.0f);
      for (auto const& in : {std::vector{minus, plus}, std::vector{plus, minus}}) {
        for (float v : apply<Backend, binary<op::maximum, dtype::f32>, float, float>(in))
          CHECK((v == 0 && !std::signbit(v)));
        for (float v : apply<Backend, binary<op::minimum, dtype::f32>, float, float>(in))
          CHECK((v == 0 && std::signbit(v)));
      }
    }
  };
  check(std::type_identity<on_reference>{});
  check(std::type_identity<on_eigen>{});
}

TEST_CASE("POL-21: a product and a sum are two roundings in every lane") {
  std::vector<double> const a(21, 1 + std::ldexp(1.0, -27)), c(21, -1 - std::ldexp(1.0, -26));
  using product_sum = numbers<3, 5, word(op::input, dtype::f64, 0), word(op::input, dtype::f64, 1),
                              word(op::input, dtype::f64, 2), word(op::mul, dtype::f64, 0, 1),
                              word(op::add, dtype::f64, 3, 2)>;
  for (double v : apply<on_reference, product_sum, double, double>({a, a, c})) CHECK(v == 0);
  for (double v : apply<on_eigen, product_sum, double, double>({a, a, c})) CHECK(v == 0);
}
