// guardjit: bench/matmul.cpp: matrix products, against Eigen
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using eigen_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using matrix_in = Eigen::Map<eigen_matrix const, Eigen::Aligned64>;

void run_guardjit(benchmark::State& state, index_t m, index_t k, index_t n) {
  matrix const a = filled(matrix(m, k), 1), b = filled(matrix(k, n), 2);
  matrix c(m, n), expected(m, n);
  Eigen::Map<eigen_matrix>(expected.data(), m, n).noalias() =
      matrix_in(a.data(), m, k) * matrix_in(b.data(), k, n);
  auto const f = gj::compile([](auto x, auto y) { return gj::matmul(x, y); });
  f.into(c, a, b);
  require_close(c.data(), expected.data(), c.size(), 1e-4, "matmul");
  measure(state, [&] { f.into(c, a, b); });
}

void run_eigen(benchmark::State& state, index_t m, index_t k, index_t n) {
  matrix const a = filled(matrix(m, k), 1), b = filled(matrix(k, n), 2);
  eigen_matrix const x = matrix_in(a.data(), m, k), y = matrix_in(b.data(), k, n);
  eigen_matrix c(m, n);
  measure(state, [&] { c.noalias() = x * y; });
}

void add_product(index_t m, index_t k, index_t n) {
  auto const size = std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  add("matmul", "guardjit", size, [=](benchmark::State& s) { run_guardjit(s, m, k, n); });
  add("matmul", "eigen", size, [=](benchmark::State& s) { run_eigen(s, m, k, n); });
}

[[maybe_unused]] int const registered = [] {
  for (index_t n : {8, 16, 32, 64, 128, 256, 512}) add_product(n, n, n);
  add_product(1, 64, 128);
  add_product(64, 64, 128);
  return 0;
}();

}  // namespace
