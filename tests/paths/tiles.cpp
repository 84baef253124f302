// guardjit: tests/paths/tiles.cpp: bits of the tile interpreter are those of fused kernels, in every layout
// SPDX-License-Identifier: BSL-1.0
#include "function.hpp"

using namespace paths;

namespace {

constexpr auto gelu_chain = [](auto const& x, auto const& w, auto const& b) {
  auto const u = x * w + b;
  return 0.5f * u * (1.0f + gj::tanh(0.79788456f * (u + 0.044715f * u * u * u)));
};
/// Pairs of both orders, constants on both sides, values that are read again, and ops without packets.
constexpr auto mixed_chain = [](auto const& x, auto const& w, auto const& b) {
  auto const u = 3.0f - x * w, v = (u - 2.0f) - b, m = gj::maximum(1.0f / (v * v + 0.5f), u * u - v);
  auto const whole = gj::remainder(gj::to<std::int32_t>(gj::floor(m)), 7);
  return gj::where(gj::lt(v, u), gj::clip(m, -2.0f, 4.0f) - (u + v) * 2.0f, gj::to<float>(whole)) + gj::exp(-gj::abs(x));
};
using matrix = gj::tensor<float, dyn, dyn>;

matrix drawn(index_t rows, index_t columns, float factor) {
  matrix x(rows, columns);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k * 37 % 1013 - 500) * factor;
  return x;
}
/// Whether results by the fused kernel and by tiles have the same bits.
bool same_bits(auto const& f, matrix const& x, matrix const& w, matrix const& b) {
  auto const fused = gj::compile(f, gj::backend(gj::backends::eigen{}));
  matrix const want = fused(x, w, b);
  auto const once = on_tiles<decltype(fused)>{fused};
  for (int again = 0; again < 2; ++again)
    if (!difference(once(x, w, b), known(any_tensor(want))).empty()) return false;
  return true;
}
void check_layouts(auto const& f, index_t rows, index_t columns) {
  matrix const x = drawn(rows, columns, 0.01f), w = drawn(rows, columns, -0.003f);
  CHECK(same_bits(f, x, w, drawn(rows, columns, 0.02f)));
  CHECK(same_bits(f, x, w, drawn(1, columns, 0.02f)));
  CHECK(same_bits(f, x, w, drawn(rows, 1, 0.02f)));
  CHECK(same_bits(f, x, drawn(1, 1, 0.7f), drawn(1, 1, 0.02f)));
  CHECK(same_bits(f, gj::transpose(drawn(columns, rows, 0.01f)), w, x));
  CHECK(same_bits(f, gj::slice(drawn(2 * rows, columns, 0.01f), 0, 0, gj::slice_end, 2), w, x));
  CHECK(same_bits(f, gj::slice(drawn(rows, 3 * columns, 0.01f), 1, 0, gj::slice_end, 3), w,
                  gj::slice(x, 1, -1, gj::slice_end, -1)));
}

}  // namespace

TEST_CASE("paths: tiles give the bits of fused kernels") {
  // Fewer elements than a tile has, as many, and more; short rows and long ones.
  constexpr index_t extents[][2] = {{1, 1}, {1, 3}, {5, 7}, {1, 1023}, {32, 32}, {205, 5}, {3, 1025}, {0, 4}};
  for (auto const& e : extents) {
    check_layouts(gelu_chain, e[0], e[1]);
    check_layouts(mixed_chain, e[0], e[1]);
  }
}

TEST_CASE("paths: tiles write no output before all indices were tested") {
  constexpr auto f = [](auto const& x, auto const& i) {
    auto const y = x * 2.0f;
    return std::tuple(y, gj::take(y, i, 0), y + 1.0f);
  };
  auto const g = gj::compile(f, gj::backend(gj::backends::eigen{}));
  gj::tensor<float, dyn> const x{1, 2, 3};
  gj::tensor<float, dyn> first{7, 7, 7}, second{7, 7}, third{7, 7, 7};
  gj::tensor<std::int64_t, dyn> const fine{2, -3}, wrong{2, 3};
  gj::stance_scope const forced{gj::stance::normal, gj::force_backend(tiles_backend())};
  CHECK_THROWS_AS(g.into(std::tie(first, second, third), x, wrong), gj::index_error);
  CHECK(first.data()[0] == 7);
  CHECK(second.data()[0] == 7);
  CHECK(third.data()[0] == 7);
  g.into(std::tie(first, second, third), x, fine);
  CHECK(first.data()[0] == 2);
  CHECK(second.data()[0] == 6);
  CHECK(second.data()[1] == 2);
  CHECK(third.data()[2] == 7);
}
