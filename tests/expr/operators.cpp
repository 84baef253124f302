// guardjit: tests/expr/operators.cpp: operators of tensors: both orders, lines, in place
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/observer_mode.hpp>

using namespace eager;

namespace {

struct noted {
  gj::op id;
  std::uint32_t line;
  bool in_place;
  bool operator==(noted const&) const = default;
};
struct note_mode : gj::observer_mode {
  std::vector<noted> seen;
  void observe(gj::op_record const& r) override {
    seen.push_back({r.id, r.where.line, r.in_place});
  }
};

}  // namespace

TEST_CASE("operators give what functions give, scalars and other tensors on either side") {
  gj::tensor<float, 3> const x{1, 2, 4};
  gj::tensor<double, 2, 3> const y{{1, 0, 4}, {8, 2, 4}};
  any_tensor const a(x);
  CHECK(eval(3 - x)(2) == -1);
  CHECK(eval(x - 3)(2) == 1);
  CHECK(eval(8 / x)(2) == 2);
  CHECK(eval(x * y)(1, 2) == 16);
  CHECK(eval(y + x)(1, 0) == 9);
  CHECK(eval(-x)(0) == -1);
  CHECK(eval(x < 2)(0));
  CHECK_FALSE(eval(2 < x)(1));
  CHECK(eval(x > 1.5)(1));
  CHECK(eval(1 > x)(0) == false);
  CHECK(eval(x == x)(2));
  CHECK(eval(x == y)(0, 2));
  CHECK_FALSE(eval(y == x)(0, 1));
  CHECK(eval(2 == x)(1));
  CHECK(eval(x == 2)(1));
  CHECK(eval(x <= 2)(1));
  CHECK_FALSE(eval(1 >= x)(1));
  CHECK(eval(x >= y)(0, 1));
  CHECK(eval(2 <= x)(1));
  CHECK(eval(x != y)(0, 1));
  CHECK_FALSE(eval(x != 2)(1));
  CHECK((4 != a).data_as<bool>()[0]);
  CHECK_FALSE(eval(x != x)(0));
  CHECK_FALSE((a != x).data_as<bool>()[0]);
  gj::tensor<std::int32_t, 3> const n{1, 6, 12};
  CHECK(eval(n & 6)(2) == 4);
  CHECK(eval(3 | n)(1) == 7);
  CHECK((n ^ any_tensor(n)).data_as<std::int32_t>()[2] == 0);
  CHECK(eval(~n)(1) == -7);
  CHECK(eval((x < 2) | ~(x <= 2))(2));
  CHECK((a * 2 + x).data_as<float>()[2] == 12);
  CHECK((1 - a).data_as<float>()[2] == -3);
  CHECK((x == a).data_as<bool>()[0]);
  static_assert(std::is_same_v<decltype(eval(x / y)), gj::tensor<double, 2, 3>>);
  static_assert(std::is_same_v<decltype(x + a), any_tensor>);
  static_assert(std::is_same_v<decltype(a + x), any_tensor>);
}

TEST_CASE("an operator tells modes its line") {
  gj::tensor<float, 3> const x{1, 2, 4};
  any_tensor a(x.clone());
  note_mode notes;
  std::uint32_t const line = __LINE__;
  {
    gj::mode_scope scope{notes};
    gj::tensor const y = x + 1;
    auto const z = 2 * a;
    auto const w = -(y - z);
    a += w;
    gj::tensor const both = x == x;
  }
  std::vector<noted> const want{{gj::op::add, line + 3, false}, {gj::op::mul, line + 4, false},
                                {gj::op::sub, line + 5, false}, {gj::op::neg, line + 5, false},
                                {gj::op::add, line + 6, true},  {gj::op::eq, line + 7, false}};
  CHECK(notes.seen == want);
}

TEST_CASE("a wrong operand of an operator is refused with the operator's line") {
  gj::tensor<float, dyn> const x(3), y(2);
  auto const line = std::to_string(__LINE__ + 1);
  auto const text = thrown<gj::shape_error>([&] { eval(x + y); });
  CHECK(text.find("operators.cpp:" + line) != std::string::npos);
}

TEST_CASE("compound forms write into the elements that all handles see") {
  gj::tensor<float, dyn> x{1, 2, 3};
  auto const handle = x;
  x += 1;
  x *= x;
  x -= gj::tensor<float, 1>{4};
  x /= 2.0;
  CHECK(elements<float>(handle) == std::vector<float>{0, 2.5f, 6});

  any_tensor a = make<std::int64_t>({2, 3}, form::transposed);
  auto const before = elements<std::int64_t>(a);
  any_tensor const same_elements = a;
  a *= gj::tensor<std::uint8_t, 1>{2};
  for (std::size_t k = 0; k < before.size(); ++k)
    CHECK(static_cast<std::uint64_t>(elements<std::int64_t>(same_elements)[k]) ==
          static_cast<std::uint64_t>(before[k]) * 2);
}

TEST_CASE("x = x + 1 gives a new tensor to x alone") {
  gj::tensor<float, dyn> x{1, 2};
  auto const handle = x;
  x = x + 1;
  CHECK(handle(0) == 1);
  CHECK(x(0) == 2);
}

TEST_CASE("a compound form reads its right side first") {
  for (index_t n : {1, 5, 16, 17, 1000}) {
    gj::tensor<double, dyn> memory(n + 1);
    for (index_t k = 0; k <= n; ++k) memory(k) = static_cast<double>(k);
    auto front = gj::slice(memory, 0, 0, n);
    front += gj::slice(memory, 0, 1);
    bool right = true;
    for (index_t k = 0; k < n; ++k) right = right && memory(k) == static_cast<double>(2 * k + 1);
    CHECK(right);
    front += gj::slice(front, 0, -1, gj::slice_end, -1);
    right = true;
    for (index_t k = 0; k < n; ++k) right = right && memory(k) == static_cast<double>(2 * n);
    CHECK(right);
  }
}

TEST_CASE("a compound form whose result does not fit writes nothing") {
  gj::tensor<float, dyn, 3> x{{1, 2, 3}};
  any_tensor a = gj::tensor<std::int64_t, 2>{5, 6};
  CHECK(thrown<gj::shape_error>([&] {
          x += gj::tensor<float, 2, 3>();
        }).find("guardjit: add(a, b) in place: the result is f32 (2, 3), but a is f32 (1, 3); ") ==
        0);
  CHECK(thrown<gj::dtype_error>([&] {
          a *= 0.5;
        }).find("guardjit: mul(a, b) in place: the result is f64 (2), but a is i64 (2); ") == 0);
  auto stretched = gj::expand(gj::slice(x, 0, 0, 1), {4, 3});
  CHECK(thrown<gj::overlap_error>([&] { stretched += 1; }).find("one element at two indices") !=
        std::string::npos);
  CHECK(elements<float>(x) == std::vector<float>{1, 2, 3});
  CHECK(elements<std::int64_t>(a) == std::vector<std::int64_t>{5, 6});
}

TEST_CASE("a compound form takes what a mode answers, if it fits") {
  struct answers : gj::function_mode {
    any_tensor answer;
    gj::op_result handle(gj::op_call&) override { return answer; }
  } mode;
  any_tensor a = gj::tensor<float, 4>{1, 2, 3, 4};
  gj::mode_scope scope{mode};
  auto const reversed = [&] {
    gj::dispatch_disabled off;
    return gj::slice(a, 0, -1, gj::slice_end, -1);
  };
  mode.answer = reversed();  // a view of what is written
  a += 1;
  CHECK(elements<float>(a) == std::vector<float>{4, 3, 2, 1});
  mode.answer = any_tensor(gj::dtype::f64, {4});
  CHECK_THROWS_AS(a += 1, gj::dtype_error);
  mode.answer = any_tensor(gj::dtype::f32, {3});
  CHECK_THROWS_AS(a += 1, gj::shape_error);
  CHECK(elements<float>(a) == std::vector<float>{4, 3, 2, 1});
}
