// guardjit: bench/call_apart.cpp: calls out of cold caches, and calls of one function from several threads
// SPDX-License-Identifier: BSL-1.0
#include "dispatchers.hpp"

#include <algorithm>
#include <chrono>

namespace {

using namespace bench;

/// Ticks of a clock that runs at one speed and costs little to read; earlier work is done when it is read.
std::uint64_t ticks() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  std::uint64_t const now = __builtin_ia32_rdtsc();
  __builtin_ia32_lfence();
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
double seconds_of_tick() {
  static double const one = [] {
    using clock = std::chrono::steady_clock;
    clock::time_point const begin = clock::now();
    std::uint64_t const first = ticks();
    while (clock::now() - begin < std::chrono::milliseconds(20)) {}
    return std::chrono::duration<double>(clock::now() - begin).count() / static_cast<double>(ticks() - first);
  }();
  return one;
}

/// Reads 64 MB, so that nothing else stays in the caches of a core; a larger shared one may keep it.
void flush() {
  static std::vector<std::uint8_t> const large(std::size_t{64} << 20, 1);
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < large.size(); k += 64) sum += large[k];
  benchmark::DoNotOptimize(sum);
}

/// The median of calls, each with nothing of its own in the caches, less what reading the clock takes.
template <class Case, class Callee>
void run_cold(benchmark::State& state, Callee const& callee, arguments_of<Case> const& a) {
  require_right<Case>(callee, a);
  typename Case::argument out(filled(matrix(1, 8), 1));
  constexpr std::size_t calls = 41;
  auto const median_of = [](auto const& run) {
    std::array<std::uint64_t, calls> times;
    for (std::uint64_t& t : times) {
      flush();
      std::uint64_t const begin = ticks();
      run();
      t = ticks() - begin;
    }
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return static_cast<double>(times[calls / 2]);
  };
  for (auto _ : state) {
    double const all = median_of([&] {
      callee(out, a);
      benchmark::ClobberMemory();
    });
    state.SetIterationTime(std::max(0.0, all - median_of([] {})) * seconds_of_tick());
  }
}

template <class Body> void add_cold(std::string const& variant, std::string const& arguments, Body body) {
  std::string const name = "BM_call_cold/" + variant + "/" + arguments;
  benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(1)->UseManualTime();
}

template <class Case> void add_cold_calls() {
  std::string const arguments = std::to_string(Case::arguments);
  add_cold("guardjit", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    run_cold<Case>(state, into_of<Case>(f), make_arguments<Case>(8));
  });
  add_cold("dynamic", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function, gj::dynamic::all);
    run_cold<Case>(state, into_of<Case>(f), make_arguments<Case>(8));
  });
  for_each_baseline<Case>([&](char const* variant, auto const& make) {
    add_cold(variant, arguments, [make](benchmark::State& state) {
      std::vector<arguments_of<Case>> const sets{make_arguments<Case>(8)};
      run_cold<Case>(state, *make(sets), sets[0]);
    });
  });
}

/// Processor time of a call while `threads` threads call one object, each with arguments of its own.
void add_threads(int threads) {
  auto const each_thread = [](benchmark::State& state, auto const& callee) {
    arguments_of<three> const a = make_arguments<three>(8);
    run_same<three>(state, callee, a);
  };
  auto const add_row = [threads](std::string const& variant, auto body) {
    benchmark::RegisterBenchmark(("BM_call_threads/" + variant + "/3").c_str(), body)->Threads(threads);
  };
  add_row("guardjit", [each_thread](benchmark::State& state) {
    static auto const f = gj::compile(three::function);
    each_thread(state, into_of<three>(f));
  });
  add_row("dynamic", [each_thread](benchmark::State& state) {
    static auto const f = gj::compile(three::function, gj::dynamic::all);
    each_thread(state, into_of<three>(f));
  });
  for_each_baseline<three>([&](char const* variant, auto const& make) {
    add_row(variant, [each_thread, make](benchmark::State& state) {
      static std::vector<arguments_of<three>> const sets{make_arguments<three>(8)};
      static auto const callee = make(sets);
      each_thread(state, *callee);
    });
  });
}

[[maybe_unused]] int const registered = [] {
  add_cold_calls<three>();
  add_cold_calls<eight>();
  for (int threads : {1, 8}) add_threads(threads);
  return 0;
}();

}  // namespace
