// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "reduction_bodies.hpp"
#include "row_bodies.hpp"

using namespace kernel_tests;
using on_eigen = backends::eigen;
using on_reference = backends::reference;

TEST_CASE("N21, POL-9: reductions along every set of axes in every layout") {
  reductions<on_reference, float>();
  reductions<on_eigen, float>();
  reductions<on_eigen, double>();
}
TEST_CASE("reductions over fused formulas") {
  fused_reductions<on_reference>();
  fused_reductions<on_eigen>();
}
TEST_CASE("reductions of operands that are converted") {
  converted_reductions<on_reference>();
  converted_reductions<on_eigen>();
}
TEST_CASE("POL-3, POL-9: reductions of whole numbers and of bool are exact") {
  whole_reductions<on_reference>();
  whole_reductions<on_eigen>();
}
TEST_CASE("POL-7: reductions of no elements") {
  empty_reductions<on_reference>();
  empty_reductions<on_eigen>();
}
TEST_CASE("POL-15: reductions of zeros") {
  signed_zero_reductions<on_reference>();
  signed_zero_reductions<on_eigen>();
}

TEST_CASE("CASE-061: amax with NaN at any place is NaN") {
  nan_in_extreme<on_reference>();
  nan_in_extreme<on_eigen>();
}
TEST_CASE("POL-5: amin with NaN at any place is NaN") {
  nan_in_extreme<on_reference, op::amin>();
  nan_in_extreme<on_eigen, op::amin>();
}
TEST_CASE("POL-9: products along rows and columns in every layout") {
  product_reductions<on_reference, float>();
  product_reductions<on_eigen, float>();
  product_reductions<on_eigen, double>();
}
TEST_CASE("POL-8: whether any and whether all elements are true") {
  truth_reductions<on_reference>();
  truth_reductions<on_eigen>();
}
TEST_CASE("CASE-060: amax of one negative number") {
  test_operand<double> in({1}, placement::contiguous);
  in.memory = {-10.0};
  CHECK(reduce<on_reference, unary<op::amax, dtype::f64>, double>({1}, 1, in, 1)[0] == -10.0);
  CHECK(reduce<on_eigen, unary<op::amax, dtype::f64>, double>({1}, 1, in, 1)[0] == -10.0);
}
TEST_CASE("NUM-019: the mean of the largest whole numbers does not overflow") {
  test_operand<std::int64_t> in({2}, placement::contiguous);
  in.memory = {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()};
  using mean = unary<op::mean, dtype::i64, dtype::f64>;
  CHECK(reduce<on_reference, mean, double>({2}, 1, in, 2)[0] == 9223372036854775808.0);
  CHECK(reduce<on_eigen, mean, double>({2}, 1, in, 2)[0] == 9223372036854775808.0);
}
TEST_CASE("NUM-025: subnormals are kept by +, *, sqrt, casts and sums") {
  float const small = std::numeric_limits<float>::denorm_min();
  std::vector<float> const tiny(21, 3 * small), two(21, 2.0f), half(21, 0.5f);
  auto const check = [&]<class Backend>(std::type_identity<Backend>) {
    for (float v : apply<Backend, binary<op::add, dtype::f32>, float, float>({tiny, tiny}))
      CHECK(v == 6 * small);
    for (float v : apply<Backend, binary<op::mul, dtype::f32>, float, float>({tiny, two}))
      CHECK(v == 6 * small);
    for (float v : apply<Backend, unary<op::sqrt, dtype::f32>, float, float>({tiny}))
      CHECK(v == std::sqrt(3 * small));
    for (double v : apply<Backend, unary<op::to, dtype::f32, dtype::f64>, double, float>({tiny}))
      CHECK(v == 3 * static_cast<double>(small));
    test_operand<float> in({21}, placement::contiguous);
    in.memory = tiny;
    CHECK(reduce<Backend, unary<op::sum, dtype::f32>, float>({21}, 1, in, 21)[0] == 63 * small);
  };
  check(std::type_identity<on_reference>{});
  check(std::type_identity<on_eigen>{});
}
TEST_CASE("sums of many elements stay within the bound of N21") {
  // 2^24 ones and 10^7 times 0.1f through strides of 0; a plain sum would stop at 2^24
  index_t const many = index_t(1) << 26;
  test_operand<float> one({1}, placement::contiguous);
  one.memory = {1.0f};
  one.strides = {0};
  CHECK(reduce<on_eigen, unary<op::sum, dtype::f32>, float>({many}, 1, one, many)[0] ==
        67108864.0f);
  one.memory = {0.1f};
  double const bound = (32 + std::log2(1e7)) * std::ldexp(1.0, -24) * 1e6;
  CHECK(std::fabs(static_cast<double>(reduce<on_reference, unary<op::sum, dtype::f32>, float>(
                      {10000000}, 1, one, 10000000)[0]) -
                  1000000.0149) <= bound);
  CHECK(std::fabs(static_cast<double>(reduce<on_eigen, unary<op::sum, dtype::f32>, float>(
                      {10000000}, 1, one, 10000000)[0]) -
                  1000000.0149) <= bound);
}

TEST_CASE("N33: matrix products of every layout") {
  products<on_reference, float>();
  products<on_eigen, float>();
  products<on_eigen, double>();
  products<on_reference, std::int64_t>();
  products<on_eigen, std::int64_t>();
}
TEST_CASE("CASE-053: an inner extent of 0 gives zeros in garbage memory") {
  matmul_nest nest{2, 3, 0, 0, 1, 3, 1, {}};
  nest.batch.add_inner(3, {6, 0, 0});
  double const nothing = 0;
  std::vector<double> out(18, std::numeric_limits<double>::quiet_NaN());
  on_reference::matmul<double>(nest, out.data(), &nothing, &nothing);
  for (double v : out) CHECK(v == 0);
  out.assign(18, std::numeric_limits<double>::quiet_NaN());
  on_eigen::matmul<double>(nest, out.data(), &nothing, &nothing);
  for (double v : out) CHECK(v == 0);
}
TEST_CASE("CASE-057: the product of a transposed matrix with itself") {
  double const x[] = {1, 2, 3, 1, 2, 3}, expected[] = {2, 4, 6, 4, 8, 12, 6, 12, 18};
  matmul_nest const nest{3, 3, 2, 1, 3, 3, 1, {}};
  std::vector<double> out(9);
  on_reference::matmul<double>(nest, out.data(), x, x);
  CHECK(std::equal(out.begin(), out.end(), expected));
  out.assign(9, 0);
  on_eigen::matmul<double>(nest, out.data(), x, x);
  CHECK(std::equal(out.begin(), out.end(), expected));
}

TEST_CASE("row formulas: softmax, layer norm, logsumexp") {
  row_formulas<on_reference, float>();
  row_formulas<on_eigen, float>();
  row_formulas<on_eigen, double>();
}
