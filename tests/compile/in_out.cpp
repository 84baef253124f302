// guardjit: tests/compile/in_out.cpp: arguments that a function assigns to: what is written, and when
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>
#include <guardjit/graph/print.hpp>

#include <doctest/doctest.h>

#include <string>

#include "compile/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::plain;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::heap_calls_of;
using support::mat;
using support::vec;
using support::viewed;

namespace {

using floats = std::vector<float>;
using matrix = tensor<float, dyn, dyn>;

struct state_update {
  constexpr auto operator()(auto& state, auto x) const {
    state = state * 0.5f + x;
    return gj::sum(state);
  }
};

}  // namespace

TEST_CASE("in-out: a state is updated in place, and a hit allocates nothing") {
  auto const g = gj::compile(state_update{}, plain);
  auto s = vec(3);
  auto const x = vec(3);
  float const* const memory = s.data();
  CHECK(g(s, x)() == 9);
  CHECK(elements(s) == floats{1.5f, 3, 4.5f});
  CHECK(g(s, x)() == 10.5f);
  CHECK(elements(s) == floats{1.75f, 3.5f, 5.25f});
  CHECK(s.data() == memory);
  CHECK(g.compiles() == 1);
  CHECK(g.find(s, x) == g.entries()[0].id);
  CHECK(gj::to_text(g.graph(s, x)).find("sum") != std::string::npos);
  tensor<float> sum;
  CHECK(heap_calls_of([&] { g.into(sum, s, x); }) == 0);
  CHECK(sum() == 11.25f);
  CHECK(elements(s) == floats{1.875f, 3.75f, 5.625f});
  auto warm = vec(2);
  g(warm, vec(2));
  g.into(sum, warm, vec(2));  // the thread's memo of plans
  for (int n = 3; n < 20; ++n) {
    auto other = vec(n);
    auto const with = vec(n, 2);
    g(other, with);
    CHECK(other(n - 1) == static_cast<float>(n) * 1.5f + 1);
    CHECK(heap_calls_of([&] { g.into(sum, other, with); }) == 0);
    CHECK(other(0) == 3.25f);
  }
  CHECK(g.compiles() == 2);
}

TEST_CASE("in-out: the right side comes first in whatever lies in the same memory") {
  auto const g = gj::compile(state_update{}, plain);
  auto pool = vec(8);
  auto s = viewed(pool, 0, {4}, {1});
  auto const behind = viewed(pool, 1, {4}, {1});
  CHECK(g(s, behind)() == 19);  // 1.5 4 5.5 7 + …
  CHECK(elements(pool) == floats{2.5f, 4, 5.5f, 7, 5, 6, 7, 8});
  CHECK(g(s, s)() == 28.5f);
  CHECK(elements(s) == floats{3.75f, 6, 8.25f, 10.5f});
  auto spread = viewed(pool, 0, {4}, {2});
  CHECK(g(spread, vec(4))() == 10 + (3.75f + 8.25f + 5 + 7) / 2);
  CHECK(elements(pool) == floats{2.875f, 6, 6.125f, 10.5f, 5.5f, 6, 7.5f, 8});
  tensor<float> sum;
  CHECK(heap_calls_of([&] { g.into(sum, s, s); }) == 0);
}

TEST_CASE("in-out: an argument that is read until the end is written then") {
  // A product whose epilogue reads the weight; a row kernel; a view of the argument itself.
  auto const step = gj::compile([](auto& w, auto x) { w = w - gj::matmul(w, x) * 2; });
  auto w = mat(2, 2);
  step(w, mat(2, 2));
  CHECK(elements(w) == floats{1 - 14, 2 - 20, 3 - 30, 4 - 44});
  auto const normal = gj::compile([](auto& x) { x = gj::softmax(x, 1) * 4; });
  matrix rows = mat(3, 2) * 0 + 1;
  normal(rows);
  normal(rows);
  CHECK(elements(rows) == floats(6, 2));
  auto const turn = gj::compile([](auto& x) {
    auto const old = x;
    x = gj::transpose(x);
    return old;
  });
  auto x = mat(2, 2);
  CHECK(elements(turn(x)) == floats{1, 2, 3, 4});
  CHECK(elements(x) == floats{1, 3, 2, 4});
  auto const last = turn(x);
  CHECK(elements(x) == floats{1, 2, 3, 4});
  CHECK(elements(last) == floats{1, 3, 2, 4});
  CHECK(turn.compiles() == 1);
}

TEST_CASE("in-out: several arguments, and a function that returns nothing") {
  auto const g = gj::compile([](auto& a, auto& b, auto x) {
    a = a + x;
    b = a * b;
    auto unchanged = x;
    unchanged = unchanged + 1;
  }, plain);
  auto a = vec(2), b = vec(2, 3);
  auto const x = vec(2);
  static_assert(std::is_void_v<decltype(g(a, b, x))>);
  g(a, b, x);
  CHECK(elements(a) == floats{2, 4});
  CHECK(elements(b) == floats{6, 16});
  CHECK(elements(x) == floats{1, 2});
  alignas(64) std::byte room[256];
  REQUIRE(g.workspace_bytes(a, b, x) <= 256);
  CHECK(heap_calls_of([&] { g.into(std::tie(), a, b, x, std::span<std::byte>(room)); }) == 0);
  CHECK(elements(b) == floats{18, 96});

  auto const exchange = gj::compile([](auto& p, auto& q) { std::swap(p, q); }, plain);
  exchange(a, b);
  CHECK(elements(a) == floats{18, 96});
  CHECK(elements(b) == floats{3, 6});
  exchange(a, b);
  CHECK(elements(b) == floats{18, 96});
  REQUIRE(exchange.workspace_bytes(a, b) <= 256);
  exchange.into(std::tie(), a, b, std::span<std::byte>(room));
  CHECK(elements(b) == floats{3, 6});

  auto const same = gj::compile([](auto& p, auto& q, auto y) {
    p = y * 2;
    q = p;
    return p;
  }, plain);
  auto const r = same(a, b, x);
  a(0) = 9;
  CHECK(elements(b) == floats{2, 4});
  CHECK(elements(r) == floats{2, 4});
  CHECK(elements(a) == floats{9, 4});
}

TEST_CASE("in-out: what is returned keeps its value") {
  auto const g = gj::compile([](auto& s, auto x) {
    auto const before = s;
    s = s + 1;
    return std::tuple(before, gj::transpose(x), s);
  }, plain);
  auto s = mat(2, 2);
  auto x = mat(2, 2, 5);
  auto const [before, view, now] = g(s, x);
  CHECK(elements(before) == floats{1, 2, 3, 4});
  CHECK(elements(now) == floats{2, 3, 4, 5});
  CHECK(before.data() != s.data());
  CHECK(now.data() != s.data());
  CHECK(std::as_const(view).data() == std::as_const(x).data());  // still a view
  auto const [old, copy, next] = g(s, s);
  CHECK(elements(old) == floats{2, 3, 4, 5});
  CHECK(elements(copy) == floats{2, 4, 3, 5});
  CHECK(elements(s) == floats{3, 4, 5, 6});
  CHECK(g.compiles() == 2);
}

TEST_CASE("in-out: one set of arguments for all paths; a path that assigns nothing leaves them") {
  auto const g = gj::compile([](auto& a, auto& b, auto n) {
    if (n > 2) a = a + 1;
    else if (n > 1) b = b + 1;
  }, plain);
  auto a = vec(2), b = vec(2);
  for (int n : {3, 2, 1, 3, 2, 1}) g(a, b, n);
  CHECK(elements(a) == floats{3, 4});
  CHECK(elements(b) == floats{3, 4});
  CHECK_THROWS_AS(g(a, a, 1), gj::overlap_error);
  // Reading by reference makes no in-out argument.
  auto const reads = gj::compile([](auto& x) { return x + 1; }, plain);
  CHECK(elements(reads(std::as_const(a) + b)) == floats{7, 9});
}

TEST_CASE("in-out: the shape of what is assigned is that of the argument") {
  auto const g = gj::compile([](auto& out, auto x, auto y) { out = x + y; }, plain, gj::name<"g">);
  auto out = vec(3, 7);
  std::string text;
  try {
    g(out, vec(2), vec(1));
  } catch (gj::shape_error const& e) {
    text = e.what();
  }
  CHECK(text.find("add(a, b): an argument must be assigned a value of its shape: 2 and 3 at axis 0") != std::string::npos);
  CHECK(elements(out) == floats{7, 8, 9});
  CHECK(g.compiles() == 0);
  g(out, vec(3), vec(3));
  CHECK_THROWS_AS(g(out, vec(1), vec(1)), gj::shape_error);
  CHECK(elements(out) == floats{2, 4, 6});
}
