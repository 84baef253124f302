// guardjit: tests/static/graph/passes/drop.cpp: nodes without readers go
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dyn, gj::op;
using namespace traces;

namespace {

constexpr auto wasteful = [](auto x, auto y) {
  auto unused = gj::exp(x) + y;
  auto used = x * 2.0f;
  unused = unused * used;
  return used - x;
};
using traced_graph = trace_of<wasteful, of(4), of(4)>;
static_assert(traced_graph::graph.view().size() == 8);

constexpr auto dropped = gj::drop<traced_graph::graph>();
static_assert(dropped.view().size() == 4 && count_of(dropped.view(), op::exp) == 0);
static_assert(result_of(dropped.view()).id == op::sub);
static_assert(dropped.nodes[static_cast<unsigned>(dropped.outputs[0])].in[1] == 0);
static_assert(dropped.arguments == 2);  // also the one that is not read
static_assert(gj::optimized<traced_graph>::graph.view().size() == 4);

constexpr auto needed = gj::needed_nodes<8>(traced_graph::graph.view());
static_assert(needed[0] && !needed[1] && !needed[2]);

// Nothing goes twice.
static_assert(gj::drop<dropped>().view().size() == 4);

}  // namespace
