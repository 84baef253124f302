// guardjit: tests/conformance/modes/default_device.cpp: cases of the thread's default device
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "modes/fake_ops.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::default_device;
using gj::default_device_scope;
using gj::device;
using gj::mode_scope;
using gj::mode_stack;
using support::mat;
using support::vec;

namespace {

constexpr device plain{}, A{gj::device_kind::cpu, 1}, B{gj::device_kind::cpu, 2};

device of_fresh() { return gj::zeros<float>({2, 2}).where(); }
/// Whether `default_device()` tells what a fresh factory does.
bool agrees() { return of_fresh() == default_device().value_or(plain); }

}  // namespace

TEST_CASE("MODE-027: a default device set inside a mode scope stays after it, and is no mode") {
  // pytorch#133666
  gj::set_default_device(A);
  gj::op_counter counter;
  {
    mode_scope const scope(counter);
    CHECK(default_device() == A);
    gj::set_default_device(B);
    CHECK(mode_stack::depth() == 1);
    CHECK(default_device() == B);
    CHECK(of_fresh() == B);
  }
  CHECK(default_device() == B);
  CHECK(mode_stack::depth() == 0);
  CHECK(of_fresh() == B);
  gj::clear_default_device();
  CHECK_FALSE(default_device());
}

TEST_CASE("MODE-028: an explicit device wins, and what is made like a tensor follows it") {
  auto const x = gj::ones<float>({2, 2}, B);
  gj::any_tensor const any(x);
  default_device_scope const scope(A);
  CHECK(x.where() == B);
  CHECK(gj::zeros<float>({2, 3}, B).where() == B);
  CHECK(gj::ones<float>({2, 3}, plain).where() == plain);
  CHECK(gj::full({2, 3}, 1.5f, B).where() == B);
  CHECK(gj::full({2, 3}, 1.5f, B)(1, 2) == 1.5f);
  CHECK(gj::full({2, 3}, 1.5f).where() == A);
  for (device const where : {gj::zeros_like(x).where(), gj::ones_like(x).where(), gj::empty_like(x).where(),
                             gj::full_like(x, 2).where(), gj::zeros_like(any).where(),
                             gj::ones_like(x + 1).where(), gj::eval(gj::tril(x)).where(),
                             gj::eval(gj::triu(x + 1)).where(), gj::eval(gj::pad(x, {{1, 0}, {0, 1}})).where(),
                             gj::eval(gj::softmax(x, 1)).where()})
    CHECK(where == B);
  auto const i = gj::zeros<std::int64_t>({2}, B);
  CHECK(gj::eval(gj::one_hot(i, 3)).where() == B);
  CHECK(gj::tensor<float, gj::dyn>(3).where() == plain);  // a constructor is no factory
}

TEST_CASE("MODE-029: default_device() tells what a fresh factory uses") {
  // pytorch#131328, pytorch#148874
  CHECK_FALSE(default_device());
  CHECK(agrees());
  {
    default_device_scope const outer(A);
    CHECK(default_device() == A);
    CHECK(agrees());
    {
      default_device_scope const inner(B);
      CHECK(default_device() == B);
      CHECK(agrees());
    }
    CHECK(default_device() == A);
    CHECK(agrees());
    gj::clear_default_device();
    CHECK_FALSE(default_device());
    CHECK(agrees());
  }
  CHECK_FALSE(default_device());
  gj::set_default_device(B);
  CHECK(agrees());
  {
    default_device_scope const scope(A);
    gj::set_default_device(plain);  // set, to host memory: not "none"
    CHECK(default_device() == plain);
    CHECK(agrees());
  }
  CHECK(default_device() == B);
  gj::clear_default_device();
  CHECK(agrees());
  CHECK_THROWS_AS(([] {
                    default_device_scope const scope(A);
                    throw 1;
                  }()),
                  int);
  CHECK_FALSE(default_device());
}

TEST_CASE("MODE-031: a handler sees a factory without a device, its result has the default one") {
  default_device_scope const scope(A);
  int told = 0;
  std::vector<bool> named;
  fake::handler_mode mode{[&](gj::op_call& call) {
    ++told;
    named.push_back(call.device() != nullptr);
    return call();
  }};
  fake::handler_mode zeroing{[](gj::op_call& call) { return call.zeros(); }};
  {
    mode_scope const modes(mode);
    CHECK(of_fresh() == A);
    CHECK(gj::arange(0, 3).where() == A);
    CHECK(gj::zeros<float>({2}, B).where() == B);
  }
  CHECK(told == 3);
  CHECK(named == std::vector<bool>{false, false, true});
  mode_scope const modes(zeroing);
  CHECK(gj::ones<float>({2, 2}).where() == A);
  CHECK(gj::ones<float>({2, 2}, B).where() == B);
}

namespace {
struct composites {
  constexpr auto operator()(auto const& x) const {
    auto const row = gj::eval(gj::softmax(x, 1));
    auto const normal = gj::eval(gj::layer_norm(row, gj::axes(1)));
    return gj::eval(normal + gj::var(x, gj::axes(1), gj::keepdims));
  }
};
}  // namespace

TEST_CASE("MODE-053: composite functions under a default device are one graph, with the same values") {
  // pytorch#141232
  auto const g = gj::compile(composites{}, gj::name<"composites">);
  auto const plain_result = g(mat(3, 5));
  CHECK(g.compiles() == 1);
  default_device_scope const scope(A);
  auto x = gj::ones<float>({3, 5});
  support::counted(x);
  CHECK(x.where() == A);
  auto const y = g(x);
  CHECK(g.compiles() == 1);  // nothing in it reads the default device
  CHECK(g.entries().size() == 1);
  CHECK(support::same_bits(y, plain_result));
  auto const eager = composites{}(x);
  CHECK(support::near(y, eager));
  CHECK(eager.where() == A);
  CHECK(y.where() == A);
  CHECK(gj::eval(y + gj::ones<float>({3, 5})).where() == A);
}

namespace {

/// `f` of one tensor under A, B and none, compiled: the device, and an entry each.
template <class F> void check_factory(char const* name, F const& f) {
  CAPTURE(name);
  auto const g = gj::compile(f);
  auto const x = mat(3, 4);
  for (int round = 0; round < 3; ++round) {
    CHECK(g(x).where() == plain);
    {
      default_device_scope const scope(A);
      CHECK(g(x).where() == A);
      default_device_scope const inner(B);
      CHECK(g(x).where() == B);
      CHECK(support::same_bits(g(x), gj::eval(f(x))));
    }
    CHECK(g.compiles() == 3);
  }
  CHECK(g.entries().size() == 3);
}

}  // namespace

TEST_CASE("MODE-054: each factory inside a compiled function makes its result on the default device") {
  // pytorch#151202, pytorch#159041, pytorch#175953
  int rows = 0;
  for (int k = 0; k < gj::op_count; ++k) rows += gj::is_factory(static_cast<gj::op>(k));
  CHECK(rows == 4);
  check_factory("zeros", [](auto const& x) { return gj::zeros<float>(x.extent(0), 2); });
  check_factory("ones", [](auto const& x) { return gj::ones<float>(x.extent(0), 2); });
  check_factory("full", [](auto const& x) { return gj::full(2.5f, x.extent(0), 2); });
  check_factory("arange", [](auto const& x) { return gj::arange(0, x.extent(1)); });
  check_factory("eye", [](auto const& x) { return gj::eye<float>(x.extent(0)); });
  check_factory("in an expression", [](auto const& x) {
    return gj::eval(gj::zeros<float>(x.extent(0), 2) + gj::ones<float>(x.extent(0), 1));
  });
}
