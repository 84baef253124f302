// guardjit: tests/compile/memo.cpp: layouts that come again to a dynamic entry
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <thread>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::counted;
using support::heap_calls_of;
using support::mat;
using support::same_bits;
using support::vec;

namespace {

constexpr auto layer_and_sums = [](auto x, auto w) { return gj::relu(gj::matmul(x, w) - 3) * 2 + gj::sum(x, gj::axes(1), gj::keepdims); };
constexpr auto twice = [](auto x) { return x * 2; };

/// Calls with (m, 3) times (3, n) give what a function gives that keeps nothing.
void check_calls(auto const& g, index_t m, index_t n) {
  auto const x = mat(m, 3, static_cast<double>(m)), w = mat(3, n, -static_cast<double>(n));
  auto const expected = gj::compile(layer_and_sums, gj::recompile_limit{0})(x, w);
  auto out = mat(m, n);
  g.into(out, x, w);
  CHECK(same_bits(out, expected));
  CHECK(same_bits(g(x, w), expected));
}

}  // namespace

TEST_CASE("calls of a dynamic entry give the same whether their layouts were there lately or not") {
  auto const g = gj::compile(layer_and_sums, gj::dynamic::all);
  for (int round = 0; round < 3; ++round)
    for (index_t m = 1; m < 8; ++m)
      for (index_t n = 0; n < 6; ++n) check_calls(g, m, n);
  for (int round = 0; round < 3; ++round) check_calls(g, 4, 5);
  auto const x = mat(4, 3), w = mat(3, 5);
  CHECK(g.find(x, w) == g.entries().back().id);
}

TEST_CASE("an entry that is added later serves its own calls, and clear forgets what was kept") {
  auto const g = gj::compile(twice);
  auto const one = vec(4), other = vec(5), third = vec(6);
  auto y = vec(6);
  for (auto const& x : {one, other, third, third}) g(x);
  CHECK(g.compiles() == 2);
  auto const spread = counted(tensor<float, dyn>(12));
  auto const stepped = support::viewed(spread, 0, {6}, {2});
  CHECK(same_bits(g(stepped), counted(vec(6), 2, 4)));
  CHECK(same_bits(g(stepped), counted(vec(6), 2, 4)));
  int const compiled = g.compiles();
  g.into(y, third);
  CHECK(same_bits(y, counted(vec(6), 2, 2)));
  CHECK(g.compiles() == compiled);
  g.clear();
  CHECK(g.find(third).empty());
  g.into(y, third);
  CHECK(g.compiles() == 1);
  CHECK(same_bits(y, counted(vec(6), 2, 2)));
}

TEST_CASE("plans that a thread kept of one table serve no other, in the same place neither") {
  auto const x = vec(4);
  auto const check = [&x](auto f, double factor) {
    for (int table = 0; table < 16; ++table) {  // as many as there are places
      auto const g = gj::compile(f, gj::dynamic::all);
      for (int call = 0; call < 3; ++call) CHECK(same_bits(g(x), counted(vec(4), factor, factor)));
    }
  };
  check(twice, 2);
  check([](auto v) { return v * 3; }, 3);
}

TEST_CASE("POL-12: an output over the argument of a call that was kept") {
  auto const g = gj::compile(twice, gj::dynamic::all);
  auto memory = counted(tensor<float, dyn>(128));
  auto x = support::viewed(memory, 8, {50}, {1});
  auto y = vec(50);
  for (int call = 0; call < 3; ++call) g.into(y, x);
  auto const expected = y.clone();
  for (index_t shift : {-3, 0, 1, 9}) {
    counted(memory);
    auto over = support::viewed(memory, 8 + shift, {50}, {1});
    g.into(over, x);
    CHECK(same_bits(over.clone(), expected));
  }
  auto stepped = support::viewed(counted(tensor<float, dyn>(100)), 0, {50}, {2});
  counted(memory);
  g.into(stepped, x);
  CHECK(same_bits(stepped.clone(), expected));
}

TEST_CASE("G143: with a workspace of the caller a thread never allocates, whatever it kept") {
  auto const g = gj::compile(twice, gj::dynamic::all);
  g(vec(4));
  long calls = -1;
  bool right = false;
  std::thread([&] {
    auto const x = vec(7), longer = vec(9);
    auto y = vec(7), z = vec(9);
    alignas(64) std::byte memory[64];
    std::span<std::byte> const workspace(memory);
    calls = heap_calls_of([&] {
      for (int k = 0; k < 3; ++k) {
        g.into(y, x, workspace);
        g.into(z, longer, workspace);
      }
    });
    right = same_bits(y, counted(vec(7), 2, 2)) && same_bits(z, counted(vec(9), 2, 2));
    g.into(y, x);
    calls += heap_calls_of([&] {
      g.into(y, x);
      g.into(y, x, workspace);
    });
  }).join();
  CHECK(calls == 0);
  CHECK(right);
}

TEST_CASE("a handler that calls the function again does not take the plan of the outer call") {
  auto const g = gj::compile(layer_and_sums, gj::dynamic::all);
  auto const x = mat(4, 3), w = mat(3, 5);
  auto const expected = g(x, w);
  // Takes the places of all plans that this thread keeps.
  struct calling : gj::observer_mode {
    decltype(g)& function;
    explicit calling(decltype(g)& f) : function(f) {}
    void observe(gj::op_record const&) override {
      for (index_t m = 5; m < 40; ++m) function(mat(m, 3), mat(3, 2));
    }
  };
  calling mode(g);
  {
    gj::mode_scope const scope(mode);
    CHECK(same_bits(g(x, w), expected));
  }
  CHECK(same_bits(g(x, w), expected));
}
