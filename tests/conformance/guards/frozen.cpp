// guardjit: tests/conformance/guards/frozen.cpp: cases of frozen arguments: packed forms, whose they are, how long
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;
using support::elements;
using support::heap_calls_of;

namespace {

using matrix = tensor<float, dyn, dyn>;
using frozen_matrix = gj::frozen<float, dyn, dyn>;

struct product {
  constexpr auto operator()(auto x, auto w) const { return gj::matmul(x, w); }
};

/// Whole numbers, so that products are exact in any order.
matrix whole(index_t m, index_t n, index_t first) {
  matrix x(m, n);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>((first = first * 7 % 31) - 15);
  return x;
}
matrix by_loops(matrix const& x, frozen_matrix const& w) {
  matrix y(x.extent(0), w.extent(1));
  for (index_t i = 0; i < y.extent(0); ++i)
    for (index_t j = 0; j < y.extent(1); ++j)
      for (index_t k = 0; k < x.extent(1); ++k) y(i, j) += x(i, k) * w(k, j);
  return y;
}
bool is_right(auto const& g, matrix const& x, frozen_matrix const& w) {
  return support::same_bits(g(x, w), by_loops(x, w));
}
int forms_of(frozen_matrix const& w) { return gj::detail::frozen_memory::of(w.storage())->forms(); }

template <class Matrix, class Row> struct weights {
  Matrix w;
  Row b;
};
struct layer {
  constexpr auto operator()(auto x, auto const& p) const { return gj::relu(gj::matmul(x, p.w) + p.b); }
};

}  // namespace

TEST_CASE("GRD-151: a plan with a packed form is for one frozen tensor alone") {
  matrix const a = whole(20, 33, 1), b = whole(20, 33, 3), x = whole(3, 20, 5);
  auto const w = gj::freeze(a);
  auto const g = gj::compile(product{}, gj::name<"product">);
  CHECK(is_right(g, x, w));
  CHECK(is_right(g, x, w));
  CHECK(g.compiles() == 1);
  CHECK(forms_of(w) == 1);
  std::vector<gj::guard> const guards = g.entries()[0].guards;
  CHECK(guards.back().kind == gj::guard_kind::same_storage);

  SUBCASE("another tensor is a miss, and both are served then") {
    auto const other = gj::freeze(b);
    CHECK(g.explain_miss(x, other).entries[0].reasons ==
          std::vector<std::string>{"arg[1]: expected the frozen tensor that the entry was made for, got another one"});
    CHECK(is_right(g, x, other));
    CHECK(g.compiles() == 2);
    CHECK(is_right(g, x, w));
    CHECK(is_right(g, x, other));
    CHECK(g.find(x, w) == "product/0");
    CHECK(g.find(x, other) == "product/1");
    // The same elements frozen once more are another tensor.
    CHECK(g.find(x, gj::freeze(a)).empty());
    CHECK(g.compiles() == 2);
  }
  SUBCASE("views of one tensor have one storage, and forms by layout") {
    auto const turned = gj::compile([](auto p, auto q) { return gj::matmul(q, p); });
    matrix const y = whole(2, 33, 9);
    auto const t = gj::transpose(w);
    CHECK(support::same_bits(turned(t, y), by_loops(y, t)));
    CHECK(forms_of(w) == 2);
    auto const part = w(gj::full_extent, gj::range(4, 31));
    CHECK(is_right(g, x, part));
    auto const behind = w(gj::full_extent, gj::range(5, 32));
    CHECK(is_right(g, x, behind));
  }
  SUBCASE("at a limit calls run right without an entry") {
    auto const few = gj::compile(product{}, gj::recompile_limit{1});
    for (int k = 0; k < 4; ++k) CHECK(is_right(few, x, gj::freeze(k % 2 == 0 ? a : b)));
    CHECK(few.compiles() == 1);
    CHECK(few.uncached_calls() == 3);
  }
}

TEST_CASE("G29: entries keep what they guard, so that no address comes again") {
  matrix const x = whole(3, 20, 5);
  auto const g = gj::compile(product{}, gj::recompile_limit{100}, gj::dynamic::none);
  std::int64_t const before = gj::live_storages();
  for (index_t k = 1; k <= 20; ++k) CHECK(is_right(g, x, gj::freeze(whole(20, 33, k))));
  CHECK(g.compiles() == 20);
  // The elements, and the frozen block around them.
  CHECK(gj::live_storages() - before == 40);
  g.clear();
  CHECK(gj::live_storages() == before);
  // Dynamic entries, and what a thread remembers of them, too.
  auto const open = gj::compile(product{}, gj::recompile_limit{100}, gj::dynamic::all);
  for (index_t k = 1; k <= 20; ++k) {
    auto const w = gj::freeze(whole(20, 33, k));
    for (index_t m : {1, 2, 1, 2, 100}) CHECK(is_right(open, whole(m, 20, k), w));
  }
  CHECK(open.compiles() == 20);
  CHECK(gj::live_storages() - before == 40);
  open.clear();
  CHECK(gj::live_storages() == before);
}

TEST_CASE("G29: only plans that read a packed form are bound to a tensor") {
  auto const w = gj::freeze(whole(20, 33, 1)), other = gj::freeze(whole(20, 33, 2));
  auto const sums = gj::compile([](auto x, auto v) { return x + v; });
  sums(whole(20, 33, 3), w);
  sums(whole(20, 33, 3), other);
  CHECK(sums.compiles() == 1);
  // Many rows go to Eigen's product, one column to that of a matrix and a vector.
  auto const g = gj::compile(product{}, gj::dynamic::none);
  CHECK(is_right(g, whole(300, 20, 1), w));
  CHECK(is_right(g, whole(300, 20, 1), other));
  CHECK(g.compiles() == 1);
  auto const column = gj::freeze(whole(20, 1, 1)), another = gj::freeze(whole(20, 1, 2));
  CHECK(is_right(g, whole(3, 20, 1), column));
  CHECK(is_right(g, whole(3, 20, 1), another));
  CHECK(g.compiles() == 2);
  CHECK(forms_of(w) + forms_of(other) + forms_of(column) == 0);
  // The plain loops know no other form.
  auto const plain = gj::compile(product{}, gj::backend(gj::reference));
  CHECK(is_right(plain, whole(3, 20, 1), w));
  CHECK(is_right(plain, whole(3, 20, 1), other));
  CHECK(plain.compiles() == 1);
}

TEST_CASE("G29: bound and in modules, in static and dynamic entries, a hit does not allocate") {
  auto const w = gj::freeze(whole(20, 33, 1));
  auto const b = gj::freeze(support::vec(33));
  weights<frozen_matrix, gj::frozen<float, dyn>> const frozen_layer{w, b};
  weights<matrix, tensor<float, dyn>> const plain_layer{w.clone(), b.clone()};
  auto const g = gj::compile(layer{}, gj::name<"layer">, gj::bind(frozen_layer));
  auto const of_arguments = gj::compile(layer{});
  for (index_t m : {3, 4, 5, 4, 3}) {
    matrix const x = whole(m, 20, m);
    matrix y(m, 33), z(m, 33);
    g.into(y, x);
    g.into(z, x);
    CHECK(support::same_bits(y, of_arguments(x, plain_layer)));
    CHECK(support::same_bits(y, of_arguments(x, frozen_layer)));
    CHECK(heap_calls_of([&] { g.into(y, x); }) == 0);
    alignas(64) std::byte room[4096];
    REQUIRE(g.workspace_bytes(x) <= 4096);
    gj::no_allocation const none;
    CHECK(heap_calls_of([&] { g.into(y, x, std::span<std::byte>(room)); }) == 0);
  }
  CHECK(g.compiles() == 2);
  CHECK(forms_of(w) == 1);
  auto other = frozen_layer;
  other.w = gj::freeze(plain_layer.w);
  CHECK(of_arguments.explain_miss(whole(3, 20, 1), other).entries[0].reasons[0] ==
        "arg[1].0: expected the frozen tensor that the entry was made for, got another one");
}

TEST_CASE("G29: a matrix on the left of a vector, a batch, f64") {
  auto const w = gj::freeze(whole(33, 20, 1));
  tensor<float, dyn> const v = support::vec(20);
  auto const g = gj::compile([](auto m, auto x) { return gj::matmul(m, x); });
  auto const loops = gj::compile([](auto m, auto x) { return gj::matmul(m, x); }, gj::backend(gj::reference));
  CHECK(support::same_bits(g(w, v), loops(w.clone(), v)));
  CHECK(forms_of(w) == 1);
  auto const wide = gj::freeze(support::counted(tensor<double, dyn, dyn>(5, 17)));
  auto const batch = support::counted(tensor<double, dyn, dyn, dyn>(2, 3, 5));
  CHECK(support::same_bits(g(batch, wide), loops(batch, wide.clone())));
  CHECK(gj::detail::frozen_memory::of(wide.storage())->forms() == 1);
}

TEST_CASE("G29: results never share the elements of a frozen argument, and modes see its tensor") {
  auto const w = gj::freeze(whole(4, 6, 1));
  matrix const x = whole(2, 4, 3);
  auto const turned = gj::compile([](auto v) { return gj::transpose(v); });
  matrix t = turned(w);
  t(0, 0) = 99;
  CHECK(w(0, 0) != 99);
  auto const g = gj::compile(product{});
  matrix const expected = g(x, w);
  gj::op_counter counter;
  gj::nan_check checks;
  {
    gj::mode_scope const seen(counter);
    CHECK(support::same_bits(g(x, w), expected));
    gj::mode_scope const replayed(checks);
    CHECK(support::same_bits(g(x, w), expected));
    matrix u = turned(w);
    u(0, 0) = 99;
  }
  CHECK(w(0, 0) != 99);
  CHECK(counter.count(gj::op::matmul) == 2);
}
