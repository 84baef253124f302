// guardjit: tests/compile/entry_table.cpp: how entries are found: hashes, order, relations of memory
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/overlap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support/allocation_counter.hpp"
#include "support/bare_cache.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::index_t;
using support::vec;

namespace {

using spec = support::bare_cache::spec;

}  // namespace

TEST_CASE("GRD-072: checks are noexcept and need no heap, their failures are plain data") {
  support::bare_cache c;
  c.fn.policy = gj::dynamic_policy::all;
  auto const x = vec(3);
  gj::detail::call_frame<1> frame(x);
  gj::entry const& e = *c.entry_for(4);
  gj::frame_view const view = frame.view();
  index_t symbols[spec::data.symbols];
  static_assert(noexcept(gj::guards_hold(e, spec::data, view, 0, symbols)));
  static_assert(noexcept(e.has_layouts(spec::data, view)));
  static_assert(std::is_trivially_copyable_v<gj::guard_failure>);
  support::failing_heap const forbidden(0);
  bool const holds = gj::guards_hold(e, spec::data, view, 0, symbols);
  bool const overlapping = gj::guards_hold(e, spec::data, view, 1, symbols);
  CHECK(c.entries.table()->find(spec::data, view, 0, symbols) == &e);
  CHECK(holds);
  CHECK_FALSE(overlapping);
}

TEST_CASE("GRD-085: among 64 static entries a lookup compares two at most") {
  support::bare_cache c;
  c.fn.policy = gj::dynamic_policy::none;
  c.fn.recompile_limit = 64;
  std::vector<gj::entry const*> made;
  for (index_t n = 0; n < 64; ++n) made.push_back(c.entry_for(n * 3));
  CHECK(c.entries.table()->entries().size() == 64);
  std::mt19937 random(3);
  int most = 0, found = 0;
  for (int k = 0; k < 10000; ++k) {
    auto const n = static_cast<unsigned>(random() % 96);  // one in three is no entry
    auto const x = vec(n * 3);
    gj::detail::call_frame<1> frame(x);
    int compared = 0;
    gj::entry const* const e =
        c.entries.table()->direct().find(gj::packed_layouts::hash(spec::data, frame.view()), [&](gj::entry const& one) {
          ++compared;
          return one.has_layouts(spec::data, frame.view());
        });
    most = std::max(most, compared);
    found += e == (n < 64 ? made[n] : nullptr) ? 1 : 0;
  }
  CHECK(found == 10000);
  CHECK(most >= 1);
  CHECK(most <= 2);
}

TEST_CASE("G17: a call that waited for another one to build takes what is there") {
  support::bare_cache c;
  gj::entry const* const made = c.entry_for(4);
  auto const x = vec(4);
  gj::detail::call_frame<1> frame(x);
  alignas(64) std::byte plan[spec::data.plan_bytes];
  index_t symbols[spec::data.symbols];
  CHECK(c.entries.miss(c.fn, frame.view(), 0, {plan, symbols}) == made);
  CHECK(c.fn.compile_count() == 1);
  CHECK(c.entries.table()->entries().size() == 1);
}

TEST_CASE("how two views of memory lie to each other") {
  float memory[64]{};
  auto const of = [&memory](index_t offset, gj::any_layout const& l) { return gj::memory_view{memory + offset, l.view(), 4}; };
  using strides = std::array<index_t, gj::max_rank>;
  gj::any_layout const row(gj::shape{8}), back(gj::shape{8}, strides{-1}), window(gj::shape{4, 4}, strides{8, 1});
  using enum gj::overlap;
  CHECK(gj::overlap_of(of(0, row), of(8, row)) == disjoint);
  CHECK(gj::overlap_of(of(0, row), of(7, row)) == overlapping);
  CHECK(gj::overlap_of(of(0, row), of(0, row)) == same_view);
  CHECK(gj::overlap_of(of(0, row), of(7, back)) == overlapping);
  CHECK(gj::overlap_of(of(0, row), of(15, back)) == disjoint);
  CHECK(gj::overlap_of(of(7, back), of(7, back)) == same_view);
  CHECK(gj::overlap_of(of(0, window), of(4, window)) == disjoint);
  CHECK(gj::overlap_of(of(4, window), of(0, window)) == disjoint);
  CHECK(gj::overlap_of(of(0, window), of(3, window)) == overlapping);
  CHECK(gj::overlap_of(of(6, window), of(12, window)) == overlapping);  // a window that wraps would be
  CHECK(gj::overlap_of(of(0, window), of(8, window)) == overlapping);
  gj::any_layout const turned(gj::shape{4, 4}, strides{1, 8});
  CHECK(gj::overlap_of(of(0, window), of(0, turned)) == overlapping);
  gj::memory_view const bytes{memory, row.view(), 1};
  CHECK(gj::overlap_of(of(0, row), bytes) == overlapping);
}
