// guardjit: tests/compile/fixed.cpp: calls with few elements of static number, whose kernel is inlined
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::counted;

namespace {

constexpr auto chain = [](auto x, auto y, auto a) { return gj::tanh(x * a) * y - x / (y + 0.5f); };
constexpr auto cheap = [](auto x, auto y) { return x * 2 + y; };

/// The values of a static tensor under run-time extents, in memory of their own.
template <class T, index_t... E> auto dynamic_copy(tensor<T, E...> const& x) {
  return gj::any_tensor(x.clone()).as<T, (static_cast<void>(E), dyn)...>();
}

/// The inlined kernel gives the bits of the general one, at its first call and at hits.
template <class T, index_t... E> void check_equal(auto const& f, auto... scalars) {
  auto const x = counted(tensor<T, E...>(), -0.75, 0.0625), y = counted(tensor<T, E...>(), 3, -0.25);
  auto const g = gj::compile(f);
  auto const expected = g(dynamic_copy(x), dynamic_copy(y), scalars...);
  for (int call = 0; call < 3; ++call) {
    auto out = counted(tensor<T, E...>(), 1e6);
    g.into(out, x, y, scalars...);
    CHECK(support::same_bits(dynamic_copy(out), expected));
    CHECK(support::same_bits(dynamic_copy(g(x, y, scalars...)), expected));
  }
  CHECK(g.compiles() == (sizeof...(E) == 0 ? 1 : 2));
}

}  // namespace

TEST_CASE("a number of elements that the types say: the bits of the general kernel") {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (check_equal<float, N>(cheap), ...);
  }
  (std::integer_sequence<int, 0, 1, 3, 4, 8, 9, 15, 16, 33, 64, 129>{});
  check_equal<float, 2>(chain, 1.5f);
  check_equal<float, 17>(chain, 1.5f);
  check_equal<double, 3>(chain, 1.5f);
  check_equal<double, 9>(cheap);
  check_equal<double, 34>(cheap);
  check_equal<float>(chain, 1.5f);
  check_equal<float, 3, 5>(chain, 1.5f);
  check_equal<float, 1, 4, 1>(cheap);
  check_equal<std::int64_t, 6>(cheap);
  check_equal<std::uint8_t, 6>(cheap);
}

TEST_CASE("operands with one element for all, and other shapes with as many elements") {
  auto const g = gj::compile([](auto x, auto y, auto z) { return x * y - z; });
  auto const x = counted(tensor<float, 2, 3>());
  auto const same = counted(tensor<float, 1, 2, 3>(), 5);
  auto const one = counted(tensor<float>(), 4);
  auto const also = counted(tensor<float, 1, 1>(), 4);
  tensor<float, 2, 3> out;
  tensor<float, 1, 2, 3> wide;
  auto const expected = counted(tensor<float, 2, 3>(), -1, 3);
  for (int call = 0; call < 2; ++call) {
    g.into(out, x, one, counted(tensor<float, 2, 3>(), 5));
    CHECK(support::same_bits(out, expected));
    g.into(out, x, also, counted(tensor<float, 2, 3>(), 5));
    CHECK(support::same_bits(out, expected));
    g.into(wide, x, also, same);
    CHECK(support::elements(wide) == support::elements(expected));
    g.into(out, x, counted(tensor<float, 3>(), 4, 0), counted(tensor<float, 2, 3>(), 5));  // a row is no fixed operand
    CHECK(support::same_bits(out, expected));
  }
  CHECK(g.compiles() == 4);
}

TEST_CASE("strides are compared: another layout is another entry, with the right values") {
  auto const g = gj::compile(cheap);
  auto const x = counted(tensor<float, 3, 4>()), y = counted(tensor<float, 3, 4>(), 100);
  auto out = tensor<float, 3, 4>();
  g.into(out, x, y);
  auto const expected = out.clone();
  // Row k of these begins at another place.
  auto room = counted(tensor<float, 64>(), -1, 0);
  auto spread = tensor<float, 3, 4>::adopt(room.storage(), room.data(), gj::layout<2>({3, 4}, {16, 1}));
  g.into(spread, x, y);
  CHECK(support::same_bits(spread.clone(), expected));
  CHECK(room.data()[4] == -1);
  auto const copy = spread.clone();
  auto values = counted(tensor<float, 64>());
  auto const rows = tensor<float, 3, 4>::adopt(values.storage(), values.data(), gj::layout<2>({3, 4}, {16, 1}));
  g.into(out, rows, y);
  CHECK(support::same_bits(out, gj::compile(cheap)(rows.clone(), y)));
  g.into(out, x, y);
  CHECK(support::same_bits(out, expected));
}

TEST_CASE("POL-12: an output over an argument gets the values as if the right side came first") {
  auto const g = gj::compile(cheap);
  auto const first = counted(tensor<float, 20>()), second = counted(tensor<float, 20>(), 7, 3);
  auto const expected = g(first, second);
  tensor<float, 20> warm;
  g.into(warm, first, second);
  for (index_t shift : {0, 1, 3, 15, 16, 19}) {
    auto memory = counted(tensor<float, 64>(), 0, 0);
    auto const x = tensor<float, 20>::adopt(memory.storage(), memory.data() + 20, gj::layout<1>({20}));
    counted(x);
    auto after = tensor<float, 20>::adopt(memory.storage(), memory.data() + 20 + shift, gj::layout<1>({20}));
    g.into(after, x, second);
    CHECK(support::same_bits(after.clone(), expected));
    counted(x);
    auto before = tensor<float, 20>::adopt(memory.storage(), memory.data() + 20 - shift, gj::layout<1>({20}));
    g.into(before, x, second);
    CHECK(support::same_bits(before.clone(), expected));
  }
}

TEST_CASE("an entry is still needed: clear makes the next call compile, modes are told") {
  auto const g = gj::compile(cheap);
  auto const x = counted(tensor<float, 8>()), y = counted(tensor<float, 8>());
  tensor<float, 8> out;
  CHECK(g.find(x, y).empty());
  g.into(out, x, y);
  CHECK(g.entries().size() == 1);
  g.clear();
  CHECK(g.compiles() == 0);
  g.into(out, x, y);
  CHECK(g.compiles() == 1);
  CHECK(g.entries().size() == 1);
  CHECK(support::heap_calls_of([&] { g.into(out, x, y); }) == 0);
  gj::op_counter counter;
  {
    gj::mode_scope const scope(counter);
    g.into(out, x, y);
  }
  CHECK(counter.total() == 2);
  alignas(64) std::byte none[1];
  g.into(out, x, y, std::span<std::byte>(none, 0));
  CHECK(out.data()[7] == 24);
}

TEST_CASE("short vectors: each extent needs an entry, and gives the bits of longer ones") {
  auto const g = gj::compile(chain, gj::dynamic::none, gj::recompile_limit{100});
  auto const long_one = gj::compile(chain, gj::dynamic::all);
  auto const many = counted(tensor<float, dyn>(200), -0.75, 0.0625), more = counted(tensor<float, dyn>(200), 3, -0.25);
  auto const whole = long_one(many, more, 1.5f);
  auto const part = [](auto x, index_t n) { return support::viewed(x, 0, {n}, {1}); };
  for (int round = 0; round < 2; ++round)
    for (index_t n = 0; n < 70; ++n) {
      auto out = counted(tensor<float, dyn>(n + 3), 1e6, 0);
      for (int call = 0; call < 2; ++call) {
        auto inner = support::viewed(out, 1, {n}, {1});
        g.into(inner, part(many, n), part(more, n), 1.5f);
        CHECK(support::same_bits(inner.clone(), part(whole, n)));
        CHECK((out(0) == 1e6f && out(n + 1) == 1e6f && out(n + 2) == 1e6f));
      }
      CHECK(g.compiles() == (round == 0 ? n + 1 : 70));
    }
}

TEST_CASE("short vectors that are no plain arrays, or overlap, or differ in extent") {
  auto const g = gj::compile(cheap, gj::dynamic::none, gj::recompile_limit{100});
  auto const twice = [](auto const& x, auto const& y, index_t k) { return x(k) * 2 + y(k); };
  for (index_t n : {1, 2, 5, 16, 31}) {
    auto memory = counted(tensor<float, dyn>(200));
    auto const x = support::viewed(memory, 0, {n}, {1}), y = support::viewed(memory, 64, {n}, {1});
    auto const stepped = support::viewed(memory, 3, {n}, {3}), back = support::viewed(memory, 40, {n}, {-1});
    auto const one = support::viewed(memory, 7, {1}, {1});
    auto out = tensor<float, dyn>(n);
    for (int round = 0; round < 2; ++round)
      for (auto const& a : {x, stepped, back})
        for (auto const& b : {y, stepped, back}) {
          g.into(out, a, b);
          for (index_t k = 0; k < n; ++k) CHECK(out(k) == twice(a, b, k));
        }
    g.into(out, x, one);
    for (index_t k = 0; k < n; ++k) CHECK(out(k) == x(k) * 2 + 8);
    auto spread = support::viewed(counted(tensor<float, dyn>(100)), 0, {n}, {2});
    g.into(spread, x, y);
    for (index_t k = 0; k < n; ++k) CHECK(spread(k) == twice(x, y, k));
    g.into(out, x, y);
    for (index_t shift : {0, 1, 2}) {
      counted(memory);
      auto over = support::viewed(memory, shift, {n}, {1});
      g.into(over, x, y);
      CHECK(support::same_bits(over.clone(), out));
    }
  }
  auto out = tensor<float, dyn>(4);
  CHECK_THROWS_AS(g.into(out, support::vec(5), support::vec(5)), gj::shape_error);
  CHECK_THROWS_AS(g.into(out, support::vec(4), support::vec(5)), gj::shape_error);
  CHECK_THROWS_AS(g.into(out, support::vec(5), support::vec(4)), gj::shape_error);
}

TEST_CASE("a function of more signatures than are kept at hand") {
  auto const g = gj::compile(cheap);
  auto const check = [&]<int... N>(std::integer_sequence<int, N...>) {
    auto const one = [&]<int Count>(std::integral_constant<int, Count>) {
      auto const x = counted(tensor<float, Count + 1>());
      tensor<float, Count + 1> out;
      g.into(out, x, x);
      CHECK(support::same_bits(out, counted(tensor<float, Count + 1>(), 3, 3)));
    };
    (one(std::integral_constant<int, N>{}), ...);
  };
  for (int round = 0; round < 3; ++round) check(std::make_integer_sequence<int, 12>{});
  CHECK(g.compiles() == 12);
  CHECK(g.entries().size() == 12);
}
