// guardjit: tests/conformance/modes/keyed.cpp: cases of modes with a key in compiled functions
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"

namespace gj = guardjit;
using namespace fixtures;
using support::same_bits;

namespace {

struct twice_squared {
  constexpr auto operator()(auto const& x) const { return x * 2 * x; }
};

/// Its key is another one at every reading.
struct unsteady : gj::keyed_mode<unsteady> {
  mutable int reads = 0;
  auto key() const noexcept { return std::tuple{++reads}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::mul) return call() * call.template key<0>();
    return call();
  }
};

/// Scales by a positive key only.
struct positive : gj::keyed_mode<positive> {
  float k = 1;
  auto key() const noexcept { return std::tuple{k}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() != gj::op::mul) return call();
    if (call.template key<0>() > 0) return call() * call.template key<0>();
    return call();
  }
};
constexpr int line_of_branch = __LINE__ - 4;

enum class rounding : signed char { down = -1, none = 0, up = 1 };
/// Several elements, of other types.
struct shaped : gj::keyed_mode<shaped> {
  rounding way = rounding::none;
  bool doubled = false;
  std::int64_t offset = 0;
  auto key() const noexcept { return std::tuple{way, doubled, offset}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() != gj::op::mul) return call();
    typename Call::value product = call();
    if (call.template key<1>()) product = product + product;
    product = product + call.template key<2>();
    if (call.template key<0>() == rounding::down) return gj::floor(product);
    if (call.template key<0>() == rounding::up) return gj::ceil(product);
    return product;
  }
};

}  // namespace

TEST_CASE("MODE-041: a key is read once a call") {
  // pytorch#175524
  auto const g = gj::compile([](auto const& x) { return x * 2 * 3; }, gj::inline_modes<unsteady>);
  auto const undeclared = gj::compile([](auto const& x) { return x * 2 * 3; });
  auto const x = ones22();
  unsteady mode;
  gj::mode_scope const scope(mode);
  for (int k = 1; k <= 3; ++k) {
    CHECK(g(x)(0, 0) == 6 * k * k);
    CHECK(mode.reads == k);
  }
  CHECK(g.compiles() == 1);
  auto out = ones22();
  g.into(out, x);
  CHECK(mode.reads == 4);
  CHECK(out(1, 0) == 96);
  // A replay, too, has one key for all its ops.
  CHECK(undeclared(x)(0, 0) == 6 * 5 * 5);
  CHECK(mode.reads == 5);
}

TEST_CASE("MODE-047: a key is an input: other values are hits, and so are other fields") {
  auto const g = gj::compile(twice_squared{}, gj::inline_modes<scale>);
  auto const x = support::counted(matrix(2, 2), -1);
  scale mode;
  gj::mode_scope const scope(mode);
  for (float const k : {2.0f, 3.0f, 2.0f}) {
    mode.k = k;
    CHECK(same_bits(g(x), matrix(twice_squared{}(x))));
    CHECK(g.compiles() == 1);
  }
  mode.note = 5;
  CHECK(g(x)(1, 1) == 32);
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-056: three keys, one entry, one graph") {
  auto const g = gj::compile(twice_squared{}, gj::inline_modes<scale>);
  auto const x = ones22();
  for (float const k : {2.0f, 3.0f, 4.0f}) {
    scale mode(k);
    gj::mode_scope const scope(mode);
    CHECK(g(x)(0, 0) == 2 * k * k);
  }
  auto const entries = g.entries();
  REQUIRE(entries.size() == 1);
  for (gj::guard const& guard : entries[0].guards) CHECK(guard.kind != gj::guard_kind::path_is);
  CHECK(g.compiles() == 1);
}

TEST_CASE("MODE-082: a branch on a key forks the path") {
  auto const g = gj::compile(twice_squared{}, gj::inline_modes<positive>);
  auto const x = support::counted(matrix(2, 2), -1);
  positive mode;
  std::string reasons;
  gj::subscription const listener([&](gj::event const& e) {
    if (e.kind == gj::event_kind::guard_failure) reasons += e.text;
  });
  gj::mode_scope const scope(mode);
  auto const call = [&](float k, int compiles) {
    mode.k = k;
    CHECK(same_bits(g(x), matrix(twice_squared{}(x))));
    CHECK(g.compiles() == compiles);
  };
  call(2, 1);
  call(3, 1);
  CHECK(reasons.empty());
  call(-1, 2);
  CAPTURE(reasons);
  CHECK(reasons.find("positive.key<0> > 0") != std::string::npos);
  CHECK(reasons.find("-1") != std::string::npos);
  CHECK(reasons.find("keyed.cpp:" + std::to_string(line_of_branch)) != std::string::npos);
  call(2, 2);
}

TEST_CASE("a key of an enum, a bool and a whole number") {
  auto const g = gj::compile([](auto const& x) { return x * 0.5f; }, gj::inline_modes<shaped>);
  auto const x = support::counted(matrix(2, 2), -2);
  shaped mode;
  gj::mode_scope const scope(mode);
  int compiled = 0;
  for (rounding const way : {rounding::down, rounding::none, rounding::up})
    for (bool const doubled : {false, true}) {
      for (std::int64_t const offset : {0, 7, -3}) {
        mode.way = way;
        mode.doubled = doubled;
        mode.offset = offset;
        CHECK(same_bits(g(x), matrix(x * 0.5f)));
      }
      CHECK(g.compiles() == ++compiled);
    }
}

TEST_CASE("M95: keys stand behind bound values, modules and several results, and serve any_tensors") {
  auto const f = [](auto const& pair, auto const& w) {
    auto const& [a, b] = pair;
    return std::tuple{a * w, b + w * 2};
  };
  auto w = support::counted(matrix(2, 2), -1);
  auto const g = gj::compile(f, gj::bind(w), gj::inline_modes<pass1>, gj::inline_modes<scale, positive>);
  std::tuple const pair{ones22(), support::counted(matrix(2, 2), 3)};
  auto const any_g = gj::compile([](auto const& x) { return x * 2; }, gj::inline_modes<scale>,
                                 gj::signature<matrix>);
  scale below(3);
  positive above;
  auto const check = [&] {
    auto const [p, q] = g(pair);
    auto const [e, h] = f(pair, w);
    CHECK(same_bits(p, matrix(e)));
    CHECK(same_bits(q, matrix(h)));
  };
  check();
  for (float const k : {2.0f, 4.0f, -1.0f}) {
    above.k = k;
    under(check, below, above);
  }
  CHECK(g.compiles() == 3);
  gj::mode_scope const scope(below);
  CHECK(any_g(gj::any_tensor(ones22())).as<float, gj::dyn, gj::dyn>()(0, 0) == 6);
  CHECK(any_g.compiles() == 1);
}
