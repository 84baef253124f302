// guardjit: tests/static/graph/passes/lower.cpp: kernels of a graph: order, slots, formulas
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/lower.hpp>
#include <guardjit/graph/passes/optimize.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::formula_node, gj::op, gj::scalar_bits, gj::step, gj::step_kind;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments> struct lowered {
  static constexpr auto const& graph = gj::optimized<trace_of<F, Arguments...>>::graph;
  static constexpr auto fates = gj::group<graph>(true);
  static constexpr auto all = gj::lower<graph, fates>();
  static constexpr int count = all.count;
  static constexpr step const& at(int k) { return all.steps[static_cast<unsigned>(k)]; }
  static constexpr int slot(int k, int i) { return all.slots[static_cast<unsigned>(at(k).first_slot + i)]; }
  static constexpr std::uint64_t word(int k, int i) { return all.words[static_cast<unsigned>(at(k).first_word + i)]; }
  static constexpr formula_node node(int k, int i) { return formula_node::of(word(k, i)); }
  static_assert(!all.overflows);
};

// (x + 1.5) * x: an input is one slot and one node, a constant points behind the nodes.
constexpr auto formula = [](auto x) { return (x + 1.5f) * x; };
using one = lowered<formula, of(dyn)>;
static_assert(one::count == 1 && one::at(0).kind == step_kind::elementwise);
static_assert(one::at(0).slots == 1 && one::slot(0, 0) == 0);
static_assert(one::at(0).nodes == 4 && one::at(0).words == 5);
static_assert(one::node(0, 0) == formula_node{op::input, dtype::f32, 0, 0, 0});
static_assert(one::node(0, 1) == formula_node{op::constant, dtype::f32, 4, 0, 0});
static_assert(one::node(0, 2) == formula_node{op::add, dtype::f32, 0, 1, 0});
static_assert(one::node(0, 3) == formula_node{op::mul, dtype::f32, 2, 0, 0});
static_assert(one::word(0, 4) == scalar_bits::of(1.5).bits);

// Equal formulas are equal words, whatever lambda and arguments they come from.
constexpr auto same = [](auto, auto b) {
  auto first = 1.5f + b;
  auto second = b + 1.5f;
  first = second;
  return first * b;
};
using two = lowered<same, of(4), of(8, dyn)>;
static_assert(two::at(0).words == one::at(0).words && two::slot(0, 0) == 0);
constexpr bool equal_words = [] {
  for (int k = 0; k < one::at(0).words; ++k)
    if (one::word(0, k) != two::word(0, k)) return false;
  return true;
}();
static_assert(equal_words);

// A product, then its epilogue.
constexpr auto layer = [](auto x, auto w, auto b) { return gj::relu(gj::matmul(x, w) + b); };
using dense = lowered<layer, of(dyn, 64), of(64, 10), of(10)>;
static_assert(dense::count == 2);
static_assert(dense::at(0).kind == step_kind::product && dense::slot(0, 0) == 0 && dense::slot(0, 1) == 1);
static_assert(dense::at(1).kind == step_kind::elementwise && dense::slot(1, 0) == dense::at(0).root);
static_assert(dense::all.step_of[static_cast<unsigned>(dense::at(1).root)] == 1);
static_assert(dense::all.step_of[0] == -1);

// A reduction ends the formula of what it reduces.
constexpr auto reduced = [](auto x) { return gj::sum(gj::exp(x), gj::axes(0)); };
using total = lowered<reduced, of(dyn, 4)>;
static_assert(total::count == 1 && total::at(0).kind == step_kind::reduce && total::at(0).nodes == 3);
static_assert(total::node(0, 2) == formula_node{op::sum, dtype::f32, 1, 0, 0});

// Row formulas know which slots have one value a row.
constexpr auto softmax = [](auto x, auto t) {
  auto e = gj::exp((x - gj::amax(x, gj::axes(-1), gj::keepdims)) * t);
  return e / gj::sum(e, gj::axes(-1), gj::keepdims);
};
using rows = lowered<softmax, of(8, dyn), of(8, 1)>;
static_assert(rows::count == 1 && rows::at(0).kind == step_kind::rows && rows::at(0).slots == 2);
constexpr int per_row = [] {
  int found = 0;
  for (int k = 0; k < rows::at(0).nodes; ++k)
    if (rows::node(0, k).id == op::input && rows::node(0, k).b == 1) found += rows::slot(0, rows::node(0, k).a) + 100;
  return found;
}();
static_assert(per_row == 101);  // slot of argument 1, once

// A row formula may end in a reduction; it knows its correction, a nest of loops has it elsewhere.
constexpr auto variance = [](auto x) {
  auto d = x - gj::mean(x, gj::axes(-1), gj::keepdims);
  gj::attributes over;
  over.axes = 0b10;
  over.correction = 3;
  return apply_op(gj::op_tag<op::mean, 1>{}, over, gj::source_line{}, d * d);
};
using spread = lowered<variance, of(8, dyn)>;
static_assert(spread::count == 1 && spread::at(0).kind == step_kind::rows && spread::at(0).one_a_row);
static_assert(spread::node(0, 4) == formula_node{op::mean, dtype::f32, 3, 3, 0});
static_assert(rows::at(0).over >= 0 && !rows::at(0).one_a_row);

// Factories live in their readers as constants; as a result they are stored.
constexpr auto ones = [](auto x) { return gj::ones<std::int64_t>(x.extent(0)); };
using filled = lowered<ones, of(4)>;
static_assert(filled::count == 1 && filled::at(0).slots == 0 && filled::at(0).nodes == 1);
static_assert(filled::node(0, 0) == formula_node{op::constant, dtype::i64, 1, 0, 0} && filled::word(0, 1) == 1);

// A reshape of a view may need a copy, one of a stored result never does.
constexpr auto copied = [](auto x) { return gj::reshape(gj::permute(x, gj::axes(1, 0)), {-1}); };
constexpr auto viewed = [](auto x) { return gj::reshape(gj::exp(x), {-1}); };
static_assert(lowered<copied, of(4, 8)>::count == 1);
static_assert(lowered<copied, of(4, 8)>::at(0).kind == step_kind::contiguous);
static_assert(lowered<viewed, of(4, 8)>::count == 1);
static_assert(lowered<viewed, of(4, 8)>::at(0).kind == step_kind::elementwise);

// A value that several kernels compute again is in the formula of each.
constexpr auto shared = [](auto x) {
  auto y = x + 1.0f;
  return gj::sum(y, gj::axes(0)) * gj::amax(y, gj::axes(0));
};
using thrice = lowered<shared, of(dyn, dyn)>;
static_assert(thrice::count == 3 && thrice::at(0).nodes == 4 && thrice::at(1).nodes == 4);

}  // namespace
