// guardjit: tests/modes/thread_state.cpp: the thread's word follows every change of the stack
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/op_counter.hpp>
#include <guardjit/modes/stash_modes.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include <memory>
#include <optional>
#include <random>
#include <thread>

using namespace fake;
using gj::mode_class;
using gj::mode_scope;
using gj::mode_stack;
using gj::word_bit;

namespace {
struct passing_infra : gj::infra_mode {
  gj::op_result handle(gj::op_call& call) override { return call(); }
};
constexpr auto observer = word_bit(mode_class::observer);
constexpr auto runtime = word_bit(mode_class::runtime);
constexpr auto infra = word_bit(mode_class::infra);
}  // namespace

TEST_CASE("thread word: the classes of the visible slots, 0 without any") {
  words seen;
  log_mode log(seen);
  gj::op_counter counter;
  passing_infra machinery;
  CHECK(gj::current_word() == 0);
  {
    mode_scope a{counter};
    CHECK(gj::current_word() == observer);
    {
      mode_scope b{log};
      CHECK(gj::current_word() == (observer | runtime));
      mode_scope c{machinery};
      CHECK(gj::current_word() == (observer | runtime | infra));
    }
    CHECK(gj::current_word() == observer);
  }
  CHECK(gj::current_word() == 0);
}

TEST_CASE(
    "thread word: handlers, disabled dispatch and stashes change it; the inert counter does not") {
  std::uint64_t in_handler = 99;
  gj::op_counter counter;
  handler_mode mode{[&](gj::op_call& call) { return in_handler = gj::current_word(), call(); }};
  mode_scope a{counter};
  mode_scope b{mode};
  add(number(1), number(2));
  CHECK(in_handler == observer);
  CHECK(gj::current_word() == (observer | runtime));
  {
    gj::dispatch_disabled off;
    CHECK(gj::current_word() == 0);
    mode_scope c{counter};
    CHECK(gj::current_word() == 0);
    gj::dispatch_enabled on;
    CHECK(gj::current_word() == (observer | runtime));
  }
  {
    gj::stash_modes stash;
    CHECK(gj::current_word() == 0);
    gj::reinstate_modes back{stash};
    CHECK(gj::current_word() == (observer | runtime));
  }
  gj::inert_scope inert;
  CHECK(gj::current_word() == (observer | runtime));
  CHECK_FALSE(gj::dispatch_active());
}

TEST_CASE("thread word: bits of other parts survive changes of the stack") {
  std::uint64_t const stance = 1u << 8;
  gj::detail::set_word_bits(stance, stance);
  {
    gj::op_counter counter;
    mode_scope a{counter};
    CHECK(gj::current_word() == (stance | observer));
  }
  CHECK(gj::current_word() == stance);
  CHECK_FALSE(gj::dispatch_active());
  gj::detail::set_word_bits(stance, 0);
  CHECK(gj::current_word() == 0);
}

namespace {
/// Scopes that begin and end in any order, beside a list of what should be on the stack.
struct shuffled_scopes {
  static constexpr int count = 12;
  words seen;
  std::vector<std::shared_ptr<gj::function_mode>> modes;
  std::vector<std::optional<mode_scope<gj::function_mode&>>> scopes{count};
  std::vector<int> expected;

  shuffled_scopes() {
    for (int k = 0; k < count; ++k) {
      if (k % 3 == 0) modes.push_back(std::make_shared<gj::op_counter>());
      else if (k % 3 == 1) modes.push_back(std::make_shared<log_mode>(seen, std::to_string(k)));
      else modes.push_back(std::make_shared<passing_infra>());
    }
  }

  void toggle(int k) {
    auto& scope = scopes[static_cast<std::size_t>(k)];
    if (scope) {
      scope.reset();
      std::erase(expected, k);
    } else {
      scope.emplace(*modes[static_cast<std::size_t>(k)]);
      expected.push_back(k);
    }
  }

  bool as_expected() {
    std::uint64_t word = 0;
    words order;
    bool same = mode_stack::depth() == static_cast<int>(expected.size());
    for (int i = 0; same && i < mode_stack::depth(); ++i) {
      int const k = expected[static_cast<std::size_t>(i)];
      same = &mode_stack::at(i) == modes[static_cast<std::size_t>(k)].get();
      word |= word_bit(mode_stack::at(i).cls());
      if (k % 3 == 1) order.insert(order.begin(), std::to_string(k));
    }
    seen.clear();
    add(number(1), number(2));
    return same && gj::current_word() == word && seen == order;
  }
};
}  // namespace

TEST_CASE("mode_scope: scopes that end in any order leave the others in theirs") {
  std::mt19937 random(7);
  shuffled_scopes stack;
  int wrong = 0;
  for (int step = 0; step < 2000; ++step) {
    stack.toggle(static_cast<int>(random() % shuffled_scopes::count));
    wrong += !stack.as_expected();
  }
  CHECK(wrong == 0);
}

TEST_CASE("mode_scope: scopes that end inside handlers and stashes are gone afterwards") {
  std::mt19937 random(11);
  shuffled_scopes stack;
  int wrong = 0;
  for (int step = 0; step < 500; ++step) {
    for (int k = 0; k < 4; ++k) stack.toggle(static_cast<int>(random() % shuffled_scopes::count));
    auto const end_one = [&] {
      if (stack.expected.empty()) return;
      stack.toggle(stack.expected[random() % stack.expected.size()]);
    };
    {
      gj::stash_modes stash;
      end_one();
      gj::reinstate_modes back{stash};
      end_one();
      wrong += !stack.as_expected();
    }
    wrong += !stack.as_expected();
    {
      handler_mode ends{[&](gj::op_call& call) {
        if (call.op() == gj::op::mul) end_one();
        return call();
      }};
      mode_scope scope{ends};
      mul(number(1), number(2));
      CHECK(mode_stack::top() == &ends);
    }
    wrong += !stack.as_expected();
  }
  CHECK(wrong == 0);
}

TEST_CASE("mode_scope: the end of the scope whose handler runs") {
  words seen;
  log_mode below(seen, "below");
  std::optional<mode_scope<gj::function_mode&>> own;
  handler_mode mode{[&](gj::op_call& call) {
    own.reset();
    return call();
  }};
  event_list events;
  gj::subscription heard{events};
  mode_scope lower{below};
  own.emplace(mode);
  CHECK(value_of(add(number(1), number(2))) == 3);
  CHECK(seen == words{"below"});
  CHECK(mode_stack::depth() == 1);
  CHECK(mode_stack::top() == &below);
  CHECK(events.seen.empty());
}

TEST_CASE("mode_scope: owns an rvalue, shares a shared pointer, refuses a null one") {
  words seen;
  auto shared = std::make_shared<log_mode>(seen, "shared");
  std::weak_ptr<log_mode> const alive = shared;
  {
    mode_scope owned{log_mode(seen, "owned")};
    mode_scope sharing{shared};
    shared.reset();
    CHECK_FALSE(alive.expired());
    add(number(1), number(2));
    CHECK(seen == words{"shared", "owned"});
  }
  CHECK(alive.expired());
  std::shared_ptr<log_mode> const none;
  CHECK_THROWS_AS(([&] { mode_scope null{none}; }()), gj::mode_error);
  CHECK(mode_stack::depth() == 0);
}

TEST_SUITE("threads") {
  TEST_CASE("mode stack: every thread has its own, empty and enabled at first") {
    words seen;
    log_mode log(seen);
    mode_scope scope{log};
    gj::dispatch_disabled off;
    int depth = -1, kernels_there = 0;
    bool enabled = false, active_inside = false;
    std::thread([&] {
      depth = mode_stack::depth();
      enabled = mode_stack::enabled();
      gj::op_counter counter;
      mode_scope own{counter};
      active_inside = mode_stack::active();
      kernels = 0;
      add(number(1), number(2));
      kernels_there = kernels;
    }).join();
    CHECK(depth == 0);
    CHECK(enabled);
    CHECK(active_inside);
    CHECK(kernels_there == 1);
    CHECK(seen.empty());
    CHECK(mode_stack::depth() == 1);
  }

  TEST_CASE("mode stack: threads with modes and dispatch of their own do not disturb each other") {
    std::vector<std::thread> threads;
    int right[8]{};
    for (int& count : right)
      threads.emplace_back([&count] {
        words seen;
        log_mode log(seen);
        gj::op_counter counter;
        for (int k = 0; k < 200; ++k) {
          mode_scope a{log};
          mode_scope b{counter};
          count += value_of(add(number(k), 1)) == k + 1;
        }
        count += static_cast<int>(seen.size()) + static_cast<int>(counter.total());
      });
    for (auto& thread : threads) thread.join();
    for (int const count : right) CHECK(count == 600);
  }
}
