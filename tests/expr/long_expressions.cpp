// guardjit: tests/expr/long_expressions.cpp: expressions of many ops: short types, the same meaning
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/softmax.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/observer_mode.hpp>

using namespace eager;
using gj::tensor;

namespace {

using vector = tensor<float, dyn>;

/// `x + x + … + x`, of `Length` ops.
template <int... K> auto chain_of(auto const& x, std::integer_sequence<int, K...>) {
  return (x + ... + (static_cast<void>(K), x));
}
template <int Length> auto chain(auto const& x) {
  return chain_of(x, std::make_integer_sequence<int, Length>{});
}

struct line_mode : gj::observer_mode {
  std::vector<std::string> seen;
  std::vector<std::uint32_t> lines;
  void observe(gj::op_record const& r) override {
    seen.push_back(gj::name_of(r.id));
    lines.push_back(r.where.line);
  }
};

std::vector<float> values_of(auto const& value) { return elements<float>(value); }

}  // namespace

TEST_CASE("types of expressions stay short, however many ops they have") {
  vector const x{1, 2, 3};
  static_assert(decltype(chain<31>(x))::code_type::size.ops == 31);
  static_assert(decltype(chain<32>(x))::code_type::size.ops == 1);
  static_assert(decltype(chain<250>(x))::code_type::size.ops <= 31);
  static_assert(sizeof(chain<250>(x)) <= sizeof(chain<31>(x)));
  // All ops on long expressions of one type are of one type.
  static_assert(std::is_same_v<decltype(chain<31>(x) * x), decltype(gj::exp(chain<30>(x)) * x)>);
  // What reuses itself does not double its type.
  auto const two = chain<20>(x);
  auto const four = two + two;
  auto const eight = four + four;
  static_assert(decltype(eight * eight)::code_type::size.ops == 3);
  CHECK(values_of(gj::eval(eight * eight)) == std::vector<float>{84 * 84, 168 * 168, 252 * 252});
}

TEST_CASE("a long expression has its value, is copied, returned and evaluated again") {
  auto const before = gj::live_storages();
  {
    auto const e = [] {
      vector const local{1, 2, 3};
      return chain<100>(local);
    }();
    auto same = e;
    auto const wider = gj::exp(same - e) + e * 2.0f;
    CHECK(values_of(gj::eval(e)) == std::vector<float>{101, 202, 303});
    CHECK(values_of(gj::eval(same)) == std::vector<float>{101, 202, 303});
    CHECK(values_of(gj::eval(wider)) == std::vector<float>{203, 405, 607});
    same = chain<100>(vector{4, 5});
    CHECK(values_of(gj::eval(same)) == std::vector<float>{404, 505});
    CHECK(values_of(gj::eval(wider)) == std::vector<float>{203, 405, 607});
    CHECK(e.shape() == shape{3});
    CHECK(e.extent(0) == 3);
  }
  CHECK(gj::live_storages() == before);
}

TEST_CASE("a long expression reads its tensors when it is evaluated") {
  vector x{1, 2};
  auto const e = chain<70>(x);
  x += 10;
  CHECK(values_of(gj::eval(e)) == std::vector<float>{71 * 11, 71 * 12});
  x = vector{5, 6};
  CHECK(values_of(gj::eval(e)) == std::vector<float>{71 * 11, 71 * 12});
}

TEST_CASE("long operands of every kind of op") {
  tensor<float, dyn, dyn> const x{{1, 2}, {3, 4}};
  vector const row{1, 10};
  auto const e = chain<40>(x);
  CHECK(values_of(gj::eval(e * row)) == std::vector<float>{41, 820, 123, 1640});
  CHECK(values_of(gj::eval(chain<40>(row) + x)) == std::vector<float>{42, 412, 44, 414});
  CHECK(values_of(gj::eval(gj::sum(e, gj::axes(0)))) == std::vector<float>{164, 246});
  CHECK(values_of(gj::eval(gj::matmul(e, x))) == std::vector<float>{287, 410, 615, 902});
  CHECK(values_of(gj::eval(gj::where(e > 100.0f, e, x))) == std::vector<float>{1, 2, 123, 164});
  CHECK(values_of(gj::eval(gj::slice(e, 0, 1))) == std::vector<float>{123, 164});
  auto const mixed = gj::eval(2 - gj::to<double>(e) * 0 + e);
  CHECK(elements<double>(mixed) == std::vector<double>{43, 84, 125, 166});
  CHECK(values_of(gj::eval(gj::softmax(e * 0.0f))) == std::vector<float>{0.5f, 0.5f, 0.5f, 0.5f});
  CHECK(values_of(gj::eval(gj::softmax(chain<40>(x) - e))) == std::vector<float>{0.5f, 0.5f, 0.5f, 0.5f});
  CHECK(values_of(any_tensor(x) + e) == std::vector<float>{42, 84, 126, 168});
  float const total = chain<40>(gj::sum(x));
  CHECK(total == 410);
  CHECK(gj::eval(chain<40>(vector())).size() == 0);
}

TEST_CASE("N52: a handle takes the value of a long expression in its own elements, unless someone else reads them") {
  vector y{1, 2, 3};
  float const* const place = std::as_const(y).data();
  y = chain<40>(y);
  CHECK(values_of(y) == std::vector<float>{41, 82, 123});
  CHECK(std::as_const(y).data() == place);
  y = chain<70>(y) * 0.5f + y;
  CHECK(values_of(y) == std::vector<float>{41 * 36.5f, 82 * 36.5f, 123 * 36.5f});
  CHECK(std::as_const(y).data() == place);

  vector z{1, 2};
  auto const kept = chain<40>(z);  // reads `z` again
  z = kept * 2.0f;
  CHECK(values_of(z) == std::vector<float>{82, 164});
  CHECK(values_of(gj::eval(kept)) == std::vector<float>{41, 82});
}

TEST_CASE("N53: views take the value of a long expression as if it was computed first") {
  vector x{1, 2, 3, 4};
  gj::slice(x, 0, 1) = chain<40>(gj::slice(x, 0, 0, 3));
  CHECK(values_of(x) == std::vector<float>{1, 41, 82, 123});
  x += chain<40>(x) * 0.0f + 1.0f;
  CHECK(values_of(x) == std::vector<float>{2, 42, 83, 124});
  x *= chain<40>(x) * 0.0f + 2.0f;
  CHECK(values_of(x) == std::vector<float>{4, 84, 166, 248});
}

TEST_CASE("M24: modes are told of the ops of a long expression once each, with their lines, when it runs") {
  vector const x{1, 2};
  auto const a = chain<40>(x), b = chain<40>(x);
  auto const line = static_cast<std::uint32_t>(__LINE__) + 1;
  auto const e = (gj::exp(a - b) + a * x) - chain<40>(x);
  CHECK(values_of(gj::eval(e)) == std::vector<float>{1, 83});
  line_mode log;
  {
    gj::mode_scope const scope(log);
    auto const later = e * 1.0f;
    CHECK(log.seen.empty());
    CHECK(values_of(gj::eval(later)) == std::vector<float>{1, 83});
  }
  std::vector<std::string> want(40, "add");
  for (auto const* name : {"sub", "exp", "mul", "add", "sub", "mul"}) want.push_back(name);
  CHECK(log.seen == want);
  CHECK(log.lines[40] == line);
}

TEST_CASE("M20: wrong operands inside a long expression are reported with their line, before modes are asked") {
  vector const x(3), y(2);
  auto const line = std::to_string(__LINE__ + 1);
  auto const wrong = x + y;
  auto const e = chain<40>(wrong * x) * 2.0f;
  auto const sentence = "guardjit: add(a, b): extents must be equal or 1: 3 and 2 at axis 0";
  auto const text = thrown<gj::shape_error>([&] { gj::eval(gj::exp(e)); });
  CHECK(text.find(sentence) == 0);
  CHECK(text.find("long_expressions.cpp:" + line) != std::string::npos);
  CHECK_THROWS_AS(e.shape(), gj::shape_error);
  vector kept{1, 2};
  CHECK_THROWS_AS(kept = e, gj::shape_error);
  CHECK_THROWS_AS(kept += chain<40>(x), gj::shape_error);
  CHECK(values_of(kept) == std::vector<float>{1, 2});
  line_mode log;
  gj::mode_scope const scope(log);
  CHECK(thrown<gj::shape_error>([&] { gj::eval(e); }) == text);
  CHECK(log.seen.empty());
}
