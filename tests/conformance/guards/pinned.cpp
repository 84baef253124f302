// guardjit: tests/conformance/guards/pinned.cpp: cases of handles to one entry
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>
#include <thread>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::mat;
using support::vec;

namespace {

constexpr auto pinned_plain = gj::backend(gj::backends::reference{});
using pinned_floats = std::vector<float>;

struct times_plus_one {
  constexpr auto operator()(auto x, auto y) const { return x * y + 1; }
};

struct pinned_nothing : gj::pure_mode<pinned_nothing> {
  template <class Call> static constexpr typename Call::value handle(Call& call) { return call(); }
};

/// What `call` throws as an `Error`.
template <class Error> std::string text_of_error(auto const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("GRD-130: a pinned entry runs without lookup, after clear() and without its function, too") {
  auto const x = vec(3), y = vec(3, 4);
  pinned_floats const expected{5, 11, 19};
  auto out = vec(3, 50);
  std::optional const g = gj::compile(times_plus_one{}, pinned_plain, gj::dynamic::none, gj::name<"g">);
  auto const h = g->pin(x, y);
  for (int k = 0; k < 10; ++k) CHECK(elements(h(x, y)) == expected);
  CHECK(g->compiles() == 1);
  g->clear();
  for (int k = 0; k < 10; ++k) CHECK(elements(h(x, y)) == expected);
  h.into(out, x, y);
  CHECK(elements(out) == expected);
  CHECK(g->compiles() == 0);  // a lookup would have found nothing
  CHECK(g->find(x, y).empty());

  // The function makes another entry; the handle keeps its own.
  g->operator()(vec(2), vec(2));
  CHECK(elements(h(x, y)) == expected);
  CHECK(h.check(x, y));
  CHECK_FALSE(h.check(vec(2), vec(2)));

  // By memory of the caller, without any of the thread's, nor of the heap.
  CHECK(support::heap_calls_of([&] { h.into(out, x, y); }) == 0);
  CHECK(support::heap_calls_of([&] { static_cast<void>(h.check(x, y)); }) == 0);

  // Another length: `guard_error` where it is checked, and nothing is written.
  auto const checked = g->pin<true>(x, y);
  for (int k = 0; k < 2; ++k) CHECK(elements(checked(x, y)) == expected);
  g->clear();
  CHECK(elements(checked(x, y)) == expected);
  CHECK(text_of_error<gj::guard_error>([&] { checked(vec(2), vec(2)); }) ==
        "guardjit: h(arguments...): pinned entry g/1 does not serve this call: arg[0].extent(0): expected 3, got 2"
        ": arg[1].extent(0): expected 3, got 2");
  auto other = vec(2, 7);
  CHECK_THROWS_AS(checked.into(other, vec(2), vec(2)), gj::guard_error);
  CHECK(elements(other) == pinned_floats{7, 8});
  CHECK(g->compiles() == 0);
}

TEST_CASE("GRD-132: pin makes a missing entry once") {
  auto const g = gj::compile(times_plus_one{}, pinned_plain, gj::dynamic::none);
  auto const x = vec(3), y = vec(3, 4);
  auto const h = g.pin(x, y);
  CHECK(g.compiles() == 1);
  CHECK(g.find(x, y) == g.entries().at(0).id);
  auto const again = g.pin(x * 1.0f, y);  // an expression is evaluated at each call
  CHECK(g.compiles() == 1);
  CHECK(elements(again(x + x, y)) == pinned_floats{9, 21, 37});
  CHECK(h.check(x, y));
  CHECK_FALSE(h.check(vec(4), vec(4)));
  CHECK(g.compiles() == 1);
  CHECK_THROWS_AS(g.pin(vec(2), vec(3)), gj::shape_error);
  CHECK(g.compiles() == 1);

  auto const narrow = gj::compile(times_plus_one{}, pinned_plain, gj::dynamic::none, gj::recompile_limit{1},
                                  gj::name<"narrow">);
  narrow(x, y);
  CHECK(text_of_error<gj::limit_error>([&] { narrow.pin(vec(2), vec(2)); }) ==
        "guardjit: g.pin(arguments...): narrow: a limit is reached, and no entry can be made");
}

TEST_CASE("pinned: a handle outlives its function, is copied, and is called by threads") {
  auto const x = vec(3);
  auto const make = [&x] {
    auto const g = gj::compile(times_plus_one{}, pinned_plain, gj::bind(vec(3, 4)));
    return g.pin(x);
  };
  auto h = make();
  auto const copy = h;
  h = make();
  std::vector<std::thread> threads;
  int right[4]{};
  for (int& mine : right)
    threads.emplace_back([&copy, &h, &mine, &x] {
      for (int k = 0; k < 50; ++k)
        mine += elements(copy(x)) == pinned_floats{5, 11, 19} && elements(h(x)) == pinned_floats{5, 11, 19} ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  for (int mine : right) CHECK(mine == 50);
}

TEST_CASE("pinned: a dynamic entry serves the pinned layouts and others, by its guards") {
  auto const g = gj::compile(times_plus_one{}, pinned_plain, gj::dynamic::all);
  auto const h = g.pin(vec(3), vec(3, 4));
  auto const checked = g.pin<true>(vec(3), vec(3, 4));
  for (int n : {3, 5, 3, 0}) {
    CAPTURE(n);
    auto const x = vec(n), y = vec(n, 4);
    auto const expected = elements(tensor<float, dyn>(x * y + 1.0f));
    auto out = vec(n);
    CHECK(elements(h(x, y)) == expected);
    h.into(out, x, y);
    CHECK(elements(out) == expected);
    CHECK(h.check(x, y));
    CHECK(elements(checked(x, y)) == expected);
  }
  CHECK_FALSE(h.check(vec(3), vec(4)));
  CHECK_THROWS_AS(checked(vec(3), vec(4)), gj::guard_error);
  CHECK(g.compiles() == 1);
}

TEST_CASE("pinned: outputs are tested, as if the right side came first") {
  auto const g = gj::compile([](auto x) { return x + gj::transpose(x); }, pinned_plain);
  auto x = mat(2, 2);
  auto const h = g.pin(x);
  auto wrong = mat(3, 2);
  CHECK_THROWS_AS(h.into(wrong, x), gj::shape_error);
  auto turned = support::transposed(mat(2, 2));
  h.into(turned, x);
  CHECK(elements(turned) == pinned_floats{2, 5, 5, 8});
  h.into(x, x);
  CHECK(elements(x) == pinned_floats{2, 5, 5, 8});
  std::byte none[1];
  gj::index_t const needed = g.workspace_bytes(x);
  auto out = mat(2, 2);
  if (needed > 0) CHECK_THROWS_AS(h.into(out, x, std::span<std::byte>(none, 0)), gj::workspace_error);
  alignas(64) std::byte room[4096];
  h.into(out, x, std::span<std::byte>(room));
  CHECK(elements(out) == pinned_floats{4, 10, 10, 16});
  CHECK(g.compiles() == 1);
}

TEST_CASE("pinned: modes are told, make it a replay, or are another stack") {
  auto const g = gj::compile(times_plus_one{}, pinned_plain, gj::inline_modes<pinned_nothing>, gj::name<"g">);
  auto const x = vec(3), y = vec(3, 4);
  auto const h = g.pin(x, y);
  pinned_floats const expected{5, 11, 19};
  gj::op_counter counter;
  {
    gj::mode_scope const scope(counter);
    CHECK(elements(h(x, y)) == expected);
    CHECK(counter.total() == 2);
  }
  gj::nan_check values;
  {
    gj::mode_scope const scope(values);
    CHECK(elements(h(x, y)) == expected);
    CHECK_THROWS_AS(h(vec(3, static_cast<double>(NAN)), y), gj::error);  // it saw the ops
    CHECK(text_of_error<gj::mode_error>([&] { g.pin(x, y); }).find("needs the real values") != std::string::npos);
  }
  pinned_nothing mode;
  {
    gj::mode_scope const scope(mode);
    CHECK_FALSE(h.check(x, y));
    CHECK(text_of_error<gj::guard_error>([&] { h(x, y); }).find("mode stack: expected [], got [") !=
          std::string::npos);
    auto const inside = g.pin(x, y);
    CHECK(elements(inside(x, y)) == expected);
    CHECK(g.compiles() == 2);
  }
  CHECK(elements(h(x, y)) == expected);
}

TEST_CASE("pinned: types known at run time, several results, static extents, user guards") {
  auto const g = gj::compile([](auto x) { return std::tuple(x * 2, x + 1); }, pinned_plain,
                             gj::signatures<gj::dtypes<float, double>, gj::ranks<1>>);
  gj::any_tensor const x = vec(3), wide = tensor<double, dyn>{1.0, 2.0, 3.0};
  auto const h = g.pin(x);
  auto const [twice, next] = h(x);
  CHECK(elements(gj::detail::from_any<tensor<float, dyn>>(twice)) == pinned_floats{2, 4, 6});
  auto a = vec(3), b = vec(3);
  h.into(std::tie(a, b), x);
  CHECK(elements(b) == pinned_floats{2, 3, 4});
  CHECK(h.check(x));
  CHECK_FALSE(h.check(wide));
  CHECK_THROWS_AS(h(wide), gj::guard_error);

  int asked = 0;
  auto const small = gj::compile(
      [](auto v) { return v * 2 + 1; }, pinned_plain,
      gj::user_guard([&asked](auto const& v) { return ++asked > 0 && v(0) < 10; }, "small"));
  tensor<float, 4> const v{1, 2, 3, 4}, w{11, 2, 3, 4};
  tensor<float, 4> out;
  auto const s = small.pin(v);
  int const before = asked;
  s.into(out, v);
  CHECK(elements(out) == pinned_floats{3, 5, 7, 9});
  CHECK(elements(s(v)) == pinned_floats{3, 5, 7, 9});
  CHECK(asked == before);  // the guard is the caller's duty
  CHECK(s.check(v));
  CHECK_FALSE(s.check(w));
  CHECK(text_of_error<gj::guard_error>([&] { small.pin<true>(v)(w); }).find("small: expected true, got false") !=
        std::string::npos);
}
