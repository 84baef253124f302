// guardjit: tests/conformance/modes/operators.cpp: cases of modes around operators
// SPDX-License-Identifier: BSL-1.0
#include "modes/fake_ops.hpp"

#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>

#include <doctest/doctest.h>

namespace gj = guardjit;
using fake::handler_mode;
using gj::mode_scope;
using gj::op;

namespace {

struct told {
  op id;
  bool in_place;
  bool operator==(told const&) const = default;
};

template <class Tensor> std::vector<told> told_by_forms(Tensor a, Tensor const& b) {
  std::vector<told> seen;
  handler_mode mode{[&](gj::op_call& call) {
    return seen.push_back({call.op(), call.in_place()}), call();
  }};
  mode_scope scope{mode};
  (gj::eval(a + b), gj::eval(gj::add(a, b)), a += b);
  (gj::eval(a - b), gj::eval(gj::sub(a, b)), a -= b);
  (gj::eval(a * b), gj::eval(gj::mul(a, b)), a *= b);
  (gj::eval(a / b), gj::eval(gj::div(a, b)), a /= b);
  (gj::eval(-a), gj::eval(gj::neg(a)));
  return seen;
}

std::vector<told> const all_forms{
    {op::add, false}, {op::add, false}, {op::add, true},  {op::sub, false}, {op::sub, false},
    {op::sub, true},  {op::mul, false}, {op::mul, false}, {op::mul, true},  {op::div, false},
    {op::div, false}, {op::div, true},  {op::neg, false}, {op::neg, false}};

}  // namespace

TEST_CASE("MODE-004: an operator, its function and its compound form are one op") {
  gj::tensor<float, 3> const x{1, 2, 3};
  CHECK(told_by_forms(x.clone(), x) == all_forms);
  CHECK(told_by_forms(gj::any_tensor(x.clone()), gj::any_tensor(x)) == all_forms);
}

TEST_CASE("MODE-005: in 3 - x operand 0 is the scalar, operand 1 the tensor") {
  gj::tensor<float, 2> const x{1, 2};
  int told = 0;
  handler_mode mode{[&](gj::op_call& call) {
    ++told;
    CHECK(call.op() == op::sub);
    CHECK(call.size() == 2);
    CHECK(call.arg(0).is_scalar());
    CHECK(call.arg(0).scalar<std::int64_t>() == 3);
    CHECK_FALSE(call.arg(1).is_scalar());
    CHECK(call.arg(1).tensor().storage() == x.storage());
    return call();
  }};
  mode_scope scope{mode};
  CHECK(gj::eval(3 - x)(1) == 1);
  CHECK((3 - gj::any_tensor(x)).data_as<float>()[0] == 2);
  CHECK(told == 2);
}
