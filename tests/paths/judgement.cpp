// guardjit: tests/paths/judgement.cpp: what the comparison of paths accepts and refuses, and which bounds it takes
// SPDX-License-Identifier: BSL-1.0
#include <limits>

#include "draw.hpp"

using namespace paths;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), not_one = std::numeric_limits<float>::quiet_NaN();

bool accepts(float got, float want, double bound = 0) {
  known expected{any_tensor(gj::tensor<float>(want))};
  if (bound > 0) expected.error = gj::tensor<double>(bound);
  return difference(gj::tensor<float>(got), expected).empty();
}
/// The bound of the first element, 0 where it is exact.
double bound_of(known const& x) { return x.error ? x.error.clone().data_as<double>()[0] : 0; }
known of(auto const& x) { return known(any_tensor(x)); }

}  // namespace

TEST_CASE("paths: equal bits, or within the bound") {
  CHECK(accepts(1, 1));
  CHECK(accepts(not_one, -not_one));
  CHECK_FALSE(accepts(1 + 0x1p-23f, 1));
  CHECK_FALSE(accepts(-0.0f, 0));
  CHECK_FALSE(accepts(1, not_one));
  CHECK_FALSE(accepts(not_one, 1, 0.5));
  CHECK_FALSE(accepts(1, not_one, 0.5));
  CHECK(accepts(1.5f, 1, 0.5));
  CHECK_FALSE(accepts(1.75f, 1, 0.5));
  CHECK_FALSE(accepts(inf, 1, 0.5));
  CHECK_FALSE(accepts(1, inf, 0.5));
  CHECK(accepts(inf, std::numeric_limits<float>::max(), 1));
  CHECK(accepts(7, 1, static_cast<double>(inf)));
  CHECK_FALSE(difference(gj::tensor<double>(1), of(gj::tensor<float>(1))).empty());
  CHECK_FALSE(difference(gj::tensor<float, 1>{1}, of(gj::tensor<float>(1))).empty());
}

TEST_CASE("paths: bounds follow the ops") {
  known const x = of(gj::tensor<float, 2>{1, 3}), n = of(gj::tensor<std::int32_t, 2>{1, 3});
  CHECK(bound_of(x * x / 3.0f - gj::sqrt(x)) == 0);
  CHECK(bound_of(gj::sum(n)) == 0);
  CHECK(bound_of(gj::mean(n)) == 0);
  CHECK(bound_of(gj::amax(x)) == 0);
  double const inexact = bound_of(gj::exp(x)), ulp = 0x1p-22;  // of e
  CHECK(inexact > 2 * ulp);
  CHECK(inexact < 8 * ulp);
  CHECK(bound_of(gj::exp(x) + gj::exp(x)) > 2 * inexact);
  CHECK(bound_of(gj::sum(x)) < 1e-4);
  CHECK(bound_of(gj::sum(x)) > 0);
  CHECK(bound_of(gj::transpose(gj::exp(x))) == inexact);
  CHECK(bound_of(gj::exp(of(gj::tensor<float, 1>{inf}))) == 0);
  CHECK(bound_of(gj::exp(of(gj::tensor<float, 1>{not_one}))) == 0);
  CHECK(bound_of(gj::floor(gj::exp(x))) == std::numeric_limits<double>::infinity());
  CHECK(bound_of(gj::exp(x) < x) == std::numeric_limits<double>::infinity());
}

TEST_CASE("paths: the same seed draws the same operands, of every layout") {
  subject const s{"", {{gj::dtype::f32, "mn"}, {gj::dtype::i64, "", true}}, {any_sizes, {3, 17, 4}}};
  for (int layout = 0; layout < layout_kinds; ++layout)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      dice first(seed), second(seed);
      auto const a = draw(s, seed % 2, static_cast<layout_kind>(layout), first);
      auto const b = draw(s, seed % 2, static_cast<layout_kind>(layout), second);
      CHECK(a[0].layout() == b[0].layout());
      CHECK(difference(a[0], known(b[0])).empty());
      CHECK(a[1].item<std::int64_t>() == b[1].item<std::int64_t>());
      if (seed % 2 == 1) CHECK(a[0].shape() == gj::shape{3, 17});
    }
}
