// guardjit: tests/compile/several_results.cpp: functions that return tuples, pairs, arrays and aggregates
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <array>
#include <tuple>

#include "support/allocation_counter.hpp"
#include "support/modules.hpp"
#include "support/programs.hpp"

namespace gj = guardjit;
using gj::dyn, gj::tensor;
using support::how;
using support::mat;
using support::matrix;
using support::near;
using support::row_vector;
using support::same_bits;
using support::small;
using support::vec;

namespace {

template <class Mean, class Largest> struct summary {
  Mean mean;
  Largest largest;
};
template <class T> struct halves {
  T low, high;
};

/// All leaves of two structures are near.
template <class A, class B> void check_near(A const& a, B const& b) {
  auto const x = gj::detail::leaves_of(a);
  auto const y = gj::detail::leaves_of(b);
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    bool const all[] = {near(std::get<K>(x), std::get<K>(y))...};
    for (bool one : all) CHECK(one);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(x)>>{});
}
/// A structure of tensors for `into`, like `like`, in one layout.
template <class S> S outputs_like(S const& like, how l) {
  auto const from = gj::detail::leaves_of(like);
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    auto made = std::tuple(support::output_like(std::get<K>(from), l)...);
    S out = like;
    gj::detail::leaves_of(out) = made;
    return out;
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(from)>>{});
}

/// Every way to call `f`: all results are those of its ops one by one.
template <class F, class... X> auto check_results(F f, X const&... x) {
  auto const expected = support::one_by_one(f, x...);
  auto const check = [&](auto const& g) {
    auto const first = g(x...);
    static_assert(std::is_same_v<decltype(first), decltype(expected)>);
    check_near(first, expected);
    int const compiles = g.compiles();
    check_near(g(x...), expected);
    for (how l : {how::contiguous, how::transposed, how::padded}) {
      CAPTURE(support::name_of(l));
      auto out = outputs_like(expected, l);
      g.into(out, x...);
      check_near(out, expected);
      auto again = outputs_like(expected, l);
      alignas(64) static std::byte memory[1 << 14];
      g.into(again, x..., std::span<std::byte>(memory));
      check_near(again, expected);
    }
    CHECK(g.compiles() == compiles);
  };
  check(gj::compile(f, gj::backend(gj::backends::reference{}), gj::dynamic::all));
  check(gj::compile(f));
  return expected;
}

}  // namespace

TEST_CASE("a tuple of results") {
  auto const [mean, spread] = check_results([](auto const& x) { return std::tuple(gj::mean(x), gj::amax(x)); }, small(3, 5));
  static_assert(std::is_same_v<decltype(mean), tensor<float> const>);
  CHECK(mean() == doctest::Approx(-0.0625));
  CHECK(spread() == 0.375f);
}

TEST_CASE("pairs, arrays and aggregates, nested") {
  auto const x = small(4, 3);
  auto const all = check_results(
      [](auto const& a) {
        auto const rows = gj::sum(a, gj::axes(1));
        return std::pair(summary<decltype(rows), std::array<decltype(rows), 2>>{rows, {rows * 2, rows * 3}},
                         halves<decltype(rows)>{gj::exp(rows), gj::tanh(gj::exp(rows))});
      },
      x);
  static_assert(std::is_same_v<decltype(all), std::pair<summary<row_vector, std::array<row_vector, 2>>, halves<row_vector>> const>);
  CHECK(all.first.largest[1](2) == doctest::Approx(3 * all.first.mean(2)));
  // Fields of unlike types, in the order of the parameters.
  auto const s = check_results([](auto const& a) { return summary<decltype(a * 1), decltype(a * 1)>{gj::mean(a), a * 2}; }, x);
  static_assert(std::is_same_v<decltype(s), summary<tensor<float>, matrix> const>);
  check_results([](auto const& a) { return std::tuple(std::tuple(a * 2), std::tuple()); }, x);
}

TEST_CASE("results share work, not storage") {
  auto const x = small(4, 3), w = small(3, 3);
  check_results(
      [](auto const& a, auto const& b) {
        auto const h = gj::relu(gj::matmul(a, b));
        return std::tuple(h, gj::sum(h, gj::axes(0)), gj::softmax(h) * h, h + 1);
      },
      x, w);
  // The same node twice, a view of a result, a reshape that copies.
  auto const [a, b, c, d] = check_results(
      [](auto const& v) {
        auto const y = v * 2 + 1;
        return std::tuple(y, y, gj::transpose(y), gj::reshape(gj::transpose(y), {12}));
      },
      x);
  CHECK(a.storage().data() != b.storage().data());
  CHECK(a.storage().data() != c.storage().data());
  CHECK(c.storage().data() != d.storage().data());
  auto const g = gj::compile([](auto const& v) {
    auto const y = gj::exp(v);
    return std::tuple(y, y + 1, gj::amax(y, gj::axes(1), gj::keepdims), y / gj::sum(y, gj::axes(1), gj::keepdims));
  });
  auto const [e, e1, most, share] = g(x);
  CHECK(e1(2, 1) == e(2, 1) + 1);
  CHECK(most(2, 0) == e(2, 2));
  CHECK(share(3, 0) + share(3, 1) + share(3, 2) == doctest::Approx(1));
}

TEST_CASE("arguments, views of them, scalars, extents and constants as results") {
  auto const x = mat(3, 4);
  auto const g = gj::compile([](auto const& a, auto const& k) {
    return std::tuple(a, gj::transpose(a), a * 1, k, a.extent(0), 2.5f, gj::ones<float>(a.extent(1)), gj::slice(a, 0, 1, 3) + k);
  });
  for (int round = 0; round < 2; ++round) {
    auto const [same, turned, copied, scalar, rows, number, ones, part] = g(x, 7);
    CHECK(same.storage().data() == x.storage().data());
    CHECK(turned.storage().data() == x.storage().data());
    CHECK(turned(3, 2) == x(2, 3));
    CHECK(copied.storage().data() != x.storage().data());
    CHECK(same_bits(copied, x));
    static_assert(std::is_same_v<decltype(scalar), tensor<std::int64_t> const>);
    CHECK(scalar() == 7);
    CHECK(rows() == 3);
    CHECK(number() == 2.5f);
    CHECK(same_bits(ones, support::counted(row_vector(4), 1, 0)));
    CHECK(part(1, 3) == x(2, 3) + 7);
  }
  check_results([](auto const& a, auto const& b) { return std::tuple(a, gj::reshape(gj::transpose(a), {6}), b, a + b); },
                small(2, 3), small(2, 3, how::transposed));
  check_results([](auto const& a) { return std::tuple(gj::reshape(a, {6}), gj::reshape(a, {6}), gj::reshape(gj::reshape(a, {6}), {3, 2})); },
                small(2, 3, how::transposed));
  // Where the strides allow it both are views, else each is a copy.
  auto const flat_twice = gj::compile([](auto const& a) { return std::tuple(gj::reshape(a, {6}), gj::reshape(a, {6})); });
  auto const packed = small(2, 3), turned_around = small(2, 3, how::transposed);
  auto const [v, w] = flat_twice(packed);
  CHECK(v.storage().data() == packed.storage().data());
  CHECK(w.storage().data() == packed.storage().data());
  auto const [c, d] = flat_twice(turned_around);
  CHECK(c.storage().data() != turned_around.storage().data());
  CHECK(c.storage().data() != d.storage().data());
  CHECK(same_bits(c, d));
  check_results([](auto const& a) { return std::tuple(a * 2, gj::sum(a), a.extent(1)); }, small(0, 3));
}

TEST_CASE("into: results come before outputs are written, outputs are apart") {
  auto const swap = gj::compile([](auto const& a, auto const& b) { return std::tuple(b, a); });
  auto a = mat(2, 3), b = mat(2, 3, 11);
  swap.into(std::tie(a, b), a, b);
  CHECK(a(1, 2) == 16);
  CHECK(b(1, 2) == 6);
  swap.into(std::tie(a, b), a, b);
  CHECK(same_bits(a, mat(2, 3)));
  // A transposed view of one output as an argument.
  auto const f = gj::compile([](auto const& x, auto const& y) { return std::pair(x + y, gj::sum(x * y, gj::axes(0))); });
  auto square = mat(3, 3);
  row_vector sums(3);
  auto const turned = support::transposed(square);
  f.into(std::tie(square, sums), turned, square);
  CHECK(square(2, 0) == 7 + 3);
  CHECK(sums(1) == 2 * 4 + 5 * 5 + 8 * 6);
  {
    support::passing_mode passing;
    gj::mode_scope const scope(passing);
    swap.into(std::tie(a, b), a, b);
    CHECK(a(1, 2) == 16);
    CHECK(b(1, 2) == 6);
    CHECK_THROWS_AS(swap.into(std::tie(a, a), a, b), gj::overlap_error);
  }
  auto const before = a.clone();
  auto row = support::viewed(a, 0, {2, 3}, {3, 1}), wrong = mat(3, 2);
  CHECK_THROWS_AS(swap.into(std::tie(a, row), b, b), gj::overlap_error);
  CHECK_THROWS_AS(swap.into(std::tie(a, a), mat(2, 3), mat(2, 3)), gj::overlap_error);
  CHECK_THROWS_AS(swap.into(std::tie(a, wrong), b, b), gj::shape_error);
  CHECK(same_bits(a, before));
  // Neighbours in one storage are apart.
  auto const both = mat(4, 3);
  auto top = support::viewed(both, 0, {2, 3}, {3, 1}), bottom = support::viewed(both, 6, {2, 3}, {3, 1});
  auto const g = gj::compile([](auto const& x) { return std::array{x + 1, x * 2}; });
  std::array outs{top, bottom};
  for (int round = 0; round < 2; ++round) {
    g.into(outs, before);
    CHECK(both(1, 2) == before(1, 2) + 1);
    CHECK(both(3, 2) == before(1, 2) * 2);
  }
}

TEST_CASE("into several outputs allocates nothing on a hit") {
  auto const f = gj::compile([](auto const& x, auto const& w) {
    auto const h = gj::matmul(x, w);
    return std::tuple(gj::relu(h), gj::sum(h * h, gj::axes(1)));
  });
  auto const x = small(4, 3), w = small(3, 5);
  matrix h(4, 5);
  row_vector s(4);
  f.into(std::tie(h, s), x, w);
  f.into(std::tie(h, s), x, w);
  CHECK(support::heap_calls_of([&] {
          for (int k = 0; k < 10; ++k) f.into(std::tie(h, s), x, w);
        }) == 0);
  auto const [h1, s1] = f(x, w);
  CHECK(same_bits(h, h1));
  CHECK(same_bits(s, s1));
  alignas(64) std::byte memory[64];
  h = matrix(4, 5);
  if (f.workspace_bytes(x, w) > 0) CHECK_THROWS_AS(f.into(std::tie(h, s), x, w, std::span<std::byte>(memory, 1)), gj::workspace_error);
  CHECK(h(0, 0) == 0);
}

TEST_CASE("static extents, and paths whose results differ in extents") {
  tensor<float, 4> const x{1, 2, 3, 4};
  auto const f = gj::compile([](auto const& a) { return std::pair(a + 1, a * a); });
  auto const [p, q] = f(x);
  static_assert(std::is_same_v<decltype(p), tensor<float, 4> const>);
  tensor<float, 4> r, s;
  for (int round = 0; round < 2; ++round) {
    f.into(std::tie(r, s), x);
    CHECK(same_bits(r, p));
    CHECK(same_bits(s, q));
  }
  CHECK(q(3) == 16);

  auto const g = gj::compile([](auto const& a, auto const& n) {
    if (n > 1) return std::pair(gj::slice(a, 0, 0, 2), a + 0.5f);
    return std::pair(gj::slice(a, 0, 0, 3), a - 0.5f);
  });
  auto const two = g(x, 2), one = g(x, 1);
  CHECK(two.first.extent(0) == 2);
  CHECK(two.second(0) == 1.5f);
  CHECK(one.first.extent(0) == 3);
  CHECK(one.second(0) == 0.5f);
}

TEST_CASE("ops of several results are told once, in the order of the results") {
  auto const f = [](auto const& x) {
    auto const y = gj::exp(x);
    return std::tuple(gj::sum(y), y * 2, y);
  };
  auto const g = gj::compile(f);
  auto const counted = [](auto const& call) {
    gj::op_counter counter;
    gj::mode_scope const scope(counter);
    call();
    return counter;
  };
  auto const x = small(3, 3);
  auto const made = counted([&] { g(x); }), hit = counted([&] { g(x); });
  CHECK(made.total() == 3);
  CHECK(made == hit);
  support::passing_mode passing;
  gj::mode_scope const scope(passing);
  CHECK(counted([&] { g(x); }) == made);
}

TEST_CASE("several results of a bound module, by dynamic entries") {
  auto const g = gj::compile(
      [](auto const& x, auto const& net) {
        auto const hidden = net.first(x);
        return summary<decltype(hidden), decltype(hidden)>{hidden, net.third(net.second(hidden))};
      },
      gj::bind(support::net()), gj::dynamic::all);
  for (gj::index_t n : {1, 5, 2, 5, 5}) {
    auto const both = g(mat(n, 4));
    CHECK(both.mean.extent(0) == n);
    CHECK(near(both.largest, matrix(support::net()(mat(n, 4)))));
  }
  CHECK(g.compiles() == 1);
}
