// guardjit: tests/expr/composite.cpp: functions written out of ops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/softmax.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/op_counter.hpp>

using namespace eager;

namespace {

template <class T> std::vector<T> softmax_by_loops(any_tensor const& x, int axis) {
  auto const in = elements<T>(x);
  std::vector<T> out(in.size());
  index_t inner = 1;
  for (int d = axis + 1; d < x.rank(); ++d) inner *= x.extent(d);
  index_t const n = x.extent(axis);
  for (index_t k = 0; k < x.size(); ++k) {
    if (k / inner % n != 0) continue;
    long double largest = -std::numeric_limits<long double>::infinity(), sum = 0;
    bool nan = false;
    for (index_t i = 0; i < n; ++i) {
      auto const v = static_cast<long double>(in[static_cast<std::size_t>(k + i * inner)]);
      nan = nan || v != v || v == std::numeric_limits<long double>::infinity();
      largest = largest < v ? v : largest;
    }
    for (index_t i = 0; i < n; ++i)
      sum +=
          std::exp(static_cast<long double>(in[static_cast<std::size_t>(k + i * inner)]) - largest);
    for (index_t i = 0; i < n; ++i) {
      auto const at = static_cast<std::size_t>(k + i * inner);
      out[at] = nan ? std::numeric_limits<T>::quiet_NaN()
                    : static_cast<T>(std::exp(static_cast<long double>(in[at]) - largest) / sum);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("softmax along each axis and for special values") {
  gj::tensor<double, 2, 3> const small{{1, 2, 3}, {0, 0, 0}};
  gj::tensor const y = gj::softmax(small);
  CHECK(y(0, 2) == doctest::Approx(0.6652409557748218895).epsilon(1e-15));
  CHECK(y(1, 1) == doctest::Approx(1.0 / 3).epsilon(1e-15));
  static_assert(
      std::is_same_v<decltype(gj::eval(gj::softmax(gj::tensor<float, 3>()))), gj::tensor<float, 3>>);

  for (form f : all_forms)
    for (int axis : {0, 1, 2}) {
      any_tensor const x = make<std::uint8_t>({3, 4, 5}, f);
      auto const floats = gj::to<float>(x);
      auto const want = softmax_by_loops<float>(floats, axis);
      // The bound of softmax: 8 + |x - max| ULP, for numbers up to 255.
      check_elements<float>(gj::softmax(floats, axis), {3, 4, 5}, want, 8 + 255);
      check_elements<float>(gj::softmax(floats.as<float, 3, dyn, 5>(), axis - 3), {3, 4, 5}, want,
                            8 + 255);
      check_elements<double>(gj::softmax(x, axis), {3, 4, 5},
                             softmax_by_loops<double>(gj::to<double>(x), axis), 8 + 255);
    }

  float const inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  for (float bad : {inf, nan}) {
    gj::tensor const z = gj::softmax(gj::tensor<float, 2>{bad, 1});
    CHECK(z(0) != z(0));
    CHECK(z(1) != z(1));
  }
  gj::tensor const none = gj::softmax(gj::tensor<float, 2>{-inf, -inf});
  CHECK(none(0) != none(0));
}

TEST_CASE("a composite function is its ops for every mode") {
  gj::op_counter counter;
  {
    gj::mode_scope scope{counter};
    gj::eval(gj::softmax(gj::tensor<float, 2, 3>()));
    gj::transpose(gj::tensor<float, 2, 3>(), 0, 1);
  }
  for (auto id :
       {gj::op::amax, gj::op::sub, gj::op::exp, gj::op::sum, gj::op::div, gj::op::permute})
    CHECK(counter.count(id) == 1);
  CHECK(counter.total() == 6);
}
