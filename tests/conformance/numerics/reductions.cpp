// guardjit: tests/conformance/numerics/reductions.cpp: cases of reductions and of functions of rows, on every path
// SPDX-License-Identifier: BSL-1.0
#include "paths.hpp"
#include "support/thrown.hpp"

#include <string>

namespace {

using namespace paths;
using support::thrown;
using gj::axes, gj::correction, gj::dyn, gj::keepdims, gj::tensor;
using gj::index_t;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

tensor<float, dyn, dyn> matrix(index_t rows, index_t columns, std::vector<float> const& values = {}) {
  auto x = tensor<float, dyn, dyn>::uninitialized({rows, columns});
  for (std::size_t k = 0; k < values.size(); ++k) x.data()[k] = values[k];
  return x;
}

/// Each element within `relative` of what is wanted.
template <class T, class F, class... X>
void expect_near(std::vector<double> const& want, double relative, F f, X const&... x) {
  on_each(
      f,
      [&](gj::any_tensor const& got) {
        REQUIRE(got.type() == gj::dtype_v<T>);
        auto const have = elements<T>(got);
        REQUIRE(have.size() == want.size());
        for (std::size_t k = 0; k < want.size(); ++k) {
          CAPTURE(k);
          auto const v = static_cast<double>(have[k]);
          INFO("got ", v, ", expected ", want[k]);
          bool const is_same = v == want[k] || (v != v && want[k] != want[k]);
          CHECK((is_same || std::fabs(v - want[k]) <= relative * std::fabs(want[k])));
        }
      },
      x...);
}

/// What a reduction gives over no elements, on each path and for every shape and axis of one that is
/// empty; `T` is its dtype.
template <auto Reduce, class T> void over_nothing(T value) {
  std::vector<T> const one{value}, three{value, value, value}, none{};
  auto const empty = row<float>({});
  auto const tall = matrix(0, 3), wide = matrix(3, 0);
  auto const all = [](auto const& x) { return Reduce(x); };
  auto const first = [](auto const& x) { return Reduce(x, axes(0)); };
  auto const last = [](auto const& x) { return Reduce(x, axes(-1)); };
  auto const kept = [](auto const& x) { return Reduce(x, axes(-1), keepdims); };
  expect<T>(one, all, empty);
  expect<T>(one, first, empty);
  expect<T>(one, all, tall);
  expect<T>(three, first, tall);
  expect<T>(none, last, tall);
  expect<T>(one, all, wide);
  expect<T>(none, first, wide);
  expect<T>(three, last, wide);
  expect<T>(three, kept, wide);
}

/// A reduction that has no value for no elements.
template <auto Reduce> void refuses_nothing(std::string const& name) {
  auto const tall = matrix(0, 3), wide = matrix(3, 0);
  auto const last = [](auto const& x) { return Reduce(x, -1); };
  on_each(last, [](gj::any_tensor const& y) { CHECK(y.shape() == gj::shape{0}); }, tall);
  std::string const start = "guardjit: " + name + "(x): a reduced extent must not be 0: axis 1; shapes (3, 0)";
  CHECK(thrown<gj::shape_error>([&] { eval(last(wide)); }).starts_with(start));
  CHECK(thrown<gj::shape_error>([&] { last(gj::any_tensor(wide)); }).starts_with(start));
  auto const compiled = gj::compile(last);
  CHECK(thrown<gj::shape_error>([&] { compiled(wide); })
            .starts_with("guardjit: " + name + "(x): a reduced extent must not be 0: axis 1"));
}

}  // namespace

TEST_CASE("NUM-035: reductions over no elements") {
  over_nothing<[](auto const& x, auto... o) { return gj::sum(x, o...); }>(0.0f);
  over_nothing<[](auto const& x, auto... o) { return gj::prod(x, o...); }>(1.0f);
  over_nothing<[](auto const& x, auto... o) { return gj::any(x, o...); }>(false);
  over_nothing<[](auto const& x, auto... o) { return gj::all(x, o...); }>(true);
  over_nothing<[](auto const& x, auto... o) { return gj::mean(x, o...); }>(no_number);
  over_nothing<[](auto const& x, auto... o) { return gj::var(x, o...); }>(no_number);
  over_nothing<[](auto const& x, auto... o) { return gj::std(x, o...); }>(no_number);
  over_nothing<[](auto const& x, auto... o) { return gj::logsumexp(x, o...); }>(-inf);
  refuses_nothing<[](auto const& x, int axis) { return gj::amax(x, axes(axis)); }>("amax");
  refuses_nothing<[](auto const& x, int axis) { return gj::amin(x, axes(axis)); }>("amin");
  refuses_nothing<[](auto const& x, int axis) { return gj::argmax(x, axis); }>("argmax");
  refuses_nothing<[](auto const& x, int axis) { return gj::argmin(x, axis); }>("argmin");
}

TEST_CASE("NUM-037: sums of f32 along each axis, in every layout, within the bound of N21") {
  constexpr index_t rows = 70, columns = 150;
  auto memory = matrix(2 * rows, 2 * columns);
  std::uint32_t state = 1;
  for (index_t k = 0; k < memory.size(); ++k) {
    state = state * 1664525u + 1013904223u;
    memory.data()[k] = (static_cast<float>(state >> 8) / 8388608.0f - 1) * static_cast<float>(1 + k % 1000);
  }
  auto const check = [&](auto const& x) {
    for (int mask : {1, 2, 3}) {
      CAPTURE(mask);
      auto const sums = [mask](auto const& v) {
        if (mask == 1) return gj::any_tensor(gj::sum(v, axes(0)));
        if (mask == 2) return gj::any_tensor(gj::sum(v, axes(1)));
        return gj::any_tensor(gj::sum(v));
      };
      index_t const results = mask == 1 ? x.extent(1) : mask == 2 ? x.extent(0) : 1;
      std::vector<double> exact(static_cast<std::size_t>(results)), size(exact);
      for (index_t r = 0; r < x.extent(0); ++r)
        for (index_t c = 0; c < x.extent(1); ++c) {
          auto const to = static_cast<std::size_t>(mask == 1 ? c : mask == 2 ? r : 0);
          exact[to] += static_cast<double>(x(r, c));
          size[to] += std::fabs(static_cast<double>(x(r, c)));
        }
      double const n = static_cast<double>(x.size()) / static_cast<double>(results);
      double const bound = (32 + std::log2(n)) * std::ldexp(1.0, -24);
      auto const within = [&](gj::any_tensor const& got) {
        auto const have = elements<float>(got);
        REQUIRE(have.size() == exact.size());
        for (std::size_t k = 0; k < have.size(); ++k)
          CHECK(std::fabs(static_cast<double>(have[k]) - exact[k]) <= bound * size[k]);
      };
      within(sums(x));
      within(sums(gj::any_tensor(x)));
      auto const compiled = [&](auto backend) {
        if (mask == 1) within(gj::any_tensor(gj::compile([](auto v) { return gj::sum(v, axes(0)); }, backend)(x)));
        else if (mask == 2) within(gj::any_tensor(gj::compile([](auto v) { return gj::sum(v, axes(1)); }, backend)(x)));
        else within(gj::any_tensor(gj::compile([](auto v) { return gj::sum(v); }, backend)(x)));
      };
      compiled(gj::backend(gj::reference));
      compiled(gj::backend(gj::eigen));
    }
  };
  check(gj::eval(gj::slice(memory, 0, 0, rows) * 1.0f));
  check(gj::transpose(gj::eval(gj::slice(memory, 1, 0, rows) * 1.0f)));
  check(gj::slice(gj::slice(memory, 0, 0, 2 * rows, 2), 1, 1, 2 * columns, 2));
  check(gj::slice(gj::slice(memory, 0, rows, gj::slice_end, -1), 1, gj::slice_end - 1, 0, -1));
}

TEST_CASE("NUM-038: variances, and one of numbers that differ by little") {
  auto const one_to_four = row<float>({1, 2, 3, 4});
  expect_near<float>({5.0 / 3}, 2e-7, [](auto const& x) { return gj::var(x); }, one_to_four);
  expect_near<float>({5.0 / 4}, 2e-7, [](auto const& x) { return gj::var(x, correction(0)); }, one_to_four);
  expect<float>({no_number}, [](auto const& x) { return gj::var(x, correction(4)); }, one_to_four);
  expect<float>({no_number}, [](auto const& x) { return gj::std(x, axes(0), correction(5)); }, one_to_four);
  auto const alike = row<float>({4096, 4096 + 1.0f / 256, 4096 + 1.0f / 128});
  expect_near<float>({std::ldexp(1.0, -15) / 3}, 4 * std::ldexp(1.0, -23),
                     [](auto const& x) { return gj::var(x, correction(0)); }, alike);
  expect_near<float>({std::sqrt(std::ldexp(1.0, -15) / 3)}, 4 * std::ldexp(1.0, -23),
                     [](auto const& x) { return gj::std(x, axes(-1), correction(0), keepdims); }, alike);
  // Whole numbers are averaged in f64.
  expect_near<double>({2.0 / 3}, 1e-15, [](auto const& x) { return gj::var(x, correction(0)); },
                      row<std::int32_t>({1, 2, 3}));
  expect_near<double>({0.25}, 1e-15, [](auto const& x) { return gj::var(x, correction(0)); },
                      row<std::uint8_t>({255, 254}));
}

TEST_CASE("NUM-040: the variance of one element is NaN") {
  expect<float>({no_number}, [](auto const& x) { return gj::var(x); }, row<float>({5}));
  expect<double>({no_number}, [](auto const& x) { return gj::std(x); }, row<double>({5}));
  expect<float>({no_number, no_number}, [](auto const& x) { return gj::var(x, axes(-1)); }, matrix(2, 1, {1, 2}));
  expect<float>({0}, [](auto const& x) { return gj::var(x, correction(0)); }, row<float>({5}));
}

TEST_CASE("NUM-041: reductions over no axes, over the last, over wrong ones") {
  auto const bytes = row<std::uint8_t>({200, 100});
  expect<std::int64_t>({200, 100}, [](auto const& x) { return gj::sum(x, axes<0>()); }, bytes);
  expect<std::int64_t>({200, 100}, [](auto const& x) { return gj::prod(x, axes<0>()); }, bytes);
  expect<bool>({true, true}, [](auto const& x) { return gj::all(x, axes<0>()); }, bytes);
  auto const x = matrix(2, 3, {1, 2, 3, 4, 5, 6});
  expect<float>({6, 15}, [](auto const& v) { return gj::sum(v, axes(-1)); }, x);
  expect<float>({6, 120}, [](auto const& v) { return gj::prod(v, axes(-1)); }, x);
  expect<std::int64_t>({2, 2}, [](auto const& v) { return gj::argmax(v, -1); }, x);
  gj::any_tensor const erased_x(x);
  CHECK_THROWS_AS(gj::sum(erased_x, axes(0, 0)), gj::shape_error);
  CHECK_THROWS_AS(gj::sum(erased_x, axes(5)), gj::index_error);
  CHECK_THROWS_AS(gj::any(erased_x, axes(0, -2)), gj::shape_error);
  CHECK_THROWS_AS(gj::var(erased_x, axes(0, 0)), gj::shape_error);
  CHECK_THROWS_AS(gj::logsumexp(erased_x, axes(5)), gj::index_error);
  CHECK_THROWS_AS(gj::argmin(erased_x, -3), gj::index_error);
  CHECK_THROWS_AS(eval(gj::argmin(x, -3)), gj::index_error);
}

TEST_CASE("NUM-043: logsumexp of large numbers and of infinities") {
  auto const by_row = [](auto const& x) { return gj::logsumexp(x, axes(-1)); };
  auto const of_all = [](auto const& x) { return gj::logsumexp(x); };
  expect_near<float>({1000.6931471805599}, 1e-7, by_row, row<float>({1000, 1000}));
  expect_near<double>({1000.6931471805599}, 1e-15, of_all, row<double>({1000, 1000}));
  expect<float>({inf, no_number, -inf, 0, inf}, by_row,
                matrix(5, 2, {inf, 1, inf, no_number, -inf, -inf, -inf, 0, -inf, inf}));
  expect<float>({inf}, of_all, row<float>({inf, 1}));
  expect<float>({no_number}, of_all, row<float>({inf, no_number}));
  expect<float>({-inf}, of_all, row<float>({-inf, -inf}));
}

TEST_CASE("NUM-044: softmax with NaN, of numbers far apart, with places left out") {
  auto const plain = [](auto const& x) { return gj::softmax(x); };
  expect<float>({no_number, no_number}, plain, row<float>({no_number, 1}));
  expect_near<double>({1, 3.6658204e-77}, 1e-7, plain, row<double>({88, -88}));
  auto const masked = [](auto const& x, auto const& mask) { return gj::softmax(x, -1, mask); };
  auto const x = row<float>({1, 2, 3});
  expect_near<float>({0.26894142, 0.73105858, 0}, 2e-7, masked, x, row<bool>({true, true, false}));
  expect_near<float>({0.26894142, 0.73105858, 0}, 2e-7, masked, x, row<float>({1, 1, -inf}));
}

TEST_CASE("POL-10: rows of infinities, and rows without any place") {
  auto const x = matrix(5, 2, {-inf, -inf, inf, 0, no_number, 0, -inf, 3, 1, 1});
  auto const half = static_cast<float>(0.5);
  expect<float>({no_number, no_number, no_number, no_number, no_number, no_number, 0, 1, half, half}, [](auto const& v) { return gj::softmax(v); }, x);
  expect_near<float>({no_number, no_number, no_number, no_number, no_number, no_number, -inf, 0, -0.69314718, -0.69314718}, 2e-7,
                     [](auto const& v) { return gj::log_softmax(v); }, x);
  // What is left out counts as absent, whatever stands there.
  auto const y = matrix(4, 3, {no_number, 1, inf, -inf, -inf, 7, 1, 2, 3, 4, inf, 5});
  auto mask = tensor<bool, dyn, dyn>::uninitialized({4, 3});
  bool const places[] = {false, true, false, true, false, false, false, false, false, true, false, true};
  std::copy(std::begin(places), std::end(places), mask.data());
  expect_near<float>({0, 1, 0, no_number, 0, 0, 0, 0, 0, 0.26894142, 0, 0.73105858}, 2e-7,
                     [](auto const& v, auto const& m) { return gj::softmax(v, 1, m); }, y, mask);
  expect_near<float>({-inf, 0, -inf, no_number, -inf, -inf, -inf, -inf, -inf, -1.31326169, -inf, -0.31326169}, 2e-7,
                     [](auto const& v, auto const& m) { return gj::log_softmax(v, 1, m); }, y, mask);
}
