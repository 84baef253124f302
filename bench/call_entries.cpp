// guardjit: bench/call_entries.cpp: calls of functions with 1 to 1000 entries, static ones and dynamic ones
// SPDX-License-Identifier: BSL-1.0
#include "dispatchers.hpp"

#include <random>

namespace {

using namespace bench;
using argument_sets = std::vector<arguments_of<window>>;

/// Arguments of `entries` layouts. They share their elements, so that what is measured is the way to them.
argument_sets make_sets(index_t entries) {
  argument_sets sets;
  auto const all = make_arguments<window>(8 + entries);
  for (index_t k = 0; k < entries; ++k) {
    gj::layout<2> const form({1, 8 + k});
    auto const part = [&](matrix x) { return matrix::adopt(x.storage(), x.data(), form); };
    sets.push_back({part(all[0]), part(all[1]), part(all[2])});
  }
  return sets;
}

/// Calls in random order, one that repeats after 4096, or always with the last set.
void run_among(benchmark::State& state, argument_sets const& sets, bool random, auto const& callee) {
  for (auto const& a : sets) require_right<window>(callee, a);
  std::mt19937 generator(1);
  std::vector<std::uint32_t> order(4096);
  for (auto& o : order)
    o = static_cast<std::uint32_t>(random ? generator() % sets.size() : sets.size() - 1);
  matrix out(1, 8);
  std::size_t at = 0;
  measure(state, [&] {
    benchmark::DoNotOptimize(&callee);
    callee(out, sets[order[at++ & 4095]]);
  });
}

void add_among(index_t entries, bool random) {
  std::string const subject = random ? "call_random" : "call_predicted", arguments = std::to_string(entries);
  add(subject, "guardjit", arguments, [=](benchmark::State& state) {
    auto const f = gj::compile(window::function, gj::dynamic::none, gj::recompile_limit{1000},
                               gj::compile_limit{1000});
    run_among(state, make_sets(entries), random, into_of<window>(f));
  });
  if (random)  // more layouts than a thread remembers the plans of
    add(subject, "dynamic", arguments, [=](benchmark::State& state) {
      auto const f = gj::compile(window::function, gj::dynamic::all);
      run_among(state, make_sets(entries), random, into_of<window>(f));
    });
  for_each_baseline<window>([&](char const* variant, auto const& make) {
    add(subject, variant, arguments, [=](benchmark::State& state) {
      argument_sets const sets = make_sets(entries);
      run_among(state, sets, random, *make(sets));
    });
  });
}

[[maybe_unused]] int const registered = [] {
  for (index_t entries : {1, 8, 64, 1000})
    for (bool random : {false, true}) add_among(entries, random);
  return 0;
}();

}  // namespace
