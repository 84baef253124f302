// guardjit: tests/conformance/modes/stack.cpp: cases of the mode stack and of dispatch
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/op_counter.hpp>
#include <guardjit/modes/stash_modes.hpp>

#include <doctest/doctest.h>

#include "modes/fake_ops.hpp"
#include "support/allocation_counter.hpp"
#include <optional>
#include <type_traits>

using namespace fake;
using gj::mode_scope;
using gj::mode_stack;
using support::heap_calls;

TEST_CASE("MODE-001: the last mode pushed handles first") {
  words seen;
  log_mode first(seen, "1"), second(seen, "2");
  mode_scope a{first};
  mode_scope b{second};
  auto const x = fake::zeros();
  CHECK(seen == words{"2", "1"});
  CHECK(value_of(x) == 0);
}

TEST_CASE("MODE-002: one object entered twice is told twice") {
  words seen;
  log_mode log(seen);
  {
    mode_scope outer{log};
    {
      mode_scope inner{log};
      CHECK(mode_stack::depth() == 2);
      add(number(1), number(2));
      CHECK(seen == words{"add", "add"});
    }
    CHECK(mode_stack::depth() == 1);
  }
  CHECK(mode_stack::depth() == 0);
}

TEST_CASE("MODE-006: an exception of a handler reaches the caller, and the stack is as before") {
  struct thrown {};
  bool throws = true;
  handler_mode mode{[&](gj::op_call& call) -> gj::op_result {
    if (throws) throw thrown{};
    return call();
  }};
  {
    mode_scope scope{mode};
    CHECK_THROWS_AS(add(number(1), number(2)), thrown);
    CHECK(mode_stack::depth() == 1);
    throws = false;
    CHECK(value_of(add(number(1), number(2))) == 3);
  }
  throws = true;
  CHECK_THROWS_AS(([&] {
                    mode_scope scope{mode};
                    add(number(1), number(2));
                  }()),
                  thrown);
  CHECK(mode_stack::depth() == 0);
  CHECK(value_of(add(number(1), number(2))) == 3);
}

TEST_CASE("MODE-007: a mode object does nothing before its scope and after it") {
  words seen;
  log_mode log(seen);
  add(number(1), number(2));
  CHECK(seen.empty());
  {
    mode_scope scope{log};
    add(number(1), number(2));
  }
  add(number(1), number(2));
  CHECK(seen == words{"add"});
}

namespace {
/// Enters itself for a second op.
struct enters_itself : gj::function_mode {
  words* seen;
  explicit enters_itself(words& list) : seen(&list) {}
  gj::op_result handle(gj::op_call& call) override {
    seen->push_back(gj::name_of(call.op()));
    if (call.op() == gj::op::sub) {
      mode_scope again{*this};
      add(call.arg(0), call.arg(1));
    }
    return call();
  }
};
}  // namespace

TEST_CASE("MODE-008: a handler that enters itself is told of the ops inside") {
  words seen;
  enters_itself mode(seen);
  mode_scope scope{mode};
  CHECK(value_of(sub(number(5), number(3))) == 2);
  CHECK(seen == words{"sub", "add"});
}

TEST_CASE("MODE-009: reading the stack changes nothing and allocates nothing") {
  words seen;
  log_mode a(seen, "a"), b(seen, "b"), c(seen, "c");
  CHECK(mode_stack::depth() == 0);
  CHECK(mode_stack::top() == nullptr);
  {
    mode_scope first{a};
    mode_scope second{b};
    mode_scope third{c};
    CHECK(mode_stack::top() == &c);
    CHECK(&mode_stack::at(0) == &a);
    long const before = heap_calls;
    int found = 0;
    for (int k = 0; k < 1000; ++k) {
      found += mode_stack::depth() == 3 && mode_stack::active() && mode_stack::enabled();
      found += mode_stack::top() == &c && &mode_stack::at(1) == &b;
    }
    CHECK(heap_calls == before);
    CHECK(found == 2000);
  }
  CHECK(mode_stack::depth() == 0);
  CHECK(mode_stack::top() == nullptr);
}

TEST_CASE("MODE-010: a handler sees the slots below its own") {
  int in_a = -1, in_b = -1;
  handler_mode a{[&](gj::op_call& call) { return in_a = mode_stack::depth(), call(); }};
  handler_mode b{[&](gj::op_call& call) { return in_b = mode_stack::depth(), call(); }};
  mode_scope first{a};
  mode_scope second{b};
  add(number(1), number(2));
  CHECK(in_b == 1);
  CHECK(in_a == 0);
  CHECK(mode_stack::depth() == 2);
}

TEST_CASE("MODE-012: with dispatch disabled a mode stays on the stack and sees nothing") {
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  {
    gj::dispatch_disabled off;
    CHECK(value_of(add(number(1), number(2))) == 3);
    CHECK(mode_stack::depth() == 1);
    CHECK_FALSE(mode_stack::enabled());
    CHECK_FALSE(mode_stack::active());
  }
  CHECK(seen.empty());
  CHECK(mode_stack::enabled());
  CHECK(mode_stack::active());
}

TEST_CASE(
    "MODE-013: dispatch_enabled wins inside dispatch_disabled, and each restores what it found") {
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  {
    gj::dispatch_disabled off;
    {
      gj::dispatch_enabled on;
      add(number(1), number(2));
      CHECK(seen == words{"add"});
    }
    mul(number(1), number(2));
    CHECK(seen == words{"add"});
  }
  sub(number(1), number(2));
  CHECK(seen == words{"add", "sub"});
}

TEST_CASE("MODE-015: a scope that a handler leaves behind is unlinked, once and for all") {
  words seen;
  log_mode leaked(seen, "leaked"), below(seen, "below");
  std::optional<mode_scope<log_mode&>> kept;
  handler_mode leaky{[&](gj::op_call& call) {
    kept.emplace(leaked);
    return call();
  }};
  event_list events;
  gj::subscription heard{events};
  mode_scope first{below};
  {
    mode_scope second{leaky};
    add(number(1), number(2));
    CHECK(mode_stack::depth() == 2);
    REQUIRE(events.seen.size() == 1);
    CHECK(events.seen[0] == "leaked_scope: fake::log_mode");
    CHECK(events.texts[0].find("handler_mode") != std::string::npos);
  }
  CHECK(seen == words{"leaked", "below"});
  kept.reset();
  CHECK(mode_stack::depth() == 1);
  CHECK(mode_stack::top() == &below);
  CHECK(events.seen.size() == 1);
  add(number(1), number(2));
  CHECK(seen == words{"leaked", "below", "below"});
}

TEST_CASE("MODE-016: at(i) above the top throws and changes nothing") {
  CHECK_THROWS_AS(mode_stack::at(0), gj::mode_error);
  CHECK(mode_stack::depth() == 0);
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  CHECK_THROWS_WITH(mode_stack::at(1), "guardjit: mode_stack::at(index): index 1, depth 1");
  CHECK_THROWS_AS(mode_stack::at(-1), gj::mode_error);
  CHECK(mode_stack::depth() == 1);
}

namespace {
struct lower_mode : log_mode {
  using log_mode::log_mode;
};
struct upper_mode : log_mode {
  using log_mode::log_mode;
};
}  // namespace

TEST_CASE("MODE-018: a scope that ends below another removes its own slot") {
  words seen;
  lower_mode a(seen, "a");
  upper_mode b(seen, "b");
  event_list events;
  gj::subscription heard{events};
  std::optional<mode_scope<lower_mode&>> lower;
  std::optional<mode_scope<upper_mode&>> upper;
  lower.emplace(a);
  upper.emplace(b);
  lower.reset();
  REQUIRE(events.seen.size() == 1);
  CHECK(events.seen[0].find("scope_order: ") == 0);
  CHECK(events.texts[0].find("lower_mode") != std::string::npos);
  CHECK(events.texts[0].find("upper_mode") != std::string::npos);
  CHECK(mode_stack::depth() == 1);
  add(number(1), number(2));
  CHECK(seen == words{"b"});
  upper.reset();
  CHECK(mode_stack::depth() == 0);
  CHECK(gj::current_word() == 0);
  CHECK(events.seen.size() == 1);
}

namespace {
struct wants_add : log_mode {
  static constexpr gj::op_set interests = {gj::op::add};
  using log_mode::log_mode;
};
}  // namespace

TEST_CASE("MODE-024: ops outside of a mode's interests pass it by") {
  words seen;
  wants_add mode(seen);
  mode_scope scope{mode};
  CHECK(value_of(add(mul(number(2), number(3)), number(1))) == 7);
  CHECK(seen == words{"add"});
}

TEST_CASE("MODE-025: push and pop of scopes allocate nothing") {
  gj::op_counter counter;
  long const before = heap_calls;
  int depth = 0;
  for (int k = 0; k < 100; ++k) {
    mode_scope a{counter};
    mode_scope b{counter};
    mode_scope c{counter};
    mode_scope d{counter};
    mode_scope e{counter};
    mode_scope f{counter};
    mode_scope g{counter};
    mode_scope h{counter};
    depth += mode_stack::depth();
  }
  CHECK(heap_calls == before);
  CHECK(depth == 800);
}

TEST_CASE("MODE-026: scopes are neither copyable nor movable") {
  auto const stays = []<class... Scopes>(std::type_identity<Scopes>...) {
    return ((!std::is_copy_constructible_v<Scopes> && !std::is_move_constructible_v<Scopes> &&
             !std::is_copy_assignable_v<Scopes> && !std::is_move_assignable_v<Scopes>)&&...);
  };
  // The same is a static_assert in tests/static/modes/scopes.cpp.
  CHECK(stays(std::type_identity<mode_scope<log_mode&>>{},
              std::type_identity<mode_scope<gj::op_counter>>{},
              std::type_identity<gj::stash_modes>{}, std::type_identity<gj::reinstate_modes>{},
              std::type_identity<gj::dispatch_disabled>{},
              std::type_identity<gj::dispatch_enabled>{}, std::type_identity<gj::inert_scope>{}));
}

TEST_CASE(
    "MODE-080: stash_modes empties the stack, reinstate_modes shows it, an exception leaves both") {
  words seen;
  log_mode a(seen, "a"), b(seen, "b");
  mode_scope first{a};
  mode_scope second{b};
  auto const inside = [&] {
    gj::stash_modes stash;
    CHECK(mode_stack::depth() == 0);
    add(number(1), number(2));
    CHECK(seen.empty());
    gj::reinstate_modes back{stash};
    CHECK(mode_stack::depth() == 2);
    add(number(1), number(2));
    CHECK(seen == words{"b", "a"});
    throw 1;
  };
  CHECK_THROWS_AS(inside(), int);
  CHECK(mode_stack::depth() == 2);
  CHECK(mode_stack::top() == &b);
}
