// guardjit: tests/conformance/guards/backends.cpp: cases of guards that a backend adds
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::vec;
using support::viewed;

namespace {

/// The plain loops; their plans rely on 64-byte alignment of each argument that has it.
struct aligned_backend : gj::backends::reference {
  static constexpr char const* name = "aligned";
  static inline bool fails = false;
  static inline int asked = 0;
  static void guards(gj::backend_guards& to) {
    ++asked;
    if (fails) throw std::runtime_error("no guards");
    for (int k = 0; k < to.arguments(); ++k)
      if (to.is_read(k) && to.is_aligned(k, 64)) to.require_aligned(k, 64);
  }
};
/// Its plans are divided among threads.
struct divided_backend : gj::backends::reference {
  static constexpr char const* name = "divided";
  static inline bool is_divided = true;
  static void guards(gj::backend_guards& to) {
    if (is_divided) to.require_thread_count();
  }
};
/// Requires what does not hold.
struct wrong_backend : gj::backends::reference {
  static constexpr char const* name = "wrong";
  static void guards(gj::backend_guards& to) { to.require_aligned(0, 1 << 20); }
};

struct scaled_in_place {
  constexpr auto operator()(auto x, auto y) const { return x * y + 1; }
};
bool is_scaled_by(auto const& x, auto const& y, auto const& z) {
  bool same = true;
  for (gj::index_t k = 0; k < x.size(); ++k) same = same && z(k) == x(k) * y(k) + 1;
  return same;
}
std::vector<std::string> reasons_of(auto const& report, std::size_t entry) {
  return report.entries.at(entry).reasons;
}
using backend_texts = std::vector<std::string>;

}  // namespace

TEST_CASE("GRD-065: a plan that needs aligned arguments: a shifted buffer is a miss that names it, else a hit") {
  auto const any = gj::compile(scaled_in_place{}, gj::dynamic::none);
  auto const ones = vec(40, 1), moved = viewed(vec(64), 1, {40}, {1});
  any(ones, ones);
  CHECK(is_scaled_by(moved, ones, any(moved, ones)));
  CHECK(any.compiles() == 1);  // no plan of this backend needs it

  auto const g = gj::compile(scaled_in_place{}, gj::backend(aligned_backend{}), gj::dynamic::none, gj::name<"g">);
  auto const pool = vec(64), other = vec(48, 3);
  auto const x = viewed(pool, 0, {40}, {1}), y = viewed(other, 0, {40}, {1});
  auto const shifted = viewed(pool, 1, {40}, {1}), later = viewed(pool, 16, {40}, {1});
  CHECK(is_scaled_by(x, y, g(x, y)));
  CHECK(is_scaled_by(later, y, g(later, y)));
  CHECK(g.compiles() == 1);
  CHECK(g.find(shifted, y).empty());
  CHECK(g.explain_miss(shifted, y).to_string() == "g/0: arg[0] data: expected aligned to 64, got offset 4");
  auto const both = g.explain_miss(shifted, viewed(other, 3, {40}, {1}));
  CHECK(reasons_of(both, 0) == backend_texts{"arg[0] data: expected aligned to 64, got offset 4",
                                             "arg[1] data: expected aligned to 64, got offset 12"});
  gj::guard_failure const f = both.entries[0].failures[1];
  CHECK(f.kind == gj::guard_kind::aligned);
  CHECK(f.argument == 1);
  CHECK(f.expected == 64);
  CHECK(f.actual == 12);

  // The next entry needs less; calls that fit both use the one that needs more.
  CHECK(is_scaled_by(shifted, y, g(shifted, y)));
  auto out = vec(40);
  g.into(out, shifted, y);
  CHECK(is_scaled_by(shifted, y, out));
  CHECK(g.compiles() == 2);
  CHECK(g.find(shifted, y) == "g/1");
  CHECK(g.find(x, y) == "g/0");
  CHECK(g.entries().at(0).id == "g/0");
  CHECK(g.find(shifted, viewed(other, 3, {40}, {1})).empty());
  // A dynamic entry is guarded as well, and so is what a thread remembers of it.
  auto const open = gj::compile(scaled_in_place{}, gj::backend(aligned_backend{}), gj::dynamic::all);
  for (int k = 0; k < 3; ++k) CHECK(is_scaled_by(x, y, open(x, y)));
  CHECK(open.compiles() == 1);
  CHECK(open.find(shifted, y).empty());
  CHECK(is_scaled_by(shifted, y, open(shifted, y)));
  CHECK(open.compiles() == 2);

  // A pinned entry, and arguments of static extents.
  auto const h = g.pin<true>(x, y);
  CHECK(is_scaled_by(x, y, h(x, y)));
  CHECK_FALSE(h.check(shifted, y));
  CHECK_THROWS_AS(h(shifted, y), gj::guard_error);
  using four = tensor<float, 4>;
  auto const fixed_at = [](tensor<float, dyn> const& owner, gj::index_t offset) {
    return four::adopt(owner.storage(), const_cast<float*>(owner.data()) + offset, gj::layout<1>({4}, {1}));
  };
  four const a = fixed_at(pool, 0), b = fixed_at(pool, 1);
  four small;
  g.into(small, a, a);
  CHECK(g.find(b, a).empty());
  g.into(small, b, a);
  CHECK(is_scaled_by(b, a, small));
  CHECK(g.find(b, a) != g.find(a, a));
}

TEST_CASE("GRD-138: a plan that is split by thread count") {
  auto const g = gj::compile(scaled_in_place{}, gj::backend(divided_backend{}), gj::dynamic::none, gj::name<"g">);
  auto const plain = gj::compile(scaled_in_place{}, gj::backend(aligned_backend{}), gj::dynamic::none);
  auto const x = vec(3);
  CHECK(gj::thread_count() == 1);
  g(x, x);
  plain(x, x);
  {
    gj::thread_count_scope const four(4);
    CHECK(gj::thread_count() == 4);
    CHECK(g.explain_miss(x, x).to_string() == "g/0: thread count: expected 1, got 4");
    CHECK(is_scaled_by(x, x, g(x, x)));
    CHECK(g.compiles() == 2);
    CHECK_FALSE(plain.find(x, x).empty());  // nothing depends on it
    plain(x, x);
    CHECK(plain.compiles() == 1);
    CHECK(g.find(x, x) == "g/1");
    std::thread([&] { CHECK(g.find(x, x) == "g/0"); }).join();  // that of the calling thread counts
  }
  CHECK(g.find(x, x) == "g/0");
  CHECK(gj::thread_count() == 1);
  CHECK_THROWS_AS([] { gj::thread_count_scope const none(0); }(), gj::option_error);

  // Where the plan does not depend on it, a change is a hit. A filter may drop the guard.
  divided_backend::is_divided = false;
  auto const whole = gj::compile(scaled_in_place{}, gj::backend(divided_backend{}), gj::dynamic::none);
  whole(x, x);
  divided_backend::is_divided = true;
  auto const filtered = gj::compile(scaled_in_place{}, gj::backend(divided_backend{}),
                                    gj::drop_kind<gj::guard_kind::state_is>);
  filtered(x, x);
  gj::thread_count_scope const two(2);
  whole(x, x);
  filtered(x, x);
  CHECK(whole.compiles() == 1);
  CHECK(filtered.compiles() == 1);
  CHECK(filtered.entries().at(0).dropped.size() == 1);
}

TEST_CASE("backends: one that requires what does not hold, or throws; memory guards stay") {
  auto const x = viewed(vec(64), 1, {40}, {1});
  auto const wrong = gj::compile(scaled_in_place{}, gj::backend(wrong_backend{}), gj::name<"wrong">);
  CHECK_THROWS_WITH_AS(wrong(x, x), doctest::Contains("arg[0] data: expected aligned to 1048576, got offset "),
                       gj::internal_error);
  CHECK(wrong.entries().empty());
  auto const g = gj::compile(scaled_in_place{}, gj::backend(aligned_backend{}), gj::name<"g">);
  aligned_backend::fails = true;
  CHECK_THROWS_WITH_AS(g(x, x), "guardjit: g: backend aligned failed: no guards", gj::backend_error);
  aligned_backend::fails = false;
  CHECK(g.entries().empty());
  g(x, x);
  auto const dropping = gj::compile(scaled_in_place{}, gj::backend(aligned_backend{}),
                                    gj::drop_kind<gj::guard_kind::aligned>);
  CHECK_THROWS_AS(dropping(vec(40), vec(40)), gj::option_error);
}
