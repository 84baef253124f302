// guardjit: tests/expr/logic.cpp: comparisons, ops on truth values and on bits against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "loop_bodies.hpp"

using namespace eager;
using gj::op;

TEST_CASE_TEMPLATE("le, ge and ne compare as the language does", Backend, gj::backends::reference) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    check_op<Backend, op::le, T>([](T a, T b) { return a <= b; });
    check_op<Backend, op::ge, T>([](T a, T b) { return a >= b; });
    check_op<Backend, op::ne, T>([](T a, T b) { return a != b; });
  });
}

TEST_CASE_TEMPLATE("logical ops take what is not 0 as true, NaN included", Backend,
                   gj::backends::reference) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    constexpr T zero{};
    check_op<Backend, op::logical_and, T>([](T a, T b) { return a != zero && b != zero; });
    check_op<Backend, op::logical_or, T>([](T a, T b) { return a != zero || b != zero; });
    check_op<Backend, op::logical_xor, T>([](T a, T b) { return (a != zero) != (b != zero); });
    check_op<Backend, op::logical_not, T>([](T a) { return a == zero; });
  });
}

TEST_CASE_TEMPLATE("bitwise ops take the bits of integers, and bool", Backend, gj::backends::reference) {
  gj::for_each_type(gj::type_list<std::uint8_t, std::int32_t, std::int64_t>{},
                    []<class T>(std::type_identity<T>) {
                      check_op<Backend, op::bitwise_and, T>([](T a, T b) { return static_cast<T>(a & b); });
                      check_op<Backend, op::bitwise_or, T>([](T a, T b) { return static_cast<T>(a | b); });
                      check_op<Backend, op::bitwise_xor, T>([](T a, T b) { return static_cast<T>(a ^ b); });
                      check_op<Backend, op::bitwise_not, T>([](T a) { return static_cast<T>(~a); });
                    });
  check_op<Backend, op::bitwise_and, bool>([](bool a, bool b) { return a && b; });
  check_op<Backend, op::bitwise_or, bool>([](bool a, bool b) { return a || b; });
  check_op<Backend, op::bitwise_xor, bool>([](bool a, bool b) { return a != b; });
  check_op<Backend, op::bitwise_not, bool>([](bool a) { return !a; });
}

TEST_CASE("bitwise ops refuse floats, also as scalars") {
  any_tensor const x = gj::tensor<float, 2>{1, 2}, n = gj::tensor<std::int32_t, 2>{1, 2};
  CHECK(thrown<gj::dtype_error>([&] {
          gj::bitwise_and(x, n);
        }).find("bitwise_and(a, b): the dtype is not allowed: f32; ") != std::string::npos);
  CHECK_THROWS_AS(gj::bitwise_or(n, 1.0f), gj::dtype_error);
  CHECK_THROWS_AS(gj::bitwise_xor(x, x), gj::dtype_error);
  CHECK_THROWS_AS(gj::bitwise_not(x), gj::dtype_error);
  CHECK(gj::bitwise_and(n, 2).data_as<std::int32_t>()[1] == 2);
}
