// guardjit: bench/matmul.cpp: matrix products, against Eigen
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using eigen_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using matrix_in = Eigen::Map<eigen_matrix const, Eigen::Aligned64>;

/// `right` is what the right matrix is given as.
void run_guardjit(benchmark::State& state, index_t m, index_t k, index_t n, auto const& right) {
  matrix const a = filled(matrix(m, k), 1), b = filled(matrix(k, n), 2);
  matrix c(m, n), expected(m, n);
  Eigen::Map<eigen_matrix>(expected.data(), m, n).noalias() =
      matrix_in(a.data(), m, k) * matrix_in(b.data(), k, n);
  auto const f = gj::compile([](auto x, auto y) { return gj::matmul(x, y); });
  auto const y = right(b);
  f.into(c, a, y);
  require_close(c.data(), expected.data(), c.size(), 1e-4, "matmul");
  measure(state, [&] { f.into(c, a, y); });
}

void run_eigen(benchmark::State& state, index_t m, index_t k, index_t n) {
  matrix const a = filled(matrix(m, k), 1), b = filled(matrix(k, n), 2);
  eigen_matrix const x = matrix_in(a.data(), m, k), y = matrix_in(b.data(), k, n);
  eigen_matrix c(m, n);
  measure(state, [&] { c.noalias() = x * y; });
}

using stack = tensor<float, dyn, dyn, dyn>;

void run_batch(benchmark::State& state, index_t count, index_t n, bool by_eigen) {
  stack const a = filled(stack(count, n, n), 1), b = filled(stack(count, n, n), 2);
  stack c(count, n, n), expected(count, n, n);
  auto const product = [&](float* to, index_t k) {
    Eigen::Map<eigen_matrix>(to + k * n * n, n, n).noalias() =
        matrix_in(a.data() + k * n * n, n, n) * matrix_in(b.data() + k * n * n, n, n);
  };
  auto const all = [&](float* to) {
    for (index_t k = 0; k < count; ++k) product(to, k);
  };
  if (by_eigen) return measure(state, [&] { all(c.data()); });
  all(expected.data());
  auto const f = gj::compile([](auto const& x, auto const& y) { return gj::matmul(x, y); });
  f.into(c, a, b);
  require_close(c.data(), expected.data(), c.size(), 1e-4, "matmul");
  measure(state, [&] { f.into(c, a, b); });
}

void add_product(index_t m, index_t k, index_t n) {
  auto const size = std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  add("matmul", "guardjit", size, [=](benchmark::State& s) {
    run_guardjit(s, m, k, n, [](matrix const& b) { return b; });
  });
  add("matmul", "frozen", size, [=](benchmark::State& s) {
    run_guardjit(s, m, k, n, [](matrix const& b) { return gj::freeze(b); });
  });
  add("matmul", "eigen", size, [=](benchmark::State& s) { run_eigen(s, m, k, n); });
}

[[maybe_unused]] int const registered = [] {
  for (index_t n : {8, 16, 32, 64, 128, 256, 512, 1024}) add_product(n, n, n);
  for (index_t batch : {1, 4, 16, 64}) {
    add_product(batch, 64, 128);
    add_product(batch, 784, 128);
    add_product(batch, 769, 131);
    add_product(batch, 1024, 1024);
  }
  add("matmul", "guardjit", "32x64x64x64", [](benchmark::State& s) { run_batch(s, 32, 64, false); });
  add("matmul", "eigen", "32x64x64x64", [](benchmark::State& s) { run_batch(s, 32, 64, true); });
  return 0;
}();

}  // namespace
