// guardjit: tests/conformance/guards/variants.cpp: cases of hot extents: entries, types, arguments of all kinds
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::index_t, gj::tensor;
using support::elements;
using support::mat;
using support::vec;

namespace {

constexpr auto by_loops = gj::backend(gj::backends::reference{});

/// A branch on the hot extent, a product that wants it, a result that has it, and one that has it not.
struct rows_and_sum {
  constexpr auto operator()(auto x, auto w) const {
    auto y = gj::matmul(x, w);
    if (x.extent(0) > 3) y = y * 2;
    return std::tuple(y, gj::sum(x, gj::axes(0)));
  }
};

constexpr auto plus_one = [](any_tensor const& x) {
  any_tensor y = x.clone();
  for (index_t k = 0; k < y.size(); ++k) y.data_as<float>()[k] += 1;
  return y;
};

bool mentions_extent(gj::entry_info const& e, int argument, int dim) {
  return std::any_of(e.guards.begin(), e.guards.end(), [=](gj::guard const& g) {
    return g.kind == gj::guard_kind::extent_is && g.argument == argument && g.dim == dim;
  });
}
gj::entry_info entry_of(auto const& g, std::string const& id) {
  for (gj::entry_info const& e : g.entries())
    if (e.id == id) return e;
  return {};
}

}  // namespace

TEST_CASE("hot_extent: each variant has entries, reasons and a graph of its own; results have one type") {
  auto const options = [](auto... more) { return gj::compile(rows_and_sum{}, by_loops, more...); };
  auto const plain = options();
  auto const g = options(gj::name<"g">, gj::dynamic::none, gj::hot_extent<0, 0, 4, 2>, gj::hot_extent<0, 1, 3>);
  static_assert(std::is_same_v<decltype(g(mat(1, 1), mat(1, 1))), std::tuple<tensor<float, dyn, dyn>, tensor<float, dyn>>>);
  int number = 0;
  for (auto [m, k] : {std::pair{4, 3}, {2, 3}, {5, 3}, {4, 2}, {5, 2}}) {
    auto const x = mat(m, k), w = mat(k, 2);
    CHECK(g.find(x, w).empty());
    auto const [y, s] = g(x, w);
    auto const [expected_y, expected_s] = plain(x, w);
    CHECK(elements(y) == elements(expected_y));
    CHECK(elements(s) == elements(expected_s));
    auto out = mat(m, 2);
    auto sum = vec(k);
    g.into(std::tie(out, sum), x, w);
    CHECK(elements(out) == elements(expected_y));
    CHECK(elements(sum) == elements(expected_s));
    CHECK(g.compiles() == ++number);
    std::string const id = g.find(x, w);
    CHECK(id == "g/" + std::to_string(number - 1));
    bool const is_hot = m == 4 || m == 2;
    CHECK(mentions_extent(entry_of(g, id), 0, 0) == !is_hot);
    CHECK(mentions_extent(entry_of(g, id), 0, 1) == (k != 3));
    CHECK(mentions_extent(entry_of(g, id), 1, 0) == (k != 3));  // the product wants it to be the same
    CHECK(mentions_extent(entry_of(g, id), 1, 1));
    CHECK(g.graph(x, w).conditions.size() == (is_hot ? 0 : 1));
    CHECK(g.workspace_bytes(x, w) == plain.workspace_bytes(x, w));
  }
  CHECK(g.entries().size() == 5);
  // A variant knows only its own entries.
  CHECK(g.explain_miss(mat(4, 3), mat(3, 5)).to_string() == "g/0: arg[1].extent(1): expected 2, got 5");
  CHECK_THROWS_AS(g(mat(4, 3), mat(4, 2)), gj::shape_error);
  CHECK_THROWS_AS(g(mat(5, 3), mat(4, 2)), gj::shape_error);
  CHECK(g.compiles() == 5);
  auto wrong = mat(3, 2);
  auto sum = vec(3);
  CHECK_THROWS_AS(g.into(std::tie(wrong, sum), mat(4, 3), mat(3, 2)), gj::shape_error);
}

TEST_CASE("hot_extent: arguments of types known at run time, in structures, and static ones") {
  auto const sums = [](auto const& p, auto const& b) { return std::get<0>(p) * std::get<1>(p) + b; };
  auto const g = gj::compile(sums, by_loops, gj::name<"g">, gj::hot_extent<1, 0, 3>);
  CHECK(elements(g(std::pair(vec(3), 2), vec(3))) == std::vector<float>{3, 6, 9});
  CHECK(elements(g(std::pair(vec(4), 2), vec(4))) == std::vector<float>{3, 6, 9, 12});
  CHECK(g.compiles() == 2);
  // The rule of the sum relates both; where one is broadcast the general function runs.
  CHECK(g.explain_miss(std::pair(vec(1), 2), vec(3)).to_string().substr(0, 4) == "g/1:");
  CHECK(elements(g(std::pair(vec(1), 2), vec(3))) == std::vector<float>{3, 4, 5});
  tensor<float, 3> const fixed{1, 2, 3};
  CHECK(elements(g(std::pair(fixed, 2), fixed)) == std::vector<float>{3, 6, 9});

  auto const any = gj::compile(rows_and_sum{}, by_loops, gj::hot_extent<0, 0, 2>,
                               gj::signature<tensor<float, dyn, dyn>, tensor<float, dyn, dyn>>);
  for (index_t m : {2, 3}) {
    auto const [y, s] = any(any_tensor(mat(m, 2)), any_tensor(mat(2, 2)));
    CHECK(elements(y.template as<float, dyn, dyn>()) == elements(std::get<0>(any(mat(m, 2), mat(2, 2)))));
    CHECK(y.extent(0) == m);
  }
  CHECK(any.compiles() == 2);
}

TEST_CASE("hot_extent: extents that a shape rule refuses have no variant; parts between breaks have") {
  tensor<float, 3, 2> const w{{1, 2}, {3, 4}, {5, 6}};
  auto const g = gj::compile([](auto x, auto y) { return gj::matmul(x, y); }, by_loops, gj::hot_extent<0, 1, 3, 5>);
  CHECK(elements(g(mat(1, 3), w)) == std::vector<float>{22, 28});
  std::string text;
  try {
    g(mat(1, 5), w);
  } catch (gj::shape_error const& e) {
    text = e.what();
  }
  CHECK(text.find("inner extents must be equal") != std::string::npos);
  CHECK(g.compiles() == 1);

  auto const broken = gj::compile(
      [](auto x, auto y) {
        auto const shifted = gj::opaque<tensor<float, dyn>>(plus_one)(x * y);
        return shifted - x;
      },
      by_loops, gj::hot_extent<0, 0, 2>, gj::specialize<1>);
  for (int n : {2, 3, 2}) CHECK(elements(broken(vec(n), 3)).back() == static_cast<float>(2 * n + 1));
  CHECK(broken.compiles() == 4);  // two parts, two variants
  CHECK(elements(broken(vec(2), 4)) == std::vector<float>{4, 7});
  CHECK(broken.compiles() == 5);  // the scalar is read in the first part only
}
