// guardjit: tests/conformance/guards/random_calls_1.cpp: drawn calls of functions of f32
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/expr/composite/softmax.hpp>
#include <guardjit/expr/composite/transpose.hpp>

#include <doctest/doctest.h>

#include "conformance/guards/random_calls.hpp"

namespace random_calls {

namespace {

/// Called by others, in whose graphs its ops are.
auto const inner = gj::compile(
    [](auto x) {
      if (x.extent(0) > 3) return x * 2 - 1;
      return x * 3;
    },
    gj::backend(backend{}), gj::name<"inner">, gj::recompile_limit{2});

subjects functions_of_floats() {
  using k = rule::kind;
  subjects to;
  automatic::add<f2, f2>(to, [](auto x) { return x * 2 + 1; }, {"affine", {"0"}});
  automatic::add<f2, f2, f2>(to, [](auto x, auto y) { return x + y; },
                             {"sum of two", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}, {k::broadcast, "0.1", "1.1"}}});
  automatic::add<f2, f2, f1>(to, [](auto x, auto y) { return x * y - x; },
                             {"row times", {"0", "1"}, {{k::broadcast, "0.1", "1.0"}}});
  all_open::add<f2, f2, f1>(to, [](auto x, auto y) { return gj::maximum(y, x); },
                            {"row maximum", {"0", "1"}, {{k::broadcast, "1.0", "0.1"}}});
  automatic::add<f1, f2>(to, [](auto x) { return gj::sum(x, gj::axes(0)); }, {"column sums", {"0"}});
  automatic::add<f2, f2>(to, [](auto x) { return gj::softmax(x, -1); }, {"softmax", {"0"}});
  automatic::add<f2, f2, f2>(to, [](auto x, auto y) { return gj::matmul(x, y); },
                             {"product", {"0", "1"}, {{k::equal, "0.1", "1.0"}}});
  none_open::add<f1, f1>(to, [](auto x) { return gj::relu(x) - 3; }, {"relu", {"0"}});
  none_open::add<f1, f1, f1>(to, [](auto x, auto y) { return gj::maximum(x, y) * 2; },
                             {"maximum", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}}});
  automatic::add<f2, f2>(to, [](auto x) { return x * x.extent(0); }, {"times its length", {"0"}});
  automatic::add<f2, f2>(to,
                         [](auto x) {
                           if (x.extent(0) > 3) return x * 2;
                           return x * 3;
                         },
                         {"by length", {"0"}, {}, {{"0.0", " > ", "3"}}, {{{0, true}}, {{0, false}}}});
  automatic::add<f2, f2, f2>(to, [](auto x, auto) { return -x; }, {"unused", {"0"}});
  automatic::add<f1, f1, f2>(to, [](auto x, auto y) { return x * y.extent(0); }, {"times the other's length", {"0", "1.0"}});
  automatic::add<f2, f2>(to, [](auto x) { return gj::transpose(x); }, {"transposed", {"0"}});
  automatic::add<f2, f2>(to, [](auto x) { return x + gj::transpose(x); },
                         {"symmetric", {"0"}, {{k::broadcast, "0.0", "0.1"}}});
  all_open::add<f2, f1>(to, [](auto x) { return gj::reshape(x, {x.extent(0) / 2, 2}) * 2; },
                        {"pairs", {"0"}, {{k::equal, "0.0", "((0.0 / 2) * 2)"}}});
  automatic::add<f1, f1, f1, f1>(to, [](auto x, auto y, auto z) { return x + gj::concat(y, z); },
                                 {"x and two parts", {"0", "1", "2"}, {{k::broadcast, "0.0", "(1.0 + 2.0)"}}});
  none_open::add<f1, f1, float>(to, [](auto x, auto s) { return x * s; }, {"times a scalar", {"0", "1"}});
  automatic::add<f1, f1, float>(to,
                                [](auto x, auto s) {
                                  if (s > 0) return x * 2;
                                  return x * 3;
                                },
                                {"by sign", {"0"}, {}, {{"s1", " > ", "0"}}, {{{0, true}}, {{0, false}}}});
  all_open::add<f1, f2>(to, [](auto x) { return gj::amax(x, gj::axes(0)); }, {"largest", {"0"}, {{k::positive, "0.0", ""}}});
  automatic::add<f2, f2>(to, [](auto x) { return gj::slice(x, 1, 0, 2) + 1; }, {"first columns", {"0"}});
  all_open::add<f1, f1, f1>(to,
                            [](auto x, auto y) {
                              if (x.extent(0) == y.extent(0)) return x * 2;
                              if (y.extent(0) > 2) return x * 3;
                              return x * 4;
                            },
                            {"by two lengths",
                             {"0", "1.0"},
                             {},
                             {{"0.0", " == ", "1.0"}, {"1.0", " > ", "2"}},
                             {{{0, true}}, {{0, false}, {1, true}}, {{0, false}, {1, false}}}});
  all_open::add<f0, f1>(to, [](auto x) { return gj::sum(x); }, {"total", {"0"}});
  automatic::add<f2, f2, f2, f1>(to, [](auto x, auto w, auto b) { return gj::matmul(x, w) + b; },
                                 {"layer", {"0", "1", "2"}, {{k::equal, "0.1", "1.0"}, {k::broadcast, "1.1", "2.0"}}});
  strict::add<f2, f2>(to, [](auto x) { return gj::abs(x) - 2; }, {"strict", {"0"}});
  automatic::add<f2, f2, f2>(to, [](auto x, auto y) { return inner(x) + inner(y); },
                             {"sum of calls", {"0", "1"}, {{k::broadcast, "0.0", "1.0"}, {k::broadcast, "0.1", "1.1"}}, {{"0.0", " > ", "3"}, {"1.0", " > ", "3"}},
                              {{{0, true}, {1, true}}, {{0, true}, {1, false}}, {{0, false}, {1, true}}, {{0, false}, {1, false}}}});
  guarded<policy::automatic>::add<f2, f2>(to, [](auto x) { return x * 4 - 1; }, {"guarded", {"0"}});
  return to;
}

}  // namespace

TEST_CASE("G14, G81: drawn calls of functions of f32 go as the model says") { check_calls(functions_of_floats(), 1); }

}  // namespace random_calls
