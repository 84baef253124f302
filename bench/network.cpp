// guardjit: bench/network.cpp: the three layers of the digits network, against Eigen
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using eigen_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr auto layers = [](auto x, auto w1, auto b1, auto w2, auto b2, auto w3, auto b3) {
  auto const h1 = gj::relu(gj::matmul(x, w1) + b1);
  auto const h2 = gj::relu(gj::matmul(h1, w2) + b2);
  return gj::matmul(h2, w3) + b3;
};

/// Sizes 64-128-64-10. Values do not matter for the time, so weights are random.
struct network {
  tensor<float, 64, 128> w1 = filled(tensor<float, 64, 128>(), 1, -0.2f, 0.2f);
  tensor<float, 128> b1 = filled(tensor<float, 128>(), 2, -0.1f, 0.1f);
  tensor<float, 128, 64> w2 = filled(tensor<float, 128, 64>(), 3, -0.2f, 0.2f);
  tensor<float, 64> b2 = filled(tensor<float, 64>(), 4, -0.1f, 0.1f);
  tensor<float, 64, 10> w3 = filled(tensor<float, 64, 10>(), 5, -0.2f, 0.2f);
  tensor<float, 10> b3 = filled(tensor<float, 10>(), 6, -0.1f, 0.1f);
};

template <index_t... Extents> eigen_matrix eigen_of(tensor<float, Extents...> const& x) {
  return Eigen::Map<eigen_matrix const>(x.data(), x.extent(0), x.extent(1));
}
template <index_t Extent> Eigen::RowVectorXf row_of(tensor<float, Extent> const& x) {
  return Eigen::Map<Eigen::RowVectorXf const>(x.data(), x.extent(0));
}

/// The same with Eigen's own matrices, which are aligned; intermediates are kept.
struct eigen_network {
  eigen_matrix w1, w2, w3, x, h1, h2, y;
  Eigen::RowVectorXf b1, b2, b3;

  eigen_network(network const& n, tensor<float, dyn, 64> const& in)
      : w1(eigen_of(n.w1)),
        w2(eigen_of(n.w2)),
        w3(eigen_of(n.w3)),
        x(eigen_of(in)),
        h1(x.rows(), 128),
        h2(x.rows(), 64),
        y(x.rows(), 10),
        b1(row_of(n.b1)),
        b2(row_of(n.b2)),
        b3(row_of(n.b3)) {}
  void operator()() {
    h1.noalias() = x * w1;
    h1 = (h1.rowwise() + b1).cwiseMax(0.f);
    h2.noalias() = h1 * w2;
    h2 = (h2.rowwise() + b2).cwiseMax(0.f);
    y.noalias() = h2 * w3;
    y.rowwise() += b3;
  }
};

/// `call(out, x)` against Eigen, then measured.
void run_checked(benchmark::State& state, network const& n, index_t batch, auto const& call) {
  auto const x = filled(tensor<float, dyn, 64>(batch), 7, 0, 1);
  tensor<float, dyn, 10> y(batch);
  eigen_network by_eigen(n, x);
  by_eigen();
  call(y, x);
  require_close(y.data(), by_eigen.y.data(), y.size(), 1e-4, "network");
  measure(state, [&] { call(y, x); });
}

void add_batch(index_t batch) {
  auto const size = std::to_string(batch);
  add("network", "arguments", size, [=](benchmark::State& state) {
    network const n;
    auto const f = gj::compile(layers);
    run_checked(state, n, batch,
                [&](auto& y, auto const& x) { f.into(y, x, n.w1, n.b1, n.w2, n.b2, n.w3, n.b3); });
  });
  add("network", "bind", size, [=](benchmark::State& state) {
    network const n;
    auto const f = gj::compile(layers, gj::bind(n.w1, n.b1, n.w2, n.b2, n.w3, n.b3));
    run_checked(state, n, batch, [&](auto& y, auto const& x) { f.into(y, x); });
  });
  add("network", "frozen", size, [=](benchmark::State& state) {
    network const n;
    auto const f = gj::compile(layers, gj::bind(gj::freeze(n.w1), gj::freeze(n.b1), gj::freeze(n.w2),
                                                gj::freeze(n.b2), gj::freeze(n.w3), gj::freeze(n.b3)));
    run_checked(state, n, batch, [&](auto& y, auto const& x) { f.into(y, x); });
  });
  add("network", "returned", size, [=](benchmark::State& state) {
    network const n;
    auto const f = gj::compile(layers, gj::bind(n.w1, n.b1, n.w2, n.b2, n.w3, n.b3));
    run_checked(state, n, batch, [&](auto& y, auto const& x) { y = f(x); });
  });
  add("network", "eigen", size, [=](benchmark::State& state) {
    eigen_network by_eigen(network{}, filled(tensor<float, dyn, 64>(batch), 7, 0, 1));
    measure(state, by_eigen);
  });
}

[[maybe_unused]] int const registered = [] {
  for (index_t batch : {1, 4, 16, 64}) add_batch(batch);
  return 0;
}();

}  // namespace
