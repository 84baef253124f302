// guardjit: tests/compile/hot_extents.cpp: variants with static extents, beside the general function
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <string>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::index_t, gj::tensor;
using support::counted;
using support::elements;
using support::vec;

namespace {

constexpr auto smoothed = [](auto x, auto y, auto s) { return gj::tanh(x * s) * y - x / (y + 0.5f); };
constexpr auto hot = gj::hot_extent<0, 0, 4, 16>;

std::vector<std::string> ids_of(auto const& g) {
  std::vector<std::string> ids;
  for (gj::entry_info const& e : g.entries()) ids.push_back(e.id);
  return ids;
}
bool guards_extent(gj::entry_info const& e, int argument, int dim) {
  for (gj::guard const& g : e.guards)
    if (g.kind == gj::guard_kind::extent_is && g.argument == argument && g.dim == dim) return true;
  return false;
}

}  // namespace

TEST_CASE("hot_extent: a call of a listed extent uses a variant, all others the general function") {
  auto const plain = gj::compile(smoothed);
  auto const g = gj::compile(smoothed, gj::name<"g">, hot);
  static_assert(std::is_same_v<decltype(g(vec(1), vec(1), 1.0f)), tensor<float, dyn>>);
  int entries = 0;
  for (index_t n : {index_t{4}, index_t{16}, index_t{5}, index_t{0}, index_t{4}}) {
    bool const is_first = g.find(vec(n), vec(n), 1.5f).empty();
    auto const x = counted(vec(n), -0.75, 0.0625), y = counted(vec(n), 3, -0.25);
    auto const expected = plain(x, y, 1.5f);
    for (int call = 0; call < 3; ++call) {
      CHECK(support::same_bits(g(x, y, 1.5f), expected));
      auto out = counted(vec(n), 1e6);
      g.into(out, x, y, 1.5f);
      CHECK(support::same_bits(out, expected));
      // Not row-major, the same memory, memory of the caller.
      tensor<float, dyn, dyn> wide(n, 2);
      auto column = gj::select(wide, 1, 1);
      g.into(column, x, y, 1.5f);
      CHECK(support::same_bits(column.clone(), expected));
      auto same = x.clone();
      g.into(same, same, y, 1.5f);
      CHECK(support::same_bits(same, expected));
      g.into(out, x, y, 1.5f, std::span<std::byte>{});
    }
    CHECK(g.workspace_bytes(x, y, 1.5f) == 0);
    entries += is_first ? 1 : 0;
  }
  CHECK(entries == 4);
  // Tables and entries are those of a variant, and so are reasons.
  CHECK_FALSE(g.find(vec(4), vec(4), 1.5f) == g.find(vec(5), vec(5), 1.5f));
  CHECK(g.explain_miss(gj::slice(vec(8), 0, 0, 8, 2), vec(4), 1.5f).to_string().find("arg[0].stride(0): expected 1, got 2") != std::string::npos);
  for (gj::entry_info const& e : g.entries())
    if (e.id == g.find(vec(4), vec(4), 1.5f)) CHECK_FALSE((guards_extent(e, 0, 0) || guards_extent(e, 1, 0)));
  auto out = vec(3);
  CHECK_THROWS_AS(g.into(out, vec(4), vec(4), 1.5f), gj::shape_error);
  CHECK_THROWS_AS(g(vec(4), vec(16), 1.5f), gj::shape_error);
}
