// guardjit: tests/conformance/guards/declared_extents.cpp: cases of `shape_of`: what calls keep to, what entries are made
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/expr/composite/concat.hpp>

#include <doctest/doctest.h>

#include <string>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_extent;
using gj::dyn;
using gj::guard_kind;
using gj::index_t;
using gj::shape_of;
using gj::tensor;
using support::mat;
using support::vec;

namespace {

constexpr auto plain_loops = gj::backend(gj::backends::reference{});

struct doubled {
  constexpr auto operator()(auto x) const { return x * 2; }
};
struct added {
  constexpr auto operator()(auto x, auto y) const { return x + y; }
};
struct behind_each_other {
  constexpr auto operator()(auto x, auto y, auto z) const { return x + gj::concat(y, z); }
};
struct three_is_special {
  constexpr auto operator()(auto x) const {
    if (x.extent(0) == 3) return x * 10;
    return x * 2;
  }
};

/// The text of the `shape_error` of a call, which leaves `g` as it was; empty where there is none.
std::string refusal(auto const& g, auto const&... arguments) {
  int const compiles = g.compiles();
  std::size_t const entries = g.entries().size();
  std::string text;
  try {
    g(arguments...);
  } catch (gj::shape_error const& e) {
    text = e.what();
  }
  CHECK(g.compiles() == compiles);
  CHECK(g.entries().size() == entries);
  CHECK(g.find(arguments...).empty());
  return text;
}

/// What the entries of `g` guard of extents, in their order.
std::vector<std::string> guarded_extents(auto const& g, auto const&... arguments) {
  std::vector<std::string> texts;
  for (gj::entry_info const& e : g.entries())
    for (gj::guard const& one : e.guards)
      if (one.kind == guard_kind::extent_is || one.kind == guard_kind::extent_in ||
          one.kind == guard_kind::extents_equal || one.kind == guard_kind::multiple_of)
        texts.push_back(gj::text_of(one, g.graph(arguments...)));
  return texts;
}
using texts = std::vector<std::string>;

void check_doubled(auto const& g, auto const& x) {
  CHECK(support::same_bits(g(x), support::counted(x.clone(), 2, 2)));
}

}  // namespace

TEST_CASE("GRD-024: extents that add up are guarded as a sum") {
  auto const g = gj::compile(behind_each_other{}, plain_loops, gj::dynamic::all, gj::name<"joined">);
  CHECK(support::elements(g(vec(6), vec(3), vec(3, 10))) == std::vector<float>{2, 4, 6, 14, 16, 18});
  CHECK(support::elements(g(vec(7), vec(3), vec(4, 10))) == std::vector<float>{2, 4, 6, 14, 16, 18, 20});
  CHECK(g.compiles() == 1);
  std::string const text = refusal(g, vec(7), vec(3), vec(3));
  CHECK(text.find("7 and 6") != text.npos);
  CHECK(guarded_extents(g, vec(6), vec(3), vec(3)) ==
        texts{"arg[0].extent(0) = arg[1].extent(0) + arg[2].extent(0)"});
}

TEST_CASE("GRD-025: an extent is a number, another one is any") {
  // pytorch#181995
  auto const g = gj::compile(doubled{}, plain_loops, shape_of<0, any_extent, 4>, gj::name<"rows">);
  tensor<float, dyn, 4> const typed = g(mat(3, 4));  // the number is part of the result's type
  CHECK(typed(2, 3) == 24);
  for (index_t rows : {3, 1, 0, 3}) check_doubled(g, mat(rows, 4));
  CHECK(g.compiles() == 1);
  std::string const text = refusal(g, mat(3, 5));
  CHECK(text.find("guardjit: rows: shape_of: arg[0].extent(1) is declared 4, got 5; ") == 0);
  CHECK(text.find("declared_extents.cpp:") != text.npos);  // the function's place
  CHECK(guarded_extents(g, mat(3, 4)) == texts{"arg[0].extent(1) = 4"});
  CHECK(g.explain_miss(mat(3, 5)).to_string() == "rows/0: arg[0].extent(1): expected 4, got 5");
}

TEST_CASE("GRD-026: an extent lies in a range") {
  auto const g = gj::compile(doubled{}, plain_loops, shape_of<0, gj::extent_between{2, 5}>, gj::name<"few">);
  for (index_t n : {2, 3, 5}) check_doubled(g, vec(n));
  CHECK(g.compiles() == 1);
  CHECK(refusal(g, vec(6)).find("guardjit: few: shape_of: arg[0].extent(0) is declared 2 to 5, got 6") == 0);
  CHECK(refusal(g, vec(1)).find("arg[0].extent(0) is declared 2 to 5, got 1") != std::string::npos);
  CHECK(guarded_extents(g, vec(2)) == texts{"2 <= arg[0].extent(0) <= 5"});
  CHECK(g.explain_miss(vec(6)).to_string() == "few/0: arg[0].extent(0): expected 2 to 5, got 6");
  check_doubled(g, vec(4));
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-027: extents of one name are equal") {
  // pytorch#145587
  constexpr auto n = gj::named<"n">;
  auto const g = gj::compile(added{}, plain_loops, shape_of<1, n>, shape_of<0, n>, gj::name<"sum">);
  for (index_t length : {3, 3, 7, 7}) CHECK(g(vec(length), vec(length, 2))(length - 1) == 2 * length + 1);
  CHECK(g.compiles() == 1);
  std::string const text = refusal(g, vec(3), vec(4));
  CHECK(text.find("arg[1].extent(0) and arg[0].extent(0) are declared named<\"n\">, got 4 and 3") != text.npos);
  CHECK(refusal(g, vec(3), vec(1)) != "");  // no broadcast: the name says more than the op asks for
  CHECK(guarded_extents(g, vec(3), vec(3)) == texts{"arg[1].extent(0) = arg[0].extent(0)"});
  // Without the name equal extents are not assumed to be equal (G84): each case of a broadcast is an entry.
  auto const free = gj::compile(added{}, plain_loops, shape_of<0, any_extent>, shape_of<1, any_extent>);
  CHECK(free(vec(3), vec(3)).extent(0) == 3);
  CHECK(free(vec(3), vec(1)).extent(0) == 3);
  CHECK(free.compiles() == 2);
}

TEST_CASE("GRD-028: a static extent has an entry for each value") {
  auto const g = gj::compile(doubled{}, plain_loops, shape_of<0, gj::static_extent>);
  for (index_t n : {3, 4, 5, 4}) check_doubled(g, vec(n));
  CHECK(g.compiles() == 3);
  for (gj::entry_info const& e : g.entries()) CHECK_FALSE(e.dynamic);
  // Of two dims one: the other follows the function's policy, or G81 by its own.
  auto const mixed = gj::compile(doubled{}, plain_loops, gj::dynamic::all, shape_of<0, gj::static_extent, gj::auto_extent>);
  for (index_t columns : {5, 6, 7}) check_doubled(mixed, mat(3, columns));
  CHECK(mixed.compiles() == 2);
  check_doubled(mixed, mat(4, 7));
  CHECK(mixed.compiles() == 3);
  auto const fixed = gj::compile(doubled{}, plain_loops, gj::dynamic::none, shape_of<0, gj::auto_extent>);
  for (index_t n : {3, 4, 5}) check_doubled(fixed, vec(n));
  CHECK(fixed.compiles() == 2);
}

TEST_CASE("GRD-029: any extent is open in the first entry") {
  auto const g = gj::compile(doubled{}, plain_loops, shape_of<0, any_extent>);
  for (index_t n : {9, 12, 1}) check_doubled(g, vec(n));
  CHECK(g.compiles() == 1);
  CHECK(g.entries()[0].dynamic);
  CHECK(guarded_extents(g, vec(9)).empty());
}

TEST_CASE("GRD-030: a branch on any extent is no error") {
  auto const g = gj::compile(three_is_special{}, plain_loops, shape_of<0, any_extent>);
  CHECK(g(vec(3))(2) == 30);
  CHECK(g(vec(5))(2) == 6);
  CHECK(g(vec(3))(1) == 20);
  CHECK(g.compiles() == 2);
}

TEST_CASE("G86: an extent is a multiple") {
  auto const g = gj::compile(doubled{}, plain_loops, shape_of<0, gj::multiple<4>>, gj::name<"fours">);
  for (index_t n : {4, 12, 0}) check_doubled(g, vec(n));
  CHECK(g.compiles() == 1);
  CHECK(refusal(g, vec(6)).find("arg[0].extent(0) is declared a multiple of 4, got 6") != std::string::npos);
  CHECK(guarded_extents(g, vec(4)) == texts{"arg[0].extent(0) is a multiple of 4"});
  CHECK(g.explain_miss(vec(6)).to_string() == "fours/0: arg[0].extent(0): expected a multiple of 4, got 6");
}
