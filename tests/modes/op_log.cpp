// guardjit: tests/modes/op_log.cpp: records that are kept, and ops as text
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/op_log.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include "operands.hpp"

namespace gj = guardjit;
using gj::dtype;
using gj::mode_scope;
using gj::op;
using operands::f32;
using operands::weak;

namespace {
using infos = std::vector<gj::operand_info>;
constexpr gj::operand_info rank_0{dtype::f64, false, {}};

/// The text of an op with these operands.
std::string text_of(op id, infos const& in, gj::operand_info const& result,
                    gj::attributes const& extra = {}) {
  return gj::to_text(gj::op_record{.id = id, .operands = in, .result = result, .attribute = &extra});
}
}  // namespace

TEST_CASE("op text: operands, scalars and the result") {
  CHECK(text_of(op::add, {f32(64, 10), f32(10)}, f32(64, 10)) == "add(f32[64, 10], f32[10]) -> f32[64, 10]");
  CHECK(text_of(op::mul, {weak, rank_0}, rank_0) == "mul(weak f32, f64[]) -> f64[]");
  CHECK(text_of(op::lt, {f32(0), f32(0)}, {dtype::boolean, false, {0}}) == "lt(f32[0], f32[0]) -> bool[0]");
  CHECK(text_of(op::zeros, {}, f32(2, 3)) == "zeros() -> f32[2, 3]");
}

TEST_CASE("op text: attributes that the shapes do not say") {
  CHECK(text_of(op::sum, {f32(4, 5)}, f32(4, 1), {.axes = 2, .keepdims = true, .target = {}}) ==
        "sum(f32[4, 5], axes 1, keepdims) -> f32[4, 1]");
  CHECK(text_of(op::mean, {f32(4, 5)}, f32(), {.axes = 3, .correction = 1, .target = {}}) ==
        "mean(f32[4, 5], axes 0 1, correction 1) -> f32[]");
  CHECK(text_of(op::permute, {f32(2, 3)}, f32(3, 2), {.order = {1, 0}, .target = {}}) ==
        "permute(f32[2, 3], axes 1 0) -> f32[3, 2]");
  CHECK(text_of(op::select, {f32(2, 3)}, f32(3), {.axis = 0, .start = -1, .target = {}}) ==
        "select(f32[2, 3], axis 0, index -1) -> f32[3]");
  CHECK(text_of(op::concat, {f32(2, 3), f32(2, 1)}, f32(2, 4), {.axis = 1, .target = {}}) ==
        "concat(f32[2, 3], f32[2, 1], axis 1) -> f32[2, 4]");
  CHECK(text_of(op::slice, {f32(9)}, f32(4), {.axis = 0, .start = 1, .step = 2, .target = {}}) ==
        "slice(f32[9], axis 0, 1 to end by 2) -> f32[4]");
  CHECK(text_of(op::slice, {f32(9)}, f32(3), {.axis = 0, .start = 1, .stop = 4, .target = {}}) ==
        "slice(f32[9], axis 0, 1 to 4 by 1) -> f32[3]");
}

TEST_CASE("op text: a device that was asked for, and compound forms") {
  gj::device const on{gj::device_kind::cpu, 1};
  gj::attributes const extra;
  CHECK(gj::to_text(gj::op_record{.id = op::zeros, .result = f32(2), .attribute = &extra, .device = &on}) ==
        "zeros(on cpu:1) -> f32[2]");
  infos const full{weak};
  CHECK(gj::to_text(gj::op_record{
            .id = op::full, .operands = full, .result = f32(2), .attribute = &extra, .device = &on}) ==
        "full(weak f32, on cpu:1) -> f32[2]");
  infos const both{f32(3), f32(3)};
  CHECK(gj::to_text(gj::op_record{.id = op::add, .operands = both, .result = f32(3), .in_place = true}) ==
        "add(f32[3], f32[3]) -> f32[3] in place");
}

TEST_CASE("op text: the place of a line, without folders") {
  CHECK(gj::to_text(gj::source_line("a/b/c.cpp", 7)) == "c.cpp:7");
  CHECK(gj::to_text(gj::source_line("C:\\b\\c.cpp", 7)) == "c.cpp:7");
  CHECK(gj::to_text(gj::source_line("c.cpp", 7)) == "c.cpp:7");
  CHECK(gj::to_text(gj::source_line()) == "");
}

TEST_CASE("op_log: owns what it keeps") {
  gj::op_log log;
  {
    mode_scope scope{log};
    infos in{f32(2, 3)};
    gj::attributes extra{.axes = 1, .target = {}};
    gj::device on{gj::device_kind::cpu, 2};
    gj::tell_observers({.id = op::sum,
                        .operands = in,
                        .result = f32(3),
                        .attribute = &extra,
                        .where = {"f.cpp", 5},
                        .device = &on,
                        .in_place = true});
    in[0] = f32(9);
    extra.axes = 7;
    on.number = 3;
  }
  REQUIRE(log.records().size() == 1);
  gj::logged_op const kept = log.records()[0];
  log.clear();
  CHECK(log.records().empty());
  CHECK(kept.id == op::sum);
  CHECK(kept.operands == infos{f32(2, 3)});
  CHECK(kept.result == f32(3));
  CHECK(kept.attribute == gj::attributes{.axes = 1, .target = {}});
  CHECK(kept.where.line == 5);
  REQUIRE(kept.device);
  CHECK(kept.device->number == 2);
  CHECK(kept.in_place);
  CHECK(gj::to_text(kept.record()) == "sum(f32[2, 3], axes 0, on cpu:2) -> f32[3] in place");
}

TEST_CASE("op_log: a line an op in the order of calls, places in one column") {
  gj::op_log log;
  CHECK(log.to_string() == "");
  {
    mode_scope scope{log};
    fake::mul(fake::add(fake::number(1), 2.0f, {}), fake::number(3), {});
    infos const in{f32(64, 784), f32(784, 10)};
    gj::tell_observers({.id = op::matmul, .operands = in, .result = f32(64, 10), .where = {"a/layer.cpp", 9}});
    infos const one{f32(3)};
    gj::tell_observers({.id = op::exp, .operands = one, .result = f32(3), .where = {"layer.cpp", 12}});
  }
  fake::add(fake::number(1), 2);
  CHECK(log.to_string() ==
        "add(f64[], weak f32) -> f64[]\n"
        "mul(f64[], f64[]) -> f64[]\n"
        "matmul(f32[64, 784], f32[784, 10]) -> f32[64, 10]    layer.cpp:9\n"
        "exp(f32[3]) -> f32[3]                                layer.cpp:12\n");
}

TEST_CASE("op_log: what an op gives is inferred in eager code, weak where all operands are") {
  gj::op_log log;
  mode_scope scope{log};
  fake::add(fake::number(1), 2);
  fake::add(1, 2.5f);
  fake::zeros();
  REQUIRE(log.records().size() == 3);
  CHECK(log.records()[0].result == rank_0);
  CHECK(log.records()[1].result == weak);
  CHECK(log.records()[2].result == f32());
}
