// guardjit: tests/compile/in_out_calls.cpp: functions that write arguments in each way that a call takes
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "compile/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/fault_sweep.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::plain;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::heap_calls_of;
using support::mat;
using support::vec;

namespace {

using floats = std::vector<float>;
using vector = tensor<float, dyn>;

struct momentum {
  constexpr auto operator()(auto& w, auto& v, auto gradient) const {
    v = v * 0.5f + gradient;
    w = w - v * 2.0f;
    return gj::sum(v);
  }
};
/// w = 1 2 3, v = 2 4 6, gradient = 3 4 5: right behind one call.
struct operands {
  vector w = vec(3), v = support::counted(vector(3), 2, 2), gradient = vec(3, 3);
  bool is_as_made() const { return elements(w) == floats{1, 2, 3} && elements(v) == floats{2, 4, 6}; }
  bool is_stepped() const { return elements(w) == floats{-7, -10, -13} && elements(v) == floats{4, 6, 8}; }
};

template <class A, class B> struct linear {
  A weight;
  B bias;
  friend constexpr void for_each_leaf(linear const& layer, auto const& visit) {
    visit("weight", layer.weight);
    visit("bias", layer.bias);
  }
};

/// Sees all ops, and changes none.
struct passing final : gj::function_mode {
  int ops = 0;
  gj::any_tensor handle(gj::op_call& call) override {
    ++ops;
    return call();
  }
};
struct doubled_sums : gj::pure_mode<doubled_sums> {
  template <class Call> static constexpr auto handle(Call& call) {
    typename Call::value result = call();
    if (call.op() == gj::op::sum) result = result * 2.0f;
    return result;
  }
};

}  // namespace

TEST_CASE("in-out: modes see the ops, and the same is written") {
  auto const g = gj::compile(momentum{}, gj::inline_modes<doubled_sums>);
  {
    operands x;
    CHECK(g(x.w, x.v, x.gradient)() == 18);
    CHECK(x.is_stepped());
  }
  {
    operands x;
    passing mode;
    gj::mode_scope const scope(mode);
    CHECK(g(x.w, x.v, x.gradient)() == 18);
    CHECK(mode.ops == 5);
    CHECK(x.is_stepped());
  }
  {
    operands x;
    doubled_sums mode;
    gj::mode_scope const scope(mode);
    for (int k = 0; k < 2; ++k) {
      operands y;
      CHECK(g(y.w, y.v, y.gradient)() == 36);
      CHECK(y.is_stepped());
    }
  }
  {
    operands x;
    gj::op_counter counter;
    gj::mode_scope const scope(counter);
    CHECK(g(x.w, x.v, x.gradient)() == 18);
    CHECK(counter.total() == 5);
    CHECK(x.is_stepped());
  }
  CHECK(g.compiles() == 2);
}

TEST_CASE("in-out: a function that applies modes itself, given an expression") {
  auto const g = gj::compile([](auto& s, auto x) {
    s = gj::with_modes(doubled_sums{})([](auto y) { return y + gj::sum(y); })(x);
  }, plain);
  auto s = vec(2);
  for (int k = 0; k < 2; ++k) {
    g(s, vec(2) + vec(2));
    CHECK(elements(s) == floats{14, 16});
  }
  CHECK_THROWS_AS(g(s, vec(3)), gj::shape_error);
  auto other = vec(3);
  CHECK_THROWS_AS(g(other, vec(2)), gj::shape_error);
  g(other, vec(3));
  CHECK(elements(other) == floats{13, 14, 15});
}

TEST_CASE("in-out: calls at a limit write as well") {
  for (gj::limit_action const what : {gj::limit_action::uncached, gj::limit_action::eager}) {
    auto const g = gj::compile(momentum{}, plain, gj::recompile_limit{0}, gj::on_limit{what});
    operands x;
    CHECK(g(x.w, x.v, x.gradient)() == 18);
    CHECK(x.is_stepped());
    CHECK(g.compiles() == 0);
    vector sum(1);
    CHECK_THROWS_AS(g(x.w, x.w, x.gradient), gj::overlap_error);
    CHECK(x.is_stepped());
  }
}

TEST_CASE("in-out: a call that fails has written nothing") {
  struct subject {
    decltype(gj::compile(momentum{}, plain)) g;
    operands call;
  };
  auto const found = support::sweep_faults(
      [] { return subject{gj::compile(momentum{}, plain), {}}; },
      [](subject& s) { return s.g(s.call.w, s.call.v, s.call.gradient)(); }, 18.0f,
      [](subject const& s, bool failed) { CHECK((failed ? s.call.is_as_made() : s.call.is_stepped())); });
  CHECK(found.faults > 10);
}

TEST_CASE("in-out: types known at run time") {
  auto const g = gj::compile(momentum{}, gj::signature<vector, vector, vector>);
  operands x;
  gj::any_tensor w = x.w, v = x.v;
  gj::any_tensor const sum = g(w, v, gj::any_tensor(x.gradient));
  CHECK(sum.as<float>()() == 18);
  CHECK(x.is_stepped());
  auto const step = gj::compile([](auto& s) { s = s + 1; }, gj::signature<vector>, gj::signature<tensor<int, dyn>>);
  step(w);
  CHECK(elements(x.w) == floats{-6, -9, -12});
}

TEST_CASE("in-out: leaves of a module that f takes by reference") {
  auto const g = gj::compile([](auto& model, auto x) {
    model.bias = model.bias + gj::sum(x) * model.weight;
    return model.bias;
  }, plain, gj::name<"train">);
  linear<vector, vector> model{vec(2), vec(2, 5)};
  CHECK(elements(g(model, vec(2))) == floats{8, 12});
  CHECK(elements(model.bias) == floats{8, 12});
  CHECK(elements(model.weight) == floats{1, 2});
  auto const both = gj::compile([](auto& m) { m.weight = m.weight + 1, m.bias = m.bias + 1; }, plain,
                                gj::name<"both">);
  linear<vector, vector> tied{model.weight, model.weight};
  std::string text;
  try {
    both(tied);
  } catch (gj::overlap_error const& e) {
    text = e.what();
  }
  CHECK(text == "guardjit: both: arg[0].weight and arg[0].bias, which are written, must not overlap");
  CHECK(elements(model.weight) == floats{1, 2});
  auto const bound = gj::compile([](auto x, auto& m) { m.bias = m.bias + x; }, plain, gj::bind(std::ref(model)));
  bound(vec(2));
  CHECK(elements(model.bias) == floats{9, 14});
}

TEST_CASE("in-out: static extents, and one inlined kernel") {
  auto const g = gj::compile([](auto& s, auto x) { s = s * 0.5f + x; });
  tensor<float, 8> s = support::counted(tensor<float, 8>()), x = support::counted(tensor<float, 8>());
  g(s, x);
  CHECK(s(7) == 12);
  CHECK(heap_calls_of([&] { g(s, x); }) == 0);
  CHECK(s(7) == 14);
  CHECK(s(0) == 1.75f);
  g(s, s);
  CHECK(s(0) == 2.625f);
}

TEST_CASE("in-out: a function that is called in another one writes its symbols") {
  static auto const add_to = gj::compile([](auto& s, auto x) {
    s = s + x;
    return s * 2;
  }, plain);
  auto const f = gj::compile([](auto& a, auto x) {
    auto local = x;
    auto const y = add_to(local, x) + add_to(a, x);
    return y + local;
  }, plain);
  auto a = vec(2);
  auto const x = vec(2);
  CHECK(elements(f(a, x)) == floats{10, 20});
  CHECK(elements(a) == floats{2, 4});
  CHECK(elements(x) == floats{1, 2});
  CHECK(add_to.compiles() == 0);
}
