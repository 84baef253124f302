// guardjit: tests/compile/programs.cpp: functions of several kernels and their intermediates
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support/programs.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::tensor;
using support::check_program;
using support::how;
using support::laid_out;
using support::small;

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
