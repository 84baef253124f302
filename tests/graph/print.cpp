// guardjit: tests/graph/print.cpp: the exact text of small graphs
// SPDX-License-Identifier: BSL-1.0
#include "traces.hpp"

#include <guardjit/graph/passes/optimize.hpp>
#include <guardjit/graph/print.hpp>

#include <doctest/doctest.h>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

namespace {

std::string at(int line) { return "   print.cpp:" + std::to_string(line) + "\n"; }

constexpr int first = __LINE__;
constexpr auto layer = [](auto x, auto w, auto s) {
  auto h = gj::matmul(x, w) + 0.5;
  if (x.extent(0) > 16) h = gj::relu(h);
  if (s < 2) h = h * s;
  return gj::sum(h, gj::axes(-1), gj::keepdims);
};
using layer_graph = trace_of<layer, of(dyn, 64), of(dyn, 10), scalar()>;

}  // namespace

TEST_CASE("a graph as text: nodes, result, requirements, conditions") {
  CHECK(gj::to_text(layer_graph::graph.view()) ==
        "%0 = input x0 : f32 (x0.0, 64)\n"
        "%1 = input x1 : f32 (x1.0, 10)\n"
        "%2 = input x2 : weak f32 ()\n"
        "%3 = matmul(%0, %1) : f32 (x0.0, 10)" + at(first + 2) +
        "%4 = constant 0.5 : weak f64 ()" + at(first + 2) +
        "%5 = add(%3, %4) : f32 (x0.0, 10)" + at(first + 2) +
        "%6 = constant 2 : weak i64 ()" + at(first + 4) +
        "%7 = lt(%2, %6) : bool ()" + at(first + 4) +
        "%8 = sum(%5, axes 1, keepdims) : f32 (x0.0, 1)" + at(first + 5) +
        "return %8\n"
        "requires 64 == x1.0" + at(first + 2) +
        "if not x0.0 > 16" + at(first + 3) +
        "if not x2 < 2" + at(first + 4));
}

TEST_CASE("attributes and symbolic extents as text") {
  constexpr auto views = [](auto x) {
    auto y = gj::slice(gj::permute(x, gj::axes(1, 0)), 0, 1, 3, 2);
    return gj::to<double>(gj::reshape(y, {(x.extent(0) - 1) / 4, 2 * (x.extent(0) + 1)}));
  };
  using graph = gj::traced<std::remove_cvref_t<decltype(views)>, gj::call_signature<of(dyn, 8)>>;
  std::string const text = gj::to_text(graph::graph.view());
  CAPTURE(text);
  CHECK(text.find("%1 = permute(%0, axes 1 0) : f32 (8, x0.0)") != text.npos);
  CHECK(text.find("%2 = slice(%1, axis 0, 1 to 3 by 2) : f32 (1, x0.0)") != text.npos);
  CHECK(text.find("%3 = reshape(%2) : f32 ((x0.0 - 1) / 4, 2 * (x0.0 + 1))") != text.npos);
  CHECK(text.find("%4 = to(%3) : f64") != text.npos);
  CHECK(text.find("requires x0.0 == (x0.0 - 1) / 4 * (2 * (x0.0 + 1))") != text.npos);
}

TEST_CASE("an optimised graph as text: constants in the dtype of their op") {
  constexpr auto tenth = [](auto x) { return x * 0.1; };
  using graph = gj::optimized<gj::traced<std::remove_cvref_t<decltype(tenth)>, gj::call_signature<of(3)>>>;
  CHECK(gj::to_text(graph::graph.view()).find("%1 = constant 0.1 : weak f32 ()") != std::string::npos);
}

TEST_CASE("a graph of several results as text") {
  constexpr auto several = [](auto x) { return std::tuple(gj::exp(x), x, gj::exp(x)); };
  using graph = gj::traced<std::remove_cvref_t<decltype(several)>, gj::call_signature<of(3)>>;
  CHECK(gj::to_text(graph::graph.view()).find("\nreturn %1, %0, %1\n") != std::string::npos);
  std::string const dot = gj::to_dot(graph::graph.view());
  CHECK(dot.find("n0 [label=\"input x0\\nf32 (3)\", peripheries=2]") != dot.npos);
  CHECK(dot.find("n1 [label=\"exp(%0)\\nf32 (3)\", peripheries=2]") != dot.npos);
}

TEST_CASE("a graph for Graphviz") {
  constexpr auto square = [](auto x) { return gj::exp(x) * x; };
  using graph = gj::traced<std::remove_cvref_t<decltype(square)>, gj::call_signature<of<dtype::f64>(3)>>;
  CHECK(gj::to_dot(graph::graph.view()) ==
        "digraph guardjit {\n"
        "  node [shape=box];\n"
        "  n0 [label=\"input x0\\nf64 (3)\"];\n"
        "  n1 [label=\"exp(%0)\\nf64 (3)\"];\n"
        "  n0 -> n1;\n"
        "  n2 [label=\"mul(%1, %0)\\nf64 (3)\", peripheries=2];\n"
        "  n1 -> n2;\n"
        "  n0 -> n2;\n"
        "}\n");
}
