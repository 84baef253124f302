// guardjit: tests/conformance/modes/pass.cpp: cases of the graphs that declared modes make
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"
#include "graph/traces.hpp"

namespace gj = guardjit;
using namespace fixtures;
using gj::dyn;
using support::same_bits;

namespace {

/// The graphs of a function of matrices under its stacks.
template <class F, class... Stacks>
using graphs = typename gj::moded_paths<F, gj::call_signature<traces::of(dyn, dyn)>, gj::type_list<Stacks...>>::list;
template <class F, class Stack> using graph_under = gj::nth_type_t<1, graphs<F, Stack>>;
template <class Path> constexpr int count(gj::op id) { return traces::count_of(Path::graph.view(), id); }

struct sum_of_both {
  constexpr auto operator()(auto const& x) const { return gj::mul(x, 3) + gj::add(x, 3); }
};

struct add_as_sub : gj::pure_mode<add_as_sub> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    count_run<add_as_sub>(call);
    if (call.op() == gj::op::add) return gj::sub(call.arg(0), gj::neg(call.arg(1)));
    return call();
  }
};
// x is the same in both graphs; the sum is there in that without modes alone.
static_assert(count<gj::nth_type_t<0, graphs<sum_of_both, gj::type_list<add_as_sub>>>>(gj::op::add) == 2);
static_assert(count<graph_under<sum_of_both, gj::type_list<add_as_sub>>>(gj::op::add) == 0);
static_assert(count<graph_under<sum_of_both, gj::type_list<add_as_sub>>>(gj::op::sub) == 2);

/// Two paths.
struct branches {
  constexpr auto operator()(auto const& x) const {
    if (x.extent(0) > 2) return gj::eval(x * 2);
    return gj::eval(x + 2);
  }
};
using six = graphs<branches, gj::type_list<zero>, gj::type_list<one, zero>>;
static_assert(gj::paths<branches, gj::call_signature<traces::of(dyn, dyn)>>::list::size == 2);
static_assert(six::size == 6);
template <int K> using written_of = typename gj::nth_type_t<K, six>::written;
// The function itself is traced once for each path, whatever the stacks.
static_assert(std::is_same_v<written_of<2>, gj::nth_type_t<0, six>> &&
              std::is_same_v<written_of<4>, gj::nth_type_t<0, six>>);
static_assert(std::is_same_v<written_of<3>, gj::nth_type_t<1, six>> &&
              std::is_same_v<written_of<5>, gj::nth_type_t<1, six>>);

auto const inner = gj::compile([](auto const& x) { return gj::add(x, 3); });
struct calls_inner {
  constexpr auto operator()(auto const& x) const { return inner(x) * 2; }
};

struct layer {
  constexpr auto operator()(auto const& x, auto const& w, auto const& b) const { return gj::matmul(x, w) + b; }
};
using layer_in_f64 = gj::nth_type_t<1, gj::moded_paths<layer, gj::call_signature<traces::of(dyn, dyn), traces::of(dyn, dyn),
                                                                                traces::of(dyn)>,
                                                       gj::type_list<gj::type_list<gj::compute_in<double>>>>::list>;
constexpr bool casts_around_product_alone() {
  gj::graph_view const g = layer_in_f64::graph.view();
  int const product = traces::find(g, gj::op::matmul);
  int const sum = g.outputs[0];
  return traces::count_of(g, gj::op::to) == 3 && g[product].type == gj::dtype::f64 &&
         g[g.operand(product, 0)].id == gj::op::to && g[g.operand(product, 1)].id == gj::op::to &&
         g[sum].id == gj::op::add && g[g.operand(sum, 0)].id == gj::op::to && g[g.operand(sum, 1)].id == gj::op::input;
}
static_assert(casts_around_product_alone());

}  // namespace

TEST_CASE("MODE-049: two modes that rewrite the ops of each other") {
  auto const g = gj::compile(sum_of_both{}, gj::inline_modes<zero, one>, gj::inline_modes<zero>);
  auto const sum_alone = gj::compile([](auto const& x) { return gj::add(x, 3); }, gj::inline_modes<zero, one>);
  auto const x = ones22();
  zero below;
  one above;
  under(
      [&] {
        CHECK(same_bits(g(x), matrix(sum_of_both{}(x))));
        CHECK(same_bits(sum_alone(x), matrix(gj::add(x, 3))));
        CHECK(g(x)(0, 0) == 0);
      },
      below, above);
  CHECK(g.compiles() == 1);
  CHECK(g(x)(0, 0) == 7);
}

TEST_CASE("MODE-050: a rewritten op is not in the graph") {
  auto const g = gj::compile(sum_of_both{}, gj::inline_modes<add_as_sub>);
  auto const x = support::counted(matrix(2, 2), -1);
  add_as_sub mode;
  gj::mode_scope const scope(mode);
  int const before = runs<add_as_sub>;
  matrix const compiled = g(x);
  CHECK(runs<add_as_sub> == before);
  CHECK(same_bits(compiled, matrix(sum_of_both{}(x))));
  CHECK(runs<add_as_sub> == before + 3);
  log_ob watch;
  // An observer above is told the ops as written; below, what came of them.
  {
    gj::mode_scope const above(watch);
    g(x);
  }
  CHECK(watch.ids() == std::vector{gj::op::mul, gj::op::add, gj::op::add});
}

TEST_CASE("MODE-051: what a mode adds is added once") {
  // pytorch#196056
  auto const g = gj::compile([](auto const& x) { return gj::add(x, 1) * 2; }, gj::inline_modes<plus100>);
  auto const x = support::counted(matrix(2, 2), 0, 0);
  plus100 mode;
  gj::mode_scope const scope(mode);
  auto out = ones22();
  for (int k = 0; k < 5; ++k) {
    CHECK(g(x)(1, 1) == 202);
    g.into(out, x);
    CHECK(out(0, 0) == 202);
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-071: a compiled function inside a traced one is part of its graph") {
  auto const g = gj::compile(calls_inner{}, gj::inline_modes<zero>);
  auto const x = ones22();
  CHECK(g(x)(0, 0) == 8);
  zero mode;
  gj::mode_scope const scope(mode);
  CHECK(g(x)(0, 0) == 0);
  CHECK(g.compiles() == 2);
  CHECK(inner.compiles() == 0);
}

TEST_CASE("MODE-085: two paths under two declared stacks and none") {
  auto const g = gj::compile(branches{}, gj::inline_modes<zero>, gj::inline_modes<one, zero>);
  zero first;
  one second;
  for (gj::index_t const rows : {2, 3}) {
    auto const x = support::counted(matrix(rows, 2), -1);
    auto const check = [&] { CHECK(same_bits(g(x), matrix(branches{}(x)))); };
    under(check);
    under(check, first);
    under(check, second, first);
  }
  CHECK(g.compiles() == 6);
}

TEST_CASE("MODE-084: compute_in<f64> casts around products alone") {
  auto const g = gj::compile(layer{}, gj::inline_modes<gj::compute_in<double>>);
  // Products that f32 cannot tell apart.
  auto const x = support::counted(matrix(2, 3), 1, 1e-4), w = support::counted(matrix(3, 2), 1000, 1e-3);
  auto const b = support::vec(2);
  gj::compute_in<double> mode;
  matrix const plain = g(x, w, b);
  gj::mode_scope const scope(mode);
  matrix const eager = layer{}(x, w, b), compiled = g(x, w, b);
  CHECK(same_bits(compiled, eager));
  gj::tensor<double, dyn, dyn> const wide_x = gj::to<double>(x), wide_w = gj::to<double>(w);
  {
    gj::dispatch_disabled const off;
    matrix const expected = gj::to<float>(gj::matmul(wide_x, wide_w)) + b;
    CHECK(same_bits(compiled, expected));
  }
  CHECK(support::near(compiled, plain, 1e-4));
}
