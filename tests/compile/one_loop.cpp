// guardjit: tests/compile/one_loop.cpp: expressions whose tensors lie alike, and operands that one element serves
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/programs.hpp"
#include "support/tensors.hpp"

#include <guardjit/kernels/eigen.hpp>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;
using support::elements;
using support::how;

namespace {

using vector = tensor<float, dyn>;
using matrix = tensor<float, dyn, dyn>;

constexpr auto scaled_difference = [](auto const& a, auto const& b) { return 2 * a - b * a + 0.5f; };
float chained(float a, float b) { return 2 * a - b * a + 0.5f; }

std::vector<float> chained(std::vector<float> const& a, std::vector<float> const& b) {
  std::vector<float> y;
  for (std::size_t k = 0; k < a.size(); ++k) y.push_back(chained(a[k], b[k]));
  return y;
}
matrix laid(how l, index_t m, index_t n, double first) { return support::laid_out<float, dyn, dyn>(l, {m, n}, first); }

}  // namespace

TEST_CASE("tensors that lie alike, and others, give the values of a loop") {
  for (how left : support::all_layouts)
    for (how right : support::all_layouts)
      for (auto [m, n] : {std::array<index_t, 2>{3, 5}, {1, 5}, {3, 1}, {1, 1}, {0, 5}, {3, 0}, {4, 33}}) {
        CAPTURE(support::name_of(left));
        CAPTURE(support::name_of(right));
        CAPTURE(m);
        CAPTURE(n);
        matrix const a = laid(left, m, n, 0.5), b = laid(right, m, n, -1);
        auto const want = chained(elements(a), elements(b));
        CHECK(elements(gj::eval(scaled_difference(a, b))) == want);
        matrix y(m, n);
        y.view() = scaled_difference(a, b);
        CHECK(elements(y) == want);
      }
}

TEST_CASE("writing over memory that is read, moved by every distance") {
  constexpr index_t n = 20;
  for (index_t from = 0; from <= n; ++from)
    for (index_t other = 0; other <= n; other += 5) {
      CAPTURE(from);
      CAPTURE(other);
      vector all = support::vec(3 * n);
      auto const part = [&](index_t begin) { return gj::slice(all, 0, begin, begin + n); };
      auto const want = chained(elements(part(from)), elements(part(other)));
      auto const before = elements(all);
      vector target = part(n / 2);
      target.view() = scaled_difference(part(from), part(other));
      auto after = elements(all);
      CHECK(elements(target) == want);
      for (index_t k = 0; k < n; ++k) after[static_cast<std::size_t>(n / 2 + k)] = before[static_cast<std::size_t>(n / 2 + k)];
      CHECK(after == before);  // nothing else was written
    }
}

TEST_CASE("elements of another size over the same memory are read before they are written") {
  tensor<double, dyn> const wide = support::counted(tensor<double, dyn>(8));
  auto const low = tensor<float, dyn>::adopt(wide.storage(), reinterpret_cast<float*>(wide.storage().data()),
                                             gj::layout<1>({8}));
  std::vector<float> want;
  for (double v : elements(wide)) want.push_back(static_cast<float>(v * 2));
  auto to = tensor<float, dyn>(low);
  to.view() = gj::to<float>(wide * 2);
  CHECK(elements(low) == want);
}

TEST_CASE("a value of another shape goes to a fresh tensor, or is refused where it must be written") {
  vector const a = support::vec(4), b = support::vec(4, 3);
  vector x = support::vec(6);
  auto const kept = x.data();
  x = scaled_difference(a, b);
  CHECK(x.data() != kept);
  CHECK(elements(x) == chained(elements(a), elements(b)));
  vector y = support::vec(6);
  CHECK_THROWS_AS(y.view() = scaled_difference(a, b), gj::shape_error);
  CHECK_THROWS_AS(y += a, gj::shape_error);
  CHECK(elements(y) == elements(support::vec(6)));
}

TEST_CASE("operands are retained once, however many ops hand them on") {
  vector const a = support::vec(4);
  auto const e = gj::tanh(0.5f * a * (1.0f + a) - a);
  CHECK(a.storage().owners() == 4);
  auto const copy = e;
  CHECK(a.storage().owners() == 7);
  auto moved = gj::exp(copy + a) * 2;
  CHECK(a.storage().owners() == 11);
  moved = gj::exp(copy + a) * 2;
  CHECK(a.storage().owners() == 11);
}

TEST_CASE_TEMPLATE("one element for all along the last axis", Backend, gj::backends::eigen, gj::backends::reference) {
  // The column's last extent is 1 by type; that of the others is found at run time, and may be 1 as well.
  auto const f = gj::compile([](auto const& x, auto const& c, auto s) { return (x - c) * s + c; },
                             gj::backend(Backend{}), gj::dynamic::all);
  for (how l : {how::contiguous, how::padded, how::transposed, how::reversed, how::every_second})
    for (auto [m, n] : {std::array<index_t, 2>{3, 5}, {7, 1}, {1, 7}, {1, 1}, {40, 3}, {3, 40}, {0, 4}, {4, 0}}) {
      CAPTURE(support::name_of(l));
      CAPTURE(m);
      CAPTURE(n);
      matrix const x = laid(l, m, n, 0.5);
      auto const c = support::laid_out<float, dyn, 1>(l, {m, 1}, -2);
      auto const columns = elements(c);
      auto want = elements(x);
      for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) {
          float& v = want[static_cast<std::size_t>(i * n + j)];
          float const shift = columns[static_cast<std::size_t>(i)];
          v = (v - shift) * 1.5f + shift;
        }
      CHECK(elements(f(x, c, 1.5f)) == want);
      tensor<float> const scale(1.5f);
      CHECK(elements(gj::eval((x - c) * scale + c)) == want);
      CHECK(elements(gj::eval((x - c) * 1.5f + c)) == want);
    }
}

TEST_CASE("many operands that lie in different ways, more than one tile of them") {
  constexpr index_t count = 700;
  vector all(2 * count), one{0.5f};
  for (index_t k = 0; k < all.size(); ++k) all.data()[k] = static_cast<float>(k % 13);
  vector const even = gj::slice(all, 0, 0, 2 * count, 2), front = gj::slice(all, 0, 0, count);
  vector const back = gj::flip(front, gj::axes(0));
  vector const y = even + front + back + one + even * one + front * back + even * front + back - one - even;
  std::vector<float> want;
  for (index_t k = 0; k < count; ++k) {
    float const a = all(2 * k), b = all(k), c = all(count - 1 - k), d = 0.5f;
    want.push_back(a + b + c + d + a * d + b * c + a * b + c - d - a);
  }
  CHECK(elements(y) == want);
}
