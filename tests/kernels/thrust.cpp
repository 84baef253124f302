// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/thrust.hpp>

#include "bodies.hpp"
#include "movement_bodies.hpp"
#include "reduction_bodies.hpp"
#include "row_bodies.hpp"

using namespace kernel_tests;
using backends::thrust_cpp;

TEST_CASE("Thrust's CPP system: elementwise formulas") {
  float_formulas<thrust_cpp, float>();
  other_formulas<thrust_cpp>();
  stretched_operands<thrust_cpp>();
  many_nodes<thrust_cpp>();
  special_pairs<thrust_cpp, float>();
  inexact_functions<thrust_cpp, float>();
  same_bits_everywhere<thrust_cpp, float>();
}
TEST_CASE("Thrust's CPP system: reductions, products, rows") {
  reductions<thrust_cpp, float>();
  fused_reductions<thrust_cpp>();
  converted_reductions<thrust_cpp>();
  whole_reductions<thrust_cpp>();
  empty_reductions<thrust_cpp>();
  signed_zero_reductions<thrust_cpp>();
  nan_in_extreme<thrust_cpp>();
  nan_in_extreme<thrust_cpp, op::amin>();
  product_reductions<thrust_cpp, float>();
  truth_reductions<thrust_cpp>();
  products<thrust_cpp, float>();
  row_formulas<thrust_cpp, float>();
}
TEST_CASE("Thrust's CPP system: elements that are moved") { moved_elements<thrust_cpp>(); }
