// guardjit: tests/conformance/artifacts/export.cpp: what export_graph tells
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/export_graph.hpp>
#include <guardjit/core.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <support/thrown.hpp>

namespace gj = guardjit;
using gj::dyn;
using nlohmann::json;

namespace {

gj::tensor<float, dyn> exported_row(gj::index_t n) { return gj::ones<float>({n}); }

constexpr auto exported_affine = [](auto const& x, auto const& w, auto const& b) { return gj::relu(x * w + b); };
constexpr auto renamed_affine = [](auto const& left, auto const& right, auto const& last) {
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

}  // namespace

TEST_CASE("ART-138: export_graph of relu(x*w+b): nodes, symbols, lines; equal for other names; no kernel "
    "is made") {
  constexpr auto none = gj::backend(without_kernels{});
  gj::tensor<float, dyn, 4> const x(gj::ones<float>({3, 4}));
  gj::tensor<float, 4> const w(gj::ones<float>({4}));
  gj::exported_graph const e =
      gj::export_graph(exported_affine, gj::shape_of<0, gj::extent_between{1, 8}, 4>, none, x, w, 0.5f);
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
  CHECK(support::contains(e.to_string(), "relu(%4) : f32 (x0.0, 4)   export.cpp:"));
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
  CHECK(of(exported_affine).to_string(false) == of(renamed_affine).to_string(false));
  CHECK(of(exported_affine).to_json(false) == of(renamed_affine).to_json(false));
  CHECK(of(exported_affine).to_string() != of(renamed_affine).to_string());

  // A121: without ops, inputs are outputs. In-out arguments say where their value goes; branches are guards.
  CHECK(support::contains(gj::export_graph([](auto const& y) { return y; }, none, w).to_string(),
                          "%0 = input x0 : f32 (4)   arg[0]\noutput %0\n"));
  constexpr auto step = [](auto& y, auto const& by) {
    if (y.extent(0) > 2) y = y + by;
  };
  std::string const branch = gj::export_graph(step, none, exported_row(4), exported_row(4)).to_string(false);
  CHECK(support::contains(branch, "output %2 to arg[0]\n"));
  CHECK(support::contains(branch, "guard arg[0].extent(0) = arg[1].extent(0)\n"));
  CHECK(support::contains(branch, "guard arg[0].extent(0) > 2 is true\n"));

  // A compiled function brings its options and bound values; what a call breaks is told by argument and dim.
  auto const bound =
      gj::compile(exported_affine, gj::bind(w, 0.5f), none, gj::shape_of<0, gj::multiple<2>, 4>);
  CHECK(support::contains(
      gj::export_graph(bound, gj::tensor<float, dyn, 4>(gj::ones<float>({2, 4}))).to_string(),
      "%1 = input x1 : f32 (4)   bound[0]"));
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { gj::export_graph(bound, x); }),
                          "arg[0].extent(0) is declared a multiple of 2, got 3"));
  CHECK(bound.compiles() == 0);
}
