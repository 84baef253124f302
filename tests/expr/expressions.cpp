// guardjit: tests/expr/expressions.cpp: expressions: what they own, what one kernel computes, what modes see
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/softmax.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/observer_mode.hpp>

using namespace eager;
using gj::tensor;

namespace {

/// The plain loops, counted.
struct counting {
  using plain = gj::backends::reference;
  static constexpr bool fuses = true;
  static inline int elementwise_calls, reductions, row_calls, products;

  template <class Formula>
  static void elementwise(gj::loop_nest<Formula::inputs + 1> const& nest, void* out,
                          void const* const* in) {
    ++elementwise_calls;
    plain::elementwise<Formula>(nest, out, in);
  }
  template <class Formula>
  static void reduce(gj::reduce_nest<Formula::inputs + 1> const& nest, void* out,
                     void const* const* in) {
    ++reductions;
    plain::reduce<Formula>(nest, out, in);
  }
  template <class Formula>
  static void rows(gj::row_nest<Formula::inputs + 1> const& nest, void* out,
                   void const* const* in) {
    ++row_calls;
    gj::reference_rows<Formula>(nest, out, in);
  }
  template <class T>
  static void matmul(gj::matmul_nest const& nest, void* out, void const* a, void const* b) {
    ++products;
    plain::matmul<T>(nest, out, a, b);
  }
};

struct kernels {
  int elementwise = 0, reductions = 0, rows = 0, products = 0;
  bool operator==(kernels const&) const = default;
};
std::ostream& operator<<(std::ostream& to, kernels const& k) {
  return to << k.elementwise << ' ' << k.reductions << ' ' << k.rows << ' ' << k.products;
}

/// The kernels that evaluate an expression; its value must be that of the default backend.
template <class Expression> kernels kernels_of(Expression const& e) {
  counting::elementwise_calls = counting::reductions = counting::row_calls = counting::products = 0;
  auto const value = e.template evaluate<counting>();
  using element = typename Expression::element_type;
  check_elements<element>(value, e.shape(), elements<element>(e.evaluate()));
  return {counting::elementwise_calls, counting::reductions, counting::row_calls,
          counting::products};
}

tensor<float, dyn, dyn> matrix(index_t rows, index_t columns, float first = 1) {
  tensor<float, dyn, dyn> x(rows, columns);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = first + 0.25f * static_cast<float>(k % 7);
  return x;
}

struct log_mode : gj::observer_mode {
  std::vector<std::string> seen;
  void observe(gj::op_record const& r) override { seen.push_back(gj::name_of(r.id)); }
};

auto made_of_locals() {
  tensor<float, dyn> const a{1, 2, 3}, b{4, 5, 6};
  float const k = 2;
  return a * k + gj::exp(b - b);
}

/// A chain of `sizeof...(K)` ops as one expression.
template <class Tensor, int... K> auto chain_of(Tensor const& x, std::integer_sequence<int, K...>) {
  return (x + ... + (static_cast<void>(K), x));
}
template <int Length, class Tensor> auto chain(Tensor const& x) {
  return chain_of(x, std::make_integer_sequence<int, Length>{});
}

template <int... Dim> auto cube_of(std::integer_sequence<int, Dim...>) {
  tensor<float, (static_cast<void>(Dim), dyn)...> x((static_cast<void>(Dim), index_t{2})...);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = 1.5f + static_cast<float>(k);
  return x;
}
/// All extents are 2.
template <int Rank> auto cube() { return cube_of(std::make_integer_sequence<int, Rank>{}); }

/// `e`, written with operands that are expressions, has the value of `x`.
template <class Expression, class Tensor> void same_value(Expression const& e, Tensor const& x) {
  check_elements<float>(e.evaluate(), x.shape(), elements<float>(x));
}
template <int A, int B> void check_operands_of_ranks() {
  CAPTURE(A);
  CAPTURE(B);
  auto const x = cube<A>();
  auto const y = cube<B>();
  auto const xx = x + x;
  auto const yy = y + y;
  auto const x2 = gj::eval(xx);
  auto const y2 = gj::eval(yy);
  auto const product = gj::eval(x2 * y2);
  same_value(xx * yy, product);
  same_value((x + x) * (y + y), product);
  same_value(xx * (y + y), product);
  same_value(xx * y2, product);
  same_value(x2 * yy, product);
  same_value(gj::where(x > 2.0f, yy, x + x), gj::eval(gj::where(x > 2.0f, y2, x2)));
  // Longer than what an op takes in: a value of its own.
  auto const y33 = gj::eval(33.0f * y);
  same_value(x + chain<32>(y), gj::eval(x + y33));
}

}  // namespace

TEST_CASE("an expression of any rank is an operand of one of any other") {
  gj::for_each_index<4>([]<int A>(std::integral_constant<int, A>) {
    gj::for_each_index<4>(
        []<int B>(std::integral_constant<int, B>) { check_operands_of_ranks<A, B>(); });
  });
}

TEST_CASE("an expression owns its operands: it may be returned, copied and evaluated again") {
  auto const e = made_of_locals();
  auto const same = e;
  for (int round = 0; round < 2; ++round) {
    CHECK(elements<float>(gj::eval(e)) == std::vector<float>{3, 5, 7});
    CHECK(elements<float>(gj::eval(same + e)) == std::vector<float>{6, 10, 14});
  }
  static_assert(std::is_same_v<decltype(gj::eval(e)), tensor<float, dyn>>);
  static_assert(decltype(e)::rank() == 1 && decltype(e)::type() == gj::dtype::f32);
  CHECK(e.extent(0) == 3);
}

TEST_CASE("an expression reads its tensors when it is evaluated") {
  tensor<float, dyn> x{1, 2};
  auto const e = x + 1;
  x += 10;
  CHECK(elements<float>(gj::eval(e)) == std::vector<float>{12, 13});
  x = tensor<float, dyn>{5, 6};  // another handle, so that `e` keeps the first elements
  CHECK(elements<float>(gj::eval(e)) == std::vector<float>{12, 13});
}

TEST_CASE("elementwise ops are one pass, with a reduction as well") {
  auto const x = matrix(5, 7), y = matrix(5, 7, 3);
  tensor<float, dyn> const row{1, 2, 3, 4, 5, 6, 7};
  CHECK(kernels_of(gj::relu(x * y + 1.5f) - y / 2.0) == kernels{1, 0, 0, 0});
  CHECK(kernels_of(gj::sum(x * y + row)) == kernels{0, 1, 0, 0});
  CHECK(kernels_of(gj::amax(gj::tanh(x), gj::axes(0), gj::keepdims)) == kernels{0, 1, 0, 0});
  CHECK(kernels_of(gj::to<int>(x) + 1) == kernels{1, 0, 0, 0});
  CHECK(kernels_of(gj::where(x > y, x, row)) == kernels{1, 0, 0, 0});
  CHECK(kernels_of(gj::matmul(x, gj::transpose(y)) + 1) == kernels{1, 0, 0, 1});
  CHECK(kernels_of(gj::transpose(x + y) * 2) == kernels{2, 0, 0, 0});
}

TEST_CASE("what is used for many elements is computed once") {
  auto const x = matrix(5, 7);
  tensor<float, dyn> const row{1, 2, 3, 4, 5, 6, 7};
  CHECK(kernels_of(x * gj::exp(row)) == kernels{2, 0, 0, 0});
  CHECK(kernels_of(x * (row + 1)) == kernels{1, 0, 0, 0});  // cheaper than to store and load
  auto const deviation = x - gj::mean(x, gj::axes(1), gj::keepdims);
  CHECK(kernels_of(deviation) == kernels{1, 1, 0, 0});
  CHECK(kernels_of(x / gj::sqrt(gj::mean(x * x, gj::axes(1), gj::keepdims) + 1e-5f)) ==
        kernels{2, 1, 0, 0});
}

TEST_CASE("functions along the last axis are one kernel, with the ops before them") {
  auto const x = matrix(5, 7);
  CHECK(kernels_of(gj::softmax(x * 2 + 1)) == kernels{0, 0, 1, 0});
  CHECK(kernels_of(gj::softmax(x, 1)) == kernels{0, 0, 1, 0});
  CHECK(kernels_of(gj::softmax(x, 0)) == kernels{0, 0, 1, 0});
  CHECK(kernels_of(gj::softmax(x) + 1) == kernels{1, 0, 1, 0});
  CHECK(kernels_of(gj::softmax(gj::to<int>(x))) == kernels{0, 0, 1, 0});
}

TEST_CASE("a long chain is cut into kernels of bounded size") {
  tensor<float, dyn> const x{1, 2, 3};
  CHECK(kernels_of(chain<20>(x)) == kernels{1, 0, 0, 0});
  CHECK(kernels_of(chain<31>(x)) == kernels{1, 0, 0, 0});
  CHECK(elements<float>(gj::eval(chain<200>(x))) == std::vector<float>{201, 402, 603});
}

TEST_CASE("rank 0 converts to a scalar, and has the operators of a tensor") {
  auto const x = matrix(2, 3);
  float const total = gj::sum(x);
  CHECK(total == 8.25f + 1.5f);
  CHECK(gj::sum(x) > 9);
  if (gj::amax(x) < 2) FAIL("amax is 2.25");
  static_assert(std::is_same_v<decltype(gj::eval(gj::sum(x) * 2.0)), tensor<float>>);
  static_assert(std::is_same_v<decltype(gj::eval(2 * gj::sum(gj::to<int>(x)))),
                               tensor<std::int64_t>>);
  CHECK(gj::eval(x / gj::sum(x)).extent(1) == 3);
}

TEST_CASE("tensors take their type from an expression, or check it") {
  tensor<float, 2, dyn> const x(3);
  tensor const y = x + tensor<double, 3>();
  static_assert(std::is_same_v<decltype(y), tensor<double, 2, 3> const>);
  tensor<float, dyn, dyn> const wider = x * 2;
  CHECK(wider.extent(1) == 3);
  static_assert(!std::is_convertible_v<decltype(x * 2), tensor<float, 2, 3>>);
  CHECK_THROWS_AS((tensor<float, 2, 4>(x * 2)), gj::shape_error);
  any_tensor const a = x * 2;
  CHECK(a.shape() == shape{2, 3});
  static_assert(std::is_same_v<decltype(a + x * 2), any_tensor>);
}

TEST_CASE("modes are told of the ops of an evaluation once each, depth first, when it runs") {
  auto const x = matrix(2, 2), same = x, w = matrix(2, 2, 5);
  auto const product = x * w;
  auto const e = gj::exp(product + same * w) - gj::sum(product);
  log_mode log;
  std::vector<std::string> const sequence{"mul", "add", "exp", "sum", "sub"};
  {
    gj::mode_scope const scope(log);
    gj::eval(e);
  }
  CHECK(log.seen == sequence);
  auto const before = elements<float>(gj::eval(e));
  log.seen.clear();
  {
    gj::mode_scope const scope(log);
    auto const later = gj::relu(x);
    CHECK(log.seen.empty());
    tensor<float, dyn, dyn> y = e;
    CHECK(elements<float>(y) == before);
    y = later;
    y += e;
  }
  std::vector<std::string> want = sequence;
  want.push_back("relu");
  want.insert(want.end(), sequence.begin(), sequence.end());
  want.push_back("add");
  CHECK(log.seen == want);
}

TEST_CASE("wrong operands are reported at evaluation, with the line of their op") {
  tensor<float, dyn> const x(3), y(2);
  auto const line = std::to_string(__LINE__ + 1);
  auto const e = (x + y) * 2;
  auto const text = thrown<gj::shape_error>([&] { gj::eval(gj::exp(e)); });
  CHECK(text.find("guardjit: add(a, b): extents must be equal or 1: 3 and 2 at axis 0") == 0);
  CHECK(text.find("expressions.cpp:" + line) != std::string::npos);
  tensor<float, dyn> kept{1, 2};
  CHECK_THROWS_AS(kept = e, gj::shape_error);
  CHECK(elements<float>(kept) == std::vector<float>{1, 2});
  CHECK_THROWS_AS(kept += x, gj::shape_error);
  CHECK_THROWS_AS(gj::eval(gj::softmax(x, 1)), gj::index_error);
  CHECK_THROWS_AS(gj::eval(gj::softmax(x, -2)), gj::index_error);
  CHECK(gj::eval(gj::softmax(tensor<float, dyn>())).size() == 0);  // rows of no elements are no mistake
}
