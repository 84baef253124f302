// guardjit: tests/compile/frozen.cpp: frozen arguments beside breaks, declared modes and types known at run time
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;
using support::elements, support::mat;

namespace {

using frozen_matrix = gj::frozen<float, dyn, dyn>;

int packed_forms(frozen_matrix const& w) { return gj::detail::frozen_memory::of(w.storage())->forms(); }

constexpr auto plus_one = [](tensor<float, dyn, dyn> const& v) { return gj::eval(v + 1.0f); };
constexpr auto broken_product = [](auto x, auto w) {
  auto const y = gj::opaque<tensor<float, dyn, dyn>>(plus_one)(gj::matmul(x, w));
  return std::tuple(gj::matmul(y, w), gj::transpose(w));
};

/// Products become products of the doubled left side.
constexpr auto doubled_product = [](auto const& x, auto const& w) { return gj::matmul(x * 2, w); };
using doubled = gj::override_op<gj::op::matmul, doubled_product>;

}  // namespace

TEST_CASE("G29: segments around opaque callables read frozen arguments and give copies of them") {
  auto const w = gj::freeze(mat(2, 2));
  auto const g = gj::compile(broken_product);
  auto [y, t] = g(mat(1, 2), w);
  CHECK(elements(y) == std::vector<float>{8 * 1 + 11 * 3, 8 * 2 + 11 * 4});
  CHECK(packed_forms(w) == 1);
  CHECK(elements(t) == std::vector<float>{1, 3, 2, 4});
  t(0, 0) = 50;
  CHECK(w(0, 0) == 1);
  CHECK(elements(std::get<0>(g(mat(1, 2), gj::freeze(mat(2, 2, 2))))) == std::vector<float>{11 * 2 + 14 * 4, 11 * 3 + 14 * 5});
}

TEST_CASE("G29: graphs that declared modes rewrote have packed forms, too") {
  auto const w = gj::freeze(mat(2, 2));
  auto const g = gj::compile([](auto x, auto v) { return gj::matmul(x, v); }, gj::inline_modes<doubled>, gj::fullgraph);
  CHECK(elements(g(mat(1, 2), w)) == std::vector<float>{7, 10});
  doubled mode;
  gj::mode_scope const scope(mode);
  CHECK(elements(g(mat(1, 2), w)) == std::vector<float>{14, 20});
  CHECK(packed_forms(w) == 1);
  CHECK(elements(g(mat(1, 2), gj::freeze(mat(2, 2, 0)))) == std::vector<float>{8, 14});
  CHECK(g.compiles() == 3);
}

TEST_CASE("G8: a frozen argument beside ones whose types are known at run time") {
  auto const w = gj::freeze(mat(2, 2));
  auto const g = gj::compile([](auto x, auto v) { return gj::matmul(x, v); },
                             gj::signature<tensor<float, dyn, dyn>, tensor<float, dyn, dyn>>);
  any_tensor const x = mat(1, 2);
  any_tensor const y = g(x, w);
  CHECK(elements(y.as<float, dyn, dyn>()) == std::vector<float>{7, 10});
  CHECK(packed_forms(w) == 1);
  CHECK(g.find(x, gj::freeze(mat(2, 2))).empty());
  CHECK(!g.find(x, w).empty());
}
