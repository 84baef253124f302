// guardjit: bench/support.hpp: inputs, checks and registration that all benchmarks share
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BENCH_SUPPORT_HPP
#define GUARDJIT_BENCH_SUPPORT_HPP

#include <guardjit/guardjit.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;

using vector = tensor<float, dyn>;
using matrix = tensor<float, dyn, dyn>;

/// Fills with numbers in [low, high), the same ones for the same seed.
template <index_t... Extents> tensor<float, Extents...> filled(tensor<float, Extents...> x,
                                                               unsigned seed, float low = -1,
                                                               float high = 1) {
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (index_t i = 0; i < x.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.data()[i] = low + (high - low) * static_cast<float>(state >> 40) / 16777216.0f;
  }
  return x;
}

/// Ends the program where two results differ by more than `tolerance`, relative above 1.
inline void require_close(float const* got, float const* expected, index_t n, double tolerance,
                          std::string const& what) {
  for (index_t i = 0; i < n; ++i) {
    double const e = expected[i], difference = std::fabs(got[i] - e);
    if (difference <= tolerance * std::fmax(1.0, std::fabs(e))) continue;
    std::fprintf(stderr, "%s: element %lld is %g, expected %g\n", what.c_str(),
                 static_cast<long long>(i), static_cast<double>(got[i]), e);
    std::exit(1);
  }
}

/// Registers `BM_<subject>/<variant>/<arguments>`; `body(state)` prepares, checks and measures.
template <class Body> void add(std::string const& subject, std::string const& variant,
                               std::string const& arguments, Body body) {
  benchmark::RegisterBenchmark(("BM_" + subject + "/" + variant + "/" + arguments).c_str(), body);
}

/// Measures `run()`, whose inputs and results lie in memory.
template <class Run> void measure(benchmark::State& state, Run&& run) {
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
}

}  // namespace bench

#endif
