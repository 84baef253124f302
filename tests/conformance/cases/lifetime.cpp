// guardjit: tests/conformance/cases/lifetime.cpp: cases of `auto`, temporaries and dead buffers
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using doctest::Approx;
using gj::dyn;
using gj::tensor;
using support::elements;

namespace {

auto divided() {
  tensor<double, dyn> const x = support::counted(tensor<double, dyn>(100), 0);
  auto const t = x / 8.0;
  return gj::where(t < 0, gj::floor(t), t);
}

auto log_sum_exp(tensor<double, dyn, dyn> const& x) {
  auto const m = gj::amax(x, gj::axes(0));
  auto const wide = gj::amax(x, gj::axes(0), gj::keepdims);
  auto const sum = gj::sum(gj::exp(x - wide), gj::axes(0));
  return m + gj::log(sum);
}

auto log_softmax_rows(tensor<double, dyn, dyn> const& x) {
  auto const shifted = x - gj::amax(x, gj::axes(1), gj::keepdims);
  auto const total = gj::sum(gj::exp(shifted), gj::axes(1), gj::keepdims);
  return shifted - gj::log(total);
}

auto transposed_product() {
  tensor const a = gj::ones<float>({5, 4}), b = gj::ones<float>({4, 10});
  auto const product = gj::matmul(a, b);
  return gj::transpose(product);
}

}  // namespace

TEST_CASE("CASE-001: a lazy value of locals is returned as auto and read twice") {
  auto const out = divided();
  for (int round = 0; round < 2; ++round) {
    auto const got = elements(gj::eval(out));
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == static_cast<double>(k) / 8);
  }
}

TEST_CASE("CASE-002: logsumexp of three locals, returned lazily") {
  auto const got = gj::eval(log_sum_exp({{0, 1, 2}, {3, 4, 5}}));
  CHECK(got(0) == Approx(3.0485874).epsilon(1e-7));
  CHECK(got(1) == Approx(4.0485874).epsilon(1e-7));
  CHECK(got(2) == Approx(5.0485874).epsilon(1e-7));
}

TEST_CASE("CASE-003: log-softmax of kept dims that are kept in auto") {
  auto const lazy = log_softmax_rows({{1, 2, 3, 4}, {100, 0, -100, 50}});
  tensor const sums = gj::sum(gj::exp(lazy), gj::axes(1));
  CHECK(sums(0) == Approx(1).epsilon(1e-14));
  CHECK(sums(1) == Approx(1).epsilon(1e-14));
}

TEST_CASE("CASE-004: the transposed product of locals") {
  tensor const got = transposed_product();
  CHECK(got.shape() == gj::shape{10, 5});
  for (float v : elements(got)) CHECK(v == 4);
}

TEST_CASE("CASE-007: a forwarding reference to a value") {
  tensor<float, dyn> const a{1, 2};
  tensor<float, dyn, dyn> const b{{1, 2, 3}, {1, 2, 4}};
  auto&& r = gj::eval(gj::matmul(a, b));
  CHECK(elements(r) == std::vector<float>{3, 6, 11});
}

TEST_CASE("CASE-008: a reference to an expression of a view") {
  auto const x = support::mat(4, 4);
  auto const y = support::mat(2, 4, 3);
  auto const& lazy = gj::slice(x, 0, 1, 3) * y;
  CHECK(elements(gj::eval(lazy)) == elements(gj::eval(gj::slice(x, 0, 1, 3) * y)));
}

TEST_CASE("CASE-009: values that are looked at in between stay what they are") {
  tensor<double, dyn> const t{1, 0}, y{0.1, 0.5};
  auto const loss = -gj::sum(t * gj::log(y + 1e-9));
  CHECK(double(loss) == Approx(2.302585).epsilon(1e-7));
  CHECK(gj::eval(gj::log(y + 1e-9))(0) == Approx(-2.302585).epsilon(1e-7));
  CHECK(double(loss) == Approx(2.302585).epsilon(1e-7));
  CHECK(elements(t) == std::vector<double>{1, 0});
  CHECK(double(loss) == Approx(2.302585).epsilon(1e-7));
}
