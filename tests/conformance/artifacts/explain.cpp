// guardjit: tests/conformance/artifacts/explain.cpp: what explain and export_graph tell
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/compile/export_graph.hpp>
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <support/thrown.hpp>

#include <stdexcept>

namespace {

namespace explained {

namespace gj = guardjit;
using gj::dyn, gj::index_t;
using json = nlohmann::json;
using vector = gj::tensor<float, dyn>;

constexpr auto plain = gj::backend(gj::reference);

vector ones_of(index_t n) { return gj::ones<float>({n}); }

constexpr auto halved = [](vector const& x) { return vector(gj::eval(x * 0.5f)); };
[[noreturn]] vector thrown(vector const&) { throw std::runtime_error("no \x1b[31m luck"); }

constexpr unsigned first_line = __LINE__;
constexpr auto cut = [](auto const& x) {
  auto const y = gj::opaque<vector>(halved)(x + 1);
  return gj::exp(y) * 2;
};
constexpr auto falling = [](auto const& x) {
  return gj::opaque<vector>([](vector const& y) { return thrown(y); })(x * 2) + 1;
};
constexpr auto chain = [](auto const& x, auto const& w, auto const& b) {
  return gj::relu(x * w + b);
};
constexpr auto the_same = [](auto const& left, auto const& right, auto const& last) {
  auto const both = left * right;
  return gj::relu(both + last);
};

/// No kernel of it can be made.
struct without_kernels : gj::backends::reference {
  static constexpr char const* name = "none";
  template <class Formula> static void elementwise(auto const&...) {
    static_assert(sizeof(Formula) == 0, "a kernel was made");
  }
};

}  // namespace explained

using namespace explained;

TEST_CASE(
    "ART-130: explain of a function with one dynamic extent and one break: fields, lines, JSON") {
  vector const x = ones_of(4);
  gj::explanation const e = gj::explain(cut, gj::name<"cut">, gj::dynamic::all, plain)(x);
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
  CHECK(e.breaks[0].where.line == first_line + 2);
  CHECK(!e.breaks[0].reason.empty());
  CHECK(!e.breaks[0].hint.empty());
  CHECK(e.graphs[1].kernels.back().where.line == first_line + 3);
  CHECK(e.graphs[0].arguments[0] == "arg[0]: f32 (n)");
  CHECK(e.graphs[0].kernels[0].result == "f32 (n)");

  // Types prove the dtype; that the elements lie densely is checked, and the line that reads them is told.
  bool proves_dtype = false, checks_strides = false;
  for (gj::explained_check const& g : e.guards) {
    CHECK(g.kind != "extent_is");
    proves_dtype = proves_dtype || (g.proved && g.kind == "dtype_is" && g.argument == "arg[0]" &&
                                    g.expected == "f32");
    checks_strides = checks_strides || (!g.proved && g.kind == "contiguous" && g.entry == "cut/0" &&
                                        g.where.line == first_line + 2);
  }
  CHECK(proves_dtype);
  CHECK(checks_strides);
  CHECK(e.specialised.empty());
  CHECK(e.error.empty());

  std::string const page = e.to_string();
  CHECK(support::contains(page, "explain.cpp:" + std::to_string(first_line + 2)));
  CHECK(support::contains(page, "explain.cpp:" + std::to_string(first_line + 3)));
  CHECK(support::contains(page, "TIMES of 1 call"));
  CHECK(!support::contains(e.to_string(false), "TIMES"));

  json const all = json::parse(e.to_json());
  CHECK(all.begin() != all.end());
  CHECK(support::contains(e.to_json().substr(0, 12), "{\"schema\":1"));
  for (char const* field :
       {"graph_count", "break_count", "graphs", "breaks", "ops_total", "ops_by_name",
        "ops_per_graph", "guards", "variants", "specialised", "times", "counters"})
    CHECK_MESSAGE(all.contains(field), field);
  CHECK(all["breaks"][0]["line"] == first_line + 2);
  CHECK(all["guards"][0]["proved"] == true);
  CHECK(all["counters"]["calls"] == 1);
  CHECK(all["counters"]["compiles"] == 2);
  CHECK(all["times"][0]["phase"] == "call");
  CHECK(all["times"][0]["nanoseconds"] > 0);
  CHECK(all["times"][1]["count"] == 2);
  CHECK(!json::parse(e.to_json(false)).contains("times"));
}

TEST_CASE(
    "ART-131: a function that throws inside opaque is explained up to there, with the error") {
  gj::explainer ask(gj::compile(falling, gj::name<"falling">, plain));
  gj::explanation const e = ask(ones_of(3));
  CHECK(e.error == "no \x1b[31m luck");
  CHECK(e.graph_count == 1);
  CHECK(e.break_count == 1);
  CHECK(e.ops_total == 1);
  REQUIRE(e.entries.size() == 1);
  CHECK(e.entries[0].id == "falling/0");
  CHECK(json::parse(e.to_json())["error"] == e.error);
  // What it threw cannot steer the terminal.
  CHECK(support::contains(e.to_string(), "the last call failed: no \\x1b[31m luck"));
  CHECK(ask(ones_of(3)).entries.size() == 1);
}

TEST_CASE(
    "ART-132: specialised after lengths 8, 16, 32 under dynamic::none: the values, and shape_of as "
    "advice") {
  gj::explainer ask(gj::compile(chain, gj::name<"chain">, gj::dynamic::none, plain));
  auto const with_length = [&ask](index_t n) { return ask(ones_of(n), 2.0f, 1.0f); };
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
  gj::explainer told(gj::compile(chain, gj::shape_of<0, gj::any_extent>, plain));
  for (index_t n : {8, 16}) told(ones_of(n), 2.0f, 1.0f);
  gj::explanation const after = told(ones_of(32), 2.0f, 1.0f);
  CHECK(after.entries.size() == 1);
  CHECK(after.advice.empty());
  CHECK(support::contains(after.graphs[0].arguments[0], "n declared any_extent"));
}

TEST_CASE(
    "ART-138: export_graph of relu(x*w+b): nodes, symbols, lines; equal for other names; no kernel "
    "is made") {
  constexpr auto none = gj::backend(without_kernels{});
  gj::tensor<float, dyn, 4> const x(gj::ones<float>({3, 4}));
  gj::tensor<float, 4> const w(gj::ones<float>({4}));
  gj::exported_graph const e =
      gj::export_graph(chain, gj::shape_of<0, gj::extent_between{1, 8}, 4>, none, x, w, 0.5f);
  CHECK(e.to_string(false) ==
        "guardjit graph, schema 1\n"
        "%0 = input x0 : f32 (x0.0, 4)   arg[0], x0.0 1 to 8\n"
        "%1 = input x1 : f32 (4)   arg[1]\n"
        "%2 = input x2 : weak f32 ()   arg[2]\n"
        "%3 = mul(%0, %1) : f32 (x0.0, 4)\n"
        "%4 = add(%3, %2) : f32 (x0.0, 4)\n"
        "%5 = relu(%4) : f32 (x0.0, 4)\n"
        "output %5\n"
        "guard 1 <= arg[0].extent(0) <= 8\n");
  CHECK(support::contains(e.to_string(), "relu(%4) : f32 (x0.0, 4)   explain.cpp:"));
  json const all = json::parse(e.to_json());
  CHECK(support::contains(e.to_json().substr(0, 12), "{\"schema\":1"));
  CHECK(all["inputs"][0]["name"] == "arg[0]");
  CHECK(all["inputs"][0]["shape"] == json::array({"x0.0", 4}));
  CHECK(all["inputs"][0]["declared"][0] == "1 to 8");
  CHECK(all["inputs"][2]["scalar"] == true);
  CHECK(all["nodes"][0]["op"] == "mul");
  CHECK(all["nodes"][0]["operands"] == json::array({0, 1}));
  CHECK(all["nodes"][2]["dtype"] == "f32");
  CHECK(all["nodes"][2]["line"] > 0);
  CHECK(all["outputs"][0]["node"] == 5);
  CHECK(all["guards"][0]["kind"] == "extent_in");

  // Names and lines of a function are no part of what it computes.
  auto const of = [&](auto f) { return gj::export_graph(f, none, x, w, 0.5f); };
  CHECK(of(chain).to_string(false) == of(the_same).to_string(false));
  CHECK(of(chain).to_json(false) == of(the_same).to_json(false));
  CHECK(of(chain).to_string() != of(the_same).to_string());

  // A121: without ops, inputs are outputs. In-out arguments say where their value goes; branches are guards.
  CHECK(support::contains(gj::export_graph([](auto const& y) { return y; }, none, w).to_string(),
                          "%0 = input x0 : f32 (4)   arg[0]\noutput %0\n"));
  constexpr auto step = [](auto& y, auto const& by) {
    if (y.extent(0) > 2) y = y + by;
  };
  std::string const branch = gj::export_graph(step, none, ones_of(4), ones_of(4)).to_string(false);
  CHECK(support::contains(branch, "output %2 to arg[0]\n"));
  CHECK(support::contains(branch, "guard arg[0].extent(0) = arg[1].extent(0)\n"));
  CHECK(support::contains(branch, "guard arg[0].extent(0) > 2 is true\n"));

  // A compiled function brings its options and bound values; what a call breaks is told by argument and dim.
  auto const bound =
      gj::compile(chain, gj::bind(w, 0.5f), none, gj::shape_of<0, gj::multiple<2>, 4>);
  CHECK(support::contains(
      gj::export_graph(bound, gj::tensor<float, dyn, 4>(gj::ones<float>({2, 4}))).to_string(),
      "%1 = input x1 : f32 (4)   bound[0]"));
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { gj::export_graph(bound, x); }),
                          "arg[0].extent(0) is declared a multiple of 2, got 3"));
  CHECK(bound.compiles() == 0);
}

}  // namespace
