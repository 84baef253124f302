// guardjit: tests/modes/strict_shapes.cpp: shapes that go together, and those that are refused
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/strict_shapes.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include "tensor/thrown.hpp"

namespace gj = guardjit;
using gj::broadcasting;
using gj::op;
using gj::shape;

namespace {

constexpr char const* passes = "nothing was thrown";

/// What is said of an op on tensors of these shapes, and a scalar.
std::string refusal(op id, std::vector<shape> const& shapes, broadcasting allowed = broadcasting::none) {
  std::vector<gj::operand_info> in{{gj::dtype::f32, true, {}}};
  for (shape const& s : shapes) in.push_back({gj::dtype::f32, false, s});
  gj::strict_shapes strict(allowed);
  gj::mode_scope scope{strict};
  return tests::thrown<gj::mode_error>(
      [&] { gj::tell_observers({.id = id, .operands = in, .where = {"loss.cpp", 31}}); });
}

}  // namespace

TEST_CASE("strict_shapes: equal shapes, scalars and tensors of rank 0 pass") {
  CHECK(refusal(op::add, {{2, 3}, {2, 3}}) == passes);
  CHECK(refusal(op::exp, {{2, 3}}) == passes);
  CHECK(refusal(op::add, {{2, 3}, {}}) == passes);
  CHECK(refusal(op::where, {{}, {2, 3}, {2, 3}}) == passes);
  CHECK(refusal(op::add, {{}, {}}) == passes);
  CHECK(refusal(op::add, {{0, 3}, {0, 3}}) == passes);
}

TEST_CASE("strict_shapes: other shapes are refused, with all of them and the line") {
  CHECK(refusal(op::sub, {{64, 1}, {64}}) ==
        "guardjit: sub(a, b): strict_shapes: shapes must be equal; shapes (64, 1) (64); loss.cpp:31");
  CHECK(refusal(op::add, {{2, 3}, {1, 3}}) != passes);
  CHECK(refusal(op::add, {{1, 3}, {2, 3}}) != passes);
  CHECK(refusal(op::add, {{2}, {1}}) != passes);
  CHECK(refusal(op::where, {{2}, {2}, {1, 2}}) ==
        "guardjit: where(c, a, b): strict_shapes: shapes must be equal; shapes (2) (2) (1, 2); "
        "loss.cpp:31");
  CHECK(refusal(op::where, {{}, {2}, {1}}) != passes);
}

TEST_CASE("strict_shapes: with equal_rank an extent of 1 stretches, an axis is not added") {
  auto const said = [](std::vector<shape> const& shapes) {
    return refusal(op::mul, shapes, broadcasting::equal_rank);
  };
  CHECK(said({{2, 3}, {2, 3}}) == passes);
  CHECK(said({{2, 3}, {2, 1}}) == passes);
  CHECK(said({{1, 3}, {2, 1}}) == passes);
  CHECK(said({{2, 3}, {}}) == passes);
  CHECK(said({{2, 3}, {3}}) ==
        "guardjit: mul(a, b): strict_shapes: ranks must be equal; shapes (2, 3) (3); loss.cpp:31");
  CHECK(said({{64, 1}, {64}}) != passes);
}

TEST_CASE("strict_shapes: ops that are not elementwise pass") {
  CHECK(refusal(op::matmul, {{5, 2, 3}, {3, 4}}) == passes);
  CHECK(refusal(op::concat, {{2, 3}, {2, 1}}) == passes);
  CHECK(refusal(op::gather, {{9}, {2}}) == passes);
  CHECK(refusal(op::expand, {{1}}) == passes);
}

TEST_CASE("strict_shapes: no kernel runs in eager code") {
  gj::strict_shapes strict;
  gj::mode_scope scope{strict};
  fake::kernels = 0;
  gj::any_tensor const a(gj::dtype::f32, {64, 1}), b(gj::dtype::f32, {64});
  CHECK_THROWS_AS(fake::sub(a, b), gj::mode_error);
  CHECK(fake::kernels == 0);
  CHECK(gj::mode_stack::depth() == 1);
}
