// guardjit: tests/conformance/guards/random_calls_2.cpp: drawn calls of functions of several dtypes and ranks
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/expr/composite/flip.hpp>
#include <guardjit/expr/composite/transpose.hpp>

#include <doctest/doctest.h>

#include "conformance/guards/random_calls.hpp"

namespace random_calls {

namespace {

using fixed = gj::tensor<float, 3, 4>;
using partly = gj::tensor<float, dyn, 3>;
using three = gj::tensor<float, 3>;
using flags = gj::tensor<bool, dyn>;
using places = gj::tensor<std::int64_t, dyn>;

/// One calls the other, and is called itself.
auto const totals = gj::compile([](auto x) { return gj::sum(x, gj::axes(0)); }, gj::backend(backend{}), gj::recompile_limit{1});
auto const scaled_totals = gj::compile([](auto x) { return totals(x) * 2; }, gj::backend(backend{}), gj::compile_limit{3});

subjects functions_of_several_types() {
  using k = rule::kind;
  subjects to;
  automatic::add<d3, d3>(to, [](auto x) { return x * 2 + 1; }, {"affine f64", {"0"}});
  all_open::add<i2, i2, i2>(to, [](auto x, auto y) { return x + y; },
                            {"sum i32", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}, {k::broadcast, "0.1", "1.1"}}});
  none_open::add<d1, d1, d1>(to, [](auto x, auto y) { return x * y; }, {"product f64", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}}});
  automatic::add<i1, i2>(to, [](auto x) { return gj::amin(x, gj::axes(1)); }, {"smallest", {"0"}, {{k::positive, "0.1", ""}}});
  automatic::add<f1, flags, f1, f1>(to, [](auto c, auto x, auto y) { return gj::where(c, x, y); },
                                    {"where", {"0", "1", "2"}, {{k::broadcast, "0.0", "1.0"}, {k::broadcast, "(0.0 broadcast 1.0)", "2.0"}}});
  automatic::add<fixed, fixed>(to, [](auto x) { return x * 2 + 1; }, {"static", {"0"}});
  automatic::add<partly, partly, three>(to, [](auto x, auto y) { return x + y; }, {"partly static", {"0", "1"}});
  automatic::add<d1, d1, int>(to,
                              [](auto x, auto n) {
                                if (x.extent(0) > n) return x * 2;
                                return x * 3;
                              },
                              {"longer than a scalar", {"0"}, {}, {{"0.0", " > ", "s1"}}, {{{0, true}}, {{0, false}}}});
  automatic::add<f1, f0, f1>(to, [](auto s, auto x) { return s * x; }, {"times rank 0", {"0", "1"}});
  automatic::add<f1, f1, places>(to, [](auto x, auto at) { return gj::take(x, at, 0); },
                                 {.name = "take", .reads = {"0", "1"}, .has_indices = true});
  all_open::add<f1, f2>(to, [](auto x) { return gj::select(x, 0, 1) * 2; }, {"second row", {"0"}, {{k::index, "1", "0.0"}}});
  automatic::add<d2, d1, d2>(to, [](auto x, auto y) { return gj::expand(x, {y.extent(0), x.extent(0)}) + 1; },
                             {"as often as y is long", {"0", "1.0"}});
  automatic::add<d2, d2, d2>(to, [](auto x, auto y) { return gj::concat(x, y, 1); },
                             {"side by side", {"0", "1"}, {{k::equal, "0.0", "1.0"}}});
  none_open::add<f1, f1, f2>(to, [](auto x, auto y) { return x + y.extent(0) * y.extent(1); },
                             {"plus a count", {"0", "1.0", "1.1"}});
  automatic::add<d1, d1, double, double>(to,
                                         [](auto x, auto a, auto b) {
                                           if (a > b) return x * 2;
                                           return x * 3;
                                         },
                                         {"by two scalars", {"0"}, {}, {{"s1", " > ", "s2"}}, {{{0, true}}, {{0, false}}}});
  automatic::add<f2, f2>(to, [](auto x) { return gj::flip(x, gj::axes(0)) * 1; }, {"turned", {"0"}});
  automatic::add<f0, f1, f1>(to, [](auto x, auto y) { return gj::sum(x * y); }, {"dot", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}}});
  strict::add<i1, i1, int>(to, [](auto x, auto) { return x - 3; }, {"strict, and a scalar", {"0"}});
  all_open::add<d3, d3, d2>(to, [](auto x, auto y) { return gj::matmul(x, y); }, {"batches", {"0", "1"}, {{k::equal, "0.2", "1.0"}}});
  automatic::add<f2, f1, f1>(to, [](auto x, auto y) { return gj::reshape(x, {x.extent(0), 1}) * y; }, {"outer", {"0", "1"}});
  automatic::add<f1, f2>(to, [](auto x) { return gj::reshape(x, {-1}); }, {"flat", {"0"}});
  automatic::add<f1, f1, f1, f1>(to, [](auto x, auto y, auto z) { return x * y + z; },
                                 {"three", {"0", "1", "2"}, {{k::broadcast, "0.0", "1.0"}, {k::broadcast, "(0.0 broadcast 1.0)", "2.0"}}});
  all_open::add<f2, f2, f1>(to,
                            [](auto x, auto y) {
                              if (x.extent(0) == 2 * y.extent(0)) return gj::transpose(x) * 2;
                              return gj::transpose(x) * 3;
                            },
                            {"twice as long", {"0", "1.0"}, {}, {{"0.0", " == ", "(2 * 1.0)"}}, {{{0, true}}, {{0, false}}}});
  automatic::add<d1, d2>(to, [](auto x) { return gj::sum(x, gj::axes(1)) * x.extent(1); }, {"sums times width", {"0"}});
  none_open::add<i2, i2>(to, [](auto x) { return gj::transpose(x); }, {"transposed i32", {"0"}});
  automatic::add<d1, d2>(to, [](auto x) { return scaled_totals(x) - x.extent(0); }, {"calls in calls", {"0"}});
  guarded<policy::all>::add<d1, d1, int>(to,
                                         [](auto x, auto n) {
                                           if (x.extent(0) > n) return x + 2;
                                           return x + 3;
                                         },
                                         {"guarded, by a scalar", {"0"}, {}, {{"0.0", " > ", "s1"}}, {{{0, true}}, {{0, false}}}});
  return to;
}

}  // namespace

TEST_CASE("G14, G81: drawn calls of functions of several types go as the model says") {
  check_calls(functions_of_several_types(), 2);
}

}  // namespace random_calls
