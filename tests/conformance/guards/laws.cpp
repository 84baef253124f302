// guardjit: tests/conformance/guards/laws.cpp: each kind of guard by the same law
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::guard_kind;
using gj::tensor;
using support::mat;
using support::transposed;
using support::vec;
using support::viewed;

namespace {

constexpr auto law_plain = gj::backend(gj::backends::reference{});

struct law_scaled {
  constexpr auto operator()(auto x) const { return x * 2 + 1; }
};
/// Rules on extents: equal ones, a multiple of 4, at least one row.
struct law_of_rows {
  constexpr auto operator()(auto x, auto y) const { return gj::amax(gj::reshape(x + y, {-1, 4}), gj::axes(0)); }
};
struct law_of_paths {
  constexpr auto operator()(auto x) const {
    if (x.extent(0) > 16) return x * 2;
    return x + 1;
  }
};
struct law_with_factory {
  constexpr auto operator()(auto x) const { return x + gj::zeros<float>(x.extent(0)); }
};
struct law_backend : gj::backends::reference {
  static constexpr char const* name = "law";
  static void guards(gj::backend_guards& to) {
    if (to.is_aligned(0, 64)) to.require_aligned(0, 64);
    to.require_thread_count();
  }
};
struct law_mode : gj::pure_mode<law_mode> {
  template <class Call> static constexpr typename Call::value handle(Call& call) { return call(); }
};

int count_of(std::vector<gj::guard> const& guards, guard_kind kind) {
  int count = 0;
  for (gj::guard const& g : guards) count += g.kind == kind ? 1 : 0;
  return count;
}
/// Runs as it is; other laws bring a scope around the call that fails.
using around_law = std::function<void(std::function<void()> const&)>;
void as_it_is(std::function<void()> const& use) { use(); }

/// The law of one kind. `g` was never called. With `pass` it makes one entry, which has a guard of `kind` and
/// serves `pass` and `also`; `fail` differs in the guarded property alone, or `around` does: no entry serves it, that
/// guard is the only one that fails, its reason is `text`, and fast, explained and pinned check agree.
/// A kind that is added gets a call of this with such arguments, and a line in `name_of` below.
template <class... Arguments>
void check_law(guard_kind kind, auto const& g, std::tuple<Arguments...> const& pass,
               std::tuple<Arguments...> const& also, std::tuple<Arguments...> const& fail, std::string const& text,
               around_law const& around) {
  CAPTURE(gj::name_of(kind));
  std::apply(g, pass);
  REQUIRE(g.entries().size() == 1);
  CHECK(count_of(g.entries()[0].guards, kind) > 0);
  auto const h = std::apply([&](auto const&... x) { return g.pin(x...); }, pass);
  auto const serves = [&](std::tuple<Arguments...> const& arguments) {
    return std::apply(
        [&](auto const&... x) {
          bool const found = !g.find(x...).empty(), checked = h.check(x...);
          auto const report = g.explain_miss(x...);
          CHECK(found == checked);
          CHECK(found == report.entries.at(0).failures.empty());
          return found;
        },
        arguments);
  };
  auto const passes = [&] {
    CHECK(serves(pass));
    CHECK(serves(also));
    std::apply(g, also);
    CHECK(g.compiles() == 1);
  };
  passes();
  around([&] {
    CHECK_FALSE(serves(fail));
    auto const report = std::apply([&](auto const&... x) { return g.explain_miss(x...); }, fail);
    auto const& failed = report.entries.at(0);
    REQUIRE(failed.failures.size() == 1);
    CHECK(failed.failures[0].kind == kind);
    CAPTURE(failed.reasons[0]);
    CHECK(failed.reasons[0].find(text) == 0);
  });
  passes();
}
template <class... Arguments> auto args(Arguments const&... x) { return std::tuple(x...); }

/// Whether no entry of `g` has a guard of `kind` once it was called so.
bool is_proved(guard_kind kind, auto const& g, auto const&... x) {
  g(x...);
  int count = 0;
  for (gj::entry_info const& e : g.entries()) count += count_of(e.guards, kind);
  return count == 0;
}

}  // namespace

TEST_CASE("GRD-056: each kind of guard passes, fails, says why, and is absent where the signature proves it") {
  constexpr auto none = gj::dynamic::none;
  constexpr auto all = gj::dynamic::all;
  auto const pool = mat(16, 16);

  // Layouts.
  check_law(guard_kind::extent_is, gj::compile(law_scaled{}, law_plain, none), args(mat(3, 4)), args(mat(3, 4, 9)),
            args(mat(2, 4)), "arg[0].extent(0): expected 3, got 2", as_it_is);
  check_law(guard_kind::contiguous, gj::compile(law_scaled{}, law_plain, none), args(mat(3, 4)), args(viewed(pool, 5, {3, 4}, {4, 1})),
            args(viewed(pool, 0, {3, 4}, {5, 1})), "arg[0].stride(0): expected 4, got 5", as_it_is);
  check_law(guard_kind::strides_are, gj::compile(law_scaled{}, law_plain, none), args(viewed(pool, 0, {3, 4}, {8, 1})),
            args(viewed(pool, 7, {3, 4}, {8, 1})), args(viewed(pool, 0, {3, 4}, {9, 1})),
            "arg[0].stride(0): expected 8, got 9", as_it_is);
  check_law(guard_kind::strides_are, gj::compile(law_scaled{}, law_plain, all), args(viewed(pool, 0, {3, 4}, {8, 1})),
            args(viewed(pool, 0, {5, 2}, {9, 1})), args(transposed(mat(4, 3))),
            "arg[0] strides: expected unit inner stride, got general strides", as_it_is);
  check_law(guard_kind::aligned, gj::compile(law_scaled{}, none, gj::backend(law_backend{})),
            args(viewed(pool, 0, {16}, {1})), args(viewed(pool, 16, {16}, {1})), args(viewed(pool, 3, {16}, {1})),
            "arg[0] data: expected aligned to 64, got offset 12", as_it_is);

  // Relations, and what is written.
  check_law(guard_kind::extents_equal, gj::compile(law_of_rows{}, law_plain, all), args(vec(8), vec(8)), args(vec(12), vec(12)),
            args(vec(8), vec(1)), "arg[0].extent(0) = arg[1].extent(0): expected 1, got 8 (", as_it_is);
  check_law(guard_kind::multiple_of, gj::compile(law_of_rows{}, law_plain, all), args(vec(8), vec(8)), args(vec(4), vec(4)),
            args(vec(6), vec(6)), "arg[0].extent(0) broadcast arg[1].extent(0): expected a multiple of 4, got 6 (", as_it_is);
  check_law(guard_kind::extent_in, gj::compile(law_of_rows{}, law_plain, all), args(vec(8), vec(8)), args(vec(4), vec(4)),
            args(vec(0), vec(0)), "(arg[0].extent(0) broadcast arg[1].extent(0)) / 4: expected at least 1, got 0 (", as_it_is);
  {
    auto const g = gj::compile(law_scaled{}, law_plain, none, gj::name<"g">);
    auto x = vec(3);
    g.into(x, x);
    REQUIRE(g.entries().size() == 1);
    CHECK(count_of(g.entries()[0].guards, guard_kind::no_overlap) == 1);
    CHECK(g.find(x).empty());
    CHECK(g.explain_miss(x).to_string() == "g/0: output and arg[0]: expected the same view, got disjoint");
    g.into(x, x);
    CHECK(g.compiles() == 1);
  }

  // Branches, predicates, the thread.
  check_law(guard_kind::path_is, gj::compile(law_of_paths{}, law_plain, all), args(vec(17)), args(vec(18)), args(vec(16)),
            "arg[0].extent(0) > 16: expected true, got false for 16 > 16 (", as_it_is);
  check_law(guard_kind::predicate,
            gj::compile(law_scaled{}, law_plain, none, gj::user_guard([](auto const& x) { return x(0, 0) < 5; }, "small")),
            args(mat(1, 3)), args(mat(1, 3, 4)), args(mat(1, 3, 5)), "small: expected true, got false", as_it_is);
  check_law(guard_kind::state_is, gj::compile(law_scaled{}, none, gj::backend(law_backend{})), args(vec(16)),
            args(vec(16, 2)), args(vec(16)), "thread count: expected 1, got 3", [](std::function<void()> const& use) {
              gj::thread_count_scope const three(3);
              use();
            });
  check_law(guard_kind::state_is, gj::compile(law_with_factory{}, law_plain, none), args(vec(3)), args(vec(3, 2)), args(vec(3)),
            "default device: expected none, got cpu:1 (", [](std::function<void()> const& use) {
              gj::default_device_scope const other({gj::device_kind::cpu, 1});
              use();
            });
  check_law(guard_kind::mode_stack_is, gj::compile(law_scaled{}, law_plain, none, gj::inline_modes<law_mode>), args(mat(1, 3)),
            args(mat(1, 3, 2)), args(mat(1, 3)), "mode stack: expected [], got [", [](std::function<void()> const& use) {
              law_mode mode;
              gj::mode_scope const scope(mode);
              use();
            });

  // What is proved is absent; dtype, rank and device always are, so that no kind stands for them.
  tensor<float, 3, 4> const matrix;
  tensor<float, 8> const row;
  CHECK(is_proved(guard_kind::extent_is, gj::compile(law_scaled{}, law_plain), matrix));
  CHECK(is_proved(guard_kind::extents_equal, gj::compile(law_of_rows{}, law_plain, all), row, row));
  CHECK(is_proved(guard_kind::multiple_of, gj::compile(law_of_rows{}, law_plain, all), row, row));
  CHECK(is_proved(guard_kind::extent_in, gj::compile(law_of_rows{}, law_plain, all), row, row));
  CHECK(is_proved(guard_kind::path_is, gj::compile(law_of_paths{}, law_plain, all), row));
  CHECK(is_proved(guard_kind::mode_stack_is, gj::compile(law_scaled{}, law_plain), matrix));  // no stack is declared
  CHECK(is_proved(guard_kind::state_is, gj::compile(law_scaled{}, law_plain), matrix));       // nothing reads it
}

TEST_CASE("laws: entries as text") {
  auto const g = gj::compile(law_scaled{}, law_plain, gj::name<"g">, gj::drop_kind<guard_kind::predicate>,
                             gj::user_guard([](auto const&) { return true; }, "whole packets"));
  g(mat(3, 4));
  g(mat(5, 4));
  CHECK(to_string(g.entries()) ==
        "g/0: static, by reference\n"
        "  arg[0].extent(0) = 3\n"
        "  arg[0].extent(1) = 4\n"
        "  arg[0] is contiguous\n"
        "  dropped: whole packets\n"
        "g/1: some extents or strides are free, by reference\n"
        "  arg[0].extent(1) = 4\n"
        "  arg[0] is contiguous\n"
        "  dropped: whole packets");
}
