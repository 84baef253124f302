// guardjit: tests/modes/nan_check.cpp: results that are refused, where they lie, and what is said of them
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/nan_check.hpp>
#include <guardjit/tensor/views.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"
#include <limits>

namespace gj = guardjit;
using gj::mode_scope;
using gj::not_a_number;
using support::dyn;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs `log` on these operands; its kernel gives `result`.
gj::any_tensor give(gj::any_tensor const& result, std::vector<gj::operand> const& operands) {
  static thread_local gj::any_tensor next;
  next = result;
  gj::op_call call({.id = gj::op::log,
                    .operands = operands,
                    .kernel = [](gj::op_call const&) { return std::move(next); },
                    .where = {"loss.cpp", 31}});
  return gj::dispatch(call);
}
gj::any_tensor give(gj::any_tensor const& result) { return give(result, {gj::operand(1.0)}); }

std::string refusal(gj::any_tensor const& result, not_a_number what = not_a_number::nan) {
  gj::nan_check check(what);
  mode_scope scope{check};
  return support::thrown<gj::mode_error>([&] { give(result); });
}

template <class T> gj::tensor<T, dyn, dyn> matrix(support::how l) {
  return support::laid_out<T, dyn, dyn>(l, {3, 4});
}

}  // namespace

TEST_CASE_TEMPLATE("nan_check: the first NaN in row-major order, in any layout", T, float, double) {
  for (support::how const l : support::all_layouts) {
    if (l == support::how::expanded) continue;
    CAPTURE(support::name_of(l));
    auto x = matrix<T>(l);
    CHECK(refusal(x) == support::nothing_thrown);
    x(2, 1) = static_cast<T>(no_number);
    CHECK(refusal(x).find("element (2, 1) of the result is nan; ") != std::string::npos);
    x(1, 3) = static_cast<T>(-no_number);
    CHECK(refusal(x).find("element (1, 3) of the result is nan; ") != std::string::npos);
    x(0, 0) = static_cast<T>(no_number);
    CHECK(refusal(x).find("element (0, 0) of the result is nan; ") != std::string::npos);
  }
  auto row = matrix<T>(support::how::expanded);
  row(0, 2) = static_cast<T>(no_number);
  CHECK(refusal(row).find("element (0, 2) of the result is nan; ") != std::string::npos);
}

TEST_CASE("nan_check: what it says") {
  CHECK(refusal(gj::tensor<float, dyn>{1.0f, static_cast<float>(no_number)}) ==
        "guardjit: log(x): nan_check: element (1) of the result is nan; f32 (2); loss.cpp:31");
  CHECK(refusal(fake::number(no_number)) ==
        "guardjit: log(x): nan_check: element () of the result is nan; f64 (); loss.cpp:31");
}

TEST_CASE("nan_check: infinities where they are asked for") {
  gj::tensor<double, dyn> x{1.0, -infinity, infinity, no_number};
  CHECK(refusal(x).find("element (3) of the result is nan") != std::string::npos);
  CHECK(refusal(x, not_a_number::nan_or_infinity).find("element (1) of the result is -inf") !=
        std::string::npos);
  x(1) = std::numeric_limits<double>::max();
  CHECK(refusal(x, not_a_number::nan_or_infinity).find("element (2) of the result is inf") !=
        std::string::npos);
  x(2) = std::numeric_limits<double>::denorm_min();
  CHECK(refusal(x, not_a_number::nan_or_infinity).find("element (3) of the result is nan") !=
        std::string::npos);
  x(3) = std::numeric_limits<double>::lowest();
  CHECK(refusal(x, not_a_number::nan_or_infinity) == support::nothing_thrown);
}

TEST_CASE("nan_check: an operand that had one already is named") {
  gj::tensor<float, dyn> x{0.0f, static_cast<float>(no_number)};
  gj::nan_check check;
  mode_scope scope{check};
  CHECK(support::thrown<gj::mode_error>([&] { give(x, {gj::tensor<float, 2>{}, x}); }) ==
        "guardjit: log(x): nan_check: element (1) of the result is nan; f32 (2); element (1) of operand 1 is "
        "nan; loss.cpp:31");
}

TEST_CASE("nan_check: integers, bools and no elements pass; the handler gives the kernel's tensor") {
  CHECK(refusal(gj::tensor<std::int64_t, dyn>{1, 2}) == support::nothing_thrown);
  CHECK(refusal(gj::tensor<bool, dyn>{true, false}) == support::nothing_thrown);
  CHECK(refusal(gj::tensor<float, 0, 3>{}) == support::nothing_thrown);
  gj::nan_check check;
  mode_scope scope{check};
  gj::any_tensor const x = fake::number(4);
  CHECK(give(x).storage() == x.storage());
  CHECK(check.cls() == gj::mode_class::runtime);
}

TEST_CASE("nan_check: lower modes run first, and depth is as before after it threw") {
  fake::words seen;
  fake::log_mode below(seen);
  mode_scope first{below};
  gj::nan_check check;
  mode_scope second{check};
  CHECK_THROWS_AS(give(fake::number(no_number)), gj::mode_error);
  CHECK(seen == fake::words{"log"});
  CHECK(gj::mode_stack::depth() == 2);
}
