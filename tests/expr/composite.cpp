// guardjit: tests/expr/composite.cpp: functions written out of ops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/layer_norm.hpp>
#include <guardjit/expr/composite/log_softmax.hpp>
#include <guardjit/expr/composite/logsumexp.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/expr/composite/var.hpp>
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

/// Calls `use(places)` for each row along `axis`: where its elements are among all, in logical order.
void for_each_row(shape const& s, int axis, auto const& use) {
  index_t inner = 1;
  for (int d = axis + 1; d < s.rank; ++d) inner *= s[d];
  for (index_t k = 0; k < s.count(); ++k) {
    if (k / inner % s[axis] != 0) continue;
    std::vector<std::size_t> places;
    for (index_t i = 0; i < s[axis]; ++i) places.push_back(static_cast<std::size_t>(k + i * inner));
    use(places);
  }
}
shape without(shape const& s, int axis, bool keeps) {
  shape r;
  for (int d = 0; d < s.rank; ++d)
    if (d != axis) r[r.rank++] = s[d];
    else if (keeps) r[r.rank++] = 1;
  return r;
}

/// Of each row: its mean, the sum of squares around it, its largest element and the sum of exponentials of
/// the distances to that.
struct row_facts {
  long double mean = 0, squares = 0, largest = 0, powers = 0;
  row_facts(auto const& x, std::vector<std::size_t> const& places) {
    for (auto k : places) mean += static_cast<long double>(x[k]) / static_cast<long double>(places.size());
    largest = static_cast<long double>(x[places[0]]);
    for (auto k : places) {
      squares += (static_cast<long double>(x[k]) - mean) * (static_cast<long double>(x[k]) - mean);
      largest = std::max(largest, static_cast<long double>(x[k]));
    }
    for (auto k : places) powers += std::exp(static_cast<long double>(x[k]) - largest);
  }
};

/// Rows of whole numbers up to 255 in layout `f`, with elements of type T.
template <class T> any_tensor whole_rows(shape const& s, form f) {
  any_tensor const x = make<std::uint8_t>(s, f);
  any_tensor y = make<T>(s, f);
  any_tensor const converted = gj::to<T>(x);
  gj::copy_elements(sizeof(T), y.layout().view(), y.data(), converted.layout().view(), converted.data());
  return y;
}

}  // namespace

TEST_CASE_TEMPLATE("functions of rows equal plain loops, along each axis and in each layout", T, float, double) {
  shape const s{3, 4, 5};
  for (form f : all_forms)
    for (int axis : {0, 1, 2}) {
      any_tensor const x = whole_rows<T>(s, f);
      auto const typed = x.as<T, 3, dyn, 5>();
      auto const in = elements<T>(x);
      index_t const n = s[axis];
      std::vector<T> log_softmax(in.size()), norm(in.size()), sums, variances, deviations;
      for_each_row(s, axis, [&](auto const& places) {
        row_facts const row(in, places);
        for (auto k : places) {
          auto const apart = static_cast<long double>(in[k]);
          log_softmax[k] = static_cast<T>(apart - row.largest - std::log(row.powers));
          norm[k] = static_cast<T>((apart - row.mean) /
                                   std::sqrt(row.squares / static_cast<long double>(n) + 1e-3L));
        }
        sums.push_back(static_cast<T>(row.largest + std::log(row.powers)));
        variances.push_back(static_cast<T>(row.squares / static_cast<long double>(n - 1)));
        deviations.push_back(static_cast<T>(std::sqrt(row.squares / static_cast<long double>(n))));
      });
      shape const dropped = without(s, axis, false), kept = without(s, axis, true);
      gj::axes const along(axis), from_end(axis - 3);
      check_elements<T>(gj::log_softmax(x, axis), s, log_softmax, 8 + 255);
      check_elements<T>(gj::log_softmax(typed, axis - 3), s, log_softmax, 8 + 255);
      check_elements<T>(gj::logsumexp(x, along), dropped, sums, 8);
      check_elements<T>(gj::logsumexp(typed, from_end), dropped, sums, 8);
      check_elements<T>(gj::logsumexp(x, from_end, gj::keepdims), kept, sums, 8);
      check_elements<T>(gj::logsumexp(typed, along, gj::keepdims), kept, sums, 8);
      check_elements<T>(gj::layer_norm(x, along, gj::nothing, gj::nothing, 1e-3), s, norm, 64);
      check_elements<T>(gj::layer_norm(typed, from_end, gj::nothing, gj::nothing, 1e-3), s, norm, 64);
      check_elements<T>(gj::var(x, along), dropped, variances, 8 + 3);
      check_elements<T>(gj::var(typed, gj::keepdims, from_end), kept, variances, 8 + 3);
      check_elements<T>(gj::std(x, from_end, gj::correction(0), gj::keepdims), kept, deviations, 8 + 3);
      check_elements<T>(gj::std(typed, gj::correction(0), along), dropped, deviations, 8 + 3);
    }
}

TEST_CASE("functions of rows over several axes, over all, and of whole numbers") {
  any_tensor const x = whole_rows<double>({3, 4, 5}, form::strided);
  auto const typed = x.as<double, dyn, 4, dyn>();
  auto const in = elements<double>(x);
  std::vector<std::size_t> everywhere(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) everywhere[k] = k;
  row_facts const whole(in, everywhere);
  auto const total = static_cast<double>(whole.largest + std::log(whole.powers));
  check_elements<double>(gj::logsumexp(x), {}, {total}, 8);
  check_elements<double>(gj::logsumexp(typed), {}, {total}, 8);
  check_elements<double>(gj::logsumexp(typed, gj::keepdims), {1, 1, 1}, {total}, 8);
  check_elements<double>(gj::var(typed), {}, {static_cast<double>(whole.squares / 59)}, 14);
  CHECK(gj::std(make<std::int32_t>({3}, form::reversed)).type() == gj::dtype::f64);

  // Axes 0 and 2 together: move them behind axis 1.
  std::vector<double> sums, variances;
  std::vector<std::size_t> at;
  for (std::size_t middle = 0; middle < 4; ++middle) {
    at.clear();
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t c = 0; c < 5; ++c) at.push_back(a * 20 + middle * 5 + c);
    row_facts const row(in, at);
    sums.push_back(static_cast<double>(row.largest + std::log(row.powers)));
    variances.push_back(static_cast<double>(row.squares / 14));
  }
  check_elements<double>(gj::logsumexp(x, gj::axes(0, -1)), {4}, sums, 8);
  check_elements<double>(gj::logsumexp(typed, gj::axes(2, 0), gj::keepdims), {1, 4, 1}, sums, 8);
  check_elements<double>(gj::var(x, gj::axes(0, 2)), {4}, variances, 12);
  check_elements<double>(gj::var(typed, gj::axes(0, 2), gj::keepdims), {1, 4, 1}, variances, 12);
  any_tensor const bytes = make<std::uint8_t>({3, 4}, form::transposed);
  CHECK(gj::log_softmax(bytes).type() == gj::dtype::f64);
  CHECK(gj::layer_norm(bytes, gj::axes(0)).type() == gj::dtype::f64);
  static_assert(std::is_same_v<decltype(gj::eval(gj::logsumexp(gj::tensor<bool, 3, 4>(), gj::axes(0)))),
                               gj::tensor<double, dyn>>);
  static_assert(std::is_same_v<decltype(gj::eval(gj::var(gj::tensor<float, 3, 4>(), gj::keepdims))),
                               gj::tensor<float, dyn, dyn>>);
}

TEST_CASE("layer_norm with weights along the named axes") {
  gj::tensor<float, dyn, dyn> const x{{1, 2, 3}, {-1, 5, 2}};
  gj::tensor<float, 3> const w{1, -2, 3}, b{10, 20, 30};
  gj::tensor<float, dyn> const first{2, 3};
  gj::tensor const plain = gj::layer_norm(x, gj::axes(1)), columns = gj::layer_norm(x, gj::axes(0));
  auto const want = [&](any_tensor const& y, auto const& value) {
    std::vector<float> list;
    for (index_t r = 0; r < 2; ++r)
      for (index_t c = 0; c < 3; ++c) list.push_back(value(r, c));
    check_elements<float>(y, {2, 3}, list);
  };
  auto const both = [&](index_t r, index_t c) { return plain(r, c) * w(c) + b(c); };
  want(gj::layer_norm(x, gj::axes(-1), w, b), both);
  want(gj::layer_norm(any_tensor(x), gj::axes(-1), any_tensor(w), any_tensor(b)), both);
  want(gj::layer_norm(any_tensor(x), gj::axes(1), w, b * 1.0f), both);
  want(gj::layer_norm(x, gj::axes(1), any_tensor(w), b), both);
  want(gj::layer_norm(x, gj::axes(1), w), [&](index_t r, index_t c) { return plain(r, c) * w(c); });
  want(gj::layer_norm(x, gj::axes(1), gj::nothing, b), [&](index_t r, index_t c) { return plain(r, c) + b(c); });
  auto const by_column = [&](index_t r, index_t c) { return columns(r, c) * first(r); };
  want(gj::layer_norm(x, gj::axes(0), first), by_column);
  want(gj::layer_norm(any_tensor(x), gj::axes(0), first), by_column);
  gj::tensor<float, 2, 3> const all{{1, 2, 3}, {4, 5, 6}};
  gj::tensor const normal = gj::layer_norm(x, gj::axes(0, 1));
  want(gj::layer_norm(x, gj::axes(0, 1), all), [&](index_t r, index_t c) { return normal(r, c) * all(r, c); });
  // Large numbers that differ by little: the mean is not one of f32.
  gj::tensor<float, 4> const far{16777216, 16777218, 16777220, 16777218};
  gj::tensor const near_by = gj::layer_norm(far, gj::axes(0));
  CHECK(near_by(0) == doctest::Approx(-1.4142118).epsilon(1e-6));
  CHECK(near_by(3) == 0);

  gj::tensor<float, dyn> const wrong{1, 2};
  CHECK_THROWS_AS(eval(gj::layer_norm(x, gj::axes(1), wrong)), gj::shape_error);
  CHECK_THROWS_AS(gj::layer_norm(any_tensor(x), gj::axes(1), wrong), gj::shape_error);
  CHECK_THROWS_AS(gj::layer_norm(any_tensor(x), gj::axes(1), any_tensor(all)), gj::shape_error);
  CHECK_THROWS_AS(gj::layer_norm(any_tensor(x), gj::axes(0, 1), any_tensor(w)), gj::shape_error);
  CHECK_THROWS_AS(gj::layer_norm(any_tensor(x), gj::axes(2)), gj::index_error);
}

TEST_CASE("softmax of the places that a mask takes") {
  gj::tensor<double, 2, 3> const x{{1, 2, 3}, {0, 5, 0}};
  gj::tensor<bool, 3> const bits{true, false, true};
  double const inf = std::numeric_limits<double>::infinity();
  gj::tensor<float, dyn, 1> const by_row{{0}, {-std::numeric_limits<float>::infinity()}};
  double const small = 1 / (1 + std::exp(2.0));
  check_elements<double>(gj::softmax(x, 1, bits), {2, 3}, {small, 0, 1 - small, 0.5, 0, 0.5}, 4);
  check_elements<double>(gj::softmax(any_tensor(x), 1, bits), {2, 3}, {small, 0, 1 - small, 0.5, 0, 0.5}, 4);
  // Along axis 0 a row is a column of x; its second place is left out.
  check_elements<double>(gj::softmax(x, 0, by_row), {2, 3}, {1, 1, 1, 0, 0, 0});
  check_elements<double>(gj::log_softmax(x, 0, by_row), {2, 3}, {0, 0, 0, -inf, -inf, -inf});
  check_elements<double>(gj::log_softmax(x + 1.0, -2, by_row + 0.5), {2, 3}, {0, 0, 0, -inf, -inf, -inf});
  check_elements<double>(gj::softmax(gj::tensor<double, 3>{1, 2, 3}, 0, any_tensor(bits)), {3},
                         {small, 0, 1 - small}, 4);
  CHECK_THROWS_AS(gj::softmax(any_tensor(x), 0, any_tensor(gj::tensor<std::int32_t, 3>())), gj::dtype_error);
  CHECK_THROWS_AS(eval(gj::softmax(x, 0, gj::tensor<bool, dyn>{true, false})), gj::shape_error);
  CHECK_THROWS_AS(eval(gj::softmax(x, 2, bits)), gj::index_error);
}

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
       {gj::op::amax, gj::op::sub, gj::op::exp, gj::op::sum, gj::op::reciprocal, gj::op::mul,
        gj::op::permute})
    CHECK(counter.count(id) == 1);
  CHECK(counter.total() == 7);

  gj::op_counter rows;
  {
    gj::mode_scope scope{rows};
    gj::eval(gj::logsumexp(gj::tensor<float, 2, 3>(), gj::axes(1)));
    gj::eval(gj::softmax(gj::tensor<float, 2, 3>(), 1, gj::tensor<bool, 3>()));
    gj::eval(gj::layer_norm(gj::tensor<float, 2, 3>(), gj::axes(1)));
    gj::eval(gj::var(gj::tensor<float, 2, 3>(), gj::axes(1)));
  }
  CHECK(rows.count(gj::op::amax) == 2);
  CHECK(rows.count(gj::op::where) == 1 + 3);
  CHECK(rows.count(gj::op::reshape) == 1);
  CHECK(rows.count(gj::op::sum) == 1 + 1 + 3);
  CHECK(rows.count(gj::op::mean) == 2);
  CHECK(rows.count(gj::op::to) == 2);
}
