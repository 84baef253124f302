// guardjit: tests/conformance/artifacts/explain.cpp: what explain tells
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <support/thrown.hpp>

#include <stdexcept>

namespace gj = guardjit;
using gj::index_t;
using nlohmann::json;

namespace {

using explained_row = gj::tensor<float, gj::dyn>;

constexpr auto explained_loops = gj::backend(gj::reference);

explained_row row_of(index_t n) { return gj::ones<float>({n}); }

constexpr auto copy_of = [](explained_row const& x) { return x.clone(); };
[[noreturn]] explained_row throws_colours(explained_row const&) { throw std::runtime_error("no \x1b[31m luck"); }

constexpr unsigned first_explained_line = __LINE__;
constexpr auto cut_in_two = [](auto const& x) {
  auto const y = gj::opaque<explained_row>(copy_of)(x + 1);
  return gj::exp(y) * 2;
};
constexpr auto falls_between = [](auto const& x) {
  return gj::opaque<explained_row>([](explained_row const& y) { return throws_colours(y); })(x * 2) + 1;
};
constexpr auto affine_to_explain = [](auto const& x, auto const& w, auto const& b) {
  return gj::relu(x * w + b);
};

}  // namespace

TEST_CASE("ART-130: explain of a function with one dynamic extent and one break: fields, lines, JSON") {
  explained_row const x = row_of(4);
  gj::explanation const e = gj::explain(cut_in_two, gj::name<"cut">, gj::dynamic::all, explained_loops)(x);
  CHECK(e.function == "cut");
  CHECK(e.graph_count == 2);
  CHECK(e.break_count == 1);
  CHECK(e.ops_total == 3);
  CHECK(e.ops_per_graph == std::vector{1, 2});
  REQUIRE(e.ops_by_name.size() == 3);
  CHECK(e.ops_by_name[0].name == "add");
  CHECK(e.ops_by_name[1].name == "exp");
  CHECK(e.ops_by_name[2].count == 1);

  REQUIRE(e.breaks.size() == 1);
  CHECK(e.breaks[0].code == "opaque");
  CHECK(e.breaks[0].where.line == first_explained_line + 2);
  CHECK(!e.breaks[0].reason.empty());
  CHECK(!e.breaks[0].hint.empty());
  CHECK(e.graphs[1].kernels.back().where.line == first_explained_line + 3);
  CHECK(e.graphs[0].arguments[0] == "arg[0]: f32 (n)");
  CHECK(e.graphs[0].kernels[0].result == "f32 (n)");

  // Types prove the dtype; that the elements lie densely is checked, and the line that reads them is told.
  bool proves_dtype = false, checks_strides = false;
  for (gj::explained_check const& g : e.guards) {
    CHECK(g.kind != "extent_is");
    proves_dtype = proves_dtype || (g.proved && g.kind == "dtype_is" && g.argument == "arg[0]" &&
                                    g.expected == "f32");
    checks_strides = checks_strides || (!g.proved && g.kind == "contiguous" && g.entry == "cut/0" &&
                                        g.where.line == first_explained_line + 2);
  }
  CHECK(proves_dtype);
  CHECK(checks_strides);
  CHECK(e.specialised.empty());
  CHECK(e.error.empty());

  std::string const page = e.to_string();
  CHECK(support::contains(page, "explain.cpp:" + std::to_string(first_explained_line + 2)));
  CHECK(support::contains(page, "explain.cpp:" + std::to_string(first_explained_line + 3)));
  CHECK(support::contains(page, "TIMES of 1 call"));
  CHECK(!support::contains(e.to_string(false), "TIMES"));

  json const all = json::parse(e.to_json());
  CHECK(all.begin() != all.end());
  CHECK(support::contains(e.to_json().substr(0, 12), "{\"schema\":1"));
  for (char const* field :
       {"graph_count", "break_count", "graphs", "breaks", "ops_total", "ops_by_name",
        "ops_per_graph", "guards", "variants", "specialised", "times", "counters"})
    CHECK_MESSAGE(all.contains(field), field);
  CHECK(all["breaks"][0]["line"] == first_explained_line + 2);
  CHECK(all["guards"][0]["proved"] == true);
  CHECK(all["counters"]["calls"] == 1);
  CHECK(all["counters"]["compiles"] == 2);
  CHECK(all["times"][0]["phase"] == "call");
  CHECK(all["times"][0]["nanoseconds"] > 0);
  CHECK(all["times"][1]["count"] == 2);
  CHECK(!json::parse(e.to_json(false)).contains("times"));
}

TEST_CASE("ART-131: a function that throws inside opaque is explained up to there, with the error") {
  gj::explainer ask(gj::compile(falls_between, gj::name<"falling">, explained_loops));
  gj::explanation const e = ask(row_of(3));
  CHECK(e.error == "no \x1b[31m luck");
  CHECK(e.graph_count == 1);
  CHECK(e.break_count == 1);
  CHECK(e.ops_total == 1);
  REQUIRE(e.entries.size() == 1);
  CHECK(e.entries[0].id == "falling/0");
  CHECK(json::parse(e.to_json())["error"] == e.error);
  // What it threw cannot steer the terminal.
  CHECK(support::contains(e.to_string(), "the last call failed: no \\x1b[31m luck"));
  CHECK(ask(row_of(3)).entries.size() == 1);
}

TEST_CASE("ART-132: specialised after lengths 8, 16, 32 under dynamic::none: the values, and shape_of as "
    "advice") {
  gj::explainer ask(gj::compile(affine_to_explain, gj::name<"chain">, gj::dynamic::none, explained_loops));
  auto const with_length = [&ask](index_t n) { return ask(row_of(n), 2.0f, 1.0f); };
  gj::explanation const first = with_length(8);
  REQUIRE(first.specialised.size() == 1);
  CHECK(!first.specialised[0].varies);
  CHECK(support::contains(first.specialised[0].advice, "fine while it has one value"));
  CHECK(first.advice.empty());
  with_length(16);
  gj::explanation const e = with_length(32);
  REQUIRE(e.specialised.size() == 1);
  CHECK(e.specialised[0].extent == "arg[0].extent(0)");
  CHECK(e.specialised[0].values == std::vector<index_t>{8, 16, 32});
  CHECK(e.specialised[0].varies);
  CHECK(support::contains(e.specialised[0].advice,
                          "shape_of<0, any_extent> in place of dynamic::none"));
  REQUIRE(e.advice.size() == 1);
  CHECK(support::contains(e.advice[0],
                          "arg[0].extent(0) came with 8, 16, 32: declare shape_of<0, any_extent>"));
  // One graph serves the three entries.
  CHECK(e.graph_count == 1);
  CHECK(e.graphs[0].entries == std::vector<std::string>{"chain/0", "chain/1", "chain/2"});
  CHECK(e.entries[2].call == 3);
  CHECK(e.entries[2].since ==
        "chain/0: arg[0].extent(0): expected 8, got 32\n"
        "chain/1: arg[0].extent(0): expected 16, got 32");
  // Who does as told has one entry.
  gj::explainer told(gj::compile(affine_to_explain, gj::shape_of<0, gj::any_extent>, explained_loops));
  for (index_t n : {8, 16}) told(row_of(n), 2.0f, 1.0f);
  gj::explanation const after = told(row_of(32), 2.0f, 1.0f);
  CHECK(after.entries.size() == 1);
  CHECK(after.advice.empty());
  CHECK(support::contains(after.graphs[0].arguments[0], "n declared any_extent"));
}
