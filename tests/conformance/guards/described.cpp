// guardjit: tests/conformance/guards/described.cpp: cases of functions that are described over placeholders
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::arg;
using support::elements;
using support::vec;

namespace {

constexpr auto on_loops = gj::backend(gj::backends::reference{});

constexpr auto shared_product = arg<0> * arg<1>;
constexpr auto body_of_product = [](auto const& x, auto const& y) {
  auto const t = x * y;
  return gj::relu(t + t * 2.0f);
};

/// Nodes that compute the same, in the same order, to the same results; their lines are elsewhere.
bool same_graph(gj::graph_view const& a, gj::graph_view const& b) {
  auto const same = [](gj::node const& x, gj::node const& y) { return x.same_as(y); };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end());
}

int nodes_of(gj::graph_view const& g, gj::op id) {
  return static_cast<int>(std::count_if(g.nodes.begin(), g.nodes.end(), [id](auto const& n) { return n.id == id; }));
}

}  // namespace

TEST_CASE("GRD-146: a description is the graph of its lambda, and a part that occurs twice is one node") {
  auto const described = gj::compile<gj::relu(shared_product + shared_product * 2.0f)>(on_loops);
  auto const lambda = gj::compile(body_of_product, on_loops);
  auto const x = vec(5, -2), y = vec(5, 3);
  gj::graph_view const graph = described.graph(x, y);
  CHECK(same_graph(graph, lambda.graph(x, y)));
  CHECK(!same_graph(graph, gj::compile<gj::relu(shared_product)>(on_loops).graph(x, y)));
  // t and t * 2: what is written twice is one product.
  CHECK(nodes_of(graph, gj::op::mul) == 2);
  CHECK(nodes_of(graph, gj::op::add) == 1);
  CHECK(elements(described(x, y)) == std::vector<float>{0, 0, 0, 18, 42});
  CHECK(support::same_bits(described(x, y), lambda(x, y)));
  CHECK(described.compiles() == 1);
}

TEST_CASE("GRD-147: numbers of a description are bound values: one graph, each function its own") {
  auto const times = [](float k) { return gj::compile(arg<0> * k, on_loops); };
  auto const twice = times(2), thrice = times(3);
  static_assert(std::is_same_v<decltype(twice), decltype(thrice)>);
  auto const x = vec(3);
  CHECK(elements(twice(x)) == std::vector<float>{2, 4, 6});
  CHECK(elements(thrice(x)) == std::vector<float>{3, 6, 9});
  CHECK(elements(twice(x)) == std::vector<float>{2, 4, 6});
  // The same constant, not an equal one: no code is made for the second function.
  CHECK(twice.graph(x).nodes.data() == thrice.graph(x).nodes.data());
  CHECK(nodes_of(twice.graph(x), gj::op::constant) == 0);
  CHECK(twice.compiles() == 1);
  CHECK(thrice.compiles() == 1);
  // A tensor has no place in it (tests/compile_fail/compile/tensor_in_description.cpp); this is the form that has.
  CHECK(elements(gj::compile(arg<0> * arg<1>, gj::bind(vec(3, 10)), on_loops)(x)) == std::vector<float>{10, 22, 36});
}
