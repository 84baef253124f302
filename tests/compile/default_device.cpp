// guardjit: tests/compile/default_device.cpp: compiled functions and the thread's default device
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "modes/fake_ops.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"
#include <optional>
#include <tuple>

namespace gj = guardjit;
using gj::default_device_scope;
using gj::device;
using gj::dyn;
using gj::mode_scope;
using gj::tensor;
using support::contains;
using support::mat;
using support::thrown;
using support::vec;

namespace {

constexpr device host{}, A{gj::device_kind::cpu, 1}, B{gj::device_kind::cpu, 2};

/// `vec` in memory of a label.
tensor<float, dyn> vec_on(device on, gj::index_t n) {
  auto x = gj::zeros<float>({n}, on);
  return support::counted(x);
}

/// A factory beside an argument.
struct shifted {
  constexpr auto operator()(auto const& x) const { return x + gj::ones<float>(x.extent(0)); }
};
struct twice {
  constexpr auto operator()(auto const& x) const { return x * 2; }
};

int state_guards(auto const& g) {
  int count = 0;
  for (auto const& e : g.entries())
    for (auto const& guard : e.guards) count += guard.kind == gj::guard_kind::state_is;
  return count;
}

}  // namespace

TEST_CASE("state_is: the first guard of an entry whose factory was given no device, and its reason") {
  auto const g = gj::compile([](auto const& x) { return gj::zeros<float>(x.extent(0), x.extent(0)); }, gj::name<"g">);
  default_device_scope const scope(A);
  g(vec(3));
  auto const entries = g.entries();
  REQUIRE(entries.size() == 1);
  auto const& guards = entries[0].guards;
  CHECK(guards[0].kind == gj::guard_kind::state_is);
  CHECK(guards.size() == 2);
  default_device_scope const other(B);
  auto const report = g.explain_miss(vec(4));
  REQUIRE(report.entries.size() == 1);
  REQUIRE(report.entries[0].reasons.size() == 2);
  CHECK(report.entries[0].reasons[0].find("default device: expected cpu:1, got cpu:2 (") == 0);
  CHECK(contains(report.entries[0].reasons[0], "default_device.cpp:"));
  CHECK(report.entries[0].reasons[1] == "arg[0].extent(0): expected 3, got 4");
  CHECK(g.find(vec(3)).empty());
  gj::clear_default_device();
  CHECK(contains(g.explain_miss(vec(3)).to_string(), "expected cpu:1, got none"));
}

TEST_CASE("state_is: no guard where nothing reads the default device, and no miss") {
  auto const f = gj::compile(twice{});
  auto const like = gj::compile([](auto const& x) { return gj::tril(x) + gj::zeros_like(x); });
  auto const unused = gj::compile([](auto const& x) {
    [[maybe_unused]] auto const dropped = gj::zeros<float>(x.extent(0));
    return x * 3;
  });
  auto const x = vec(4);
  auto out = vec(4);
  f(x), like(mat(3, 3)), unused(x);
  default_device_scope const scope(A);
  for (int k = 0; k < 3; ++k) {
    CHECK(f(x).where() == host);
    CHECK(like(mat(3, 3)).where() == host);
    CHECK(unused(x).where() == host);
    f.into(out, x);
  }
  CHECK(f.compiles() + like.compiles() + unused.compiles() == 3);
  CHECK(state_guards(f) + state_guards(like) + state_guards(unused) == 0);
}

TEST_CASE("state_is: only the entries of paths with a factory compare it") {
  auto const g = gj::compile([](auto const& x) {
    if (x.extent(0) > 4) return gj::eval(gj::ones<float>(x.extent(0)) * 2);
    return gj::eval(x * 2);
  });
  g(vec(3));
  {
    default_device_scope const scope(A);
    CHECK(g(vec(3)).where() == host);
    CHECK(g.compiles() == 1);
    CHECK(g(vec(5)).where() == A);
    CHECK(g.compiles() == 2);
  }
  CHECK(g(vec(3)).where() == host);
  CHECK(g.compiles() == 2);
  CHECK(g(vec(5)).where() == host);
  CHECK(g.compiles() == 3);
  CHECK(state_guards(g) == 2);
}

TEST_CASE("a factory beside an argument on another device is refused as in eager code, each time") {
  auto const g = gj::compile(shifted{}, gj::name<"shifted">);
  auto const x = vec(4), on_a = vec_on(A, 4);
  auto out = vec(4);
  auto const refused = [&](auto const& value) {
    auto const text = thrown<gj::device_error>([&] { g(value); });
    CHECK(contains(text, "guardjit: add(a, b): the devices must be equal: cpu:"));
    CHECK(contains(text, "default_device.cpp:"));
    CHECK_THROWS_AS(gj::eval(shifted{}(value)), gj::device_error);
    CHECK_THROWS_AS(g.into(out, value), gj::device_error);
    fake::handler_mode mode{[](gj::op_call& call) { return call(); }};
    mode_scope const scope(mode);
    CHECK_THROWS_AS(g(value), gj::device_error);
  };
  refused(on_a);
  CHECK(g.compiles() == 0);
  CHECK(g(x).where() == host);
  refused(on_a);
  CHECK(g.compiles() == 1);
  default_device_scope const scope(A);
  refused(x);
  CHECK(g.compiles() == 1);
  for (int k = 0; k < 2; ++k) {
    CHECK(g(on_a).where() == A);
    CHECK(g(on_a)(3) == 5);
    g.into(out, on_a);
    CHECK(out(3) == 5);
  }
  CHECK(g.compiles() == 2);
  CHECK(support::same_bits(g(on_a), gj::eval(shifted{}(on_a))));
}

TEST_CASE("static extents: an inlined kernel asks for the default device where a factory reads it") {
  auto const g = gj::compile(shifted{});
  auto const h = gj::compile(twice{});
  tensor<float, 4> x{1, 2, 3, 4}, out;
  g.into(out, x), h.into(out, x);
  CHECK(out(3) == 8);
  default_device_scope const scope(A);
  for (int k = 0; k < 3; ++k) {
    CHECK_THROWS_AS(g.into(out, x), gj::device_error);
    h.into(out, x);
  }
  CHECK(out(3) == 8);
  CHECK(g.compiles() + h.compiles() == 2);
}

TEST_CASE("results lie where the argument lies that they are made of: miss, hit, dynamic entry, memo, replay") {
  auto const g = gj::compile([](auto const& x, auto const& y) { return std::tuple(gj::eval(x * 2), gj::eval(gj::exp(y)), x); });
  auto const f = gj::compile(twice{});
  auto const check = [&] {
    for (gj::index_t n : {3, 4, 5, 5, 5, 3}) {
      auto const [a, b, c] = g(vec_on(A, n), vec_on(B, n));
      CHECK(a.where() == A);
      CHECK(b.where() == B);
      CHECK(c.where() == A);
      CHECK(f(vec_on(B, n)).where() == B);
      CHECK(f(vec(n)).where() == host);
      CHECK(f(vec_on(B, n)).where() == gj::eval(twice{}(vec_on(B, n))).where());
    }
  };
  check();
  check();
  fake::handler_mode mode{[](gj::op_call& call) { return call(); }};
  mode_scope const scope(mode);
  check();
  CHECK(f.compiles() == 2);
}

TEST_CASE("results of several paths lie with the argument of their path") {
  auto const g = gj::compile([](auto const& x, auto const& y) {
    if (x.extent(0) > 4) return gj::eval(x + 1);
    return gj::eval(y + 1);
  });
  for (int k = 0; k < 3; ++k) {
    CHECK(g(vec_on(A, 5), vec_on(B, 5)).where() == A);
    CHECK(g(vec_on(A, 3), vec_on(B, 3)).where() == B);
  }
  CHECK(g.compiles() == 2);
}

TEST_CASE("zeros_like and tril in a compiled function follow their argument, and modes are told so") {
  auto const f = [](auto const& x) { return gj::eval(gj::zeros_like(x * 2)); };
  auto const g = gj::compile(f);
  auto const lower = gj::compile([](auto const& x) { return gj::tril(x); });
  auto square = gj::zeros<float>({3, 3}, B);
  support::counted(square);
  auto const x = vec_on(B, 4);
  std::vector<device> requested;
  fake::watching_mode watch{[&](gj::op_record const& r) {
    if (r.id == gj::op::zeros) requested.push_back(r.device ? *r.device : A);
  }};
  fake::handler_mode handle{[&](gj::op_call& call) {
    if (call.op() == gj::op::zeros) requested.push_back(call.device() ? *call.device() : A);
    return call();
  }};
  default_device_scope const scope(A);
  for (int k = 0; k < 3; ++k) {
    CHECK(g(x).where() == B);
    CHECK(lower(square).where() == B);
  }
  {
    mode_scope const modes(watch);
    CHECK(g(x).where() == B);
    CHECK(f(x).where() == B);
  }
  {
    mode_scope const modes(handle);
    CHECK(g(x).where() == B);
    CHECK(f(x).where() == B);
    CHECK(lower(square).where() == B);
  }
  CHECK(requested == std::vector<device>{B, B, B, B});
  CHECK(g.compiles() == 1);
  CHECK(support::same_bits(lower(square), gj::eval(gj::tril(square))));
}

namespace {
struct emptied : gj::pure_mode<emptied> {
  template <class Call> static constexpr auto handle(Call& call) {
    typename Call::value result = call();
    if (call.op() == gj::op::add || call.op() == gj::op::ones) result = call.zeros();
    return result;
  }
};
}  // namespace

TEST_CASE("zeros of a handler lie as its op would: inlined, replayed and in eager code") {
  auto const sums = [](auto const& x) { return gj::eval(x + 1); };
  auto const made = [](auto const& x) { return gj::eval(gj::ones<float>(x.extent(0)) * 2); };
  auto const inlined = gj::compile(sums, gj::inline_modes<emptied>);
  auto const replayed = gj::compile(sums);
  auto const factory = gj::compile(made, gj::inline_modes<emptied>);
  auto const x = vec_on(B, 3);
  emptied mode;
  default_device_scope const scope(A);
  mode_scope const modes(mode);
  for (int k = 0; k < 2; ++k) {
    CHECK(inlined(x).where() == B);
    CHECK(inlined(x)(2) == 0);
    CHECK(replayed(x).where() == B);
    CHECK(sums(x).where() == B);
    CHECK(factory(x).where() == A);
    CHECK(factory(x)(2) == 0);
    CHECK(made(x).where() == A);
  }
  CHECK(inlined.compiles() == 1);
  CHECK(state_guards(inlined) == 0);
  CHECK(factory.compiles() == 1);
  CHECK(state_guards(factory) == 1);
  gj::clear_default_device();
  CHECK(factory(x).where() == host);
  CHECK(inlined(x).where() == B);
  CHECK(factory.compiles() == 2);
  CHECK(inlined.compiles() == 1);
}

namespace {
/// On the device of its argument.
constexpr auto twice_apart = [](tensor<float, dyn> const& x) { return gj::eval(x * 2); };
}  // namespace

TEST_CASE("opaque: values of earlier segments and of callables keep their devices") {
  auto const f = [](auto const& x) {
    auto const made = gj::eval(gj::ones<float>(x.extent(0)) + 1);
    auto const given = gj::opaque(twice_apart)(x * 3);
    return std::tuple(gj::eval(made * 2), gj::eval(given + 1));
  };
  auto const g = gj::compile(f);
  auto const x = vec_on(B, 3);
  for (device const on : {host, A, A, B, host}) {
    std::optional<default_device_scope> scope;
    if (!(on == host)) scope.emplace(on);
    for (int k = 0; k < 2; ++k) {
      auto const [made, given] = g(x);
      CHECK(made.where() == on);
      CHECK(made(0) == 4);
      CHECK(given.where() == B);
      CHECK(given(2) == 19);
    }
  }
}

TEST_CASE("dynamic entries, calls at a limit and outputs of the caller under default devices") {
  auto const f = [](auto const& x) { return gj::ones<float>(x.extent(0)) * 3; };
  auto const g = gj::compile(f);
  auto const tight = gj::compile(f, gj::recompile_limit(1));
  for (device const on : {A, B}) {
    default_device_scope const scope(on);
    for (gj::index_t n : {2, 3, 4, 5, 4}) {
      CHECK(g(vec(n)).where() == on);
      CHECK(tight(vec(n)).where() == on);
      auto out = vec(n);
      g.into(out, vec(n));
      CHECK(out(n - 1) == 3);
      CHECK(out.where() == host);
    }
  }
  CHECK(tight.compiles() == 1);
  CHECK(g.compiles() == 3);  // of the first device a static and a dynamic one; history knows what varies
  CHECK(g(vec(9)).where() == host);
  CHECK(g.compiles() == 4);
}

TEST_CASE("the guard has the device that the call began with, whatever a subscriber sets meanwhile") {
  auto const g = gj::compile([](auto const& x) { return gj::zeros<float>(x.extent(0)); });
  default_device_scope const scope(A);
  auto sink = [](gj::event const& e) {
    if (e.kind == gj::event_kind::compile_begin) gj::set_default_device(B);
  };
  {
    gj::subscription const heard{sink};
    CHECK(g(vec(3)).where() == A);
  }
  CHECK(gj::default_device() == B);
  CHECK(contains(g.explain_miss(vec(3)).to_string(), "expected cpu:1, got cpu:2"));
  gj::set_default_device(A);
  CHECK(g(vec(3)).where() == A);
  CHECK(g.compiles() == 1);
}

TEST_CASE("a typed result is host memory: of a default device of another kind nothing is taken") {
  auto const g = gj::compile([](auto const& x) { return gj::zeros<float>(x.extent(0)); });
  default_device_scope const scope(device{gj::device_kind::cuda, 0});
  CHECK(gj::default_device() == device{gj::device_kind::cuda, 0});
  CHECK(gj::ones<float>({2}).where() == host);
  CHECK(gj::arange(0, 3).where() == host);
  CHECK(g(vec(3)).where() == host);
  CHECK_THROWS_AS(gj::ones<float>({2}, device{gj::device_kind::cuda, 0}), gj::device_error);
  fake::handler_mode erased{[](gj::op_call& call) { return call(call.arg(0)); }};
  mode_scope const modes(erased);
  CHECK_THROWS_AS(gj::full({2}, 1.5f), gj::device_error);  // operands of its own: no type fixes the kind
}

TEST_CASE("an any_tensor of a compiled call may have any label of host memory") {
  auto const g = gj::compile(twice{}, gj::signature<tensor<float, dyn>>);
  gj::any_tensor const y = g(gj::any_tensor(vec_on(A, 3)));
  CHECK(y.where() == A);
  CHECK(y.data_as<float>()[2] == 6);
}
