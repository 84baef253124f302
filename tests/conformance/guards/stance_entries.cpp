// guardjit: tests/conformance/guards/stance_entries.cpp: stances with entries that are made late, inlined, or pinned
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <tuple>

#include "conformance/guards/fixtures.hpp"
#include "conformance/guards/stance_pairs.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats, fixtures::none, fixtures::obeys_stances, fixtures::plain, fixtures::twice;
using gj::stance, gj::stance_scope, gj::tensor;
using support::elements, support::vec;

namespace {

struct stance_picked {
  constexpr auto operator()(auto& state, auto x, auto index) const {
    state = state + x;
    return gj::take(x * 2, index, 0);
  }
};
tensor<std::int64_t, gj::dyn> picks(std::int64_t first, std::int64_t second) {
  tensor<std::int64_t, gj::dyn> which(2);
  which(0) = first, which(1) = second;
  return which;
}

}  // namespace

TEST_CASE("G71: stances of functions that test indices, whose entries are made behind the run") {
  auto const g = gj::compile(stance_picked{}, plain, none, gj::name<"g">);
  auto const right = picks(2, 0), wrong = picks(1, 3);
  auto const call = [&](auto const& which) {
    auto state = vec(3);
    auto const y = g(state, vec(3, 5), which);
    return std::tuple(elements(state), elements(y));
  };
  obeys_stances(g, [&] { return call(right); }, std::tuple(floats{6, 8, 10}, floats{14, 10}));

  // A wrong index is no call: nothing is remembered, made, or thrown away.
  static support::backend_log log;
  gj::erased_backend const walk = support::op_by_op{&log, 11};
  auto const breaks = [&] { CHECK_THROWS_AS(call(wrong), gj::index_error); };
  g.clear();
  {
    stance_scope const s(stance::eager_then_compile);
    breaks();
    call(right);
    CHECK(g.compiles() == 0);
    breaks();
    CHECK(g.compiles() == 0);
    call(right);
    CHECK(g.compiles() == 1);
  }
  for (stance const s : {stance::force_eager, stance::eager_on_recompile, stance::fail_on_recompile}) {
    stance_scope const scope(s);
    breaks();
  }
  {
    fixtures::collective_scope const refused;
    breaks();
    CHECK(fixtures::ids_of(g) == fixtures::texts{"g/0"});
    stance_scope const forced{stance::normal, gj::force_backend(walk)};
    breaks();
    CHECK(fixtures::ids_of(g) == fixtures::texts{"g/0"});
  }
  CHECK(g.compiles() == 1);
  {
    fixtures::collective_scope const refused;
    call(right);
  }
  CHECK(fixtures::ids_of(g) == fixtures::texts{"g/1"});
  g.clear();
  stance_scope const first(stance::fail_on_recompile, gj::allow_first);
  breaks();
  CHECK(g.entries().empty());
  call(right);
  CHECK(g.entries().size() == 1);
}

TEST_CASE("G71: stances of calls with static extents, which run inlined kernels") {
  using four = tensor<float, 4>;
  auto const g = gj::compile(twice{}, plain, gj::name<"g">);
  four const x = support::counted(four());
  obeys_stances(g, [&] { return elements(g(x)); }, floats{2, 4, 6, 8});
  obeys_stances(
      g,
      [&] {
        four out = support::counted(four(), 50);
        g.into(out, x);
        return elements(out);
      },
      floats{2, 4, 6, 8});
  // An entry of another backend is none of the function's own.
  g.clear();
  static support::backend_log log;
  four out;
  g.with(gj::backend(support::op_by_op{&log, 12})).into(out, x);
  CHECK_THROWS_AS(g.with(stance::fail_on_recompile).into(out, x), gj::recompile_error);
  g.into(out, x);
  CHECK(g.compiles() == 2);
  CHECK(log.ran.load() == 1);
  g.with(stance::fail_on_recompile).into(out, x);
  g.with(gj::backend(support::op_by_op{&log, 12})).into(out, x);
  CHECK(log.ran.load() == 2);
  CHECK(elements(out) == floats{2, 4, 6, 8});
}

TEST_CASE("G62, G115: pinned entries under stances, by force, and while a collective refuses hits") {
  auto const g = gj::compile(twice{}, plain, none, gj::recompile_limit{1}, gj::on_limit{gj::limit_action::evict});
  auto const x = vec(3);
  auto const own = g.pin(x);
  auto const by_reference = [&] {
    stance_scope const forced{stance::normal, gj::force_backend(fixtures::erased_backends()[1])};
    return g.pin(x);
  }();
  CHECK(g.compiles() == 2);
  fixtures::collective_scope const refused;
  auto const are_right = [&] {
    CHECK(elements(own(x)) == floats{2, 4, 6});
    CHECK(elements(by_reference(x)) == floats{2, 4, 6});
    CHECK(own.check(x));
    CHECK(by_reference.check(x));
  };
  for (stance const s : {stance::normal, stance::force_eager, stance::eager_on_recompile, stance::fail_on_recompile,
                         stance::eager_then_compile}) {
    stance_scope const scope(s);
    are_right();
  }
  stance_scope const forced{stance::normal, gj::force_backend(fixtures::erased_backends()[0])};
  are_right();
  CHECK(g.compiles() == 2);
  for (int n : {3, 4, 3}) CHECK(elements(g(vec(n))) == elements(tensor<float, gj::dyn>(vec(n) * 2)));
  CHECK(g.entries().size() == 3);  // one a backend
  are_right();
  // What is left at a limit are calls of each backend, whatever the others have.
  gj::set_guard_collective(nullptr);
  CHECK(elements(g.with(stance::eager_on_recompile)(x)) == floats{2, 4, 6});
  are_right();
}

TEST_CASE("G76, G103: stances of disabled functions, and other static backends for one call") {
  auto const off = gj::compile(twice{}, plain, gj::disabled);
  auto const again = gj::compile(off, plain, gj::fullgraph, gj::on_limit{gj::limit_action::eager}, gj::compile_limit{1});
  static support::backend_log log;
  auto const walk = gj::backend(support::op_by_op{&log, 13});
  for (stance const s : {stance::normal, stance::force_eager, stance::fail_on_recompile, stance::eager_then_compile}) {
    stance_scope const scope(s);
    CHECK(elements(off(vec(2))) == floats{2, 4});
    CHECK(elements(off.with(walk)(vec(2))) == floats{2, 4});
    CHECK(elements(off.with(plain)(vec(2))) == floats{2, 4});
  }
  CHECK(off.compiles() == 0);
  CHECK(log.built.load() == 0);
  CHECK(elements(again(vec(2))) == floats{2, 4});
  // Compiles of all backends are counted together; fullgraph forbids the way that the limit names.
  CHECK_THROWS_AS(again.with(walk)(vec(2)), gj::limit_error);
  CHECK_THROWS_AS(again(vec(3)), gj::limit_error);
  CHECK(elements(again.with(stance::eager_on_recompile)(vec(3))) == floats{2, 4, 6});
  CHECK_THROWS_AS(again.with(stance::fail_on_recompile)(vec(3)), gj::recompile_error);
  CHECK(again.compiles() == 1);
}
