// guardjit: tests/compile/described.cpp: descriptions, and arguments that are expressions
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::arg;
using gj::dyn;
using gj::tensor;
using support::elements;
using support::vec;

TEST_CASE("a constant description is compiled as the lambda that it stands for") {
  constexpr auto lambda = [](auto const& x, auto const& w) {
    return gj::softmax(gj::relu(x * w - 2.0f), 0) + gj::sum(x, gj::axes(0), gj::keepdims) / 3;
  };
  auto const f = gj::compile<lambda(arg<0>, arg<1>)>(gj::name<"f">);
  auto const g = gj::compile(lambda);
  for (gj::index_t n : {1, 5, 16, 33}) {
    auto const x = vec(n, -3), w = vec(n, 2);
    CHECK(support::same_bits(f(x, w), g(x, w)));
    CHECK(support::near(f(x, w), gj::eval(lambda(x, w))));
    auto out = vec(n);
    f.into(out, x, w);
    CHECK(support::same_bits(out, g(x, w)));
  }
  CHECK(f.entries()[0].id == "f/0");
  gj::op_counter compiled, eager;
  auto const x = vec(4), w = vec(4);
  {
    gj::mode_scope const watch(compiled);
    f(x, w);
  }
  {
    gj::mode_scope const watch(eager);
    gj::eval(lambda(x, w));
  }
  CHECK(compiled == eager);
}

TEST_CASE("scalars of a description as a value are bound inputs: others share its kernels, not its results") {
  auto const line = [](auto slope, auto offset) {
    return gj::compile(slope * arg<0> + offset, gj::name<"line">);
  };
  auto const f = line(2.0f, 1.0f), g = line(-1.0f, 0.5f);
  static_assert(std::is_same_v<decltype(f), decltype(g)>);
  CHECK(elements(f(vec(3))) == std::vector<float>{3, 5, 7});
  CHECK(elements(g(vec(3))) == std::vector<float>{-0.5f, -1.5f, -2.5f});
  CHECK(elements(f(vec(3))) == std::vector<float>{3, 5, 7});
  CHECK(f.compiles() == 1);

  tensor<float, dyn> const w{10, 20, 30};
  auto const h = gj::compile(gj::where(arg<0> > 1.5f, arg<0> * 2, arg<1>), gj::bind(w));
  CHECK(elements(h(vec(3))) == std::vector<float>{10, 4, 6});
  auto const mixed = gj::compile(arg<0> + 1.0);
  static_assert(std::is_same_v<decltype(mixed(vec(3))), tensor<float, dyn>>);
  CHECK_THROWS_AS(gj::compile(arg<0> + 300)(tensor<std::uint8_t, 2>()), gj::dtype_error);
}

TEST_CASE("each function of the library can be described") {
  constexpr auto f = gj::transpose(gj::reshape(gj::slice(arg<0>, 0, 1), {2, -1})) * gj::to<double>(arg<1>);
  constexpr auto g = gj::matmul(gj::permute(arg<0>, gj::axes(1, 0)), gj::expand(gj::amax(arg<0>, gj::keepdims), {2, 3})) +
                     gj::clip(gj::gelu(gj::mean(arg<1>), gj::tanh_form), -1, 1);
  auto const x = vec(7), y = vec(2);
  CHECK(elements(gj::compile<f>()(x, y)) == elements(gj::eval(f(x, y))));
  auto const a = support::mat(2, 3);
  auto const want = gj::eval(g(a, y));
  CHECK(want.shape() == gj::shape{3, 3});
  CHECK(support::near(gj::compile<g>()(a, y), want));
}

TEST_CASE("arguments that are expressions are evaluated first") {
  auto const f = gj::compile([](auto const& x, auto const& w) { return x * w; });
  auto const x = vec(3);
  CHECK(elements(f(x + 1, gj::relu(x) * 2)) == std::vector<float>{4, 12, 24});
  auto out = vec(3);
  f.into(out, out * 2, x);
  CHECK(elements(out) == std::vector<float>{2, 8, 18});
  CHECK(f.find(x + 1, x) == f.find(x, x));
}
