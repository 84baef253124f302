// guardjit: tests/compile/explained.cpp: explain leaves all else alone, and says why kernels end
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/explain.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compile/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::plain;
using gj::dyn;
using support::contains;
using support::elements;
using support::mat;
using support::vec;

namespace {

using explained_matrix = gj::tensor<float, dyn, dyn>;

/// Writes into its first argument; branches on a scalar.
constexpr auto explained_step = [](auto& w, auto const& g, auto rate) {
  if (rate > 1.0f) w = w - g;
  else w = w - g * rate;
};
/// Reads a structure: of its parts nothing can be declared alone.
constexpr auto explained_parts = [](auto const& parts, auto const& last) {
  auto const& [first, second] = parts;
  return first * second + last;
};
/// Kernels that end for each of the reasons there are.
constexpr auto ends_of_kernels = [](auto const& x, auto const& w) {
  auto const dear = gj::tanh(x);                                // of two kernels
  auto const h = gj::matmul(dear, w);                           // a product
  auto const moved = gj::concat(gj::exp(dear), gj::relu(h), 0);  // moves elements; its parts are stored
  return std::tuple(gj::sum(moved, gj::axes(0)) + gj::exp(gj::amax(w)), gj::transpose(x), gj::log(x));
};

/// Plain loops that fuse.
struct fusing_loops : gj::backends::reference {
  static constexpr char const* name = "fusing";
  static constexpr bool fuses = true;
};

/// All but times, which differ from run to run.
std::string explained_data(gj::explanation const& e) { return e.to_json(false); }

}  // namespace

TEST_CASE("explain changes no argument, mode, entry or counter of others, and hides from subscribers (G110)") {
  explained_matrix w = support::transposed(mat(2, 3));
  explained_matrix const g = support::transposed(mat(2, 3, 5));
  auto const before = elements(w);
  auto const made = [] { return gj::compile(explained_step, plain, gj::name<"step">); };
  auto const own = made();
  int events = 0;
  gj::op_counter ops;
  std::string first, second;
  {
    gj::subscription const listening{[&events](gj::event const&) { ++events; }, gj::with_runs};
    gj::mode_scope const watch{ops};
    gj::stance_scope const strict(gj::stance::fail_on_recompile);
    first = explained_data(gj::explainer(made())(w, g, 0.5f));
    second = explained_data(gj::explain(own)(w, g, 0.5f));
  }
  CHECK(first == second);
  CHECK(contains(first, "\"error\":\"\""));
  CHECK(contains(first, "\"recompiles\":0"));
  CHECK(events == 0);
  CHECK(ops.total() == 0);
  CHECK(own.compiles() == 0);
  CHECK(elements(w) == before);
  own(w, g, 0.5f);
  CHECK(elements(w) != before);
  CHECK(own.compiles() == 1);

  // Branches are graphs of their own, and variants that the C++ compiler makes.
  gj::explainer ask(own);
  ask(w, g, 0.5f);
  gj::explanation const e = ask(w, g, 2.0f);
  REQUIRE(e.graph_count == 2);
  CHECK(e.graphs[0].branches == "arg[2] > 1 is false");
  CHECK(e.graphs[1].branches == "arg[2] > 1 is true");
  CHECK(e.variants.paths == 2);
  CHECK(contains(e.to_string(), "variants that the C++ compiler makes: 2 paths x 1 mode stack"));
  bool tells_branch = false;
  for (gj::explained_check const& one : e.guards)
    tells_branch = tells_branch || (one.kind == "path_is" && one.where.line != 0);
  CHECK(tells_branch);
}

TEST_CASE("explain puts back what f writes, also through handles of types known at run time (G110)") {
  auto const halve = [](auto& w) { w = w * 0.5f; };
  gj::tensor<float, dyn> const w = support::viewed(vec(6), 5, {3}, {-2});
  auto const before = elements(w);
  gj::any_tensor any = w;
  using row = gj::tensor<float, dyn>;
  gj::explanation const e = gj::explain(halve, plain, gj::signature<row>)(any);
  CHECK(e.error.empty());
  CHECK(e.graph_count == 1);
  CHECK(elements(w) == before);
  gj::compile(halve, plain, gj::signature<row>)(any);
  CHECK(elements(w) != before);
}

TEST_CASE("explain: advice names what can be declared: parameters, bound values behind them, no parts") {
  gj::explainer bound(gj::compile([](auto const& x, auto const& b) { return x + b; }, plain, gj::dynamic::none,
                                  gj::bind(vec(2))));
  gj::explanation const of_bound = bound(vec(2, 3));
  REQUIRE(of_bound.specialised.size() == 2);
  CHECK(of_bound.specialised[1].extent == "bound[0].extent(0)");
  CHECK(contains(of_bound.specialised[1].advice, "shape_of<1, any_extent>"));

  gj::explainer parts(gj::compile(explained_parts, plain, gj::recompile_limit{2}, gj::name<"parts">));
  auto const call = [&parts](gj::tensor<float, dyn> const& x) { return parts(std::tuple(x, x), 1.0f); };
  call(vec(1));
  gj::explanation const e = call(vec(2));
  REQUIRE(e.specialised.size() == 2);
  CHECK(e.specialised[0].extent == "arg[0].0.extent(0)");
  CHECK(e.specialised[0].varies);
  CHECK(e.specialised[0].advice == "declare dynamic::all, and entries leave it open");
  CHECK(contains(e.entries[1].since, "parts/0: arg[0].0.extent(0): expected 1, got 2"));
  CHECK(e.entries[1].dynamic);
  // Strides of another class are a reason as well; at the limit the call runs by a plan that is not kept.
  gj::tensor<float, dyn> const sparse = support::viewed(vec(4), 0, {2}, {2});
  gj::explanation const last = call(sparse);
  CHECK(last.entries.size() == 2);
  bool tells_strides = false;
  for (std::string const& line : last.advice) tells_strides = tells_strides || contains(line, "clone() gives");
  CHECK(tells_strides);
  auto const counter = [&last](std::string const& name) {
    for (gj::named_count const& c : last.counters)
      if (c.name == name) return c.count;
    return std::int64_t{-1};
  };
  CHECK(counter("calls") == 3);
  CHECK(counter("hits") == 0);
  CHECK(counter("compiles") == 2);
  CHECK(counter("recompiles") == 1);
  CHECK(counter("uncached_calls") == 1);
  CHECK(counter("limits") == 1);

  // A call that runs without a plan says why.
  gj::explainer eager(gj::compile(explained_parts, plain, gj::compile_limit{0}, gj::on_limit{gj::limit_action::eager}));
  std::string const page = eager(std::tuple(vec(1), vec(1)), 1.0f).to_string();
  CHECK(contains(page, "1 call ran operation by operation: a limit is reached"));
  CHECK(!contains(page, "no operation"));
}

TEST_CASE("explain says why each kernel ends where it does") {
  explained_matrix const x = mat(2, 2), w = mat(2, 2);
  gj::explanation const e = gj::explain(ends_of_kernels, gj::backend(fusing_loops{}))(x, w);
  REQUIRE(e.graph_count == 1);
  auto const why = [&e](std::string const& operations) {
    for (gj::explained_kernel const& k : e.graphs[0].kernels)
      if (k.operations == operations) return k.why;
    return "no kernel of " + operations + ":\n" + e.to_string();
  };
  CHECK(contains(why("matmul"), "a matrix product is a kernel of its own"));
  CHECK(contains(why("tanh"), "(matmul) reads it from memory"));
  CHECK(contains(why("exp"), "(concat) reads it from memory"));
  CHECK(contains(why("concat"), "moves elements to their places"));
  CHECK(contains(why("amax"), "the whole axis must be read before"));
  CHECK(contains(why("log"), "a result of the function"));
  // The plain loops fuse nothing.
  gj::explanation const apart = gj::explain([](auto const& y) { return gj::relu(y + 1) * 2; }, plain)(vec(1));
  REQUIRE(apart.graphs[0].kernels.size() == 3);
  CHECK(contains(apart.graphs[0].kernels[0].why, "this backend runs each operation by itself"));
}
