// guardjit: tests/static/graph/passes/group.cpp: what is fused, what is stored (D18)
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/group.hpp>
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::node_fate, gj::op;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
struct grouped {
  static constexpr auto const& graph = gj::optimized<trace_of<F, Arguments...>>::graph;
  static constexpr gj::graph_view view = graph.view();
  static constexpr auto fates = gj::group<graph>(true);
  static constexpr auto apart = gj::group<graph>(false);
  static constexpr node_fate fate(op id) { return fates.fate[static_cast<unsigned>(find(view, id))]; }
  static constexpr int owner(op id) { return fates.owner[static_cast<unsigned>(find(view, id))]; }
  static constexpr int stored(auto const& all) {
    int n = 0;
    for (node_fate f : all.fate) n += f == node_fate::stored ? 1 : 0;
    return n;
  }
  static constexpr int kernels = stored(fates);
};

// A chain is one kernel; without fusion every op is one.
constexpr auto gelu = [](auto x) {
  return 0.5f * x * (1.0f + gj::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
};
using g = grouped<gelu, of(dyn)>;
static_assert(g::kernels == 1 && g::fates.fate[static_cast<unsigned>(g::view.outputs[0])] == node_fate::stored);
static_assert(g::fate(op::input) == node_fate::leaf && g::fate(op::constant) == node_fate::leaf);
static_assert(g::fate(op::tanh) == node_fate::fused && g::owner(op::tanh) == g::view.outputs[0]);
static_assert(g::stored(g::apart) == 9);

// Two products read one value: a cheap one would be computed in each epilogue again, but products
// read memory, so it is stored.
constexpr auto two_products = [](auto x, auto w) {
  auto y = x + 1.0f;
  return gj::matmul(y, w) + gj::matmul(w, y);
};
static_assert(grouped<two_products, of(4, 4), of(4, 4)>::kernels == 4);

// An elementwise value that two reductions read: cheap ones are computed twice, dear ones stored.
constexpr auto cheap_shared = [](auto x) {
  auto y = x + 1.0f;
  return gj::sum(y, gj::axes(0)) * gj::amax(y, gj::axes(0));
};
constexpr auto dear_shared = [](auto x) {
  auto y = gj::exp(x);
  return gj::sum(y, gj::axes(0)) * gj::amax(y, gj::axes(0));
};
constexpr auto dear_alone = [](auto x) { return gj::sum(gj::exp(x), gj::axes(0)); };
using cheap = grouped<cheap_shared, of(dyn, dyn)>;
using dear = grouped<dear_shared, of(dyn, dyn)>;
static_assert(cheap::kernels == 3 && cheap::fate(op::add) == node_fate::fused && cheap::owner(op::add) == -1);
static_assert(dear::kernels == 4 && dear::fate(op::exp) == node_fate::stored);
static_assert(grouped<dear_alone, of(dyn, dyn)>::kernels == 1);
// The cost is that of all that would be computed again, up to what is stored.
constexpr auto cheap_steps = [](auto x) {
  auto y = ((x + 1.0f) * 2.0f - x) * 3.0f + 1.0f;
  return gj::sum(y, gj::axes(0)) * gj::amax(y, gj::axes(0));
};
static_assert(grouped<cheap_steps, of(dyn, dyn)>::fate(op::sub) == node_fate::fused);
static_assert(grouped<cheap_steps, of(dyn, dyn)>::kernels == 4);

// A dear value on few elements that a large kernel would compute once an element is stored.
constexpr auto stretched = [](auto x, auto b) { return x + gj::exp(b); };
static_assert(grouped<stretched, of(64, 64), of(64)>::fate(op::exp) == node_fate::stored);
static_assert(grouped<stretched, of(64, 64), of(64, 64)>::kernels == 1);
constexpr auto stretched_cheaply = [](auto x, auto b) { return x + b * 2.0f; };
static_assert(grouped<stretched_cheaply, of(64, 64), of(64)>::kernels == 1);

// Row kernels: softmax, layer norm. Not where the rows differ, or are not kept.
constexpr auto softmax = [](auto x) {
  auto e = gj::exp(x - gj::amax(x, gj::axes(-1), gj::keepdims));
  return e / gj::sum(e, gj::axes(-1), gj::keepdims);
};
constexpr auto norm = [](auto x, auto w, auto b) {
  auto d = x - gj::mean(x, gj::axes(-1), gj::keepdims);
  return d / gj::sqrt(gj::mean(d * d, gj::axes(-1), gj::keepdims) + 1e-5f) * w + b;
};
using rows = grouped<softmax, of(dyn, dyn)>;
static_assert(rows::kernels == 1 && rows::fate(op::amax) == node_fate::fused);
static_assert(rows::owner(op::amax) == rows::view.outputs[0] && rows::owner(op::exp) == rows::view.outputs[0]);
static_assert(rows::stored(rows::apart) == 5);
static_assert(grouped<norm, of(dyn, 64), of(64), of(64)>::kernels == 1);
static_assert(grouped<softmax, of(4, 1)>::kernels > 1);  // rows of one element are no rows
// With one value a row, where a reduction needs another one of the same rows.
constexpr auto variance = [](auto x) {
  auto d = x - gj::mean(x, gj::axes(-1), gj::keepdims);
  return gj::sqrt(gj::mean(d * d, gj::axes(-1)));
};
using spread = grouped<variance, of(dyn, 64)>;
static_assert(spread::kernels == 2 && spread::fate(op::sqrt) == node_fate::stored);
static_assert(spread::fate(op::mean) == node_fate::fused && spread::fate(op::sub) == node_fate::fused);
constexpr auto log_of_sum = [](auto x) {
  auto m = gj::amax(x, gj::axes(-1), gj::keepdims);
  return m + gj::log(gj::sum(gj::exp(x - m), gj::axes(-1), gj::keepdims));
};
using log_sum = grouped<log_of_sum, of(dyn, dyn)>;
static_assert(log_sum::kernels == 1 && log_sum::owner(op::amax) == log_sum::view.outputs[0]);
static_assert(log_sum::owner(op::sum) == log_sum::view.outputs[0]);
// One reduction is a kernel, which may walk columns side by side; two of other rows are two.
constexpr auto log_of_plain_sum = [](auto x) { return gj::log(gj::sum(x, gj::axes(-1), gj::keepdims)); };
static_assert(grouped<log_of_plain_sum, of(8, 8)>::kernels == 2);
constexpr auto two_rows = [](auto x, auto y) { return log_of_sum(x) + log_of_sum(y); };
static_assert(grouped<two_rows, of(8, 8), of(8, 5)>::kernels > 1);
static_assert(grouped<two_rows, of(8, 8), of(8, 8)>::kernels == 1);
constexpr auto columns = [](auto x) { return x - gj::amax(x, gj::axes(0), gj::keepdims); };
constexpr auto dropped_axis = [](auto x) { return x - gj::sum(x, gj::axes(-1)); };
static_assert(grouped<columns, of(8, 8)>::kernels == 2 && grouped<dropped_axis, of(8, 8)>::kernels == 2);
constexpr auto whole_numbers = [](auto x) { return x - gj::amax(x, gj::axes(-1), gj::keepdims); };
static_assert(grouped<whole_numbers, of<dtype::i64>(8, 8)>::kernels == 2);
constexpr auto shared_row = [](auto x) {
  auto m = gj::amax(x, gj::axes(-1), gj::keepdims);
  return gj::matmul(x - m, x + m);
};
static_assert(grouped<shared_row, of(8, 8)>::fate(op::amax) == node_fate::stored);

// Views and factories have no kernel; what a view looks into is stored.
constexpr auto viewed = [](auto x) { return gj::permute(gj::exp(x), gj::axes(1, 0)) + gj::ones<float>(x.extent(0)); };
static_assert(grouped<viewed, of(8, 8)>::kernels == 2);
static_assert(grouped<viewed, of(8, 8)>::fate(op::permute) == node_fate::view);
static_assert(grouped<viewed, of(8, 8)>::fate(op::exp) == node_fate::stored);
static_assert(grouped<viewed, of(8, 8)>::fate(op::ones) == node_fate::leaf);
// A result is stored, whatever it is; an argument lies in memory already.
constexpr auto just_ones = [](auto x) { return gj::ones<float>(x.extent(0)); };
constexpr auto identity = [](auto x) { return x; };
static_assert(grouped<just_ones, of(8)>::kernels == 1 && grouped<identity, of(8)>::kernels == 0);

// No kernel has more than 64 nodes; shared ones count once.
constexpr auto chain = [](auto x) {
  auto y = x;
  for (int i = 0; i < 100; ++i) y = gj::sqrt(y);
  return y;
};
static_assert(grouped<chain, of(8)>::kernels == 2);
constexpr auto reused = [](auto x) {
  auto y = x;
  for (int i = 0; i < 21; ++i) y = y * y * y + y;  // 63 nodes
  return y;
};
static_assert(grouped<reused, of(8)>::view.size() == 64 && grouped<reused, of(8)>::kernels == 1);
constexpr auto many_rows = [](auto x) {
  auto y = x;
  for (int i = 0; i < 20; ++i) {
    auto e = gj::exp(y - gj::amax(y, gj::axes(-1), gj::keepdims));
    y = e / gj::sum(e, gj::axes(-1), gj::keepdims);
  }
  return y;
};
static_assert(grouped<many_rows, of(8, 8)>::kernels >= 2 && grouped<many_rows, of(8, 8)>::kernels <= 4);

}  // namespace
