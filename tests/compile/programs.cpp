// guardjit: tests/compile/programs.cpp: functions of several kernels: intermediates, views, results
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <cstdint>

#include "support/programs.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::check_program;
using support::elements;
using support::how;
using support::laid_out;
using support::mat;
using support::vec;

namespace {
using floats = std::vector<float>;

tensor<float, dyn, dyn> small(index_t m, index_t n, how l = how::contiguous) {
  return laid_out<float, dyn, dyn>(l, {m, n}, -0.5, 0.0625);
}
}  // namespace

TEST_CASE("a temporary that is read after another kernel read it") {
  auto const f = [](auto x, auto w) { return x + gj::transpose(gj::matmul(gj::exp(x), w)); };
  check_program(f, small(3, 3), small(3, 3));
  check_program(f, small(3, 3, how::transposed), small(3, 3, how::reversed));
}

TEST_CASE("a value that two kernels read stays until the second has") {
  auto const f = [](auto x, auto w) {
    auto const y = gj::exp(x);
    auto const z = gj::matmul(y, w);
    return gj::matmul(z, w) + z * y - y;
  };
  check_program(f, small(4, 4), small(4, 4));
}

TEST_CASE("a chain of products shares its buffers") {
  auto const f = [](auto x, auto w) {
    auto y = x;
    for (int k = 0; k < 5; ++k) y = gj::tanh(gj::matmul(y, w));
    return y;
  };
  check_program(f, small(2, 4), small(4, 4));
  auto const g = gj::compile(f);
  CHECK(g.workspace_bytes(small(16, 16), small(16, 16)) <= 2 * 16 * 16 * 4);
}

TEST_CASE("a product with its epilogue") {
  auto const f = [](auto x, auto w, auto b) { return gj::relu(gj::matmul(x, w) + b); };
  check_program(f, small(5, 3), small(3, 4), laid_out<float, dyn>(how::contiguous, {4}, -1, 0.5));
  check_program(f, small(1, 3), small(3, 4, how::transposed), laid_out<float, dyn>(how::every_second, {4}, -1, 0.5));
  // The epilogue runs where the product lies: no intermediate.
  auto const g = gj::compile(f);
  CHECK(g.workspace_bytes(small(16, 16), tensor<float, 16, 16>(), tensor<float, 16>()) == 0);
}

TEST_CASE("softmax, written out and from the library") {
  auto const written = [](auto x) {
    auto const e = gj::exp(x - gj::amax(x, gj::axes(-1), gj::keepdims));
    return e / gj::sum(e, gj::axes(-1), gj::keepdims);
  };
  for (how l : {how::contiguous, how::transposed, how::expanded}) check_program(written, small(3, 7, l));
  check_program(written, small(3, 1));
  check_program([](auto x) { return gj::softmax(x, 0); }, small(4, 5));
}

TEST_CASE("a transposed value in another shape") {
  auto const f = [](auto x) { return gj::reshape(gj::transpose(gj::exp(x)), {x.extent(0) * x.extent(1)}) * 2; };
  check_program(f, small(3, 4));
  check_program(f, small(3, 4, how::transposed));
  auto const g = [](auto x) { return gj::reshape(gj::transpose(x), {2, -1}) + 1; };
  check_program(g, small(3, 4));
  check_program(g, small(3, 4, how::transposed));
  check_program(g, small(3, 4, how::reversed));
}

TEST_CASE("results that are views of intermediates") {
  check_program([](auto x, auto w) { return gj::transpose(gj::matmul(x, w)); }, small(2, 3), small(3, 4));
  check_program([](auto x) { return gj::slice(gj::exp(x), 0, 1, gj::slice_end, 2); }, small(5, 3));
  check_program([](auto x) { return gj::expand(gj::exp(x), {2, 3, 4}); }, small(3, 4));
}

TEST_CASE("results that are views of arguments") {
  check_program([](auto x) { return gj::slice(gj::transpose(x), 1, -1, gj::slice_end, -1); }, small(5, 3));
  check_program([](auto x) { return gj::expand(x, {2, 3, 4}); }, small(3, 4));
  check_program([](auto x) { return gj::reshape(x, {-1}); }, small(3, 4));
  check_program([](auto x) { return gj::reshape(x, {-1}); }, small(3, 4, how::transposed));
  check_program([](auto x) { return gj::reshape(gj::reshape(x, {-1}), {2, -1}); }, small(3, 4, how::reversed));
}

TEST_CASE("a view of an argument shares its storage, everything else is fresh") {
  auto const x = small(3, 4);
  auto const storage_of = [&x](auto f) { return gj::compile(f)(x).storage(); };
  CHECK(storage_of([](auto y) { return y; }) == x.storage());
  CHECK(storage_of([](auto y) { return gj::reshape(y, {-1}); }) == x.storage());
  CHECK(storage_of([](auto y) { return gj::slice(y, 0, 1); }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return y * 1; }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return y + 0; }) == x.storage());
  CHECK_FALSE(storage_of([](auto y) { return gj::transpose(y) * 1; }) == x.storage());
  auto const g = gj::compile([](auto y) { return gj::reshape(y, {-1}); });
  CHECK_FALSE(g(small(3, 4, how::transposed)).storage() == x.storage());
  check_program([](auto y) { return y * 1; }, x);
  check_program([](auto y) { return gj::transpose(y) * 1; }, small(3, 4, how::expanded));
  check_program([](auto y) { return y; }, small(3, 4, how::reversed));
}

TEST_CASE("a view of an argument into the argument") {
  auto const g = gj::compile([](auto x) { return gj::transpose(x); });
  auto x = mat(3, 3);
  for (int k = 0; k < 2; ++k) g.into(x, x);
  CHECK(elements(x) == elements(mat(3, 3)));
  g.into(x, x);
  CHECK(elements(x) == floats{1, 4, 7, 2, 5, 8, 3, 6, 9});
}

TEST_CASE("factories, and results that need no tensor") {
  check_program([](auto x) { return x + gj::ones<float>(x.extent(0), 4) * gj::zeros<float>(1, x.extent(1)); }, small(3, 4));
  check_program([](auto x) { return gj::ones<float>(x.extent(0), x.extent(1) + 2); }, small(3, 4));
  check_program([](auto x) { return gj::sum(x * 2); }, small(3, 4, how::transposed));
  check_program([](auto x) { return x.extent(0) * x.extent(1) + 1; }, small(3, 4));
}

TEST_CASE("dtypes that are not f32, and their conversions") {
  auto const bytes = laid_out<std::uint8_t, dyn, dyn>(how::transposed, {3, 4}, 250, 1);
  auto const wide = laid_out<std::int64_t, dyn, dyn>(how::every_second, {3, 4}, -5, 3);
  auto const doubles = laid_out<double, dyn, dyn>(how::reversed, {3, 4}, -0.5, 0.125);
  check_program([](auto a, auto b) { return a * 3 + gj::to<std::int64_t>(b) - 7; }, wide, bytes);
  check_program([](auto a, auto b) { return gj::sum(a + b, gj::axes(0)); }, bytes, wide);
  check_program([](auto a, auto b) { return gj::mean(a, gj::axes(1)) / (gj::amax(b, gj::axes(1)) + 1); }, bytes, doubles);
  check_program([](auto a, auto b) { return gj::where(a < b, a, b); }, wide, doubles);
  check_program([](auto a, auto b) { return gj::matmul(a, gj::transpose(b)) == 0; }, wide, bytes);
  check_program([](auto a) { return gj::to<bool>(a) + (a > 252); }, bytes);
}

TEST_CASE("equal ops are told to a counter, made, hit and one by one") {
  auto const f = [](auto x, auto w) { return gj::softmax(gj::matmul(x, w) + gj::matmul(x, w)) * 2 - gj::transpose(w); };
  auto const g = gj::compile(f);
  auto const x = small(4, 4), w = small(4, 4);
  auto const counted = [](auto const& call) {
    gj::op_counter counter;
    gj::mode_scope const scope(counter);
    call();
    return counter;
  };
  auto const eager = counted([&] {
    auto const product = gj::matmul(x, w);
    return gj::softmax(product + product) * 2 - gj::transpose(w);
  });
  CHECK(eager.total() == 10);
  auto out = small(4, 4);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(counted([&] { g.into(out, x, w); }) == eager);
  support::passing_mode passing;
  gj::mode_scope const scope(passing);
  CHECK(counted([&] { g(x, w); }) == eager);
  CHECK(g.compiles() == 1);
}
