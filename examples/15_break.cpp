// What you learn: how to call a library in the middle of a compiled function, and to branch on what it gave.
// Run:    build/examples/15_break
// Prints: how far measurements change where noise is taken away, and how often what was compiled.
#include <guardjit/guardjit.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace gj = guardjit;
using gj::dyn, gj::index_t;
using matrix = gj::tensor<float, dyn, dyn>;

// The eigenvectors of a covariance, as columns, that hold all but 1 % of the variance. How many these are
// is known when Eigen has found them, so the extent of the result is one that the call decides.
constexpr auto main_directions = [](matrix const& covariance) {
  index_t const n = covariance.extent(0);
  using eigen_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<eigen_matrix const> const given(covariance.data(), n, n);
  Eigen::SelfAdjointEigenSolver<eigen_matrix> const solved(given);
  float const all = solved.eigenvalues().sum();
  index_t count = 0;
  for (float held = 0; count < n && held < 0.99f * all; ++count) held += solved.eigenvalues()(n - 1 - count);
  matrix directions(n, count);
  Eigen::Map<eigen_matrix>(directions.data(), n, count) = solved.eigenvectors().rightCols(count);
  return directions;
};

// Measurements without their noise: each row is replaced by the part of it along the main directions.
// `opaque` cuts the function in two, which are compiled apart. Where all directions are needed there is
// nothing to remove: that branch is taken when Eigen has returned, and both ways share the first part.
constexpr auto denoised = [](auto const& x) {
  auto const mean = gj::eval(gj::mean(x, gj::axes(0), gj::keepdims));
  auto const centered = gj::eval(x - mean);
  auto const covariance = gj::eval(gj::matmul(gj::transpose(centered), centered) / x.extent(0));
  auto const directions = gj::opaque(main_directions)(covariance);
  if (directions.extent(1) == x.extent(1)) return gj::eval(x * 1.0f);
  return gj::eval(gj::matmul(gj::matmul(centered, directions), gj::transpose(directions)) + mean);
};

/// Points along `dims` directions of a space of four, with a little noise.
matrix measured(index_t rows, index_t dims) {
  matrix x(rows, 4);
  for (index_t r = 0; r < rows; ++r)
    for (index_t c = 0; c < 4; ++c) {
      float value = 0.01f * std::sin(static_cast<float>(7 * r + 3 * c));
      for (index_t d = 0; d < dims; ++d)
        value += std::sin(static_cast<float>((d + 1) * (r + 1))) * (c == d ? 2.0f : c == 3 ? 0.5f : 0.0f);
      x(r, c) = value;
    }
  return x;
}

float largest_difference(matrix const& a, matrix const& b) {
  float most = 0;
  for (index_t r = 0; r < a.extent(0); ++r)
    for (index_t c = 0; c < a.extent(1); ++c) most = std::max(most, std::abs(a(r, c) - b(r, c)));
  return most;
}

int main() {
  auto const f = gj::compile(denoised, gj::name<"denoised">, gj::dynamic::all);
  unsigned line = 0;
  gj::subscription const listening{[&line](gj::event const& e) {
    if (e.kind == gj::event_kind::graph_break) line = e.where.line;
  }};
  bool right = true;
  for (index_t dims : {1, 2, 4}) {
    matrix const x = measured(200, dims), y = f(x);
    float const change = largest_difference(y, x), error = largest_difference(y, denoised(x));
    std::cout << dims << " directions and noise: the largest change is " << change << '\n';
    right = right && error < 1e-5f && change < 0.03f && (change > 0) == (dims < 4);
  }
  std::cout << "compiled " << f.compiles() << " parts, cut at line " << line << '\n';
  return right && f.compiles() == 3 && line == 38 ? 0 : 1;
}
