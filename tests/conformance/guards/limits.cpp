// guardjit: tests/conformance/guards/limits.cpp: cases of limits, of reset and of backends that fail
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <exception>
#include <string>

#include "conformance/guards/fixtures.hpp"
#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::none;
using fixtures::ids_of;
using fixtures::plain;
using fixtures::texts;
using fixtures::twice;
using gj::dyn;
using gj::limit_action;
using gj::tensor;
using support::contains;
using support::elements;
using support::thrown;
using support::vec;

namespace {

/// How many events of one kind there are while `call` runs.
int count_of(gj::event_kind kind, auto const& call) {
  int count = 0;
  gj::subscription const s{[&](gj::event const& e) { count += e.kind == kind ? 1 : 0; }};
  call();
  return count;
}

bool is_right(auto const& g, int n) {
  return elements(g(vec(n))) == elements(tensor<float, dyn>(vec(n) * 2));
}


}  // namespace

TEST_CASE("GRD-091: limit_action::error") {
  auto const g = gj::compile(twice{}, plain, none, gj::recompile_limit{2}, gj::on_limit{limit_action::error},
                             gj::name<"g">);
  for (int n : {1, 2}) CHECK(is_right(g, n));
  auto out = vec(3, 50);
  std::string const text = thrown<gj::limit_error>([&] { g.into(out, vec(3)); });
  CHECK(text ==
        "guardjit: recompile_limit 2 of g is reached; g/0: arg[0].extent(0): expected 1, got 3\n"
        "g/1: arg[0].extent(0): expected 2, got 3");
  CHECK(elements(out) == elements(vec(3, 50)));
  for (int n : {1, 2}) CHECK(is_right(g, n));
  CHECK(g.compiles() == 2);
  CHECK(g.uncached_calls() == 0);
  CHECK(count_of(gj::event_kind::limit, [&] { CHECK_THROWS_AS(g(vec(3)), gj::limit_error); }) == 1);
  CHECK(count_of(gj::event_kind::limit, [&] { CHECK_THROWS_AS(g(vec(3)), gj::limit_error); }) == 0);
  g.clear();
  CHECK(is_right(g, 3));
}

TEST_CASE("GRD-092: fullgraph at the limit") {
  auto const eager = gj::compile(twice{}, plain, none, gj::recompile_limit{1},
                                 gj::on_limit{limit_action::eager}, gj::fullgraph);
  CHECK(is_right(eager, 1));
  CHECK(contains(thrown<gj::limit_error>([&] { eager(vec(2)); }), "recompile_limit 1"));
  CHECK(contains(thrown<gj::limit_error>([&] { eager(vec(2)); }), "fullgraph"));
  CHECK(is_right(eager, 1));
  auto const by_default = gj::compile(twice{}, plain, none, gj::recompile_limit{1}, gj::fullgraph);
  for (int n : {1, 2}) CHECK(is_right(by_default, n));
  CHECK(by_default.uncached_calls() == 1);
}

TEST_CASE("GRD-093: evict") {
  auto const g = gj::compile(twice{}, plain, none, gj::recompile_limit{2}, gj::on_limit{limit_action::evict},
                             gj::name<"g">);
  for (int n : {2, 3, 4, 2}) {
    CHECK(is_right(g, n));
    CHECK(g.entries().size() <= 2);
  }
  CHECK(g.compiles() == 4);
  CHECK(ids_of(g) == texts{"g/2", "g/3"});
  CHECK(g.uncached_calls() == 0);

  // Dynamic ones go too, plans that threads kept of them are not found any more.
  auto const open =
      gj::compile(twice{}, gj::recompile_limit{1}, gj::on_limit{limit_action::evict}, gj::name<"open">);
  for (int n : {2, 3, 4, 4}) CHECK(is_right(open, n));
  CHECK(ids_of(open) == texts{"open/1"});
  auto out = vec(4);
  CHECK(elements(open(support::viewed(vec(8), 0, {4}, {2}))) == std::vector<float>{2, 6, 10, 14});
  CHECK(open.entries().size() == 1);
  open.into(out, vec(4));
  CHECK(elements(out) == std::vector<float>{2, 4, 6, 8});

  // Static extents: the inlined kernel needs an entry, which that of other strides takes away.
  auto const packed = gj::compile(twice{}, gj::recompile_limit{1}, gj::on_limit{limit_action::evict});
  tensor<float, 4> x{1, 2, 3, 4}, y;
  packed.into(y, x);
  CHECK(packed.compiles() == 1);
  auto owner = vec(8);
  auto const pitched = tensor<float, 4>::adopt(owner.storage(), owner.data(), gj::layout<1>({4}, {2}));
  CHECK(elements(packed(pitched)) == std::vector<float>{2, 6, 10, 14});
  CHECK(packed.compiles() == 2);
  packed.into(y, x);
  CHECK(packed.compiles() == 3);
  CHECK(elements(y) == std::vector<float>{2, 4, 6, 8});
}

TEST_CASE("GRD-096: error_on_recompile") {
  auto const g = gj::compile(twice{}, plain, gj::error_on_recompile, gj::name<"g">);
  CHECK(is_right(g, 3));
  CHECK(thrown<gj::recompile_error>([&] { g(vec(4)); }) ==
        "guardjit: g: error_on_recompile: a call needs another entry; g/0: arg[0].extent(0): expected 3, got "
        "4");
  CHECK(is_right(g, 3));
  CHECK(g.compiles() == 1);
  CHECK(ids_of(g) == texts{"g/0"});
  CHECK(g(tensor<double, dyn>{1.0, 2.0})(1) == 4);  // another signature
  CHECK(count_of(gj::event_kind::guard_failure, [&] { CHECK_THROWS_AS(g(vec(4)), gj::recompile_error); }) ==
        1);
  g.clear();
  CHECK(is_right(g, 4));
}

TEST_CASE("GRD-153: limit_action::eager") {
  struct counting final : gj::observer_mode {
    int told = 0;
    void observe(gj::op_record const&) override { ++told; }
  } mode;
  auto const g = gj::compile([](auto x) { return gj::tanh(x * 2) + x; }, none, gj::recompile_limit{2},
                             gj::on_limit{limit_action::eager});
  auto const x = vec(3);
  auto const fused = gj::compile([](auto v) { return gj::tanh(v * 2) + v; })(x);
  for (int n : {1, 2}) g(vec(n));
  CHECK(support::same_bits(g(x), fused));
  auto out = vec(3);
  g.into(out, x);
  CHECK(support::same_bits(out, fused));
  {
    gj::mode_scope const scope(mode);
    g.into(out, x);
  }
  CHECK(mode.told == 3);
  CHECK(g.compiles() == 2);
  CHECK(g.uncached_calls() == 0);
  CHECK(g.workspace_bytes(x) == 0);
}

TEST_CASE("compile_limit bounds the compiles of all signatures, those of evicted entries included") {
  auto const g = gj::compile(twice{}, plain, none, gj::compile_limit{3}, gj::name<"g">);
  for (int n : {1, 2}) CHECK(is_right(g, n));
  CHECK(g(tensor<double, dyn>{1.0})(0) == 2);
  std::string told;
  {
    gj::subscription const s{[&](gj::event const& e) {
      if (e.kind == gj::event_kind::limit) told += e.text;
    }};
    CHECK(g(tensor<int, dyn>{1})(0) == 2);
    CHECK(is_right(g, 3));
  }
  CHECK(told == "compile_limit 3 of g is reached");
  CHECK(g.compiles() == 3);
  CHECK(g.uncached_calls() == 2);
  CHECK(is_right(g, 2));
  CHECK(g.uncached_calls() == 2);
  g.clear();
  CHECK(is_right(g, 3));
  CHECK(g.compiles() == 1);

  auto const evicting = gj::compile(twice{}, plain, none, gj::recompile_limit{1}, gj::compile_limit{2},
                                    gj::on_limit{limit_action::evict});
  for (int n : {1, 2, 3, 2}) CHECK(is_right(evicting, n));
  CHECK(evicting.compiles() == 2);
  CHECK(evicting.uncached_calls() == 1);  // the length 3: at compile_limit nothing is evicted

  auto const refusing = gj::compile(twice{}, plain, gj::compile_limit{0}, gj::on_limit{limit_action::error});
  CHECK(contains(thrown<gj::limit_error>([&] { refusing(vec(1)); }), "compile_limit 0"));
}

TEST_CASE("a limit of 0 keeps nothing") {
  auto const g = gj::compile(twice{}, plain, gj::recompile_limit{0});
  for (int n : {1, 1}) CHECK(is_right(g, n));
  CHECK(g.compiles() == 0);
  CHECK(g.uncached_calls() == 2);
  auto const evicting =
      gj::compile(twice{}, plain, gj::recompile_limit{0}, gj::on_limit{limit_action::evict});
  CHECK(is_right(evicting, 1));
  CHECK(evicting.uncached_calls() == 1);
}

TEST_CASE("limits of functions that test indices: nothing is written before a refusal") {
  auto const pick = [](auto x, auto at) { return gj::take(x, at, 0); };
  tensor<std::int64_t, dyn> const at{1, 0}, wrong{9, 0};
  for (auto action :
       {limit_action::uncached, limit_action::eager, limit_action::error, limit_action::evict}) {
    auto const g = gj::compile(pick, plain, none, gj::recompile_limit{1}, gj::on_limit{action});
    g(vec(2), at);
    auto out = vec(2, 50);
    CHECK_THROWS_AS(g.into(out, vec(3), wrong), gj::error);
    CHECK(elements(out) == elements(vec(2, 50)));
    if (action == limit_action::error) CHECK_THROWS_AS(g.into(out, vec(3), at), gj::limit_error);
    else CHECK(elements(g(vec(3), at)) == std::vector<float>{2, 1});
    CHECK(elements(out) == elements(vec(2, 50)));
    CHECK(g.entries().size() == 1);
    CHECK(g.compiles() == (action == limit_action::evict ? 2 : 1));
    CHECK((g.find(vec(2), at).empty()) == (action == limit_action::evict));
  }
  auto const strict = gj::compile(pick, plain, none, gj::error_on_recompile);
  strict(vec(2), at);
  CHECK_THROWS_AS(strict(vec(3), at), gj::recompile_error);
}

TEST_CASE("GRD-118: the backend throws; then it works") {
  using fragile = support::fragile_backend<118>;
  auto const g = gj::compile(twice{}, gj::backend(fragile{}), gj::name<"g">);
  fragile::fails = true;
  auto out = vec(3, 50);
  std::string text, nested;
  try {
    g.into(out, vec(3));
  } catch (gj::backend_error const& e) {
    text = e.what();
    try {
      std::rethrow_if_nested(e);
    } catch (std::runtime_error const& original) {
      nested = original.what();
    }
  }
  CHECK(text == "guardjit: g: backend fragile failed: no plan for 3 nodes");
  CHECK(nested == "no plan for 3 nodes");
  CHECK(elements(out) == elements(vec(3, 50)));
  CHECK(g.entries().empty());
  CHECK(g.compiles() == 1);
  fragile::fails = false;
  CHECK(is_right(g, 3));
  CHECK(ids_of(g) == texts{"g/1"});
  CHECK_FALSE(g.entries()[0].dynamic);
  CHECK(fragile::builds == 2);
  CHECK(is_right(g, 3));
  CHECK(fragile::builds == 2);

  // Plans that are not kept are built, too.
  auto const uncached = gj::compile(twice{}, gj::backend(fragile{}), gj::recompile_limit{0});
  fragile::fails = true;
  CHECK_THROWS_AS(uncached(vec(3)), gj::backend_error);
  fragile::fails = false;
  CHECK(is_right(uncached, 3));
}

TEST_CASE("GRD-125: reset() of all functions and used backends") {
  using used = support::fragile_backend<125>;
  using unused = support::fragile_backend<1250>;
  auto const a = gj::compile(twice{}, plain, gj::recompile_limit{1}, none);
  auto const b = gj::compile(twice{}, gj::backend(used{}));
  auto const copy = gj::compile(twice{}, gj::backend(used{}));
  for (int n : {1, 2, 3}) {
    is_right(a, n);
    is_right(b, n);
  }
  {
    auto const gone = gj::compile(twice{}, plain);
    CHECK(is_right(gone, 2));
  }
  CHECK(a.uncached_calls() == 2);
  used::resets = 0;
  gj::reset();
  CHECK(a.compiles() == 0);
  CHECK(a.uncached_calls() == 0);
  CHECK(b.compiles() == 0);
  CHECK(a.entries().empty());
  CHECK(b.entries().empty());
  CHECK(used::resets == 1);
  CHECK(unused::resets == 0);
  CHECK(is_right(a, 5));
  CHECK(is_right(b, 5));
  CHECK(a.compiles() == 1);
  REQUIRE(b.entries().size() == 1);
  CHECK_FALSE(b.entries()[0].dynamic);
  gj::reset();
  CHECK(used::resets == 2);
}

TEST_CASE("GRD-126: clear() of one function") {
  auto const a = gj::compile(twice{}, plain), b = gj::compile(twice{}, plain);
  is_right(a, 2);
  is_right(b, 2);
  a.clear();
  CHECK(a.entries().empty());
  CHECK(b.entries().size() == 1);
  CHECK(b.compiles() == 1);
}
