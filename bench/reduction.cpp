// guardjit: bench/reduction.cpp: sums over axes, softmax written out of ops, layer_norm
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using row_array = Eigen::Array<float, 1, Eigen::Dynamic>;
using array_in = Eigen::Map<array const, Eigen::Aligned64>;

/// A case names the function, the elements of its result, and writes these with Eigen and by hand.
struct sum_all {
  static constexpr char const* name = "sum_all";
  static constexpr auto traced = [](auto x) { return gj::sum(x); };
  static constexpr double tolerance = 1e-3;
  static tensor<float> result(index_t, index_t) { return {}; }
  static void eigen(float* y, array_in const& x) { *y = x.sum(); }
  [[gnu::noinline]] static void hand(float* y, float const* x, index_t rows, index_t columns) {
    float lanes[16]{};
    index_t const n = rows * columns;
    for (index_t i = 0; i < n / 16; ++i)
      for (index_t k = 0; k < 16; ++k) lanes[k] += x[16 * i + k];
    float sum = 0;
    for (float lane : lanes) sum += lane;
    *y = sum;
  }
};

struct sum_axis0 {
  static constexpr char const* name = "sum_axis0";
  static constexpr auto traced = [](auto x) { return gj::sum(x, gj::axes(0)); };
  static constexpr double tolerance = 1e-3;
  static vector result(index_t, index_t columns) { return vector(columns); }
  static void eigen(float* y, array_in const& x) {
    Eigen::Map<row_array>(y, x.cols()) = x.colwise().sum();
  }
  [[gnu::noinline]] static void hand(float* __restrict y, float const* x, index_t rows,
                                     index_t columns) {
    for (index_t j = 0; j < columns; ++j) y[j] = 0;
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) y[j] += x[i * columns + j];
  }
};

struct sum_axis1 {
  static constexpr char const* name = "sum_axis1";
  static constexpr auto traced = [](auto x) { return gj::sum(x, gj::axes(1)); };
  static constexpr double tolerance = 1e-3;
  static vector result(index_t rows, index_t) { return vector(rows); }
  static void eigen(float* y, array_in const& x) {
    Eigen::Map<Eigen::ArrayXf>(y, x.rows()) = x.rowwise().sum();
  }
  [[gnu::noinline]] static void hand(float* __restrict y, float const* x, index_t rows,
                                     index_t columns) {
    for (index_t i = 0; i < rows; ++i) {
      float lanes[16]{};
      for (index_t j = 0; j < columns; j += 16)
        for (index_t k = 0; k < 16; ++k) lanes[k] += x[i * columns + j + k];
      float sum = 0;
      for (float lane : lanes) sum += lane;
      y[i] = sum;
    }
  }
};

struct softmax {
  static constexpr char const* name = "softmax";
  static constexpr auto traced = [](auto x) {
    auto const e = gj::exp(x - gj::amax(x, gj::axes(1), gj::keepdims));
    return e / gj::sum(e, gj::axes(1), gj::keepdims);
  };
  static constexpr double tolerance = 1e-5;
  static matrix result(index_t rows, index_t columns) { return matrix(rows, columns); }
  static void eigen(float* out, array_in const& x) {
    Eigen::Map<array, Eigen::Aligned64> y(out, x.rows(), x.cols());
    for (index_t i = 0; i < x.rows(); ++i) {
      y.row(i) = (x.row(i) - x.row(i).maxCoeff()).exp();
      y.row(i) *= 1.0f / y.row(i).sum();
    }
  }
  [[gnu::noinline]] static void hand(float* __restrict y, float const* x, index_t rows,
                                     index_t columns) {
    for (index_t i = 0; i < rows; ++i) {
      float const* const from = x + i * columns;
      float* const to = y + i * columns;
      float most = from[0], sum = 0;
      for (index_t j = 1; j < columns; ++j) most = from[j] > most ? from[j] : most;
      for (index_t j = 0; j < columns; ++j) sum += to[j] = std::exp(from[j] - most);
      for (index_t j = 0; j < columns; ++j) to[j] /= sum;
    }
  }
};

struct layer_norm {
  static constexpr char const* name = "layer_norm";
  static constexpr auto traced = [](auto x) { return gj::layer_norm(x, gj::axes(-1)); };
  static constexpr double tolerance = 1e-5;
  static matrix result(index_t rows, index_t columns) { return matrix(rows, columns); }
  static void eigen(float* out, array_in const& x) {
    Eigen::Map<array, Eigen::Aligned64> y(out, x.rows(), x.cols());
    for (index_t i = 0; i < x.rows(); ++i) {
      float const mean = x.row(i).mean(), variance = (x.row(i) - mean).square().mean();
      y.row(i) = (x.row(i) - mean) * (1.0f / std::sqrt(variance + 1e-5f));
    }
  }
  [[gnu::noinline]] static void hand(float* __restrict y, float const* x, index_t rows, index_t columns) {
    auto const n = static_cast<float>(columns);
    for (index_t i = 0; i < rows; ++i) {
      float const* const from = x + i * columns;
      float sum = 0, squares = 0;
      for (index_t j = 0; j < columns; ++j) sum += from[j];
      for (index_t j = 0; j < columns; ++j) squares += (from[j] - sum / n) * (from[j] - sum / n);
      float const scale = 1.0f / std::sqrt(squares / n + 1e-5f);
      for (index_t j = 0; j < columns; ++j) y[i * columns + j] = (from[j] - sum / n) * scale;
    }
  }
};

enum class how { guardjit, eigen, hand };

template <class Case, how How> void run(benchmark::State& state, index_t rows, index_t columns) {
  matrix const x = filled(matrix(rows, columns), 1);
  auto y = Case::result(rows, columns), expected = Case::result(rows, columns);
  auto const by_hand = [&] { Case::hand(y.data(), x.data(), rows, columns); };
  Case::hand(expected.data(), x.data(), rows, columns);
  auto const check = [&] {
    require_close(y.data(), expected.data(), y.size(), Case::tolerance, Case::name);
  };
  if constexpr (How == how::guardjit) {
    auto const f = gj::compile(Case::traced);
    f.into(y, x);
    check();
    measure(state, [&] { f.into(y, x); });
  } else if constexpr (How == how::eigen) {
    array_in const ex(x.data(), rows, columns);
    Case::eigen(y.data(), ex);
    check();
    measure(state, [&] { Case::eigen(y.data(), ex); });
  } else {
    measure(state, by_hand);
  }
}

template <class Case> void add_case(index_t rows, index_t columns) {
  auto const size = std::to_string(rows) + "x" + std::to_string(columns);
  add(Case::name, "guardjit", size,
      [=](benchmark::State& s) { run<Case, how::guardjit>(s, rows, columns); });
  add(Case::name, "eigen", size,
      [=](benchmark::State& s) { run<Case, how::eigen>(s, rows, columns); });
  add(Case::name, "hand", size,
      [=](benchmark::State& s) { run<Case, how::hand>(s, rows, columns); });
}

[[maybe_unused]] int const registered = [] {
  auto const add_sums = [](index_t rows, index_t columns) {
    add_case<sum_all>(rows, columns);
    add_case<sum_axis0>(rows, columns);
    add_case<sum_axis1>(rows, columns);
  };
  add_sums(1024, 1024);
  add_sums(65536, 16);
  add_case<softmax>(512, 512);
  add_case<softmax>(256, 1024);
  add_case<layer_norm>(256, 768);
  return 0;
}();

}  // namespace
