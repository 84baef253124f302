// guardjit: tests/base/events.cpp: who hears which event, and when a sink is called no more
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/base/events.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace gj = guardjit;
using gj::event;
using gj::event_kind;
using gj::subscription;

namespace {
event named(char const* name) { return {.kind = event_kind::warning, .name = name}; }

int function_calls = 0;
void function_sink(event const&) { ++function_calls; }

struct counting_sink {
  int* calls;
  void operator()(event const&) const { ++*calls; }
};
}  // namespace

TEST_CASE("events: a sink hears what is sent during its subscription, in full") {
  std::vector<event> heard;
  auto sink = [&](event const& e) { heard.push_back(e); };
  gj::send(named("before"));
  CHECK_FALSE(gj::has_subscribers());
  {
    subscription s{sink};
    CHECK(gj::has_subscribers());
    gj::send({.kind = event_kind::recompile,
              .name = "f",
              .reason = "extent",
              .where = {"file", 7},
              .entry = 3});
  }
  CHECK_FALSE(gj::has_subscribers());
  gj::send(named("after"));
  REQUIRE(heard.size() == 1);
  CHECK(heard[0].kind == event_kind::recompile);
  CHECK(heard[0].name == std::string("f"));
  CHECK(heard[0].reason == std::string("extent"));
  CHECK(heard[0].where.line == 7);
  CHECK(heard[0].entry == 3);
}

TEST_CASE("events: a sink is referred to, owned, or a function") {
  int by_reference = 0, owned = 0;
  counting_sink const lvalue{&by_reference};
  function_calls = 0;
  subscription a{lvalue};
  subscription b{counting_sink{&owned}};
  subscription c{function_sink};
  subscription d{&function_sink};
  gj::send(named("x"));
  CHECK(by_reference == 1);
  CHECK(owned == 1);
  CHECK(function_calls == 2);
}

TEST_CASE("events: order of subscription, whoever leaves") {
  std::string order;
  auto first = [&](event const&) { order += '1'; };
  auto second = [&](event const&) { order += '2'; };
  auto third = [&](event const&) { order += '3'; };
  std::optional<subscription<decltype(first)&>> a(std::in_place, first);
  std::optional<subscription<decltype(second)&>> b(std::in_place, second);
  std::optional<subscription<decltype(third)&>> c(std::in_place, third);
  gj::send(named("x"));
  b.reset();
  gj::send(named("x"));
  a.reset();
  b.emplace(second);
  gj::send(named("x"));
  CHECK(order == "1231332");
}

TEST_CASE("events: a sink may end subscriptions, its own too, and make new ones") {
  int calls = 0, others = 0, late = 0;
  auto late_sink = [&](event const&) { ++late; };
  auto other_sink = [&](event const&) { ++others; };
  std::optional<subscription<decltype(other_sink)&>> other;
  std::optional<subscription<decltype(late_sink)&>> made;
  // A referred-to sink: an owned one would end with its subscription, while it runs.
  std::optional<subscription<std::function<void(event const&)>&>> self;
  std::function<void(event const&)> sink = [&](event const&) {
    ++calls;
    other.reset();
    made.emplace(late_sink);
    self.reset();
  };
  self.emplace(sink);
  other.emplace(other_sink);
  gj::send(named("x"));
  CHECK(calls == 1);
  CHECK(others == 0);
  CHECK(late == 0);
  gj::send(named("y"));
  CHECK(calls == 1);
  CHECK(late == 1);
}

TEST_CASE("events: a sink runs inert and does not hear what it sends itself") {
  int heard = 0, inert = 0, other_heard = 0;
  auto sink = [&](event const&) {
    ++heard;
    inert += gj::is_inert();
    gj::send(named("from the sink"));
  };
  auto other = [&](event const&) { ++other_heard; };
  subscription a{sink};
  subscription b{other};
  gj::send(named("x"));
  CHECK(heard == 1);
  CHECK(inert == 1);
  CHECK(other_heard == 2);
  CHECK_FALSE(gj::is_inert());
}

TEST_CASE("events: a sink that throws is dropped after one warning") {
  int throws = 0;
  std::vector<std::string> heard;
  auto bad = [&](event const&) { throw ++throws; };
  auto good = [&](event const& e) { heard.push_back(e.name); };
  subscription a{bad};
  subscription b{good};
  gj::send(named("x"));
  gj::send(named("y"));
  CHECK(throws == 1);
  CHECK(heard == std::vector<std::string>{"subscription", "x", "y"});
}

TEST_SUITE("threads") {
  TEST_CASE("GRD-100: no sink is called once its subscription has ended") {
    struct checked_sink {
      int alive = 1;
      int calls = 0;
      int dead_calls = 0;
      void operator()(event const&) {
        if (__atomic_load_n(&alive, __ATOMIC_RELAXED))
          __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
        else __atomic_fetch_add(&dead_calls, 1, __ATOMIC_RELAXED);
      }
    };
    bool stop = false;
    std::vector<std::thread> senders;
    for (int k = 0; k < 3; ++k)
      senders.emplace_back([&stop] {
        while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) gj::send(named("x"));
      });
    int calls = 0, dead_calls = 0;
    for (int k = 0; k < 300; ++k) {
      checked_sink sink;
      {
        subscription s{sink};
        while (__atomic_load_n(&sink.calls, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
      }
      __atomic_store_n(&sink.alive, 0, __ATOMIC_RELAXED);
      if (k % 10 == 0) std::this_thread::yield();
      calls += sink.calls;
      dead_calls += sink.dead_calls;
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (auto& sender : senders) sender.join();
    CHECK(calls >= 300);
    CHECK(dead_calls == 0);
  }

  TEST_CASE("events: the end of a subscription waits for a sink that runs in another thread") {
    bool entered = false, leave = false, left = false;
    auto slow = [&](event const&) {
      __atomic_store_n(&entered, true, __ATOMIC_RELEASE);
      while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE)) std::this_thread::yield();
      left = true;  // read below without synchronisation but that of the destructor
    };
    std::optional<subscription<decltype(slow)&>> s(std::in_place, slow);
    std::thread sender([] { gj::send(named("x")); });
    while (!__atomic_load_n(&entered, __ATOMIC_ACQUIRE)) std::this_thread::yield();
    std::thread helper([&] { __atomic_store_n(&leave, true, __ATOMIC_RELEASE); });
    s.reset();
    CHECK(left);
    sender.join();
    helper.join();
  }
}
