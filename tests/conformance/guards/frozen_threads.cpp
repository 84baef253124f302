// guardjit: tests/conformance/guards/frozen_threads.cpp: packed forms that several threads want, and entries that go
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <latch>
#include <thread>
#include <vector>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn, gj::index_t;

namespace {

using shared_matrix = gj::tensor<float, dyn, dyn>;
constexpr auto shared_product = [](auto x, auto w) { return gj::matmul(x, w); };

/// A row times a frozen square matrix that has `value` everywhere.
bool multiplies(auto const& g, index_t rows, gj::frozen<float, dyn, dyn> const& w, float value) {
  index_t const n = w.extent(0);
  shared_matrix const y = g(support::counted(shared_matrix(rows, n), 1, 0), w);
  bool right = y.size() == rows * n;
  for (index_t k = 0; k < y.size(); ++k) right = right && y.data()[k] == value * static_cast<float>(n);
  return right;
}
gj::frozen<float, dyn, dyn> all_of(index_t n, float value) {
  return gj::freeze(support::counted(shared_matrix(n, n), static_cast<double>(value), 0));
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("G29: threads that want the first packed form at once get one") {
    for (int round = 1; round <= 8; ++round) {
      auto const w = all_of(48, 2);
      auto const shared = gj::compile(shared_product);
      std::latch start(4);
      std::vector<std::thread> threads;
      int right[4] = {};
      for (int& mine : right)
        threads.emplace_back([&] {
          auto const own = gj::compile(shared_product);
          start.arrive_and_wait();
          mine = multiplies(own, 2, w, 2) && multiplies(shared, 3, w, 2) ? 1 : 0;
        });
      for (std::thread& t : threads) t.join();
      CHECK(right[0] + right[1] + right[2] + right[3] == 4);
      CHECK(shared.compiles() == 1);
      CHECK(gj::detail::frozen_memory::of(w.storage())->forms() == 1);
    }
  }
  TEST_CASE("G29: threads call with tensors of their own while entries are cleared and tensors go") {
    auto const g = gj::compile(shared_product, gj::recompile_limit{3}, gj::on_limit{gj::limit_action::evict});
    std::vector<std::thread> threads;
    int right[3] = {};
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        for (int k = 0; k < 60; ++k) {
          auto const value = static_cast<float>(1 + (t + k) % 5);
          auto const w = all_of(20, value);
          right[t] += multiplies(g, 1 + k % 3, w, value) && multiplies(g, 1 + k % 3, w, value) ? 1 : 0;
          if (k % 20 == 19) g.clear();
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(right[0] == 60);
    CHECK(right[1] == 60);
    CHECK(right[2] == 60);
  }
}
