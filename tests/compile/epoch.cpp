// guardjit: tests/compile/epoch.cpp: what is retired is freed when no call can read it any more
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/epoch.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <thread>

namespace gj = guardjit;
using gj::detail::call_epoch, gj::detail::quick_epoch;

namespace {

/// Something that a call may read.
struct shared_thing {
  gj::detail::retirable place;
  bool freed = false;

  void retire() {
    gj::detail::epoch_registry::instance().retire(place, this,
                                                  [](void* what) { static_cast<shared_thing*>(what)->freed = true; });
  }
  bool is_freed() {
    gj::detail::epoch_registry::instance().collect();
    return freed;
  }
};

/// A thread that is in a call as long as it lives.
class calling_thread {
 public:
  /// `enter(stay)` makes an epoch and calls `stay()` in it.
  explicit calling_thread(std::function<void(std::function<void()>)> const& enter)
      : thread_([this, enter] {
          enter([this] {
            inside_ = true;
            while (!ends_) std::this_thread::yield();
          });
          inside_ = true;
        }) {
    while (!inside_) std::this_thread::yield();
  }
  ~calling_thread() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> inside_{false}, ends_{false};
  std::thread thread_;
};

void in_call(std::function<void()> const& stay) {
  call_epoch const epoch;
  stay();
}
void in_outer_call(std::function<void()> const& stay) {
  call_epoch const outer;
  { call_epoch const inner; }
  stay();
}
void in_quick_call(std::function<void()> const& stay) {
  { call_epoch const first; }
  if (!quick_epoch::is_possible()) return in_call(stay);
  quick_epoch const epoch;
  stay();
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("G19: what is retired stays as long as a call that began before is under way") {
    for (auto enter : {in_call, in_outer_call, in_quick_call}) {
      shared_thing thing;
      {
        calling_thread const reader(enter);
        thing.retire();
        CHECK_FALSE(thing.is_freed());
      }
      CHECK(thing.is_freed());
    }
  }

  TEST_CASE("G19: calls that began later do not keep it") {
    shared_thing old, young;
    {
      std::optional<calling_thread> first(in_call);
      old.retire();
      CHECK_FALSE(old.is_freed());
      calling_thread const second(in_quick_call);
      young.retire();
      first.reset();
      CHECK(old.is_freed());
      CHECK_FALSE(young.is_freed());
    }
    CHECK(young.is_freed());
    shared_thing alone;
    alone.retire();
    CHECK(alone.freed);
  }
}
