// guardjit: tests/conformance/modes/threads.cpp: cases of state per thread, and of its copies
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

#include "modes/fake_ops.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::device;
using gj::mode_scope;
using gj::mode_stack;
using support::vec;

namespace {

constexpr device plain{}, A{gj::device_kind::cpu, 1};

struct twos_like {
  constexpr auto operator()(auto const& x) const { return gj::zeros<float>(x.extent(0)) + 2; }
};

/// Pure: a sum is twice its left side.
struct doubling : gj::pure_mode<doubling> {
  template <class Call> static constexpr auto handle(Call& call) {
    typename Call::value result = call();
    if (call.op() == gj::op::add) result = call.arg(0) + call.arg(0);
    return result;
  }
};
/// Keyed: scales products.
struct shared_scale final : gj::keyed_mode<shared_scale> {
  float k = 1;
  explicit shared_scale(float by) : k(by) {}
  auto key() const noexcept { return std::tuple{k}; }
  template <class Call> static constexpr auto handle(Call& call) {
    typename Call::value result = call();
    if (call.op() == gj::op::mul) result = result * call.template key<0>();
    return result;
  }
};

/// Told of ops by several threads.
struct shared_count final : gj::observer_mode {
  std::atomic<int> told{0};
  void observe(gj::op_record const&) override { ++told; }
};
/// A runtime mode.
struct audit final : gj::function_mode {
  std::atomic<int> told{0};
  gj::op_result handle(gj::op_call& call) override {
    ++told;
    return call();
  }
};

template <class Body> void in_thread(Body const& body) { std::thread(body).join(); }

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("MODE-030: a default device of one thread is none of another, whose call stays a hit") {
    auto const g = gj::compile(twos_like{});
    auto const x = vec(4);
    g(x);
    gj::set_default_device(A);
    CHECK(gj::zeros<float>({2}).where() == A);
    std::optional<device> there = A;
    device fresh = A, result = A;
    in_thread([&] {
      there = gj::default_device();
      fresh = gj::zeros<float>({2}).where();
      result = g(x).where();
    });
    gj::clear_default_device();
    CHECK_FALSE(there);
    CHECK(fresh == plain);
    CHECK(result == plain);
    CHECK(g.compiles() == 1);
  }

  TEST_CASE("MODE-074: a worker under a thread_state_scope sees what the origin saw, and then nothing") {
    // pytorch#173115
    auto const g = gj::compile(twos_like{});
    auto const counter = std::make_shared<shared_count>();
    auto const second = std::make_shared<shared_count>();
    auto const x = vec(4);
    gj::default_device_scope const on(A);
    mode_scope const lower(counter);
    mode_scope const upper(second);
    device const here = g(x).where();
    int const told_here = counter->told;
    CHECK(here == A);
    CHECK(told_here == 2);
    auto const state = gj::thread_state::current();

    int depth = -1, depth_after = -1, inner = -1;
    bool same_modes = false, own_first = false;
    std::optional<device> there, after = A;
    device result;
    auto const work = [&] {
      {
        gj::thread_state_scope const scope(state);
        depth = mode_stack::depth();
        same_modes = &mode_stack::at(0) == counter.get() && &mode_stack::at(1) == second.get();
        there = gj::default_device();
        result = g(x).where();
        shared_count own;
        mode_scope const more(own);
        gj::zeros<float>({1});
        own_first = own.told == 1;
        inner = mode_stack::depth();
      }
      depth_after = mode_stack::depth();
      after = gj::default_device();
    };
    in_thread(work);
    CHECK(depth == 2);
    CHECK(same_modes);
    CHECK(there == A);
    CHECK(result == A);
    CHECK(own_first);
    CHECK(inner == 3);
    CHECK(depth_after == 0);
    CHECK_FALSE(after);
    CHECK(counter->told == 2 * told_here + 1);
    CHECK(g.compiles() == 1);

    bool off_there = false, on_after = false;
    {
      gj::dispatch_disabled const off;
      auto const disabled = gj::thread_state::current();
      in_thread([&] {
        {
          gj::thread_state_scope const scope(disabled);
          off_there = mode_stack::depth() == 2 && !mode_stack::enabled();
          gj::zeros<float>({1});
        }
        on_after = mode_stack::enabled();
      });
    }
    CHECK(off_there);
    CHECK(on_after);
    CHECK(counter->told == 2 * told_here + 1);
  }

  TEST_CASE("thread_state: pure and keyed modes are copied, and a compiled function hits under the copies") {
    auto const g = gj::compile([](auto const& x) { return (x + 1) * x; },
                               gj::inline_modes<doubling, shared_scale>);
    auto const x = vec(4);
    auto const counter = std::make_shared<shared_count>();
    gj::tensor<float, gj::dyn> here, there, eager;
    int depth = 0;
    {
      std::optional<shared_scale> scaled(std::in_place, 3.0f);
      std::optional<gj::thread_state> state;
      {
        doubling pure;
        mode_scope const lower(pure);
        mode_scope const between(counter);
        mode_scope const upper(*scaled);
        here = g(x);
        CHECK(g.compiles() == 1);
        state.emplace(gj::thread_state::current());
        scaled->k = 100;
      }
      scaled.reset();
      auto const moved = std::move(*state);
      in_thread([&] {
        gj::thread_state_scope const scope(moved);
        depth = mode_stack::depth();
        there = g(x);
        eager = (x + 1) * x;
        auto const again = gj::thread_state::current();  // a copy of a copy
        gj::thread_state_scope const inner(again);
        depth += mode_stack::depth();
      });
    }
    CHECK(here(3) == (4 + 4) * 4 * 3);
    CHECK(depth == 6);
    CHECK(support::same_bits(there, here));
    CHECK(support::same_bits(eager, here));
    CHECK(g.compiles() == 1);
    CHECK(counter.use_count() == 1);
  }

  TEST_CASE("MODE-075: a mode entered by reference cannot be copied, one by shared_ptr is kept alive") {
    audit mode;
    {
      mode_scope const scope(mode);
      CHECK_THROWS_WITH_AS(static_cast<void>(gj::thread_state::current()),
                           doctest::Contains("audit cannot be copied"), gj::mode_error);
      CHECK(mode_stack::depth() == 1);
    }
    auto shared = std::make_shared<audit>();
    std::weak_ptr<audit> const alive = shared;
    {
      std::optional<gj::thread_state> state;
      {
        mode_scope const scope(std::exchange(shared, nullptr));
        state.emplace(gj::thread_state::current());
      }
      CHECK_FALSE(alive.expired());
      auto const& kept = *state;
      in_thread([&kept] {
        gj::thread_state_scope const scope(kept);
        gj::zeros<float>({2});
      });
      CHECK(alive.lock()->told == 1);
    }
    CHECK(alive.expired());
  }

  TEST_CASE("thread_state: several threads at once, of which each ends scopes out of order") {
    auto const counter = std::make_shared<shared_count>();
    mode_scope const scope(counter);
    auto const state = gj::thread_state::current();
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int k = 0; k < 4; ++k)
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          gj::thread_state_scope const under(state);
          shared_count first, second;
          std::optional<mode_scope<shared_count&>> a, b;
          a.emplace(first);
          b.emplace(second);
          a.reset();
          gj::zeros<float>({1});
          right += first.told == 0 && second.told == 1 && mode_stack::depth() == 2;
          b.reset();
        }
      });
    for (auto& t : threads) t.join();
    CHECK(right == 200);
    CHECK(counter->told == 200);
  }
}
