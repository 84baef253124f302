// guardjit: tests/conformance/modes/with_modes.cpp: cases of functions that apply modes themselves
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <memory>

#include "conformance/modes/fixtures.hpp"
#include "graph/traces.hpp"

namespace gj = guardjit;
using namespace fixtures;
using gj::dyn;
using support::same_bits;

namespace {

constexpr auto plus_one = [](auto const& x) { return gj::add(x, 1); };
constexpr auto times_two = [](auto const& x) { return gj::mul(x, 2); };

struct handled_then_not {
  constexpr auto operator()(auto const& x) const {
    auto const o = gj::with_modes(zero{})(plus_one)(x);
    return gj::add(o, x);
  }
};
struct both_ways {
  constexpr auto operator()(auto const& x) const {
    return gj::with_modes(zero{})(plus_one)(x) * 10 + plus_one(x);
  }
};
struct nested {
  constexpr auto operator()(auto const& x) const {
    auto const inside = [](auto const& y) { return gj::with_modes(scale(3))(times_two)(y) + 1; };
    return gj::with_modes(plus100{}, scale(2))(inside)(x);
  }
};

/// A function of one matrix has one graph for the empty stack.
template <class F> constexpr int graphs_of =
    static_cast<int>(gj::moded_paths<F, gj::call_signature<traces::of(dyn, dyn)>, gj::type_list<>>::list::size);

/// A handler that applies another mode to the op.
struct add_under_plus100 : gj::pure_mode<add_under_plus100> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() != gj::op::add) return call();
    typename Call::value const a = call.arg(0), b = call.arg(1);
    return gj::with_modes(plus100{})([](auto const& x, auto const& y) { return gj::add(x, y); })(a, b);
  }
};

/// Equal values and records, with each observer above and below of whatever `modes` are there.
template <class F, class G, class... Modes>
void check_like_eager(F const& f, G const& g, matrix const& x, Modes&... modes) {
  log_ob below_eager, above_eager, below, above;
  matrix eager, compiled;
  under([&] { eager = f(x); }, below_eager, modes..., above_eager);
  int const before = runs<zero> + runs<scale> + runs<plus100>;
  for (int call = 0; call < 2; ++call) {  // the compiling one, and a hit
    below.seen.clear();
    above.seen.clear();
    under([&] { compiled = g(x); }, below, modes..., above);
    CHECK(same_bits(compiled, eager));
    CHECK(below.seen == below_eager.seen);
    CHECK(above.seen == above_eager.seen);
  }
  CHECK(runs<zero> + runs<scale> + runs<plus100> == before);
}

}  // namespace

TEST_CASE("MODE-035: a function that applies modes leaves the stack as it was") {
  auto const g = gj::compile(handled_then_not{}, gj::inline_modes<pass1>);
  auto const x = ones22();
  pass1 mode;
  gj::mode_scope const scope(mode);
  for (int call = 0; call < 2; ++call) {
    CHECK(g(x)(0, 0) == 1);
    CHECK(g.compiles() == 1);
    CHECK(gj::mode_stack::depth() == 1);
    CHECK(gj::mode_stack::top() == &mode);
  }
}

TEST_CASE("MODE-060: the ops inside are handled, those behind are not") {
  auto const x = support::counted(matrix(2, 2), -1);
  auto const g = gj::compile(handled_then_not{});
  CHECK(same_bits(g(x), x));
  static_assert(graphs_of<handled_then_not> == 1);
  check_like_eager(handled_then_not{}, g, x);
  log_ob watch;
  under([&] { g(x); }, watch);
  CHECK(watch.ids() == std::vector{gj::op::zeros, gj::op::add});
  CHECK(gj::mode_stack::depth() == 0);
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-086: the same op inside and outside is two ops") {
  auto const x = support::counted(matrix(2, 2), -1);
  auto const g = gj::compile(both_ways{}, gj::inline_modes<scale>);
  check_like_eager(both_ways{}, g, x);
  CHECK(g(x)(0, 0) == 0);
  CHECK(g(x)(1, 1) == 3);
  scale mode(3);
  check_like_eager(both_ways{}, g, x, mode);
  CHECK(g.compiles() == 2);
}

TEST_CASE("M62: with dispatch disabled the modes of the function are the only ones") {
  auto const x = support::counted(matrix(2, 2), -1);
  auto const g = gj::compile(both_ways{}, gj::inline_modes<plus100>);
  plus100 mode;
  gj::mode_scope const scope(mode);
  CHECK(g(x)(1, 1) == 203);
  gj::dispatch_disabled const off;
  check_like_eager(both_ways{}, g, x);
  CHECK(g(x)(1, 1) == 3);
  CHECK(!gj::mode_stack::enabled());
  CHECK(gj::mode_stack::depth() == 1);
}

TEST_CASE("M84: inner modes handle first, and a key in a traced function is a constant") {
  auto const x = support::counted(matrix(2, 2), -1);
  auto const g = gj::compile(nested{}, gj::inline_modes<zero>, gj::inline_modes<scale>);
  check_like_eager(nested{}, g, x);
  CHECK(g(x)(0, 0) == 77);  // (-1 * 2 * 2) * 3 * 2 + 1 + 100: the lower one sees the product of the upper
  zero first;
  check_like_eager(nested{}, g, x, first);
  scale second(7);
  check_like_eager(nested{}, g, x, second);
  CHECK(g.compiles() == 3);
}

TEST_CASE("a handler may apply modes, in eager code and in a trace") {
  auto const x = support::counted(matrix(2, 2), -1);
  auto const f = [](auto const& y) { return gj::add(y, 1) * 2; };
  auto const g = gj::compile(f, gj::inline_modes<add_under_plus100>);
  add_under_plus100 mode;
  check_like_eager(f, g, x, mode);
  gj::mode_scope const scope(mode);
  CHECK(g(x)(0, 0) == 200);
}

TEST_CASE("with_modes refers to a named mode, owns a temporary, shares what a pointer shares") {
  auto const x = ones22();
  count_rt mode;
  auto const watched = gj::with_modes(mode)(plus_one);
  CHECK(matrix(watched(x))(0, 0) == 2);
  CHECK(mode.told == 1);
  scale factor(2);
  auto const scaled = gj::with_modes(factor)(times_two);
  factor.k = 5;
  CHECK(matrix(scaled(x))(0, 0) == 10);
  auto const shared = std::make_shared<count_rt>();
  matrix const y = gj::with_modes(shared, scale(3))([](auto const& z) { return z * 2 + 1; })(x);
  CHECK(y(1, 1) == 7);
  CHECK(shared->told == 3);
  CHECK(gj::mode_stack::depth() == 0);
}

TEST_CASE("M8: an exception in with_modes leaves the stack as it was") {
  auto const x = ones22();
  struct refusing final : gj::function_mode {
    gj::op_result handle(gj::op_call& call) override { call.refuse("never"); }
  };
  auto const f = [](auto const& y) { return gj::with_modes(refusing{})(plus_one)(y); };
  CHECK_THROWS_AS(f(x), gj::mode_error);
  CHECK(gj::mode_stack::depth() == 0);
}
