// guardjit: tests/static/graph/large.cpp: 1,000 nodes within both compilers' default limits
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/lower.hpp>
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dyn, gj::op;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments> struct whole {
  static constexpr auto const& graph = gj::optimized<trace_of<F, Arguments...>>::graph;
  static constexpr auto fates = gj::group<graph>(true);
  static constexpr auto kernels = gj::lower<graph, fates>();
  static constexpr int size = graph.view().size();
};

// Elementwise: three ops and a constant a turn.
constexpr auto elementwise = [](auto x, auto w) {
  for (int i = 0; i < 250; ++i) x = gj::tanh(x * w + static_cast<float>(i));
  return x;
};
using chain = whole<elementwise, of(dyn, 64), of(64)>;
static_assert(chain::size == 1002 && chain::kernels.count > 1 && !chain::kernels.overflows);

// Layers: a product, a sum, a softmax.
constexpr auto layered = [](auto x, auto w, auto b) {
  for (int i = 0; i < 125; ++i) {
    auto const h = gj::matmul(x, w) + b * static_cast<float>(i);
    auto const e = gj::exp(h - gj::amax(h, gj::axes(-1), gj::keepdims));
    x = e / gj::sum(e, gj::axes(-1), gj::keepdims);
  }
  return x;
};
using layers = whole<layered, of(dyn, 64), of(64, 64), of(64)>;
static_assert(layers::size >= 1000 && layers::kernels.count == 250);

// Views, each with attributes of its own, and values that are read many times.
constexpr auto sliced = [](auto x) {
  auto y = x;
  for (int i = 0; i < 250; ++i) y = y * y + gj::slice(x, 1, i % 64, i % 64 + 1, i / 64 + 1) * y;
  return y;
};
using views = whole<sliced, of(dyn, 64)>;
static_assert(views::size >= 1000 && !views::kernels.overflows);

}  // namespace
