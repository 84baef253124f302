// guardjit: tests/static/graph/evaluate_constant.cpp: traced functions run by the C++ compiler
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/evaluate_constant.hpp>

namespace gj = guardjit;
using gj::evaluate_constant, gj::literal_tensor;

namespace {

// Scalars stay scalars, weak as in a compiled call.
constexpr auto square_plus_one = [](auto a) { return a * a + 1.0f; };
static_assert(evaluate_constant(square_plus_one, 2.0f) == 5.0f);
static_assert(std::is_same_v<decltype(evaluate_constant(square_plus_one, 2.0f)), float>);
static_assert(std::is_same_v<decltype(evaluate_constant(square_plus_one, 2)), float>);
static_assert(std::is_same_v<decltype(evaluate_constant(square_plus_one, 2.0)), double>);
constexpr auto sum = [](auto a, auto b) { return a + b; };
static_assert(evaluate_constant(sum, 16777216.0f, 1.0f) == 16777216.0f);
static_assert(evaluate_constant(sum, 16777216.0, 1) == 16777217.0);
static_assert(evaluate_constant(sum, 40, 2) == 42 && evaluate_constant(sum, true, false));
constexpr auto no_values = [] { return 2.5f; };
static_assert(evaluate_constant(no_values) == 2.5f);

// The values choose the path.
constexpr auto by_value = [](auto a, auto big) {
  if (big) return a * 100;
  if (a > 3) return a * 2;
  return a + 1;
};
static_assert(evaluate_constant(by_value, 3, false) == 4);
static_assert(evaluate_constant(by_value, 4, false) == 8);
static_assert(evaluate_constant(by_value, 4, true) == 400);

// Tensors with static extents.
using matrix = literal_tensor<float, 2, 3>;
using column = literal_tensor<float, 2, 1>;
constexpr matrix m{{1, 2, 3, 4, 5, 6}};
constexpr auto row_sum = [](auto x) { return gj::sum(x, gj::axes(-1), gj::keepdims); };
constexpr auto centred = [](auto x) { return x - gj::mean(x, gj::axes(-1), gj::keepdims); };
constexpr auto turned = [](auto x) { return gj::matmul(gj::permute(x, gj::axes(1, 0)), x); };
constexpr auto corner = [](auto x) { return gj::slice(gj::slice(x, 0, -1), 1, -1, 0, -2); };
constexpr auto stretched = [](auto x) { return gj::expand(gj::reshape(gj::slice(x, 1, 1, 2), {2}), {2, 2}); };
constexpr auto reversed = [](auto x) { return gj::slice(x, 1, 2, gj::slice_end, -1); };
constexpr auto counted = [](auto x) { return gj::sum(x > 2.5f) + gj::to<std::int64_t>(gj::amax(x)); };
constexpr auto chosen = [](auto x) { return gj::where(x > 2.5f, gj::zeros<float>(x.extent(0), 3), x); };
static_assert(evaluate_constant(row_sum, m) == column{{6, 15}});
static_assert(evaluate_constant(centred, m) == matrix{{-1, 0, 1, -1, 0, 1}});
static_assert(evaluate_constant(turned, m) == literal_tensor<float, 3, 3>{{17, 22, 27, 22, 29, 36, 27, 36, 45}});
static_assert(evaluate_constant(corner, m) == literal_tensor<float, 1, 1>{{6}});
static_assert(evaluate_constant(stretched, m) == literal_tensor<float, 2, 2>{{2, 5, 2, 5}});
static_assert(evaluate_constant(reversed, m) == matrix{{3, 2, 1, 6, 5, 4}});
static_assert(evaluate_constant(counted, m) == 10);
static_assert(evaluate_constant(chosen, m) == matrix{{1, 2, 0, 0, 0, 0}});
constexpr auto batched = [](auto a, auto b) { return gj::matmul(a, b); };
static_assert(evaluate_constant(batched, literal_tensor<float, 2, 1, 2>{{1, 2, 3, 4}}, literal_tensor<float, 2>{{1, 10}}) ==
              literal_tensor<float, 2, 1>{{21, 43}});
static_assert(evaluate_constant(batched, literal_tensor<std::uint8_t, 2>{{200, 200}}, literal_tensor<std::uint8_t, 2>{{2, 2}}) == 800);
// No elements: a sum of 0, a mean that is NaN, results that are empty.
constexpr auto empty_sum = [](auto x) { return gj::sum(x, gj::axes(0)); };
constexpr auto empty_mean = [](auto x) { return gj::mean(x) == gj::mean(x); };
static_assert(evaluate_constant(empty_sum, literal_tensor<float, 0, 2>{}) == literal_tensor<float, 2>{});
static_assert(!evaluate_constant(empty_mean, literal_tensor<float, 0>{}));
static_assert(decltype(evaluate_constant(sum, literal_tensor<float, 0>{}, 1.0f))::count == 0);

// The other reductions: products, extremes and where they are, truth.
constexpr auto product = [](auto x) { return gj::prod(x, gj::axes(1)); };
constexpr auto spread = [](auto x) { return gj::amax(x, gj::axes(0)) - gj::amin(x, gj::axes(0)); };
constexpr auto places = [](auto x) { return gj::argmax(x, 1) * 10 + gj::argmin(x, 1); };
constexpr auto truths = [](auto x) { return gj::where(gj::any(x > 5.5f), gj::all(x > 5.5f), true); };
static_assert(evaluate_constant(product, m) == literal_tensor<float, 2>{{6, 120}});
static_assert(evaluate_constant(spread, m) == literal_tensor<float, 3>{{3, 3, 3}});
static_assert(evaluate_constant(places, m) == literal_tensor<std::int64_t, 2>{{20, 20}});
static_assert(evaluate_constant([](auto x) { return gj::argmax(gj::permute(x, gj::axes(1, 0))); }, m) == 5);
static_assert(!evaluate_constant(truths, m));

// Long sums are made in runs and a tree, as the reference loops make them (N21).
constexpr auto long_sum = [](auto x) { return gj::sum(gj::expand(x, {100})); };
constexpr float in_runs = [] {
  gj::accumulator<gj::op::sum, float> all{};
  for (int k = 0; k < 100; ++k) all.add(0.1f);
  return all.result(100);
}();
static_assert(evaluate_constant(long_sum, literal_tensor<float, 1>{{0.1f}}) == in_runs);

}  // namespace
