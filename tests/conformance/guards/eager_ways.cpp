// guardjit: tests/conformance/guards/eager_ways.cpp: disabled functions, failing backends, other processes
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "conformance/guards/fixtures.hpp"
#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::ids_of;
using fixtures::none;
using fixtures::plain;
using fixtures::texts;
using fixtures::twice;
using gj::stance;
using gj::stance_scope;
using gj::tensor;
using support::contains;
using support::elements;
using support::thrown;
using support::vec;

namespace {

/// Plain loops that count what runs by them.
template <int Tag> struct counting_backend : support::fragile_backend<Tag> {
  static inline int runs = 0;
  template <class Formula>
  static void elementwise(gj::loop_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    ++runs;
    gj::backends::reference::elementwise<Formula>(nest, out, in);
  }
};

/// A loop, two returns, an op that nothing needs and one that is written twice.
struct winding {
  constexpr auto operator()(auto x, auto y) const {
    auto sum = gj::eval(x * y);
    for (int k = 0; k < 3; ++k) sum = gj::eval(gj::relu(sum * y - 0.25f));
    [[maybe_unused]] auto const dead = gj::eval(x + y);
    if (x.extent(0) > 3) return gj::eval(sum + x * y);
    return gj::eval(sum / 3.0f + x);
  }
};

struct picks {
  constexpr auto operator()(auto x, auto at) const { return gj::take(x, at, 0) * 1; }
};

/// What a guard collective is asked, and what it says.
struct peers {
  static inline bool answer = true, throws = false;
  static inline std::vector<bool> asked;
  static bool ask(bool hit) {
    CHECK(gj::is_inert());
    asked.push_back(hit);
    if (throws) throw std::runtime_error("peers are gone");
    return answer;
  }
  /// What is asked while `call` runs.
  static std::vector<bool> during(auto const& call) {
    asked.clear();
    call();
    return asked;
  }
};
using answers = std::vector<bool>;

/// A guard collective that ends with its scope.
struct collective_scope {
  explicit collective_scope(gj::guard_collective ask) : former(gj::set_guard_collective(ask)) {}
  collective_scope(collective_scope const&) = delete;
  ~collective_scope() { gj::set_guard_collective(former); }
  gj::guard_collective former;
};

struct failing_callable {
  tensor<float, gj::dyn> operator()(tensor<float, gj::dyn> const&) const {
    throw std::runtime_error("callable");
  }
};
struct around_failing_callable {
  constexpr auto operator()(auto x) const { return gj::opaque(failing_callable{})(x * 2) * 2; }
};

/// What a thread has, as one number: no two states of these tests share one.
int state_of_thread() {
  return gj::mode_stack::depth() * 100 + static_cast<int>(gj::current_stance()) * 10 +
         (gj::mode_stack::enabled() ? 1 : 0) + (gj::is_inert() ? 2 : 0);
}

}  // namespace

TEST_CASE("GRD-115: the option disabled") {
  auto const g = gj::compile(twice{}, plain, gj::disabled, gj::name<"g">);
  auto out = vec(2);
  for (stance s : {stance::normal, stance::fail_on_recompile, stance::eager_then_compile}) {
    stance_scope const scope(s);
    for (int n : {2, 3, 2}) CHECK(elements(g(vec(n))) == elements(tensor<float, gj::dyn>(vec(n) * 2)));
    g.into(out, vec(2));
    CHECK(elements(out) == floats{2, 4});
    CHECK(elements(g.with(stance::normal)(vec(2))) == floats{2, 4});
  }
  CHECK(g.compiles() == 0);
  CHECK(g.entries().empty());
  CHECK(g.find(vec(2)) == "");
  CHECK(g.workspace_bytes(vec(2)) == 0);
  CHECK(thrown<gj::option_error>([&] { g.pin(vec(2)); }) ==
        "guardjit: g.pin(arguments...): g has no entry here, since the function is disabled");
}

TEST_CASE("G76: the environment variable GUARDJIT_DISABLE") {
  char const* const expected = std::getenv("GUARDJIT_TEST_COMPILES");  // set where this process is a child
  auto const g = gj::compile(twice{}, plain, gj::fullgraph);
  CHECK(elements(g(vec(2))) == floats{2, 4});
  if (expected) {
    CHECK(g.compiles() == std::atoi(expected));
    return;
  }
  char path[4096]{};
  REQUIRE(::readlink("/proc/self/exe", path, sizeof path - 1) > 0);
  std::string const run = std::string("'") + path + "' --test-case='G76: the environment*' > /dev/null";
  for (char const* set : {"GUARDJIT_DISABLE=1 GUARDJIT_TEST_COMPILES=0 ", "GUARDJIT_DISABLE=0 GUARDJIT_TEST_COMPILES=1 ",
                          "GUARDJIT_DISABLE= GUARDJIT_TEST_COMPILES=1 "})
    CHECK(std::system(("unset GUARDJIT_CASES; " + (set + run)).c_str()) == 0);
}

TEST_CASE("GRD-117: compile of a compiled function") {
  using first = support::fragile_backend<1171>;
  using second = support::fragile_backend<1172>;
  auto const scale = [](auto x, auto k, auto w) { return x * k + w; };
  auto const once = gj::compile(twice{}, gj::backend(first{}), none, gj::name<"first">);
  auto const again = gj::compile(once, gj::backend(second{}), gj::name<"second">);
  for (int n : {1, 2, 3}) CHECK(elements(again(vec(n))) == elements(tensor<float, gj::dyn>(vec(n) * 2)));
  CHECK(first::builds == 0);
  CHECK(second::builds == 2);  // the policy is not that of the first
  CHECK(ids_of(again) == texts{"second/0", "second/1"});
  CHECK(once.compiles() == 0);
  // Bound values stay, as the last arguments.
  float k = 2;
  auto const with_w = gj::compile(scale, plain, gj::bind(vec(2, 10)));
  auto const with_both = gj::compile(with_w, plain, gj::bind(std::ref(k)));
  CHECK(elements(with_both(vec(2))) == floats{12, 15});
  k = 3;
  CHECK(elements(with_both(vec(2))) == floats{13, 17});
  CHECK(elements(with_w(vec(2), 2.0f)) == floats{12, 15});
}

TEST_CASE("GRD-119: suppressed errors of a backend") {
  using fragile = counting_backend<119>;
  auto const g = gj::compile(twice{}, gj::backend(fragile{}), gj::suppress_backend_errors, gj::name<"g">);
  std::vector<std::string> heard;
  gj::subscription const listen{[&](gj::event const& e) {
    if (e.kind == gj::event_kind::warning || e.kind == gj::event_kind::eager_call)
      heard.push_back(std::string(e.name) + " " + e.reason + ": " + e.text);
  }};
  texts const failed{"g backend_failed: guardjit: g: backend fragile failed: no plan for 3 nodes",
                     "g backend: the backend failed: it runs by reference"};
  auto const told = [&heard](auto const& call) {
    heard.clear();
    call();
    return heard;
  };
  fragile::fails = true;
  CHECK(told([&] { CHECK(elements(g(vec(2))) == floats{2, 4}); }) == failed);
  auto out = vec(2);
  CHECK(told([&] { g.into(out, vec(2)); }) == failed);
  CHECK(elements(out) == floats{2, 4});
  CHECK(fragile::runs == 0);
  CHECK(g.workspace_bytes(vec(2)) == 0);
  CHECK(g.entries().empty());
  CHECK(g.compiles() == 3);
  CHECK_THROWS_AS(g.pin(vec(2)), gj::backend_error);  // there is no call that could run
  fragile::fails = false;
  CHECK(told([&] { CHECK(elements(g(vec(2))) == floats{2, 4}); }).empty());
  CHECK(fragile::runs == 1);
  CHECK(ids_of(g) == texts{"g/4"});

  // Where entries are made behind the run.
  auto const pick = gj::compile(picks{}, gj::backend(fragile{}), gj::suppress_backend_errors);
  auto const at = support::counted(tensor<std::int64_t, gj::dyn>(2), 1, -1);
  fragile::fails = true;
  CHECK(elements(pick(vec(2), at)) == floats{2, 1});
  CHECK_THROWS_AS(pick(vec(1), at), gj::index_error);  // a mistake of the call is none of the backend
  fragile::fails = false;
  CHECK(elements(pick(vec(2), at)) == floats{2, 1});
  CHECK(pick.entries().size() == 1);
}

TEST_CASE("G100: what is thrown leaves the thread and the cache as they were") {
  using fragile = support::fragile_backend<120>;
  static bool is_wrong = false;
  auto const broken = gj::compile(around_failing_callable{}, plain);
  auto const guarded = gj::compile(twice{}, plain, gj::user_guard([](auto const& x) {
                                     if (is_wrong) throw std::runtime_error("predicate");
                                     return x.extent(0) > 0;
                                   }, "not empty"));
  auto const g = gj::compile(twice{}, gj::backend(fragile{}));
  auto const x = vec(2);
  gj::op_counter counts;
  gj::mode_scope const scope(counts);
  for (stance s : {stance::normal, stance::eager_then_compile}) {
    stance_scope const own(s);
    int const before = state_of_thread();
    CHECK(thrown<std::runtime_error>([&] { broken(x); }) == "callable");
    CHECK(state_of_thread() == before);
    fragile::fails = is_wrong = s == stance::normal;
    if (s == stance::normal) {
      CHECK_THROWS_AS(guarded(x), gj::guard_error);
      CHECK(state_of_thread() == before);
      CHECK_THROWS_AS(g(x), gj::backend_error);
    }
    CHECK(state_of_thread() == before);
    CHECK(guarded.entries().empty());
    CHECK(g.entries().empty());
    CHECK(elements(x) == floats{1, 2});
  }
  // Nothing was remembered: the first call of the signature is still to come.
  stance_scope const own(stance::eager_then_compile);
  g(vec(5));
  CHECK(g.entries().empty());
  g(vec(6));
  CHECK(g.entries()[0].dynamic);
}

TEST_CASE("GRD-131: a guard collective") {
  auto const g = gj::compile(twice{}, plain, gj::name<"g">, gj::recompile_limit{2});
  peers::answer = true;
  collective_scope const scope(&peers::ask);
  CHECK(!scope.former);
  bool const was_mine = gj::set_guard_collective(&peers::ask) == &peers::ask;
  CHECK(was_mine);
  auto const call = [&g](int n) {
    return [&g, n] { CHECK(elements(g(vec(n))) == elements(tensor<float, gj::dyn>(vec(n) * 2))); };
  };
  CHECK(peers::during(call(2)).empty());  // there is no entry yet
  CHECK(peers::during(call(2)) == answers{true});
  CHECK(peers::during(call(3)) == answers{false});
  CHECK(g.compiles() == 2);
  peers::answer = false;
  texts recompiles;
  {
    gj::subscription const s{[&](gj::event const& e) {
      if (e.kind == gj::event_kind::recompile) recompiles.push_back(std::string(e.reason) + ": " + e.text);
    }};
    CHECK(peers::during(call(2)) == answers{true});
  }
  CHECK(recompiles == texts{"collective: g/0: the guard collective says that this is a miss\n"
                            "g/1: all guards hold"});
  CHECK(g.compiles() == 3);
  // The new entry is in the place of the old one, and the limit of two was no hindrance.
  CHECK(ids_of(g) == texts{"g/1", "g/2"});
  auto out = vec(2);
  CHECK(peers::during([&] { g.into(out, vec(2)); }) == answers{true});
  CHECK(elements(out) == floats{2, 4});
  CHECK(g.compiles() == 4);
  CHECK(g.entries().size() == 2);
  CHECK(g.uncached_calls() == 0);
  {
    stance_scope const strict(stance::fail_on_recompile);
    CHECK(contains(thrown<gj::recompile_error>([&] { g(vec(2)); }), "the guard collective says"));
    std::string why_eager;
    gj::subscription const hears{[&why_eager](gj::event const& e) {
      if (e.kind == gj::event_kind::eager_call) why_eager = e.text;
    }};
    CHECK(elements(g.with(stance::eager_on_recompile)(vec(2))) == floats{2, 4});
    CHECK(contains(why_eager, "the guard collective says"));
    stance_scope const eager(stance::force_eager);
    CHECK(peers::during(call(2)).empty());
  }
  CHECK(g.compiles() == 4);
  peers::throws = true;
  CHECK_THROWS_AS(g(vec(2)), std::runtime_error);
  peers::throws = false;
  CHECK_FALSE(gj::is_inert());
  CHECK(g.entries().size() == 2);
  // Of functions whose entries are made behind the run.
  auto const pick = gj::compile(picks{}, plain, gj::name<"pick">);
  auto const at = support::counted(tensor<std::int64_t, gj::dyn>(2), 1, -1);
  for (int k = 0; k < 3; ++k) CHECK(elements(pick(vec(2), at)) == floats{2, 1});
  CHECK(ids_of(pick) == texts{"pick/2"});
  // Without one, hits take the short way again.
  gj::set_guard_collective(nullptr);
  for (int k = 0; k < 2; ++k) CHECK(peers::during(call(2)).empty());
  CHECK(g.compiles() == 4);
  peers::answer = true;
  gj::set_guard_collective(&peers::ask);
  CHECK(peers::during(call(2)) == answers{true});
  CHECK(g.compiles() == 4);
}

TEST_CASE("G115: a collective that is set while other threads call") {
  static std::atomic<int> asked{0};
  auto const g = gj::compile(twice{}, plain);
  std::atomic<bool> stop{false}, is_right{true};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      auto out = vec(4);
      while (!stop) {
        g.into(out, vec(4));
        if (elements(out) != floats{2, 4, 6, 8}) is_right = false;
      }
    });
  // Each time that it is set, a call comes to ask.
  for (int k = 0; k < 50; ++k) {
    int const before = asked;
    collective_scope const scope([](bool hit) { return ++asked, hit; });
    while (asked == before) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  CHECK(is_right);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-150: all ways give the same bits, and tell modes the same ops") {
  auto const x = support::counted(tensor<float, gj::dyn>(5), 0.1, 0.7);
  auto const y = support::counted(tensor<float, gj::dyn>(5), -0.3, 0.4);
  auto const g = gj::compile(winding{});
  auto const off = gj::compile(winding{}, gj::disabled);
  for (gj::index_t n : {5, 3}) {
    auto const a = gj::slice(x, 0, 0, n), b = gj::slice(y, 0, 0, n);
    gj::op_log logs[3];
    floats values[3];
    for (int way = 0; way < 3; ++way) {
      gj::mode_scope const watch(logs[way]);
      stance_scope const s(way == 1 ? stance::force_eager : stance::normal);
      values[way] = elements(way == 2 ? off(a, b) : g(a, b));
    }
    floats const expected = elements(tensor<float, gj::dyn>(winding{}(a, b)));
    for (int way = 0; way < 3; ++way) {
      CHECK(values[way] == expected);
      CHECK(logs[way].to_string() == logs[0].to_string());
    }
    CHECK(logs[0].records().size() > 5);
  }
  CHECK(off.compiles() == 0);
  CHECK(g.compiles() == 2);
}

TEST_CASE("G78: a call by another backend") {
  using own = counting_backend<158>;
  auto const g = gj::compile(twice{}, gj::backend(own{}), gj::bind(), gj::name<"g">);
  CHECK(elements(g(vec(2))) == floats{2, 4});
  stance_scope const strict(stance::fail_on_recompile);
  CHECK(elements(g.with(gj::backend(gj::reference))(vec(2))) == floats{2, 4});
  auto out = vec(2);
  auto const other = gj::compile(twice{}, gj::backend(own{})).with(gj::backend(gj::reference));
  other.into(out, vec(2));
  CHECK(elements(out) == floats{2, 4});
  CHECK(own::runs == 1);
  CHECK(own::builds == 1);
  std::string backends;
  for (gj::entry_info const& e : g.entries()) backends += e.id + " " + e.backend + " ";
  CHECK(backends == "g/1 reference g/0 fragile ");
  CHECK(g.find(vec(2)) == "g/0");
  CHECK(elements(g(vec(2))) == floats{2, 4});
  CHECK(own::runs == 2);
}
