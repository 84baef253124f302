// guardjit: tests/compile/structured.cpp: arguments and bound values made of parts: every kind of call
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <tuple>

#include "support/allocation_counter.hpp"
#include "support/modules.hpp"
#include "support/programs.hpp"

namespace gj = guardjit;
using gj::dyn, gj::tensor;
using support::dense;
using support::mat;
using support::matrix;
using support::near;
using support::row_vector;
using support::same_bits;
using support::vec;

namespace {

constexpr auto run_module = [](auto const& x, auto const& net) { return net(x); };

auto const compiled_module = gj::compile(run_module);

/// A field without state is part of the function; a scalar is an input.
template <class W, class Scale, class Activation> struct activated {
  W w;
  Scale scale;
  [[no_unique_address]] Activation activation;
  constexpr auto operator()(auto const& x) const { return activation(gj::matmul(x, w) * scale); }
};
template <class T> struct pairs {
  std::pair<T, T> first;
  std::array<T, 2> second;
};
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L, class M,
          class N, class O, class P>
struct sixteen {
  A a;
  B b;
  C c;
  D d;
  E e;
  F f;
  G g;
  H h;
  I i;
  J j;
  K k;
  L l;
  M m;
  N n;
  O o;
  P p;
};

}  // namespace

TEST_CASE("a module is an argument, a bound value, and plain C++ on tensors") {
  auto const x = mat(6, 4, -5);
  auto const net = support::net();
  matrix const eager = net(x);  // the expression owns what the inner calls made
  auto const f = gj::compile(run_module);
  CHECK(near(f(x, net), eager));
  auto const owned = gj::compile(run_module, gj::bind(support::net()));
  CHECK(same_bits(owned(x), f(x, net)));
  auto const referred = gj::compile(run_module, gj::bind(std::cref(net)));
  CHECK(same_bits(referred(x), f(x, net)));
  CHECK(f.compiles() == 1);

  // The same call by each way there is.
  matrix const expected = f(x, net);
  matrix out(6, 2), again(6, 2);
  support::passing_mode passing;
  f.into(out, x, net);
  CHECK(same_bits(out, expected));
  alignas(64) std::byte memory[4096];
  CHECK(f.workspace_bytes(x, net) <= 4096);
  f.into(again, x, net, std::span<std::byte>(memory));
  CHECK(same_bits(again, expected));
  CHECK(f.find(x, net) == f.entries()[0].id);
  {
    gj::mode_scope const scope(passing);
    CHECK(same_bits(f(x, net), expected));
  }
  CHECK(same_bits(gj::compile(run_module, gj::dynamic::all)(x, net), expected));
  // An expression as an argument beside a module.
  CHECK(same_bits(f(x * 1.0f, net), expected));
}

TEST_CASE("a compiled function of modules inside a traced one") {
  auto const net = support::net();
  auto const outer = gj::compile([](auto const& x, auto const& layers) { return compiled_module(x, layers) * 2; });
  matrix const once = compiled_module(mat(2, 4), net), twice = outer(mat(2, 4), net);
  CHECK(twice(1, 0) == 2 * once(1, 0));
  CHECK(twice(0, 1) == 2 * once(0, 1));
}

TEST_CASE("scalars are leaves, fields without state are constants") {
  auto const f = gj::compile(run_module);
  auto const twice = [](auto const& y) { return y * 2; };
  auto const negative = [](auto const& y) { return -y; };
  activated<matrix, float, decltype(twice)> const a{mat(2, 2), 0.5f, {}};
  activated<matrix, int, decltype(negative)> const b{mat(2, 2), 3, {}};
  CHECK(f(mat(1, 2), a)(0, 0) == 7);
  CHECK(f(mat(1, 2), b)(0, 0) == -21);
  auto faster = a;
  faster.scale = 1;
  CHECK(f(mat(1, 2), faster)(0, 0) == 14);
  CHECK(f.compiles() == 2);
}

TEST_CASE("leaves keep their order, whatever they are in") {
  auto const f = gj::compile([](auto const& p, auto const& t) {
    auto const& [a, b, c] = t;
    auto const& [d, e] = b;
    return p.first.first + p.first.second * 10 + p.second[0] * 100 + p.second[1] * 1000 + a * 10000 + d * 100000 +
           e * 1000000 + c * 10000000;
  });
  pairs<row_vector> const p{{vec(1, 1), vec(1, 2)}, {vec(1, 3), vec(1, 4)}};
  auto const t = std::tuple(5, std::pair(vec(1, 6), 7.0), 8.0f);
  auto const y = f(p, t);
  static_assert(std::is_same_v<decltype(y), tensor<float, dyn> const>);
  CHECK(y(0) == 87654321);

  auto const g = gj::compile([](auto const& s) { return s.a - s.b + s.h * s.i - s.o / s.p; });
  using vector = row_vector;
  sixteen<vector, int, int, int, int, int, int, int, int, int, int, int, int, int, vector, vector> const s{
      vec(2), 1, 1, 1, 1, 1, 1, 5, 6, 1, 1, 1, 1, 1, vec(2, 8), vec(2, 4)};
  CHECK(g(s)(0) == 1 - 1 + 30 - 2);
  auto const none = gj::compile([](auto const& x, auto const&, auto const& empty) {
    static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(empty)>> == 0);
    return x + 1;
  });
  CHECK(none(vec(2), std::pair(vec(3), 2), std::tuple())(1) == 3);
}

TEST_CASE("a hit on a module copies no handle and allocates nothing") {
  auto const f = gj::compile(run_module);
  auto const x = mat(6, 4);
  auto const net = support::net();
  matrix out(6, 2);
  f.into(out, x, net);
  f.into(out, x, net);
  CHECK(support::heap_calls_of([&] {
          for (int k = 0; k < 10; ++k) f.into(out, x, net);
        }) == 0);
}

TEST_CASE("more than 32 arguments: the last ones may overlap with the output, too") {
  auto const f = gj::compile(
      [](auto const& a, auto const& b, auto const& c) {
        auto y = a[0];
        for (unsigned k = 1; k < 15; ++k) y = y + a[k];
        for (unsigned k = 0; k < 15; ++k) y = y + b[k];
        return y + c[0] * 2 + c[1] * 3 + gj::sum(c[2], gj::axes(0), gj::keepdims);
      });
  std::array<row_vector, 15> a, b;
  for (row_vector& r : a) r = vec(4);
  for (row_vector& r : b) r = vec(4);
  std::array c{vec(4), vec(4), vec(4)};
  row_vector const expected = f(a, b, c);
  CHECK(expected(3) == 4 * 35 + 10);
  row_vector out = c[2];
  f.into(out, a, b, c);
  CHECK(same_bits(c[2], expected));
  c[2] = vec(4);
  out = c[0];
  f.into(out, a, b, c);
  CHECK(same_bits(c[0], expected));
}
