// guardjit: tests/conformance/guards/erased_threads.cpp: threads that force backends at once
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "conformance/guards/fixtures.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::stance, gj::stance_scope;
using support::backend_log, support::op_by_op, support::vec;

TEST_SUITE("threads") {
  TEST_CASE("erased: threads force equal and other backends, beside calls of none and resets") {
    static backend_log log;
    auto const g = gj::compile(fixtures::twice{}, fixtures::plain, gj::dynamic::none);
    std::atomic<int> wrong{0};
    auto const calls = [&](int number) {
      for (int k = 0; k < 200; ++k) {
        auto const x = vec(3 + k % 3, number);
        if (g(x)(1) != 2 * x(1)) ++wrong;
        stance_scope const forced{stance::normal, gj::force_backend(op_by_op{&log, (number + k) % 5})};
        if (g(x)(2) != 2 * x(2)) ++wrong;
        if (g.with(gj::backend(op_by_op{&log, k % 2}))(x)(0) != 2 * x(0)) ++wrong;
      }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(calls, t);
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(log.built.load() == 15);  // five backends for three extents
    CHECK(log.ran.load() == 1600);
    threads.clear();
    for (int t = 0; t < 3; ++t) threads.emplace_back(calls, t);
    for (int k = 0; k < 20; ++k) gj::reset();
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(log.resets.load() == 100);
  }
}
