// guardjit: tests/kernels/functions.cpp: functions of floats: bounds, special values, equal bits
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "function_bodies.hpp"

using namespace kernel_tests;
using on_eigen = backends::eigen;
using on_reference = backends::reference;

TEST_CASE("functions of floats keep their bounds and special values") {
  bounded_functions<on_reference, float>();
  bounded_functions<on_reference, double>();
  bounded_functions<on_eigen, float>();
  bounded_functions<on_eigen, double>();
}
TEST_CASE("powers of floats keep their bounds and special values") {
  powers<on_reference, float>();
  powers<on_reference, double>();
  powers<on_eigen, float>();
  powers<on_eigen, double>();
}
TEST_CASE("POL-17: functions give equal bits in every lane, tail and layout") {
  same_function_bits<on_eigen, float>();
  same_function_bits<on_eigen, double>();
}
