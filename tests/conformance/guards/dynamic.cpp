// guardjit: tests/conformance/guards/dynamic.cpp: cases of automatic dynamic extents
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

#include "conformance/guards/fixtures.hpp"
#include "support/bare_cache.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::plain;
using fixtures::product;
using fixtures::twice;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::elements;
using support::mat;
using support::vec;

namespace {

struct sum_of_two {
  constexpr auto operator()(auto x, auto y) const { return x + y; }
};

/// Values of the product of two vectors of length `n`, and compiles so far.
int compiles_after_product(auto const& g, index_t n) {
  auto const y = g(vec(n), vec(n, 2));
  CHECK(y.extent(0) == n);
  for (index_t k = 0; k < n; ++k) CHECK(y(k) == static_cast<float>((k + 1) * (k + 2)));
  return g.compiles();
}
int compiles_after_twice(auto const& g, auto const& x) {
  auto const y = g(x);
  CHECK(support::same_bits(y, support::counted(x.clone(), 2, 2)));
  return g.compiles();
}

}  // namespace

TEST_CASE("GRD-001: with none each new length is compiled") {
  auto const g = gj::compile(product{}, plain, gj::dynamic::none);
  for (int n : {2, 3, 4, 4, 5, 5, 6}) compiles_after_product(g, n);
  CHECK(g.compiles() == 5);
}

TEST_CASE("GRD-002: a second length makes a dynamic entry, which serves the others") {
  auto const g = gj::compile(product{}, plain, gj::name<"product">);
  for (int n : {2, 3, 4, 4, 5, 5, 6}) compiles_after_product(g, n);
  CHECK(g.compiles() == 2);
  auto const entries = g.entries();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == "product/0");
  CHECK_FALSE(entries[0].dynamic);
  CHECK(entries[1].id == "product/1");
  CHECK(entries[1].dynamic);
  CHECK(g.find(vec(2), vec(2)) == "product/0");
  CHECK(g.find(vec(6), vec(6)) == "product/1");
}

TEST_CASE("GRD-003: with all one entry serves every length") {
  auto const g = gj::compile(product{}, plain, gj::dynamic::all);
  for (int n : {2, 3, 4, 4, 5, 5, 6}) compiles_after_product(g, n);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-005: only the extents that differ become dynamic") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  CHECK(compiles_after_twice(g, mat(4, 5)) == 1);
  CHECK(compiles_after_twice(g, mat(4, 6)) == 2);
  CHECK(compiles_after_twice(g, mat(4, 7)) == 2);
  auto const after_three = g.entries();
  REQUIRE(after_three.size() == 2);
  bool fixes_rows = false;
  for (gj::guard const& one : after_three[1].guards)
    fixes_rows = fixes_rows || (one.kind == gj::guard_kind::extent_is && one.dim == 0 && one.expected == 4);
  CHECK(fixes_rows);
  CHECK(compiles_after_twice(g, mat(5, 7)) == 3);
  CHECK(compiles_after_twice(g, mat(6, 9)) == 3);

  // What has varied stays open, though its first value comes again.
  g.clear();
  for (auto const& x : {mat(4, 5), mat(4, 6), mat(5, 5)}) g(x);
  CHECK(compiles_after_twice(g, mat(6, 9)) == 3);
}

TEST_CASE("GRD-006: find tells the entry of each call") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  for (auto const& x : {mat(4, 5), mat(4, 6), mat(4, 7), mat(5, 7), mat(6, 9)}) g(x);
  CHECK(g.find(mat(4, 5)) == "twice/0");
  CHECK(g.find(mat(4, 9)) == "twice/1");
  CHECK(g.find(mat(5, 5)) == "twice/2");
  CHECK(g.compiles() == 3);
}

TEST_CASE("GRD-007: extents 1 and 0 are values like others") {
  // pytorch#136605, pytorch#186893
  auto const g = gj::compile(twice{}, plain);
  for (int n : {2, 3, 1, 0}) compiles_after_twice(g, vec(n));
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-008: a broadcast is bound per entry") {
  auto const g = gj::compile(sum_of_two{}, plain);
  auto const compiles_after = [&g](index_t m, index_t n) {
    auto const x = vec(m), y = vec(n, 10);
    auto const z = g(x, y);
    CHECK(z.extent(0) == (m == 1 ? n : m));
    for (index_t k = 0; k < z.extent(0); ++k) CHECK(z(k) == x(m == 1 ? 0 : k) + y(n == 1 ? 0 : k));
    return g.compiles();
  };
  CHECK(compiles_after(2, 2) == 1);
  CHECK(compiles_after(3, 3) == 2);
  CHECK(compiles_after(1, 1) == 2);
  CHECK(compiles_after(1, 3) == 3);
  CHECK(compiles_after(1, 5) == 3);
  CHECK(compiles_after(4, 1) == 4);

  // Two rules that come to one guard.
  auto const h = gj::compile([](auto x, auto y, auto z) { return gj::sum(x * y) + gj::sum(x * z); }, plain, gj::dynamic::all);
  CHECK(h(vec(1, 2), vec(3), vec(4)).item() == 32);
  auto const entries = h.entries();
  REQUIRE(entries.size() == 1);
  int ones = 0;
  for (gj::guard const& one : entries[0].guards) ones += one.kind == gj::guard_kind::extent_is ? 1 : 0;
  CHECK(ones == 1);
}

TEST_CASE("GRD-011: a length that nobody could make a plan for is not remembered") {
  support::bare_cache c;
  c.before_bind = [](index_t n) {
    if (n == 3) throw std::runtime_error("no plan for 3");
  };
  CHECK_THROWS_AS(c.entry_for(3), std::runtime_error);
  CHECK(c.entries.table() == nullptr);
  CHECK_FALSE(c.entry_for(2)->is_dynamic);
  CHECK(c.is_right(2));
  gj::entry const* const made = c.entry_for(5);
  CHECK(made->is_dynamic);
  CHECK(c.entry_for(9) == made);
  CHECK(c.entries.table()->entries().size() == 2);
}

TEST_CASE("GRD-012: an argument that nobody uses is not guarded") {
  // pytorch#107561
  auto const g = gj::compile([](auto x, auto) { return x * 2; }, plain, gj::dynamic::none);
  auto const x = vec(3);
  for (int n : {2, 5, 0}) CHECK(elements(g(x, mat(n, 4))) == floats{2, 4, 6});
  CHECK(g.compiles() == 1);

  // Nor does it make the next entry dynamic.
  auto const h = gj::compile([](auto v, auto) { return v * 2; }, plain);
  h(x, mat(2, 4));
  CHECK(elements(h(support::viewed(vec(6), 0, {3}, {2}), mat(5, 4))) == floats{2, 6, 10});
  auto const entries = h.entries();
  REQUIRE(entries.size() == 2);
  CHECK_FALSE(entries[1].dynamic);
  for (gj::guard const& one : entries[1].guards) CHECK(one.argument == 0);
}

TEST_CASE("GRD-013: of an argument of which one extent is read, only this one is guarded") {
  auto const g = gj::compile([](auto x, auto y) { return x * y.extent(0); }, plain, gj::dynamic::none);
  CHECK(elements(g(vec(2), mat(5, 7))) == floats{5, 10});
  CHECK(g.compiles() == 1);
  CHECK(elements(g(vec(2), mat(5, 9))) == floats{5, 10});
  CHECK(g.compiles() == 1);
  CHECK(elements(g(vec(2), mat(6, 9))) == floats{6, 12});
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-021: extents of more than 32 bits are not confused") {
  auto const g = gj::compile([](auto x) { return x.extent(0); }, plain, gj::dynamic::all);
  index_t const large = (index_t{1} << 32) + 3;
  auto const stretched = tensor<float, dyn>::adopt(vec(1).storage(), nullptr, gj::layout<1>({large}, {0}));
  CHECK(g(vec(3)).item() == 3);
  CHECK(g(stretched).item() == large);
  CHECK(g(vec(3)).item() == 3);

  auto const h = gj::compile([](auto x) { return x.extent(0); }, plain, gj::dynamic::none);
  CHECK(h(vec(3)).item() == 3);
  CHECK(h(stretched).item() == large);
  CHECK(h.compiles() == 2);
}

TEST_CASE("GRD-022: a reduced extent 0 is a shape_error, and changes nothing") {
  auto const g = gj::compile([](auto x) { return gj::amax(x, gj::axes(0)); }, plain, gj::dynamic::all);
  CHECK(g(vec(4)).item() == 4);
  CHECK(g(vec(1)).item() == 1);
  CHECK_THROWS_WITH_AS(g(vec(0)), doctest::Contains("amax(x): a reduced extent must not be 0: axis 0; shapes (0)"), gj::shape_error);
  CHECK_THROWS_WITH_AS(g(vec(0)), doctest::Contains("dynamic.cpp:" ), gj::shape_error);
  CHECK(g(vec(2)).item() == 2);
  CHECK(g.compiles() == 1);
  CHECK(g.entries().size() == 1);
}

TEST_CASE("GRD-023: a reshape that does not divide is a shape_error with the numbers") {
  // pytorch#151925
  auto const g = gj::compile([](auto x) { return gj::reshape(x, {x.extent(0) / 4, 4}); }, plain, gj::dynamic::all);
  for (int n : {8, 12}) {
    auto const y = g(vec(n));
    CHECK(y.shape() == gj::shape{n / 4, 4});
    CHECK(y(1, 2) == 7);
  }
  CHECK(g.compiles() == 1);
  CHECK_THROWS_WITH_AS(g(vec(6)), doctest::Contains("6 and 4"), gj::shape_error);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-063: an open extent carries no expectation") {
  auto const g = gj::compile(twice{}, plain, gj::name<"twice">);
  g(mat(3, 4));
  g(mat(5, 4));
  CHECK(g.find(mat(9, 4)) == "twice/1");
  auto const report = g.explain_miss(mat(9, 5));
  REQUIRE(report.entries.size() == 2);
  REQUIRE(report.entries[1].failures.size() == 1);
  CHECK(report.entries[1].failures[0].kind == gj::guard_kind::extent_is);
  CHECK(report.entries[1].failures[0].dim == 1);
  CHECK(report.entries[1].failures[0].expected == 4);
  CHECK(report.entries[1].failures[0].actual == 5);
}
