// guardjit: tests/conformance/guards/explain.cpp: how explain counts graphs and breaks, and shows extents
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::plain;
using fixtures::twice;
using support::vec;

namespace {

using explained_vector = gj::tensor<float, gj::dyn>;

struct broken_in_two {
  constexpr auto operator()(auto x) const {
    auto const y = gj::opaque<explained_vector>([](explained_vector const& v) { return v.clone(); })(x + 1);
    return gj::relu(y) - x;
  }
};

}  // namespace

TEST_CASE("GRD-122: one opaque between ops: two graphs, one break, whose ops add up") {
  gj::explainer ask(gj::compile(broken_in_two{}, plain, gj::name<"f">));
  gj::explanation const e = ask(vec(2, -2));
  CHECK(e.graph_count == 2);
  CHECK(e.break_count == 1);
  CHECK(e.ops_total == 3);
  REQUIRE(e.ops_per_graph.size() == 2);
  CHECK(e.ops_per_graph[0] + e.ops_per_graph[1] == e.ops_total);
  CHECK(e.graphs[0].entries == fixtures::texts{"f/0"});
  CHECK(e.graphs[1].entries == fixtures::texts{"f/1"});
  std::string const page = e.to_string(false);
  CHECK(support::contains_all(page, {"3 operations in 3 kernels, 2 graphs, 1 break", "\nGRAPH 2: 2 operations by",
                                     "f/1, graph 2, made by call 1"}));
  // A second call reaches the same break, and finds the entries.
  gj::explanation const again = ask(vec(2, -2));
  CHECK(again.break_count == 1);
  CHECK(again.graph_count == 2);
  CHECK(support::contains(again.to_string(), "2 calls: 2 entries made, 1 hit"));
}

TEST_CASE("GRD-123: the identity has no graph and no break") {
  gj::explanation const e = gj::explain([](auto x) { return x; }, plain)(vec(2));
  CHECK(e.graph_count == 0);
  CHECK(e.break_count == 0);
  CHECK(e.ops_total == 0);
  CHECK(e.graphs.empty());
  CHECK(support::contains(e.to_string(), "no operation: what comes back is an argument"));
}

TEST_CASE("GRD-124: under dynamic::all the extent is shown as a symbol") {
  gj::explanation const e = gj::explain(twice{}, plain, gj::dynamic::all)(vec(4));
  REQUIRE(e.graphs.size() == 1);
  CHECK(e.graphs[0].arguments == fixtures::texts{"arg[0]: f32 (n)"});
  CHECK(e.graphs[0].kernels[0].result == "f32 (n)");
  CHECK(support::contains(e.graphs[0].text, ": f32 (x0.0)"));
  CHECK(e.specialised.empty());
  CHECK(e.entries[0].open == fixtures::texts{"arg[0].extent(0)"});
  CHECK(support::contains(e.to_string(), "serves calls with any arg[0].extent(0) where\n"));
  // By default the first entry fixes it.
  gj::explanation const fixed = gj::explain(twice{}, plain)(vec(4));
  REQUIRE(fixed.specialised.size() == 1);
  CHECK(fixed.specialised[0].values == std::vector<gj::index_t>{4});
  CHECK(fixed.entries[0].open.empty());
}
