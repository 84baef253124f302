// guardjit: tests/conformance/modes/rewriting.cpp: the library's own pure modes, and what handlers may not do
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using namespace fixtures;
using gj::dyn;
using gj::tensor;
using support::contains_all;
using support::same_bits;
using support::thrown;

namespace {

// Values have names, since C++ leaves open which operand of `/` comes first.
constexpr auto fast_tanh = [](auto const& x) {
  auto const square = gj::eval(x * x);
  auto const above = gj::eval(x * (27 + square));
  return above / (27 + 9 * square);
};
constexpr auto clamped_pow = [](auto const& a, auto const& b) { return gj::pow(gj::maximum(a, 0), b); };
using fast = gj::override_op<gj::op::tanh, fast_tanh>;
using clamped = gj::override_op<gj::op::pow, clamped_pow>;

/// Runs `f` eagerly and compiled under `modes`, with an observer below them.
template <class G, class F, class Tensor, class... Modes>
void check_like_eager(G const& g, F const& f, Tensor const& x, Modes&... modes) {
  log_ob eager_log, compiled_log;
  under(
      [&] {
        gj::tensor const eager = f(x);
        gj::tensor const compiled = g(x);
        CHECK(same_bits(compiled, eager));
      },
      modes...);
  under([&] { gj::eval(f(x)); }, eager_log, modes...);
  under([&] { g(x); }, compiled_log, modes...);
  CHECK(compiled_log.seen == eager_log.seen);
}

/// Its result has half the rows.
struct half : gj::pure_mode<half> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::add) return gj::slice(call.arg(0), 0, 1);
    return call();
  }
};
struct no_products : gj::pure_mode<no_products> {
  template <class Call> static constexpr auto handle(Call& call) {
    if (call.op() == gj::op::mul) return call.refuse("use add");
    return call();
  }
};
struct endless : gj::pure_mode<endless> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    return gj::with_modes(endless{})([](auto const& x) { return gj::neg(x); })(call.arg(0));
  }
};
struct casts : gj::pure_mode<casts> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const result = call();
    if (call.op() == gj::op::add) return call.cast(call.cast(result, gj::dtype::i32), result.type());
    return result;
  }
};
/// Gives the first operand where nothing is added; the rules of the op stay those of the function.
struct keeps_first : gj::pure_mode<keeps_first> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::add) return call.arg(0);
    return call();
  }
};

}  // namespace

TEST_CASE("M120: compute_in casts what it is told to, and results back") {
  auto const f = [](auto const& x) { return gj::exp(x) * 0.1f + gj::sum(x / 3, gj::axes(0)); };
  using in_f64 = gj::compute_in<double, gj::op::mul, gj::op::exp, gj::op::sum, gj::op::lt, gj::op::where>;
  using in_f32 = gj::compute_in<float, gj::op::exp>;
  auto const g = gj::compile(f, gj::inline_modes<in_f64>, gj::inline_modes<in_f32>, gj::inline_modes<in_f64, in_f32>);
  in_f64 wide;
  in_f32 narrow;
  auto const x = support::counted(matrix(3, 2), -1, 0.3);
  check_like_eager(g, f, x, wide);
  check_like_eager(g, f, x, narrow);
  check_like_eager(g, f, x, wide, narrow);
  auto const y = support::counted(tensor<double, dyn, dyn>(3, 2), -1, 0.3);
  check_like_eager(g, f, y, narrow);
  check_like_eager(g, f, y, wide);

  // A comparison stays bool, integers stay integers, conditions stay conditions.
  auto const h = [](auto const& a) { return gj::where(a < 2, gj::sum(a), a); };
  auto const k = gj::compile(h, gj::inline_modes<in_f64>);
  check_like_eager(k, h, x, wide);
  check_like_eager(k, h, support::counted(tensor<std::int32_t, dyn>(4)), wide);
  check_like_eager(k, h, tensor<float, 3>{1.0f, 2.0f, 3.0f}, wide);
  gj::mode_scope const scope(wide);
  static_assert(std::is_same_v<decltype(k(x)), matrix>);
}

TEST_CASE("M120: override_op runs another function in the place of an op") {
  auto const f = [](auto const& x) { return gj::tanh(x) + gj::pow(x, 2) * gj::pow(0.5f, x); };
  auto const g = gj::compile(f, gj::inline_modes<fast>, gj::inline_modes<clamped>, gj::inline_modes<clamped, fast>);
  auto const x = support::counted(matrix(2, 3), -2, 0.7);
  fast a;
  clamped b;
  check_like_eager(g, f, x, a);
  check_like_eager(g, f, x, b);
  check_like_eager(g, f, x, b, a);
  CHECK(g.compiles() == 3);
  gj::mode_scope const scope(a);
  CHECK(same_bits(gj::compile([](auto const& y) { return gj::tanh(y); }, gj::inline_modes<fast>)(x), [&] {
    gj::dispatch_disabled const off;
    return matrix(fast_tanh(x));
  }()));
}

TEST_CASE("M16: strict_shapes refuses to broadcast") {
  auto const f = [](auto const& x, auto const& y) { return (x + y) * 2 - y; };
  auto const g = gj::compile(f, gj::inline_modes<gj::strict_shapes>, gj::dynamic::all);
  auto const x = support::mat(3, 2), same = support::mat(3, 2, 5), row = support::mat(1, 2);
  gj::strict_shapes mode;
  CHECK(g(x, row)(2, 1) == f(x, row).evaluate()(2, 1));
  gj::mode_scope const scope(mode);
  CHECK(same_bits(g(x, same), matrix(f(x, same))));
  int const compiles = g.compiles();
  std::string const eager = thrown<gj::mode_error>([&] { gj::eval(x + row); });
  CAPTURE(eager);
  CHECK(contains_all(eager, {"add", "strict_shapes", "the shapes of the tensors differ", "rewriting.cpp:"}));
  // What a trace cannot know is a rule that each call is held to.
  for (int call = 0; call < 2; ++call) {
    std::string const compiled = thrown<gj::mode_error>([&] { g(x, row); });
    CAPTURE(compiled);
    CHECK(contains_all(compiled, {"add(a, b)", "strict_shapes", "the shapes must be equal", "3 and 1 at axis 0",
                                  "(3, 2) (1, 2)", "rewriting.cpp:"}));
  }
  CHECK(g.compiles() == compiles);
  // Other extents hit the entry, whose guards have the rule.
  CHECK(same_bits(g(support::mat(4, 2), support::mat(4, 2)), matrix(f(support::mat(4, 2), support::mat(4, 2)))));
  CHECK(g.compiles() == compiles);
  // Wrong operands are wrong before modes are asked.
  CHECK_THROWS_AS(g(x, support::mat(2, 2)), gj::shape_error);
  CHECK_THROWS_AS(gj::eval(x + support::mat(2, 2)), gj::shape_error);
  // Ranks differ, in a product they may.
  CHECK_THROWS_AS(gj::eval(x + support::vec(2)), gj::mode_error);
  gj::eval(gj::matmul(x, support::vec(2)));
}

TEST_CASE("MODE-083: a result of another extent is allowed on an any_tensor") {
  gj::any_tensor const x = support::mat(4, 2);
  half mode;
  gj::mode_scope const scope(mode);
  CHECK(gj::add(x, 1).shape() == gj::shape{3, 2});
  CHECK_THROWS_AS((gj::eval(gj::tensor<float, 4, 2>() + 1)), gj::mode_error);
}

TEST_CASE("MODE-055: what a handler refuses is an exception in eager code and in a replay") {
  auto const g = gj::compile([](auto const& x) { return x * 2 + 1; });
  auto const x = ones22();
  no_products mode;
  pass1 below;
  gj::mode_scope const lower(below);
  gj::mode_scope const scope(mode);
  int const before = runs<pass1>;
  for (std::string const& text : {thrown<gj::mode_error>([&] { gj::eval(x * 2); }),
                                  thrown<gj::mode_error>([&] { g(x); })})
    CHECK(contains_all(text, {"mul", "no_products", "use add", "rewriting.cpp:"}));
  CHECK(runs<pass1> == before);
  CHECK(gj::mode_stack::depth() == 2);
}

TEST_CASE("MODE-063: a handler that applies itself without end is stopped by name") {
  endless mode;
  gj::mode_scope const scope(mode);
  std::string const text = thrown<gj::mode_error>([&] { gj::eval(gj::neg(ones22())); });
  CHECK(contains_all(text, {"endless", "128 nested dispatches"}));
  CHECK(gj::mode_stack::depth() == 1);
}

TEST_CASE("a handler casts by the call, in both worlds") {
  auto const f = [](auto const& x) { return x + 0.25f; };
  auto const g = gj::compile(f, gj::inline_modes<casts>);
  casts mode;
  check_like_eager(g, f, support::counted(matrix(2, 2), -1.5, 0.75), mode);
  gj::any_tensor const scalar = [&] {
    gj::op_call const call({.id = gj::op::add});
    return call.cast(2.5f, gj::dtype::i64).tensor();
  }();
  CHECK(scalar.type() == gj::dtype::i64);
  CHECK(*scalar.data_as<std::int64_t>() == 2);
}

TEST_CASE("M15: where a mode drops an op, the function keeps the rule of the op") {
  auto const f = [](auto const& x, auto const& y) { return x + y; };
  auto const g = gj::compile(f, gj::inline_modes<keeps_first>, gj::dynamic::all);
  gj::tensor<float, 4> const x{1.0f, 2.0f, 3.0f, 4.0f};
  keeps_first mode;
  gj::mode_scope const scope(mode);
  CHECK(same_bits(g(x, support::vec(4)), x));
  CHECK(same_bits(g(x, support::vec(1)), x));
  std::string const text = thrown<gj::shape_error>([&] { g(x, support::vec(3)); });
  CAPTURE(text);
  CHECK(contains_all(text, {"add(a, b)", "4", "3", "rewriting.cpp:"}));
}
