// guardjit: tests/conformance/guards/layouts.cpp: cases of strides, static types, views and overlapping memory
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/expr/composite/transpose.hpp>

#include <doctest/doctest.h>

#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::has_kind;
using fixtures::plain;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::counted;
using support::elements;
using support::mat;
using support::transposed;
using support::vec;
using support::viewed;

namespace {

struct scaled {
  constexpr auto operator()(auto x) const { return x * 2 + 1; }
};

/// Whether `y` is 2 x + 1.
template <class X, class Y> bool is_scaled(X const& x, Y const& y) {
  X expected = x.clone();
  for (index_t k = 0; k < expected.size(); ++k) expected.data()[k] = expected.data()[k] * 2 + 1;
  return support::same_bits(expected, y);
}

}  // namespace

TEST_CASE("GRD-016: what static types prove is not guarded") {
  auto const g = gj::compile(scaled{}, plain);
  auto const x = counted(tensor<float, 3, 4>());
  CHECK(is_scaled(x, g(x)));
  auto const entries = g.entries();
  REQUIRE(entries.size() == 1);
  CHECK_FALSE(has_kind(entries[0].guards, gj::guard_kind::extent_is));
  CHECK_FALSE(has_kind(entries[0].guards, gj::guard_kind::extents_equal));
  CHECK(entries[0].guards.size() <= 1);  // the layout
  CHECK(is_scaled(x, g(x)));
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-017: pitches of one class of layout") {
  auto const g = gj::compile(scaled{}, plain);
  auto const pool = mat(4, 40);
  int hits = 0;
  for (index_t pitch : {16, 24, 32, 40}) {
    auto const x = viewed(pool, 0, {4, 8}, {pitch, 1});
    hits += g.find(x).empty() ? 0 : 1;
    CHECK(is_scaled(x, g(x)));
  }
  CHECK(g.compiles() <= 2);
  CHECK(hits >= 2);
  CHECK_FALSE(g.find(viewed(pool, 0, {4, 8}, {36, 1})).empty());

  // An entry of open extents assumes a class, too.
  auto const h = gj::compile(scaled{}, plain);
  for (index_t rows : {4, 3}) h(viewed(pool, 0, {rows, 8}, {16, 1}));
  CHECK_FALSE(h.find(viewed(pool, 0, {2, 8}, {24, 1})).empty());
}

TEST_CASE("GRD-018: layouts of every kind through one function, and again") {
  auto const g = gj::compile(scaled{}, plain);
  auto const run = [&g] {
    for (support::how l : {support::how::contiguous, support::how::transposed, support::how::reversed,
                           support::how::every_second, support::how::expanded, support::how::shifted}) {
      CAPTURE(support::name_of(l));
      auto const x = support::laid_out<float, dyn, dyn>(l, {3, 4});
      CHECK(is_scaled(x, g(x)));
    }
  };
  run();
  int const compiles = g.compiles();
  run();
  CHECK(g.compiles() == compiles);
}

TEST_CASE("GRD-019: strides of extents 1 do not matter") {
  auto const g = gj::compile(scaled{}, plain);
  auto const x = counted(tensor<float, dyn, dyn, dyn, dyn>(192, 1, 128, 1));
  CHECK(is_scaled(x, g(x)));
  auto const odd = viewed(x, 0, {192, 1, 128, 1}, {128, 7, 1, 1000});
  CHECK(g.find(odd) == g.find(x));
  CHECK(is_scaled(odd, g(odd)));
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-020: strides of an empty tensor do not matter") {
  auto const g = gj::compile(scaled{}, plain);
  tensor<float, dyn, dyn> const x(0, 4);
  CHECK(g(x).shape() == gj::shape{0, 4});
  auto const odd = viewed(x, 0, {0, 4}, {9, 3});
  CHECK(g.find(odd) == g.find(x));
  CHECK(g(odd).shape() == gj::shape{0, 4});
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-055: a result that is a view of an argument shares its storage") {
  auto const g = gj::compile([](auto x) { return gj::transpose(x); }, plain);
  auto x = mat(2, 3);
  for (int k = 0; k < 2; ++k) {  // made, then hit
    auto const y = g(x);
    CHECK(y.storage() == x.storage());
    CHECK(y.shape() == gj::shape{3, 2});
    x(1, 2) = static_cast<float>(100 + k);
    CHECK(y(2, 1) == static_cast<float>(100 + k));
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-058: another stride is a miss that names it, equal strides are a hit") {
  auto const g = gj::compile(scaled{}, plain);
  auto const x = mat(4, 5);
  g(x);
  auto const y = transposed(mat(5, 4));
  auto const report = g.explain_miss(y);
  REQUIRE(report.entries.size() == 1);
  REQUIRE(report.entries[0].failures.size() == 1);
  gj::guard_failure const failure = report.entries[0].failures[0];
  CHECK(failure.argument == 0);
  CHECK(failure.dim == 1);
  CHECK(failure.expected == 1);
  CHECK(failure.actual == 4);
  CHECK(report.entries[0].reasons[0] == "arg[0].stride(1): expected 1, got 4");
  CHECK(is_scaled(y, g(y)));
  CHECK(g.compiles() == 2);

  auto const pool = mat(9, 5);
  auto const part = viewed(pool, 10, {4, 5}, {5, 1});
  CHECK_FALSE(g.find(part).empty());
  CHECK(is_scaled(part, g(part)));
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-064: another buffer or storage offset is a hit") {
  auto const g = gj::compile(scaled{}, plain);
  auto const pool = vec(64);
  g(viewed(pool, 0, {16}, {1}));
  CHECK_FALSE(g.find(vec(16)).empty());
  auto const later = viewed(pool, 32, {16}, {1});
  CHECK_FALSE(g.find(later).empty());
  CHECK(is_scaled(later, g(later)));
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-073: read-only arguments may be one tensor") {
  auto const g = gj::compile([](auto x, auto y, auto z) { return x * y + z; }, plain);
  auto const x = vec(3), y = vec(3, 2), z = vec(3, 3);
  CHECK(elements(g(x, y, z)) == floats{5, 10, 17});
  CHECK(elements(g(x, x, z)) == floats{4, 8, 14});
  CHECK(elements(g(x, y, x)) == floats{3, 8, 15});
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-077: tensors without elements are disjoint, whatever their address") {
  float memory[4]{};
  gj::any_layout const empty(gj::shape{0, 4}), full(gj::shape{4});
  CHECK(gj::overlap_of({memory, empty.view(), 4}, {memory, empty.view(), 4}) == gj::overlap::disjoint);
  CHECK(gj::overlap_of({memory, empty.view(), 4}, {memory, full.view(), 4}) == gj::overlap::disjoint);
  CHECK(gj::overlap_of({memory, full.view(), 4}, {memory, full.view(), 4}) == gj::overlap::same_view);

  auto const g = gj::compile(scaled{}, plain);
  tensor<float, dyn, dyn> x(0, 4);
  g.into(x, x);
  g.into(x, tensor<float, dyn, dyn>(0, 4));
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-078: an output whose elements share memory is refused") {
  auto const g = gj::compile(scaled{}, plain);
  auto memory = vec(3, 7);
  auto out = viewed(tensor<float, dyn, dyn>::adopt(memory.storage(), memory.data(), gj::layout<2>({1, 3}, {3, 1})), 0,
                    {2, 3}, {0, 1});
  CHECK_THROWS_AS(g.into(out, mat(2, 3)), gj::overlap_error);
  CHECK(elements(memory) == floats{7, 8, 9});
  auto const in_out = gj::compile([](auto& x) { x = x + 1; }, plain);
  for (int k = 0; k < 2; ++k) CHECK_THROWS_AS(in_out(out), gj::overlap_error);
  CHECK(elements(memory) == floats{7, 8, 9});

  // What an output is refused for is found before an entry is made.
  auto other = mat(3, 2);
  CHECK_THROWS_AS(g.into(other, mat(2, 3)), gj::shape_error);
  CHECK(g.compiles() == 0);
  CHECK(g.entries().empty());
}

TEST_CASE("GRD-079: a check that stopped early leaves nothing behind") {
  auto const g = gj::compile([](auto x, auto y) { return x * y; }, plain, gj::dynamic::none);
  auto const x = mat(2, 3);
  CHECK(g.find(x, x).empty());
  g(x, x);
  for (int k = 0; k < 3; ++k) {
    CHECK(g.find(mat(5, 3), mat(5, 3)).empty());
    CHECK_FALSE(g.find(x, x).empty());
    CHECK(g(x, x)(1, 2) == 36);
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("G42: an output that meets an argument is the reason of the recompile") {
  std::vector<std::string> told;
  gj::subscription const s{[&told](gj::event const& e) {
    if (e.kind == gj::event_kind::guard_failure) told.emplace_back(e.text);
  }};
  auto const g = gj::compile([](auto x, auto y) { return x * y; }, plain, gj::name<"g">);
  auto x = vec(5), y = vec(5);
  g.into(x, y, y);
  CHECK(told.empty());
  g.into(x, y, x);
  auto front = viewed(x, 0, {4}, {1}), back = viewed(x, 1, {4}, {1});
  g.into(back, front, vec(4));
  CHECK(told == std::vector<std::string>{"g/0: output and arg[1]: expected disjoint, got the same view",
                                         "g/0: arg[0].extent(0): expected 5, got 4",
                                         "g/1: arg[0].extent(0): expected 5, got 4"});
  told.clear();
  g.into(x, vec(5), y);
  CHECK(told.empty());
  CHECK(g.compiles() == 3);
  g.into(x, x, y);
  REQUIRE(told.size() == 3);
  CHECK(told[0] == "g/0: output and arg[0]: expected disjoint, got the same view");
  CHECK(told[1] == "g/1: output and arg[0]: expected disjoint, got the same view");

  // An entry for outputs in an argument serves no other calls.
  g.clear();
  g.into(x, x, y);
  g(x, y);
  CHECK(g.compiles() == 2);
}

TEST_CASE("outputs that overlap an argument are written as if the right side came first") {
  auto const g = gj::compile([](auto x) { return x + gj::transpose(x); }, plain);
  auto x = mat(3, 3);
  g.into(x, x);
  CHECK(elements(x) == floats{2, 6, 10, 6, 10, 14, 10, 14, 18});

  auto const h = gj::compile(scaled{}, plain);
  auto pool = vec(6);
  auto front = viewed(pool, 0, {5}, {1}), back = viewed(pool, 1, {5}, {1});
  h.into(back, front);
  CHECK(elements(pool) == floats{1, 3, 5, 7, 9, 11});
  auto upward = vec(5);
  auto downward = viewed(upward, 4, {5}, {-1});
  h.into(downward, upward);
  CHECK(elements(upward) == floats{11, 9, 7, 5, 3});

  // Windows of columns of one matrix do not overlap.
  auto wide = mat(3, 8);
  auto left = viewed(wide, 0, {3, 4}, {8, 1}), right = viewed(wide, 4, {3, 4}, {8, 1});
  auto const expected = elements(right);
  h.into(left, right);
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(elements(left)[k] == expected[k] * 2 + 1);
  CHECK(elements(right) == expected);
}

TEST_CASE("outputs of every layout") {
  auto const g = gj::compile(scaled{}, plain);
  auto const x = mat(3, 4);
  for (support::how l : support::all_layouts) {
    if (l == support::how::expanded) continue;
    CAPTURE(support::name_of(l));
    for (int k = 0; k < 2; ++k) {
      auto out = support::laid_out<float, dyn, dyn>(l, {3, 4}, -9, 0);
      g.into(out, x);
      CHECK(is_scaled(x, out));
    }
  }
  auto wrong = mat(4, 3);
  CHECK_THROWS_WITH_AS(g.into(wrong, x), doctest::Contains("expected (3, 4), got (4, 3)"), gj::shape_error);
  CHECK(elements(wrong) == elements(mat(4, 3)));
}
