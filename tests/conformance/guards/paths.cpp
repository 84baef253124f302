// guardjit: tests/conformance/guards/paths.cpp: cases of branches on extents and scalars
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::has_kind;
using fixtures::plain;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::vec;

namespace {

struct by_flag {
  constexpr auto operator()(auto x, auto b) const {
    if (b) return x + 1;
    return x - 1;
  }
};

constexpr int line_of_branch = __LINE__ + 3;
struct by_length {
  constexpr auto operator()(auto x) const {
    if (x.extent(0) > 16) return x * 2;
    return x + 1;
  }
};

}  // namespace

TEST_CASE("GRD-004: paths and automatic extents together") {
  auto const calls = [](auto const& g) {
    for (auto [n, flag] : {std::pair{2, true}, {2, false}, {3, true}, {4, true}, {5, true}}) {
      auto const y = g(vec(n), flag);
      CHECK(y.extent(0) == n);
      CHECK(y(0) == (flag ? 2 : 0));
    }
    return g.compiles();
  };
  CHECK(calls(gj::compile(by_flag{}, plain)) == 3);
  CHECK(calls(gj::compile(by_flag{}, plain, gj::dynamic::none)) == 5);
}

TEST_CASE("GRD-009: a branch on the equality of two extents") {
  auto const g = gj::compile(
      [](auto x, auto y) {
        if (x.extent(0) == y.extent(0)) return gj::sum(x * y);
        return gj::sum(x) + gj::sum(y);
      },
      plain, gj::dynamic::all);
  CHECK(g(vec(2), vec(2)).item() == 5);
  CHECK(g.compiles() == 1);
  CHECK(g(vec(2), vec(3)).item() == 9);
  CHECK(g.compiles() == 2);
  CHECK(g(vec(5), vec(5)).item() == 55);
  CHECK(g(vec(4), vec(9)).item() == 55);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-010: tests that no call so far met make no entries") {
  auto const g = gj::compile(
      [](auto x) {
        if (x.extent(0) != 3)
          if (x.extent(0) != 4)
            if (x.extent(0) != 5)
              if (x.extent(0) != 6) return x * 2;
        return x + 1;
      },
      plain, gj::dynamic::all);
  for (int n : {12, 13, 14}) {
    CHECK(g(vec(n))(1) == 4);
    CHECK(g.compiles() == 1);
  }
  CHECK(g(vec(4))(1) == 3);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-033: each side of a branch has its graph") {
  auto const g = gj::compile(by_length{}, plain, gj::dynamic::all);
  for (int n : {8, 32, 16, 17}) CHECK(g(vec(n))(2) == (n > 16 ? 6 : 4));
  CHECK(g.compiles() == 2);
  using all_paths = gj::paths<by_length, gj::call_signature<gj::argument_type{gj::dtype::f32, false, {gj::dyn}}>>;
  static_assert(all_paths::count == 2);
  CHECK(all_paths::fine);
}

TEST_CASE("GRD-034: a static extent decides the branch") {
  using all_paths = gj::paths<by_length, gj::call_signature<gj::argument_type{gj::dtype::f32, false, {32}}>>;
  static_assert(all_paths::count == 1);
  auto const g = gj::compile(by_length{}, plain, gj::dynamic::all);
  CHECK(g(support::counted(tensor<float, 32>()))(2) == 6);
  REQUIRE(g.entries().size() == 1);
  CHECK_FALSE(has_kind(g.entries()[0].guards, gj::guard_kind::path_is));
}

TEST_CASE("GRD-036: a scalar in a condition chooses a path") {
  auto const g = gj::compile(
      [](auto x, auto s) {
        if (s > 0) return x * s;
        return x - s;
      },
      plain);
  CHECK(elements(g(vec(2), 1.0f)) == floats{1, 2});
  CHECK(elements(g(vec(2), 2.0f)) == floats{2, 4});
  CHECK(elements(g(vec(2), -1.0f)) == floats{2, 3});
  CHECK(elements(g(vec(2), 0.5f)) == floats{0.5f, 1});
  CHECK(g.compiles() == 2);
  auto const report = g.explain_miss(vec(2), 3.0f);
  REQUIRE(report.entries.size() == 2);
  CHECK(report.entries[0].failures.empty());
  REQUIRE(report.entries[1].failures.size() == 1);
  CHECK(report.entries[1].failures[0].kind == gj::guard_kind::path_is);
}

TEST_CASE("GRD-037: the reason of a path names condition, line and value") {
  auto const g = gj::compile(by_length{}, plain, gj::dynamic::all);
  g(vec(32));
  std::string const text = g.explain_miss(vec(8)).to_string();
  CAPTURE(text);
  CHECK(text.find("arg[0].extent(0) > 16") != std::string::npos);
  CHECK(text.find("paths.cpp:" + std::to_string(line_of_branch)) != std::string::npos);
  CHECK(text.find("8 > 16") != std::string::npos);

  auto const h = gj::compile(
      [](auto x, auto s) {
        if (s > 0) return x * s;
        return x;
      },
      plain);
  h(vec(2), 1.5f);
  std::string const scalar = h.explain_miss(vec(2), -0.5f).to_string();
  CAPTURE(scalar);
  CHECK(scalar.find("arg[1] > 0") != std::string::npos);
  CHECK(scalar.find("-0.5 > 0") != std::string::npos);
}

TEST_CASE("GRD-038: a branch on an extent against twice another") {
  auto const g = gj::compile(
      [](auto x, auto y) {
        if (x.extent(0) == 2 * y.extent(0)) return gj::sum(x);
        return gj::sum(y);
      },
      plain, gj::dynamic::all);
  CHECK(g(vec(6), vec(3)).item() == 21);
  CHECK(g(vec(8), vec(4)).item() == 36);
  CHECK(g.compiles() == 1);
  CHECK(g(vec(8), vec(3)).item() == 6);
  CHECK(g.compiles() == 2);
}

TEST_CASE("GRD-042: ranges and relations of two extents") {
  auto const g = gj::compile(
      [](auto x, auto y) {
        auto const n = x.extent(0), m = y.extent(0);
        auto const doubled = [&] {
          if (n == 2 * m) return gj::sum(x);
          return gj::sum(y);
        };
        if (5 < n)
          if (n < 30) return doubled() + 100;
        return doubled();
      },
      plain, gj::dynamic::all);
  CHECK(g(vec(8), vec(4)).item() == 136);
  CHECK(g.compiles() == 1);
  CHECK(g(vec(28), vec(14)).item() == 506);
  CHECK(g.compiles() == 1);
  CHECK(g(vec(4), vec(2)).item() == 10);
  CHECK(g.compiles() == 2);
  CHECK(g(vec(8), vec(5)).item() == 115);
  CHECK(g.compiles() == 3);
}
