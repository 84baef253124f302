// guardjit: tests/conformance/guards/erased_calls.cpp: calls of every kind by erased backends, beside the function's own
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>
#include <guardjit/observe/profiler.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

#include "conformance/guards/erased_backends.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::stance, gj::stance_scope, gj::tensor;
using fixtures::agrees_with_own, fixtures::erased_backends;
using support::counted, support::elements, support::mat, support::same_bits, support::transposed, support::vec,
    support::viewed;

namespace {

using floats = std::vector<float>;
constexpr auto plain_loops = gj::backend(gj::backends::reference{});

struct doubled_rows {
  constexpr auto operator()(auto x) const {
    return std::tuple(gj::permute(x, gj::axes(1, 0)), gj::sum(x * 2, gj::axes(1)), x, gj::slice(x, 0, 1, 3));
  }
};
struct updated {
  constexpr auto operator()(auto& w, auto const& g) const {
    auto const step = g * 2 + gj::slice(w, 0, 1, 5);
    w = w - gj::sum(w);
    return step + w(0);
  }
};
struct branching {
  constexpr auto operator()(auto x, auto k) const {
    if (k > 2) return x * k + x.extent(0);
    return x - k;
  }
};
struct picked {
  constexpr auto operator()(auto x, auto index) const { return std::tuple(x * 2, gj::take(x + 1, index, 0)); }
};
struct passed_on {
  constexpr auto operator()(auto x) const { return gj::reshape(x, {x.extent(0) * x.extent(1)}); }
};
struct weighted {
  constexpr auto operator()(auto x, auto const& w) const { return std::tuple(x * w, w); }
};
struct tripled : gj::pure_mode<tripled> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::mul) return call() * 3.0f;
    return call();
  }
};
struct scaled_by_key : gj::keyed_mode<scaled_by_key> {
  float k = 2;
  auto key() const noexcept { return std::tuple{k}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::mul) return call() * call.template key<0>();
    return call();
  }
};
struct twice_and_one {
  constexpr auto operator()(auto x) const { return x * 2 + 1; }
};
struct cut_in_two {
  constexpr auto operator()(auto x) const {
    auto const y = gj::opaque<tensor<float, dyn>>([](auto const& v) { return v * 1.0f; })(x * 2);
    return y + x;
  }
};

}  // namespace

TEST_CASE("erased: static and dynamic entries, of layouts of every kind") {
  auto const g = gj::compile(twice_and_one{}, plain_loops);
  for (index_t n : {8, 9, 1, 0}) agrees_with_own(g, [&] { return elements(g(vec(n))); });
  auto const any = gj::compile(twice_and_one{}, plain_loops, gj::dynamic::all);
  for (index_t n : {5, 7}) agrees_with_own(any, [&] { return elements(any(mat(n, 3))); });
  agrees_with_own(any, [&] { return elements(any(transposed(mat(4, 3)))); });
  agrees_with_own(any, [&] { return elements(any(viewed(vec(9), 8, {5}, {-2}))); });
  agrees_with_own(g, [&] { return elements(g(viewed(vec(1), 0, {6}, {0}))); });
}

TEST_CASE("erased: results that are views of arguments, and several ones") {
  auto const g = gj::compile(doubled_rows{}, plain_loops);
  auto const x = mat(4, 3);
  agrees_with_own(g, [&] {
    auto const [turned, sums, same, middle] = g(x);
    CHECK(turned.data() == x.data());
    CHECK(same.data() == x.data());
    CHECK(middle.data() == x.data() + 3);
    CHECK(sums.data() != x.data());
    return std::tuple(elements(turned), elements(sums), elements(same), elements(middle));
  });
  agrees_with_own(g, [&] {
    auto turned = mat(3, 4);
    auto sums = vec(4);
    auto same = mat(4, 3), middle = mat(2, 3);
    g.into(std::tie(turned, sums, same, middle), x);
    return std::tuple(elements(turned), elements(sums), elements(same), elements(middle));
  });
  auto const flat = gj::compile(passed_on{}, plain_loops, gj::dynamic::all);
  auto const turned = transposed(x);
  agrees_with_own(flat, [&] {
    CHECK(flat(x).data() == x.data());
    CHECK(flat(turned).data() != x.data());
    return std::tuple(elements(flat(x)), elements(flat(turned)));
  });
}

TEST_CASE("erased: arguments that are written, and outputs that overlap arguments") {
  auto const g = gj::compile(updated{}, plain_loops);
  agrees_with_own(g, [&] {
    auto w = vec(5);
    auto const y = g(w, vec(4, 3));
    return std::tuple(elements(w), elements(y));
  });
  auto const f = gj::compile(twice_and_one{}, plain_loops, gj::dynamic::none);
  agrees_with_own(f, [&] {
    auto const pool = vec(16);
    auto out = viewed(pool, 3, {8}, {1});
    f.into(out, viewed(pool, 0, {8}, {1}));
    f.into(out, out);
    auto wide = viewed(pool, 0, {4}, {2});
    f.into(wide, vec(4));
    return elements(pool);
  });
}

TEST_CASE("erased: scalars, branches, and values out of range") {
  auto const g = gj::compile(branching{}, plain_loops);
  for (float k : {1.0f, 3.0f, 7.5f}) agrees_with_own(g, [&] { return elements(g(vec(4), k)); });
  auto const narrow = gj::compile([](auto x, auto k) { return x + k; }, plain_loops);
  auto const bytes = counted(tensor<std::uint8_t, dyn>(4));
  agrees_with_own(narrow, [&] {
    CHECK_THROWS_AS(narrow(bytes, 300), gj::dtype_error);
    return elements(narrow(bytes, 200));
  });
}

TEST_CASE("erased: a wrong index leaves outputs as they were, and is no entry") {
  auto const g = gj::compile(picked{}, plain_loops, gj::dynamic::none);
  tensor<std::int64_t, dyn> right(2), wrong(2);
  right(0) = 3;
  wrong(1) = 4;
  for (gj::erased_backend const& b : erased_backends()) {
    stance_scope const forced{stance::normal, gj::force_backend(b)};
    g.clear();
    auto x = vec(4), twice = vec(4, 50), some = vec(2, 70);
    CHECK_THROWS_AS(g.into(std::tie(twice, some), x, wrong), gj::index_error);
    CHECK(g.compiles() == 0);
    for (int k = 0; k < 2; ++k) {
      CHECK(elements(twice) == elements(vec(4, 50)));
      CHECK(elements(some) == elements(vec(2, 70)));
      g(x, right);
      CHECK_THROWS_AS(g.into(std::tie(twice, some), x, wrong), gj::index_error);
    }
    CHECK(g.compiles() == 1);
    CHECK_THROWS_AS(g(x, wrong), gj::index_error);
  }
  agrees_with_own(g, [&] {
    auto const [all, some] = g(vec(4), right);
    return std::tuple(elements(all), elements(some));
  });
}

TEST_CASE("erased: frozen arguments are read as they are, and copied where they are given back") {
  auto const g = gj::compile(weighted{}, plain_loops);
  auto const w = gj::freeze(vec(4, 2));
  agrees_with_own(g, [&] {
    auto const [scaled, copy] = g(vec(4), w);
    CHECK(copy.data() != w.data());
    return std::tuple(elements(scaled), elements(copy));
  });
}

TEST_CASE("erased: declared modes, observers, runtime modes") {
  auto const g = gj::compile(twice_and_one{}, plain_loops, gj::inline_modes<tripled>, gj::inline_modes<scaled_by_key>);
  auto const x = vec(4);
  agrees_with_own(g, [&] { return elements(g(x)); });
  {
    tripled mode;
    gj::mode_scope const scope{mode};
    agrees_with_own(g, [&] { return elements(g(x)); });
  }
  for (float k : {2.0f, 5.0f}) {
    scaled_by_key mode;
    mode.k = k;
    gj::mode_scope const scope{mode};
    agrees_with_own(g, [&] { return elements(g(x)); });
    CHECK(g(x)(0) == 2 * k + 1);
  }
  gj::op_counter counter;
  {
    gj::mode_scope const scope{counter};
    agrees_with_own(g, [&] {
      auto const before = counter.total();
      floats const result = elements(g(x));
      CHECK(counter.total() == before + 2);
      return result;
    });
  }
  gj::nan_check check;
  gj::mode_scope const scope{check};  // a runtime mode: op by op
  for (gj::erased_backend const& b : erased_backends()) {
    stance_scope const forced{stance::normal, gj::force_backend(b)};
    CHECK(g(x)(1) == 5);
  }
}

TEST_CASE("erased: a profiler is told of the whole run") {
  auto const g = gj::compile(twice_and_one{}, plain_loops, gj::name<"g">);
  auto const x = vec(4);
  for (gj::erased_backend const& b : erased_backends()) {
    gj::profiler prof;
    gj::mode_scope const scope{prof};
    stance_scope const forced{stance::normal, gj::force_backend(b)};
    CHECK(g(x)(1) == 5);
    CHECK(g(x)(1) == 5);
    REQUIRE(prof.rows().size() == 1);
    CHECK(prof.rows()[0].calls == 2);
    CHECK(prof.rows()[0].bytes_read == 32);
    CHECK(prof.rows()[0].bytes_written == 32);
    CHECK(std::string(prof.rows()[0].backend) == b.name());
    CHECK(prof.to_string().find(std::string("g: by ") + b.name()) != std::string::npos);
  }
}

TEST_CASE("erased: parts of a function that opaque cuts, uncached calls, run-time types, hot extents") {
  auto const cut = gj::compile(cut_in_two{}, plain_loops);
  agrees_with_own(cut, [&] { return elements(cut(vec(4))); });
  CHECK(elements(cut.with(gj::backend(erased_backends()[0]))(vec(3))) == floats{3, 6, 9});

  for (gj::erased_backend const& b : erased_backends()) {
    stance_scope const forced{stance::normal, gj::force_backend(b)};
    auto const few = gj::compile(twice_and_one{}, plain_loops, gj::dynamic::none, gj::recompile_limit{1});
    for (index_t n : {3, 4, 5}) CHECK(elements(few(vec(n))).back() == 2 * static_cast<float>(n) + 1);
    CHECK(few.compiles() == 1);
    CHECK(few.uncached_calls() == 2);
    auto out = vec(4);
    few.into(out, vec(4));
    CHECK(out(3) == 9);
    auto const uncached = gj::compile(picked{}, plain_loops, gj::compile_limit{0});
    tensor<std::int64_t, dyn> const first(1);
    CHECK(elements(std::get<1>(uncached(vec(4), first))) == floats{2});
  }
  auto const typed = gj::compile(twice_and_one{}, plain_loops, gj::signature<tensor<float, dyn>>);
  agrees_with_own(typed, [&] { return elements(typed(gj::any_tensor(vec(4))).template as<float, dyn>()); });
  auto const hot = gj::compile(twice_and_one{}, plain_loops, gj::hot_extent<0, 0, 4>);
  for (index_t n : {4, 5}) agrees_with_own(hot, [&] { return elements(hot(vec(n))); });
}

TEST_CASE("erased: workspaces of the caller, and pinned entries") {
  auto const g = gj::compile(doubled_rows{}, plain_loops);
  auto const f = gj::compile(twice_and_one{}, plain_loops, gj::dynamic::all);
  auto const x = mat(4, 3);
  for (gj::erased_backend const& b : erased_backends()) {
    stance_scope const forced{stance::normal, gj::force_backend(b)};
    index_t const bytes = f.workspace_bytes(x);
    alignas(64) std::byte memory[16384];
    auto out = mat(4, 3);
    f.into(out, x, std::span(memory, static_cast<std::size_t>(bytes)));
    CHECK(out(3, 2) == 25);
    if (bytes > 0) {
      CHECK_THROWS_AS(f.into(out, x, std::span(memory, static_cast<std::size_t>(bytes - 1))), gj::workspace_error);
    }
    auto turned = mat(3, 4);
    auto sums = vec(4);
    auto same = mat(4, 3), middle = mat(2, 3);
    g.into(std::tie(turned, sums, same, middle), x, std::span<std::byte>(memory));
    CHECK(turned(2, 3) == 12);
    {
      // Of results that are views of arguments, and by each backend: what it says is enough.
      auto const enough = static_cast<std::size_t>(g.workspace_bytes(x));
      REQUIRE(enough <= sizeof memory);
      g.into(std::tie(turned, sums, same, middle), x, std::span(memory, enough));
      stance_scope const own{stance::normal};
      auto const by_own = static_cast<std::size_t>(g.workspace_bytes(x));
      REQUIRE(by_own > 0);
      g.into(std::tie(turned, sums, same, middle), x, std::span(memory, by_own));
    }
    // The walk allocates its values; the others work in what they are given, bound at each call.
    std::string const name = b.name();
    f.into(out, x);
    if (name != "op_by_op") CHECK(support::heap_calls_of([&] { f.into(out, x); }) == 0);
    auto const h = f.pin(x);
    CHECK(h.check(x));
    {
      stance_scope const own{stance::normal};
      CHECK(h(x)(3, 2) == 25);  // by the entry that was pinned
      CHECK(f.find(x).empty());
    }
    h.into(out, x);
    CHECK(same_bits(out, h(x)));
    f.clear();
    CHECK(h(x)(3, 2) == 25);
  }
}
