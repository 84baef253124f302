// guardjit: tests/compile/movement.cpp: compiled functions that move elements
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <string>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;
using support::counted, support::mat, support::vec;

namespace {

using whole = tensor<std::int64_t, dyn>;
constexpr gj::type_list<gj::backends::reference, gj::backends::eigen> backends{};

/// Calls `check(option)` with each backend.
void on_backends(auto const& check) {
  gj::for_each_type(backends, [&]<class B>(std::type_identity<B>) {
    INFO(std::string(B::name));
    check(gj::backend(B{}));
  });
}
/// `f` compiled, by a static and by a dynamic entry, gives the bits of eager code, on a miss and on a hit.
void check_like_eager(auto f, auto const&... x) {
  auto const want = gj::eval(f(x...));
  on_backends([&](auto backend) {
    auto const fixed = gj::compile(f, backend);
    auto const open = gj::compile(f, backend, gj::dynamic::all);
    for (int k = 0; k < 2; ++k) {
      CHECK(support::same_bits(want, fixed(x...)));
      CHECK(support::same_bits(want, open(x...)));
    }
    CHECK(fixed.compiles() == 1);
    CHECK(open.compiles() == 1);
  });
}

constexpr auto look_up = [](auto const& x, auto const& i) { return gj::take(x * 2.0f, i + 1, 0) + 1.0f; };

}  // namespace

TEST_CASE("indices, pieces and turned axes with symbolic extents") {
  auto const x = mat(4, 6);
  check_like_eager([](auto const& v) { return v(1, gj::range(0, 5)) - v(-1, gj::range(1, v.extent(1))); }, x);
  check_like_eager([](auto const& v) {
    auto const [a, b] = gj::split<2>(v, 1);
    return a * gj::flip(b);
  }, x);
  check_like_eager([](auto const& v) {
    return gj::split(v, gj::sizes(v.extent(0) - 1, 1), 0)[0] + gj::squeeze(gj::unsqueeze(v, 1), gj::axes(1))(0);
  }, x);
  check_like_eager([](auto const& v) { return gj::movedim(v * 2.0f, 0, -1)(gj::newaxis, gj::ellipsis); }, x);
}

TEST_CASE("concat, stack and pad of what kernels compute") {
  auto const x = mat(3, 4);
  check_like_eager([](auto const& v) { return gj::concat(v, v * 2.0f, gj::full_like(v, 7), v(gj::range(0, 1)), 0); }, x);
  check_like_eager([](auto const& v) { return gj::relu(gj::concat(v, gj::concat(v, v, 0) - 5.0f, 0)); }, x);
  check_like_eager([](auto const& v) { return gj::concat(gj::concat(v, v, 0), gj::concat(v, v, 0) + 1.0f, 1); }, x);
  check_like_eager([](auto const& v) { return gj::sum(gj::stack(v, v + 1.0f, v, 1), gj::axes(0)); }, x);
  check_like_eager([](auto const& v) { return gj::concat(gj::transpose(v), gj::to<double>(gj::transpose(v))); }, x);
  check_like_eager([](auto const& v) { return gj::pad(v + 1.0f, {{1, 2}, {0, 3}}, 9) * 2.0f; }, x);
  check_like_eager([](auto const& v) { return gj::pad(v, {{1, 2}, {0, 3}}, gj::reflect); }, x);
  check_like_eager([](auto const& v) { return gj::pad(v, {{1, 2}, {0, 3}}, gj::replicate); }, x);
  check_like_eager([](auto const& v) { return gj::pad(v, {{3, 2}, {0, 3}}, gj::circular); }, x);
}

TEST_CASE("arange, tril, triu, eye and one_hot with symbolic extents") {
  auto const x = mat(4, 6);
  check_like_eager([](auto const& v) { return v + gj::arange(0, v.extent(1)); }, x);
  check_like_eager([](auto const& v) { return gj::arange<float>(v.extent(0), 0, -3) * v(0, gj::range(0, 2)); }, x);
  check_like_eager([](auto const& v) { return gj::tril(v * 2.0f, 1) - gj::triu(v, -1); }, x);
  check_like_eager([](auto const& v) { return gj::matmul(gj::eye<float>(v.extent(0)), v) + gj::eye<float>(4, v.extent(1)); }, x);
  whole const i{1, -1, 0};
  check_like_eager([](auto const& k) { return gj::one_hot(k, 5); }, i);
  check_like_eager([](auto const& v, auto const& k) { return gj::one_hot(k, v.extent(0)); }, x, i);
}

TEST_CASE("take and gather of what kernels compute, by computed indices") {
  auto const x = mat(4, 3);
  whole const i{1, -2, 0, -5};
  check_like_eager(look_up, x, i);
  tensor<std::int32_t, dyn, dyn> const k{{0, 1, -1}, {3, -4, 2}, {0, 0, 0}, {1, 1, 1}};
  check_like_eager([](auto const& v, auto const& at) { return gj::gather(gj::transpose(v), gj::transpose(at), 1); }, x, k);
  check_like_eager([](auto const& v, auto const& at) { return gj::sum(gj::take(v, at, 1), gj::axes(-1)); }, x, k * 0 - 1);
  // a scalar argument and an extent are indices, too
  on_backends([&](auto backend) {
    auto const row = gj::compile([](auto const& v, auto n) { return gj::take(v, n, 0) + gj::take(v, v.extent(0) - 1, 0); }, backend);
    CHECK(support::same_bits(row(x, 1), gj::eval(x(1) + x(-1))));
    CHECK(support::same_bits(row(x, -4), gj::eval(x(0) + x(-1))));
    CHECK_THROWS_AS(row(x, 4), gj::index_error);
  });
}

TEST_CASE("descriptions: ops that move elements on placeholders") {
  using gj::arg;
  auto const x = mat(2, 3);
  whole const i{1, -2};
  auto const rows = gj::compile<gj::concat(gj::take(arg<0>, arg<1>, 0), gj::tril(arg<0>, 1) * 2.0f, arg<0>, 0)>();
  CHECK(support::same_bits(rows(x, i), gj::eval(gj::concat(gj::take(x, i, 0), gj::tril(x, 1) * 2.0f, x, 0))));
  auto const wide = gj::compile<gj::pad(gj::flip(arg<0>), {{1, 0}, {0, 2}}, gj::reflect)>();
  CHECK(support::same_bits(wide(x), gj::pad(gj::flip(x), {{1, 0}, {0, 2}}, gj::reflect)));
  auto const framed = gj::compile<gj::pad(gj::unsqueeze(gj::select(arg<0>, 0, -1), 0), {{1, 1}, {0, 0}}, 7)>();
  CHECK(support::same_bits(framed(x), gj::pad(x(-1)(gj::newaxis), {{1, 1}, {0, 0}}, 7)));
  auto const hot = gj::compile<gj::one_hot(arg<0>, 3)>();
  CHECK(support::same_bits(hot(i), gj::eval(gj::one_hot(i, 3))));
  auto const like = gj::compile<gj::stack(gj::full_like(arg<0>, 3), gj::squeeze(gj::unsqueeze(arg<0>, 1), gj::axes(1)), 0)>();
  CHECK(like(x)(1, 1, 2) == 6);
}

TEST_CASE("POL-11: a wrong index in a compiled call leaves output, inputs and cache as they were") {
  on_backends([](auto backend) {
    auto const f = gj::compile(look_up, backend);
    auto const x = mat(4, 3);
    whole const good{0, 1}, bad{0, 4};
    auto out = mat(2, 3, 100);
    auto const before = out.clone();
    CHECK_THROWS_AS(f(x, bad), gj::index_error);
    CHECK_THROWS_AS(f.into(out, x, bad), gj::index_error);
    CHECK(f.compiles() == 0);
    CHECK(f.entries().empty());
    f.into(out, x, good);
    CHECK(f.compiles() == 1);
    CHECK(out(0, 0) == x(1, 0) * 2 + 1);
    auto const kept = out.clone();
    CHECK_THROWS_AS(f.into(out, x, bad), gj::index_error);
    CHECK(support::same_bits(out, kept));
    CHECK(f.entries().size() == 1);
    CHECK_FALSE(support::same_bits(out, before));
    std::string text;
    try {
      f(x, bad);
    } catch (gj::index_error const& e) {
      text = e.what();
    }
    CAPTURE(text);
    CHECK(text.find("take(x, i): the index must be within the extent: index 5, axis 0, extent 4") != std::string::npos);
    CHECK(text.find("movement.cpp:") != std::string::npos);
  });
}

TEST_CASE("no kernel writes the output before the last test of indices") {
  // The product would be the output's memory, in which the sum then works, if nothing was tested behind it.
  constexpr auto f = [](auto const& a, auto const& b, auto const& i) {
    return gj::matmul(a, b) + gj::take(b, i, 0);
  };
  on_backends([&](auto backend) {
    auto const g = gj::compile(f, backend);
    auto const a = mat(3, 3), b = mat(3, 3, 7);
    auto out = mat(3, 3, 100);
    auto const before = out.clone();
    whole const bad{0, 1, 3};
    CHECK_THROWS_AS(g.into(out, a, b, bad), gj::index_error);
    CHECK(support::same_bits(out, before));
    g.into(out, a, b, whole{0, 1, 2});
    CHECK_THROWS_AS(g.into(out, a, b, bad), gj::index_error);
    CHECK(support::same_bits(out, gj::eval(gj::matmul(a, b) + b)));
  });
}

TEST_CASE("a wrong index leaves all outputs of several results as they were") {
  constexpr auto f = [](auto const& x, auto const& i) { return std::tuple(gj::matmul(x, x), gj::take(x, i, 0)); };
  on_backends([&](auto backend) {
    auto const g = gj::compile(f, backend);
    auto const x = mat(3, 3);
    auto product = mat(3, 3, 100), rows = mat(2, 3, 200);
    CHECK_THROWS_AS(g.into(std::tie(product, rows), x, whole{0, 3}), gj::index_error);
    CHECK(support::same_bits(product, mat(3, 3, 100)));
    CHECK(support::same_bits(rows, mat(2, 3, 200)));
    g.into(std::tie(product, rows), x, whole{0, 2});
    auto const made = product.clone();
    CHECK_THROWS_AS(g.into(std::tie(product, rows), mat(3, 3, -4), whole{0, 3}), gj::index_error);
    CHECK(support::same_bits(product, made));
    CHECK(support::same_bits(rows, gj::eval(gj::take(x, whole{0, 2}, 0))));
  });
}

TEST_CASE("rules of extents that a trace cannot decide are guards and errors of calls") {
  auto const contains = [](auto const& call, char const* part) {
    std::string text = "not thrown";
    try {
      call();
    } catch (gj::shape_error const& e) {
      text = e.what();
    } catch (gj::index_error const& e) {
      text = e.what();
    }
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  auto const row = gj::compile([](auto const& v) { return v(3) + v(-4); }, gj::dynamic::all);
  CHECK(row(mat(4, 2)).extent(0) == 2);
  CHECK(row(mat(9, 5)).extent(0) == 5);
  CHECK(row.compiles() == 1);
  contains([&] { row(mat(3, 2)); }, "select(x): the index must be within the extent: index 3, axis 0, extent 3");
  CHECK(row.entries().size() == 1);
  auto const joined = gj::compile([](auto const& a, auto const& b) { return gj::concat(a, b, 0); }, gj::dynamic::all);
  CHECK(joined(mat(2, 3), mat(4, 3)).extent(0) == 6);
  contains([&] { joined(mat(2, 3), mat(2, 4)); }, "concat(a, b): the other extents must be equal: 3 and 4 at axis 1");
  auto const mirrored = gj::compile([](auto const& v) { return gj::pad(v, {{0, 3}}, gj::reflect); }, gj::dynamic::all);
  CHECK(mirrored(vec(4)).extent(0) == 7);
  contains([&] { mirrored(vec(3)); }, "there must be elements enough to pad with: index 3, axis 0, extent 3");
  auto const third = gj::compile([](auto const& v) { return gj::split<3>(v)[1]; }, gj::dynamic::all);
  CHECK(third(vec(6))(0) == 3);
  contains([&] { third(vec(7)); }, "the other extents must divide the number of elements: 7 by 3");
  auto const parts = gj::compile([](auto const& v) { return gj::split(v, gj::sizes(2, 3))[1]; }, gj::dynamic::all);
  contains([&] { parts(vec(6)); }, "the pieces must add up to the extent: 5 and 6 at axis 0");
}

TEST_CASE("an op that moves elements is seen by modes in a compiled call, and replayed by them") {
  constexpr auto f = [](auto const& v, auto const& i) { return gj::take(gj::concat(v, v, 0), i, 0) + gj::arange(0, v.extent(1)); };
  auto const g = gj::compile(f);
  auto const x = mat(2, 3);
  whole const i{3, 0};
  gj::op_counter eager, compiled;
  {
    gj::mode_scope scope{eager};
    gj::eval(f(x, i));
  }
  {
    gj::mode_scope scope{compiled};
    g(x, i);
  }
  for (gj::op id : {gj::op::concat, gj::op::take, gj::op::arange, gj::op::add}) CHECK(compiled.count(id) == 1);
  CHECK(eager.count(gj::op::take) == compiled.count(gj::op::take));
}
