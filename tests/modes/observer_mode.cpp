// guardjit: tests/modes/observer_mode.cpp: what observers are told, in eager code and by records
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/op_counter.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include <optional>

using namespace fake;
using gj::mode_scope;
using gj::mode_stack;
using gj::tell_observers;

namespace {
auto noting(words& seen, std::string tag) {
  return watching_mode{
      [&seen, tag](gj::op_record const& record) { seen.push_back(tag + gj::name_of(record.id)); }};
}
struct counts_add_and_full : gj::op_counter {
  static constexpr gj::op_set interests = {gj::op::add, gj::op::full};
};
}  // namespace

TEST_CASE("observer: is told op, operands and line before the kernel runs") {
  int told = 0;
  watching_mode mode{[&](gj::op_record const& record) {
    ++told;
    CHECK(kernels == 0);
    CHECK(record.id == gj::op::mul);
    REQUIRE(record.operands.size() == 2);
    CHECK(record.operands[0].type == gj::dtype::f32);
    CHECK(record.operands[0].shape == gj::shape{2, 3});
    CHECK_FALSE(record.operands[0].weak);
    CHECK(record.operands[1].type == gj::dtype::i64);
    CHECK(record.operands[1].shape == gj::shape{});
    CHECK(record.operands[1].weak);
    CHECK(*record.attribute == gj::attributes{});
    CHECK(record.where.line == 77);
  }};
  mode_scope scope{mode};
  gj::operand const operands[] = {gj::any_tensor(gj::dtype::f32, {2, 3}), 5};
  gj::op_call call({.id = gj::op::mul,
                    .operands = operands,
                    .kernel = [](gj::op_call const&) { return ++kernels, number(1); },
                    .where = {"file", 77}});
  kernels = 0;
  gj::dispatch(call);
  CHECK(told == 1);
  CHECK(kernels == 1);
}

TEST_CASE("observer: op_counter counts by op; equal counts compare equal") {
  gj::op_counter a, b;
  {
    mode_scope first{a};
    mode_scope second{b};
    add(mul(number(1), 2), mul(number(3), 4));
  }
  CHECK(a.total() == 3);
  CHECK(a.count(gj::op::mul) == 2);
  CHECK(a.count(gj::op::add) == 1);
  CHECK(a.count(gj::op::sub) == 0);
  CHECK(a == b);
  b.reset();
  CHECK(b.total() == 0);
  CHECK(a != b);
}

TEST_CASE("observer: an exception from it reaches the caller, and no kernel runs") {
  watching_mode mode{[](gj::op_record const&) { throw 5; }};
  mode_scope scope{mode};
  kernels = 0;
  CHECK_THROWS_AS(add(number(1), 2), int);
  CHECK(kernels == 0);
  CHECK(mode_stack::depth() == 1);
  CHECK_THROWS_AS(tell_observers({.id = gj::op::add}), int);
  CHECK(mode_stack::depth() == 1);
}

TEST_CASE("tell_observers: every visible observer, top first, and no other mode") {
  words seen;
  auto a = noting(seen, "a:"), b = noting(seen, "b:");
  log_mode handler(seen, "handler");
  mode_scope first{a};
  mode_scope second{handler};
  mode_scope third{b};
  tell_observers({.id = gj::op::exp});
  tell_observers({.id = gj::op::tanh});
  CHECK(seen == words{"b:exp", "a:exp", "b:tanh", "a:tanh"});
}

TEST_CASE("tell_observers: nobody where nobody would see an eager op") {
  words seen;
  auto a = noting(seen, "");
  tell_observers({.id = gj::op::exp});
  mode_scope scope{a};
  {
    gj::dispatch_disabled off;
    CHECK_FALSE(gj::observers_active());
    tell_observers({.id = gj::op::exp});
  }
  {
    gj::inert_scope inert;
    tell_observers({.id = gj::op::exp});
  }
  CHECK(seen.empty());
  CHECK(gj::observers_active());
}

TEST_CASE("tell_observers: interests hold") {
  counts_add_and_full counter;
  mode_scope scope{counter};
  tell_observers({.id = gj::op::mul});
  tell_observers({.id = gj::op::add});
  tell_observers({.id = gj::op::full});
  CHECK(counter.total() == 2);
  CHECK(counter.count(gj::op::mul) == 0);
}

TEST_CASE("observer: ops that it runs go to the modes below, never to itself; both worlds alike") {
  for (bool const eager : {true, false}) {
    words seen;
    auto below = noting(seen, "below:");
    int depth = -1;
    watching_mode mode{[&](gj::op_record const& record) {
      depth = mode_stack::depth();
      CHECK_FALSE(gj::is_inert());
      if (record.id == gj::op::mul) sub(number(1), 2);
    }};
    mode_scope first{below};
    mode_scope second{mode};
    if (eager) mul(number(1), 2);
    else tell_observers({.id = gj::op::mul});
    CHECK(seen == words{"below:sub", "below:mul"});
    CHECK(depth == 1);
  }
}

TEST_CASE("observer: may end its own scope; both worlds alike") {
  for (bool const eager : {true, false}) {
    words seen;
    auto lowest = noting(seen, "lowest:"), below = noting(seen, "below:");
    std::optional<mode_scope<decltype(below)&>> ended;
    std::optional<mode_scope<gj::observer_mode&>> own;
    watching_mode mode{[&](gj::op_record const&) {
      own.reset();
      ended.reset();
    }};
    mode_scope scope{lowest};
    ended.emplace(below);
    own.emplace(mode);
    if (eager) mul(number(1), 2);
    else tell_observers({.id = gj::op::mul});
    CHECK(seen == words{"lowest:mul"});
    CHECK(mode_stack::depth() == 1);
  }
}

TEST_CASE("observer: scopes that it makes or ends count from the next op on; both worlds alike") {
  for (bool const eager : {true, false}) {
    words seen;
    auto below = noting(seen, "below:"), leaked = noting(seen, "leaked:");
    std::optional<mode_scope<decltype(leaked)&>> kept;
    std::optional<mode_scope<decltype(below)&>> ended;
    watching_mode mode{[&](gj::op_record const&) {
      kept.emplace(leaked);
      ended.reset();
    }};
    event_list events;
    gj::subscription heard{events};
    ended.emplace(below);
    mode_scope scope{mode};
    if (eager) mul(number(1), 2);
    else tell_observers({.id = gj::op::mul});
    CHECK(seen.empty());
    CHECK(mode_stack::depth() == 1);
    REQUIRE(events.seen.size() == 2);
    CHECK(events.seen[0].find("scope_order: ") == 0);
    CHECK(events.seen[1].find("leaked_scope: ") == 0);
  }
}
