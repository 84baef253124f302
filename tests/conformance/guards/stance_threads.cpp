// guardjit: tests/conformance/guards/stance_threads.cpp: threads under stances and backends of their own, on one function
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "conformance/guards/fixtures.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::index_t, gj::stance, gj::stance_scope;
using support::elements, support::op_by_op, support::vec;

namespace {

using threaded_row = gj::tensor<float, gj::dyn>;

/// The first elements, as many as the first one says.
constexpr auto first_ones = [](threaded_row const& x) {
  threaded_row kept(static_cast<index_t>(x(0)));
  for (index_t k = 0; k < kept.extent(0); ++k) kept(k) = x(k);
  return kept;
};
struct threaded_late {
  constexpr auto operator()(auto& state, auto x) const {
    auto const k = gj::opaque(first_ones)(x * 1);
    state = state + x;
    if (k.extent(0) > 2) return gj::eval(k * 10);
    return gj::eval(k - 1);
  }
};
bool refuses_hits(bool) { return false; }

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("G70, G75, G78, G115: stances, backends and collectives of four threads, clears and resets") {
    static support::backend_log log;
    auto const g = gj::compile(threaded_late{}, fixtures::plain, gj::recompile_limit{2});
    std::atomic<int> wrong{0}, refused{0};
    // A call that is refused leaves its state alone, all others are right.
    auto const check = [&](auto const& call, int number) {
      auto const x = vec(4 + number % 3, 1 + number % 4);
      auto state = vec(x.extent(0), number);
      auto const before = elements(state);
      try {
        auto const y = call(state, x);
        bool const is_long = x(0) > 2;
        bool right = y.extent(0) == static_cast<index_t>(x(0));
        for (index_t k = 0; k < y.extent(0); ++k) right = right && y(k) == (is_long ? x(k) * 10 : x(k) - 1);
        for (index_t k = 0; k < x.extent(0); ++k)
          right = right && state(k) == before[static_cast<std::size_t>(k)] + x(k);
        if (!right) ++wrong;
      } catch (gj::recompile_error const&) {
        ++refused;
        if (elements(state) != before) ++wrong;
      }
    };
    constexpr stance all[] = {stance::normal, stance::force_eager, stance::eager_on_recompile, stance::fail_on_recompile,
                              stance::eager_then_compile};
    auto const calls = [&](int number) {
      for (int k = 0; k < 60; ++k) {
        stance const mine = all[(k + number) % 5];
        {
          stance_scope const scope(mine);
          check(g, k);
          check(g.with(all[(k + 2 * number) % 5]), k + 1);
          check(g.with(gj::backend(op_by_op{&log, k % 2})), k + 2);
          if (gj::current_stance() != mine) ++wrong;
        }
        stance_scope const forced{stance::normal, gj::force_backend(op_by_op{&log, (number + k) % 3})};
        check(g, k);
        check(g.with(stance::normal), k);
      }
    };
    check(g.with(stance::fail_on_recompile), 0);
    CHECK(refused == 1);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back(calls, t);
    threads.emplace_back([&] {
      for (int k = 0; k < 40; ++k) {
        gj::set_guard_collective(k % 2 ? nullptr : refuses_hits);
        if (k % 8 == 3) g.clear();
        if (k % 8 == 7) gj::reset();
        check(g, k);
        std::this_thread::yield();
      }
      gj::set_guard_collective(nullptr);
    });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(log.ran.load() > 0);
  }
}
