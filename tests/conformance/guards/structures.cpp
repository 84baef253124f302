// guardjit: tests/conformance/guards/structures.cpp: cases of arguments made of parts
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <string>
#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "support/modules.hpp"

namespace gj = guardjit;
using fixtures::plain;
using gj::dyn, gj::tensor;
using support::dense_layer;
using support::layer;
using support::mat;
using support::matrix;
using support::named_dense;
using support::row_vector;
using support::same_bits;
using support::vec;

namespace {

constexpr auto relu_layer = [](auto const& x, auto const& w, auto const& b) { return gj::relu(gj::matmul(x, w) + b); };

}  // namespace

TEST_CASE("GRD-148: modules, tuples, pairs and arrays are as good as their leaves") {
  auto const x = mat(6, 4, -3);
  auto const net = support::net();
  auto const [w1, b1] = net.first;
  auto const [w2, b2] = net.second;
  auto const [w3, b3] = net.third;
  auto const flat = gj::compile(
      [](auto const& a, auto const& v1, auto const& c1, auto const& v2, auto const& c2, auto const& v3, auto const& c3) {
        return relu_layer(relu_layer(relu_layer(a, v1, c1), v2, c2), v3, c3);
      },
      plain);
  matrix const expected = flat(x, w1, b1, w2, b2, w3, b3);
  CHECK(expected.size() == 12);

  auto const reason = [](auto const& g, auto const&... a) {
    auto const report = g.explain_miss(a...);
    REQUIRE(report.entries.size() == 1);
    REQUIRE(!report.entries[0].reasons.empty());
    return report.entries[0].reasons[0];
  };
  auto const same = [&](auto const& g, auto const&... a) {
    CHECK(same_bits(g(a...), expected));
    CHECK(same_bits(g(a...), expected));
    CHECK(g.compiles() == flat.compiles());
  };

  SUBCASE("a module") {
    auto const g = gj::compile([](auto const& a, auto const& module) { return module(a); }, plain);
    same(g, x, net);
    CHECK(reason(g, x, support::net(4, 3)) == "arg[1].2.0.extent(1): expected 2, got 3");
    auto other = net;
    other.second.w = support::transposed(mat(3, 5));
    CHECK(reason(g, x, other) == "arg[1].1.0.stride(1): expected 1, got 5");
  }
  SUBCASE("a tuple of layers that name their leaves") {
    auto const g = gj::compile(
        [](auto const& a, auto const& layers) {
          auto const& [first, second, third] = layers;
          return gj::relu(third(gj::relu(second(gj::relu(first(a))))));
        },
        plain);
    using named = named_dense<matrix, row_vector>;
    same(g, x, std::tuple(named{w1, b1}, named{w2, b2}, named{w3, b3}));
    CHECK(reason(g, x, std::tuple(named{w1, b1}, named{w2, b2}, named{mat(3, 3), vec(3)})) ==
          "arg[1].2.weight.extent(1): expected 2, got 3");
  }
  SUBCASE("an array of layers, a pair and a bound layer") {
    auto const g = gj::compile(
        [](auto const& a, auto const& layers, auto const& last, auto const& first) {
          return relu_layer(relu_layer(relu_layer(a, first.w, first.b), layers[0].w, layers[0].b), last.first, last.second);
        },
        plain, gj::bind(net.first));
    same(g, x, std::array{net.second}, std::pair(w3, b3));
    CHECK(reason(g, x, std::array{net.second}, std::pair(mat(3, 1), vec(1))) == "arg[2].0.extent(1): expected 2, got 1");
    CHECK(reason(g, mat(5, 4), std::array{net.second}, std::pair(w3, b3)) == "arg[0].extent(0): expected 6, got 5");
  }
}

TEST_CASE("reasons name bound values, their leaves and conditions on them") {
  auto w = support::named_dense<matrix, row_vector>{mat(2, 3), vec(3)};
  auto const g = gj::compile([](auto const& x, auto const& module) { return module(x); }, plain, gj::bind(std::cref(w)));
  g(mat(4, 2));
  w.weight = mat(2, 5);
  w.bias = vec(5);
  CHECK(g.explain_miss(mat(4, 2)).entries[0].reasons[0] == "bound[0].weight.extent(1): expected 3, got 5");
  g(mat(4, 2));
  CHECK(g.compiles() == 2);

  float k = 2;
  auto const h = gj::compile(
      [](auto const& x, auto const& by) {
        auto const& [scale, shift] = by;
        if (scale > 1) return x * scale + shift;
        return x + shift;
      },
      plain, gj::dynamic::all);
  CHECK(h(vec(2), std::pair(k, 1))(1) == 5);
  CHECK(h(vec(3), std::pair(k, 2))(1) == 6);
  CHECK(h.explain_miss(vec(2), std::pair(0.5f, 1)).entries[0].reasons[0].find("arg[1].0 > 1: expected true, got false for 0.5 > 1") == 0);
  CHECK(h(vec(2), std::pair(0.5f, 1))(1) == 3);
  CHECK(h.compiles() == 2);
}
