// guardjit: tests/conformance/guards/threads.cpp: cases of calls from several threads
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <new>
#include <stdexcept>
#include <thread>

#include "conformance/guards/fixtures.hpp"
#include "support/bare_cache.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::plain;
using fixtures::twice;
using gj::dyn;
using gj::index_t;
using support::vec;

namespace {

/// Whether a call with `n` elements gives the right ones.
bool is_right(auto const& g, index_t n) {
  auto const y = g(vec(n));
  bool right = y.extent(0) == n;
  for (index_t k = 0; k < n; ++k) right = right && y(k) == static_cast<float>(2 * (k + 1));
  return right;
}

/// Runs `body(number)` in `count` threads at once.
template <class Body> void in_threads(int count, Body const& body) {
  std::latch start(count);
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      start.arrive_and_wait();
      body(k);
    });
  for (std::thread& t : threads) t.join();
}

/// Runs `act` at the beginning of each compile, in the thread that compiles.
template <class Act> auto at_compile_begin(Act const& act) {
  return [&act](gj::event const& e) {
    if (e.kind == gj::event_kind::compile_begin) act();
  };
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("GRD-133: four threads with a length each") {
    auto const g = gj::compile(twice{}, plain, gj::dynamic::none);
    std::atomic<int> right{0};
    in_threads(4, [&](int k) {
      int mine = 0;
      for (int call = 0; call < 10000; ++call) mine += is_right(g, k + 1) ? 1 : 0;
      right += mine;
    });
    CHECK(right == 40000);
    CHECK(g.compiles() == 4);
  }

  TEST_CASE("GRD-134: two threads make the same first call") {
    for (int round = 0; round < 50; ++round) {
      auto const g = gj::compile(twice{}, plain);
      std::atomic<int> right{0};
      in_threads(2, [&](int) { right += is_right(g, 3) ? 1 : 0; });
      CHECK(right == 2);
      CHECK(g.compiles() == 1);
    }
  }

  TEST_CASE("eight threads make the same first call: one entry is built") {
    for (int round = 0; round < 20; ++round) {
      auto const g = gj::compile(twice{}, plain);
      std::atomic<int> right{0};
      in_threads(8, [&](int) { right += is_right(g, 5) ? 1 : 0; });
      CHECK(right == 8);
      CHECK(g.compiles() == 1);
      CHECK(g.entries().size() == 1);
    }
  }

  TEST_CASE("GRD-135: the thread that builds gets an exception while another waits") {
    support::bare_cache c;
    std::latch begun(1);
    std::atomic<bool> first{true}, threw{false}, right{false};
    c.before_bind = [&](index_t) {
      if (!first.exchange(false)) return;
      begun.count_down();
      std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the other one comes to wait
      throw std::runtime_error("no plan");
    };
    std::thread builder([&] {
      try {
        c.entry_for(3);
      } catch (std::runtime_error const&) {
        threw = true;
      }
    });
    begun.wait();
    std::thread waiter([&] { right = c.is_right(3); });
    builder.join();
    waiter.join();
    CHECK(threw);
    CHECK(right);
    CHECK(c.fn.compile_count() == 2);
    CHECK(c.entries.table()->entries().size() == 1);
  }

  TEST_CASE("GRD-136: eight threads make the first call, one of them without memory") {
    int failed_rounds = 0;
    for (int round = 0; round < 40; ++round) {
      support::bare_cache c;
      static thread_local bool poor = false;
      c.before_bind = [](index_t) {
        if (poor) throw std::bad_alloc();
      };
      std::atomic<int> right{0}, failed{0};
      in_threads(8, [&](int k) {
        // From the 20th round on all threads but one come a little later, so that it builds.
        poor = k == 3;
        if (round >= 20 && k != 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        try {
          right += c.is_right(4) ? 1 : 0;
        } catch (std::bad_alloc const&) {
          ++failed;
        }
      });
      CHECK(right + failed == 8);
      CHECK(failed <= 1);
      failed_rounds += failed;
      int const compiles = c.fn.compile_count();
      CHECK(compiles == 1 + failed);
      CHECK(c.is_right(4));
      CHECK(c.fn.compile_count() == compiles);
    }
    CHECK(failed_rounds > 0);
  }

  TEST_CASE("GRD-139: no hit waits for a compile") {
    auto const g = gj::compile(twice{}, plain, gj::dynamic::none);
    CHECK(is_right(g, 2));
    std::latch compiling(1), open(1);
    auto const act = [&] {
      compiling.count_down();
      open.wait();
    };
    gj::subscription const s{at_compile_begin(act)};
    std::atomic<bool> compiled{false};
    std::thread builder([&] {
      CHECK(is_right(g, 3));
      compiled = true;
    });
    compiling.wait();
    std::atomic<int> right{0};
    in_threads(3, [&](int) {
      for (int k = 0; k < 1000; ++k) right += is_right(g, 2) ? 1 : 0;
    });
    CHECK(right == 3000);
    CHECK_FALSE(compiled);
    CHECK_FALSE(g.find(vec(2)).empty());
    open.count_down();
    builder.join();
    CHECK(compiled);
    CHECK(g.compiles() == 2);
  }

  TEST_CASE("GRD-137: clear() and reset() race with calls, with find and entries, and with new functions") {
    auto const g = gj::compile(twice{}, plain);
    std::atomic<int> calling{3};
    std::atomic<bool> right{true};
    in_threads(7, [&](int k) {
      if (k < 3) {
        for (int call = 0; call < 3000; ++call)
          if (!is_right(g, 1 + (call * (k + 1)) % 5)) right = false;
        --calling;
      } else if (k == 3) {
        while (calling != 0) g.clear(), std::this_thread::yield();
      } else if (k == 4) {
        auto const x = vec(2);
        while (calling != 0)
          if (g.entries().size() > 16 || g.find(x).size() > 1000) right = false;
      } else if (k == 5) {
        while (calling != 0) gj::reset(), std::this_thread::yield();
      } else {
        while (calling != 0)
          if (auto const other = gj::compile(twice{}, plain); !is_right(other, 3)) right = false;
      }
    });
    CHECK(right);
    gj::reset();
    CHECK(g.entries().empty());
    CHECK(is_right(g, 4));
    CHECK(g.compiles() == 1);
  }

  TEST_CASE("threads that compile for several signatures keep to one compile_limit") {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> asked{0}, right{0};
      auto const is_short = [&asked](auto const& x) { return ++asked, x.extent(0) < 9; };
      auto const g = gj::compile(twice{}, plain, gj::compile_limit{2}, gj::user_guard(is_short, "short"));
      auto const use = [&]<class T>(std::type_identity<T>) {
        for (int call = 0; call < 50; ++call) right += g(gj::tensor<T, dyn>{T{1}, T{2}})(1) == T{4} ? 1 : 0;
      };
      in_threads(4, [&](int k) {
        if (k == 0) use(std::type_identity<float>{});
        else if (k == 1) use(std::type_identity<double>{});
        else if (k == 2) use(std::type_identity<std::int32_t>{});
        else use(std::type_identity<std::int64_t>{});
      });
      CHECK(right == 200);
      CHECK(asked == 200);
      CHECK(g.compiles() == 2);
      CHECK(g.entries().size() == 2);
      CHECK(g.uncached_calls() == 100);
    }
  }

  TEST_CASE("copies of a compiled function in other threads share its entries and outlive it") {
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    {
      auto const g = gj::compile(twice{}, plain, gj::bind(), gj::dynamic::all);
      for (int k = 0; k < 4; ++k)
        threads.emplace_back([copy = g, k, &right] {
          for (int call = 0; call < 500; ++call) {
            auto const another = copy;
            right += is_right(another, 1 + (call + k) % 7) ? 1 : 0;
          }
          if (copy.compiles() != 1) right = -10000;
        });
    }
    for (std::thread& t : threads) t.join();
    CHECK(right == 2000);
  }
}
