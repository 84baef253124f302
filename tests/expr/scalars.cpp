// guardjit: tests/expr/scalars.cpp: C++ scalars beside tensors, and the errors of eager ops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

using namespace eager;

namespace {

/// The weak table of `numerics.md` section 1, as types.
template <class T, class Scalar> using weak_t = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<std::is_floating_point_v<Scalar>, Scalar,
                       std::conditional_t<std::is_same_v<T, bool> && !std::is_same_v<Scalar, bool>,
                                          std::int64_t, T>>>;

template <class T, class Scalar> void check_weak(Scalar scalar) {
  using result = weak_t<T, Scalar>;
  any_tensor const x = make<T>({2, 3}, form::strided);
  auto const typed = x.as<T, 2, dyn>();
  std::vector<result> want;
  for (T v : elements<T>(x)) {
    auto const a = static_cast<result>(v), b = static_cast<result>(scalar);
    want.push_back(a != a ? a : a < b ? b : a);
  }
  static_assert(std::is_same_v<decltype(gj::eval(gj::maximum(typed, scalar))), gj::tensor<result, 2, dyn>>);
  static_assert(std::is_same_v<decltype(gj::eval(gj::maximum(scalar, typed))), gj::tensor<result, 2, dyn>>);
  check_elements<result>(gj::maximum(typed, scalar), {2, 3}, want);
  check_elements<result>(gj::maximum(scalar, typed), {2, 3}, want);
  check_elements<result>(gj::maximum(x, scalar), {2, 3}, want);
  check_elements<result>(gj::maximum(scalar, x), {2, 3}, want);
}

}  // namespace

TEST_CASE("scalars are weak: every dtype with every kind of scalar, on either side") {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    check_weak<T>(true);
    check_weak<T>(2);
    check_weak<T>(std::int64_t{3});
    check_weak<T>(static_cast<unsigned char>(4));
    check_weak<T>(1.5f);
    check_weak<T>(0.1);
  });
}

TEST_CASE("an integer scalar outside the range of an integer dtype is refused") {
  gj::tensor<std::uint8_t, 1> const x{250};
  any_tensor const a(x);
  CHECK(eval(gj::add(x, 5))(0) == 255);
  CHECK(thrown<gj::dtype_error>([&] {
          eval(gj::add(x, 300));
        }).find("add(a, b): the scalar must be in the range of the dtype: 300 for u8; ") != std::string::npos);
  CHECK(thrown<gj::dtype_error>([&] {
          gj::add(a, 300);
        }).find("add(a, b): the scalar must be in the range of the dtype: 300 for u8; ") != std::string::npos);
  CHECK_THROWS_AS(eval(gj::lt(x, 256)), gj::dtype_error);
  CHECK_THROWS_AS(eval(gj::lt(-1, a)), gj::dtype_error);
  CHECK(eval(gj::lt(x, 255))(0));
  gj::tensor<std::int32_t, 1> const y{-7};
  CHECK(eval(gj::add(y, INT32_MIN))(0) == 2147483641);
  CHECK_THROWS_AS(eval(gj::add(y, std::int64_t{1} << 31)), gj::dtype_error);
  CHECK_THROWS_AS(eval(gj::gt(any_tensor(y), 4000000000u)), gj::dtype_error);
  CHECK_THROWS_AS(eval(gj::add(gj::tensor<std::int64_t, 1>{1}, ~std::uint64_t{0})), gj::dtype_error);
  CHECK(eval(gj::add(gj::tensor<float, 1>{1}, 1 << 30))(0) == 1073741824.0f);
}

TEST_CASE("a scalar in the place of a condition or a choice") {
  gj::tensor<float, 3> const x{-1, 0, 2};
  gj::tensor<float, 3> const y = gj::where(gj::gt(x, 0), x, 0);
  CHECK(y(0) == 0);
  CHECK(y(2) == 2);
  gj::tensor<double, 3> const z =
      gj::where(gj::tensor<bool, 3>{true, false, true}, 1, gj::tensor<double, 3>{5, 6, 7});
  CHECK(z(1) == 6);
  CHECK(eval(gj::where(true, x, 7))(1) == 0);
  CHECK_THROWS_AS(eval(gj::where(any_tensor(x), x, x)), gj::dtype_error);
}

TEST_CASE("tensors of rank 0 are not weak") {
  gj::tensor<float, 2> const x{1, 2};
  static_assert(
      std::is_same_v<decltype(eval(gj::add(x, gj::tensor<double>(1.0)))), gj::tensor<double, 2>>);
  CHECK(eval(gj::add(x, gj::tensor<double>(0.5)))(1) == 2.5);
}

TEST_CASE("a wrong call names op, extents, shapes and line, and leaves its operands alone") {
  gj::tensor<float, dyn, dyn> const x{{1, 2, 3}, {4, 5, 6}};
  gj::tensor<float, dyn> const y{1, 2};
  auto const line = std::to_string(__LINE__ + 1);
  auto const typed = thrown<gj::shape_error>([&] { eval(gj::add(x, y)); });
  CHECK(typed.find("guardjit: add(a, b): extents must be equal or 1: 3 and 2 at axis 1; shapes (2, "
                   "3) (2); ") == 0);
  CHECK(typed.find("scalars.cpp:" + line) != std::string::npos);
  CHECK(thrown<gj::shape_error>([&] { eval(gj::matmul(x, y)); })
            .find("guardjit: matmul(a, b): inner extents must be equal: 3 and 2; shapes (2, 3) "
                  "(2); ") == 0);
  CHECK(thrown<gj::shape_error>([&] {
          gj::matmul(any_tensor(x), gj::tensor<float>(1.0f));
        }).find("guardjit: matmul(a, b): the rank is too low: 0, allowed 1; shapes (2, 3) (); ") ==
        0);
  CHECK(thrown<gj::dtype_error>([&] {
          gj::neg(any_tensor(gj::tensor<bool, 2>()));
        }).find("guardjit: neg(x): the dtype is not allowed: bool; shapes (2); ") == 0);
  CHECK(thrown<gj::dtype_error>([&] {
          gj::exp(any_tensor());
        }).find("guardjit: exp(x): operand 0 is no tensor; ") == 0);
  CHECK_THROWS_AS(eval(gj::add(gj::tensor<float, 3>(), y)), gj::shape_error);
  CHECK_THROWS_AS(eval(gj::where(true, gj::tensor<float, 3>(), y)), gj::shape_error);
  CHECK_THROWS_AS(eval(gj::matmul(gj::tensor<float, 3>(), y)), gj::shape_error);
  CHECK(eval(gj::add(gj::tensor<float, 3>{1, 2, 3}, gj::tensor<float, dyn>{10}))(2) == 13);
  CHECK(elements<float>(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(elements<float>(y) == std::vector<float>{1, 2});
}

TEST_CASE("results are made where the operands are, which must be in one place") {
  gj::device const other{gj::device_kind::cpu, 1};
  auto const x = gj::tensor<float, dyn>::uninitialized({2}, other);
  gj::tensor<float, dyn> const y(2);
  CHECK(eval(gj::mul(x, 0.0f)).where() == other);
  CHECK(gj::sum(any_tensor(x)).where() == other);
  CHECK(eval(gj::add(x, gj::to<float>(gj::tensor<float, 2>::uninitialized({2}, other)))).where() ==
        other);
  CHECK(thrown<gj::device_error>([&] {
          eval(gj::add(x, y));
        }).find("guardjit: add(a, b): the devices must be equal: cpu:1 and cpu:0; ") == 0);
  CHECK_THROWS_AS(eval(gj::add(any_tensor(y), x)), gj::device_error);
}
