// guardjit: tests/modes/dispatch.cpp: what handlers and observers see of an op, and what they may do
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/op_counter.hpp>

#include <doctest/doctest.h>

#include "fake_ops.hpp"
#include "support/thrown.hpp"
#include <optional>

using namespace fake;
using support::contains;
using gj::mode_scope;
using gj::mode_stack;

namespace {
/// The text of the `mode_error` that `function` throws.
std::string mode_error_of(auto const& function) {
  try {
    function();
  } catch (gj::mode_error const& e) {
    return e.what();
  }
  return "no mode_error";
}

}  // namespace

TEST_CASE("operand: a tensor, or a weak scalar of one of four dtypes") {
  gj::operand const tensor(number(2.5));
  CHECK_FALSE(tensor.is_scalar());
  CHECK(tensor.type() == gj::dtype::f64);
  CHECK(tensor.tensor().item<double>() == 2.5);

  CHECK(gj::operand(true).type() == gj::dtype::boolean);
  CHECK(gj::operand(3).type() == gj::dtype::i64);
  CHECK(gj::operand(3u).type() == gj::dtype::i64);
  CHECK(gj::operand(0.1f).type() == gj::dtype::f32);
  CHECK(gj::operand(0.1).type() == gj::dtype::f64);
  CHECK(gj::operand(true).scalar<bool>());
  CHECK(gj::operand(-3).scalar<std::int64_t>() == -3);
  CHECK(gj::operand(INT64_MAX).scalar<std::int64_t>() == INT64_MAX);
  CHECK(gj::operand(0.1f).scalar<float>() == 0.1f);
  CHECK(gj::operand(0.1).scalar<double>() == 0.1);
  CHECK(gj::operand(-3).scalar<float>() == -3.0f);
  CHECK(gj::operand(-3).is_scalar());
  CHECK_FALSE(gj::operand(-3).tensor());
}

TEST_CASE("op_call: a handler sees op, operands, attributes, line and form") {
  gj::attributes extra;
  extra.axes = 3;
  gj::device const where{gj::device_kind::cpu, 1};
  int told = 0;
  handler_mode mode{[&](gj::op_call& call) {
    ++told;
    CHECK(call.op() == gj::op::sub);
    CHECK(call.size() == 2);
    CHECK(call.arg(0).is_scalar());
    CHECK(call.arg(0).scalar<double>() == 3);
    CHECK(call.arg(1).tensor().item<double>() == 1);
    CHECK(call.attribute().axes == 3);
    REQUIRE(call.device());
    CHECK(*call.device() == where);
    CHECK(call.in_place());
    CHECK(call.where().line == 42);
    static_assert(!gj::op_call::tracing);
    return call();
  }};
  mode_scope scope{mode};
  gj::operand const operands[] = {3, number(1)};
  gj::op_call call({.id = gj::op::sub,
                    .operands = operands,
                    .attribute = &extra,
                    .kernel = &kernel<gj::op::sub>,
                    .where = {"file", 42},
                    .device = &where,
                    .in_place = true});
  CHECK(value_of(gj::dispatch(call)) == 2);
  CHECK(told == 1);
}

TEST_CASE("op_call: the caller's line is that of the op") {
  unsigned line = 0;
  watching_mode mode{[&](gj::op_record const& record) { line = record.where.line; }};
  mode_scope scope{mode};
  unsigned const before = std::source_location::current().line();
  add(number(1), 2);
  CHECK(line == before + 1);
}

TEST_CASE("op_call: ops of a handler go to lower modes only, and other operands to all below") {
  words seen;
  double lower_saw = 0;
  handler_mode lower{[&](gj::op_call& call) {
    if (call.op() == gj::op::add) lower_saw = value_of(call.arg(0));
    seen.push_back(gj::name_of(call.op()));
    return call();
  }};
  handler_mode upper{
      [&](gj::op_call& call) { return call(mul(call.arg(0).tensor(), 10), call.arg(1)); }};
  mode_scope a{lower};
  mode_scope b{upper};
  CHECK(value_of(add(number(2), 5)) == 25);
  CHECK(lower_saw == 20);
  CHECK(seen == words{"mul", "add"});
}

TEST_CASE("op_call: wrong other operands are refused before lower modes are asked") {
  words seen;
  log_mode lower(seen);
  int kind = 0;
  handler_mode upper{[&](gj::op_call& call) {
    if (kind == 0)
      return call(gj::any_tensor(gj::dtype::f64, {2, 3}), gj::any_tensor(gj::dtype::f64, {4}));
    if (kind == 1) return call(true, gj::any_tensor(gj::dtype::boolean, {}));
    return call(number(1));
  }};
  mode_scope a{lower};
  mode_scope b{upper};
  CHECK_THROWS_AS(sub(number(1), 2), gj::shape_error);
  kind = 1;
  CHECK_THROWS_AS(sub(number(1), 2), gj::dtype_error);
  kind = 2;
  CHECK(contains(mode_error_of([] { sub(number(1), 2); }), "1 operands, expected 2"));
  CHECK(seen.empty());
}

TEST_CASE("op_call: zeros() is an op that lower modes see") {
  words seen;
  log_mode lower(seen);
  handler_mode upper{[](gj::op_call& call) { return call.zeros(); }};
  mode_scope a{lower};
  mode_scope b{upper};
  gj::any_tensor const left(gj::dtype::f32, {2, 1}), right(gj::dtype::f64, {3});
  gj::any_tensor const result = add(left, right);
  CHECK(seen == words{"zeros"});
  CHECK(result.type() == gj::dtype::f64);
  CHECK(result.shape() == gj::shape{2, 3});
  CHECK(result.data_as<double>()[5] == 0);
}

TEST_CASE("op_call: zeros() lie on the device of the operands, or on the requested one") {
  handler_mode mode{[](gj::op_call& call) { return call.zeros(); }};
  mode_scope scope{mode};
  gj::device const one{gj::device_kind::cpu, 1}, two{gj::device_kind::cpu, 2};
  CHECK(add(2, gj::any_tensor(gj::dtype::f32, {2}, one)).where() == one);
  gj::attributes extra;
  extra.target = {3};
  gj::op_call call(
      {.id = gj::op::ones, .attribute = &extra, .kernel = &kernel<gj::op::ones>, .device = &two});
  gj::any_tensor const made = gj::dispatch(call);
  CHECK(made.where() == two);
  CHECK(made.shape() == gj::shape{3});
}

TEST_CASE("op_call: refuse() names op, mode and text; lower modes are not tried") {
  struct refusing : gj::function_mode {
    gj::op_result handle(gj::op_call& call) override {
      // A lower refusal that is caught must not leave its name behind.
      try {
        call();
      } catch (gj::mode_error const&) {
      }
      if (call.op() == gj::op::add) call.refuse("no sums here");
      return call.zeros();
    }
  };
  struct lower_refusing : gj::function_mode {
    gj::op_result handle(gj::op_call& call) override { return call.refuse("below"); }
  };
  words seen;
  log_mode bottom(seen);
  mode_scope lowest{bottom};
  mode_scope a{lower_refusing{}};
  mode_scope b{refusing{}};
  auto const text = mode_error_of([] { add(number(1), 2); });
  CHECK(contains(text, "guardjit: add: refused by mode "));
  CHECK(contains(text, "refusing: no sums here"));
  CHECK_FALSE(contains(text, "lower_refusing"));
  CHECK(contains(text, "dispatch.cpp:"));
  CHECK(seen.empty());
  CHECK(mode_stack::depth() == 3);
}

TEST_CASE("dispatch: a result that breaks the promise of the caller's types is refused") {
  gj::any_tensor result;
  handler_mode mode{[&](gj::op_call&) { return result; }};
  mode_scope scope{mode};
  gj::op_promise const promise{gj::dtype::f32, {2, gj::dyn}};
  auto const answer = [&](gj::op_promise const* promised) {
    return call_with<gj::op::add>(promised, std::source_location::current(), 1, 2);
  };
  result = gj::any_tensor(gj::dtype::f32, {2, 5});
  CHECK(answer(&promise).extent(1) == 5);

  result = gj::any_tensor(gj::dtype::f64, {2, 5});
  auto text = mode_error_of([&] { answer(&promise); });
  CHECK(contains(text, "guardjit: add: mode fake::handler_mode<"));
  CHECK(contains(text, "returned f64 (2, 5), expected f32 (2, ?)"));
  result = gj::any_tensor(gj::dtype::f32, {2});
  CHECK(
      contains(mode_error_of([&] { answer(&promise); }), "returned f32 (2), expected f32 (2, ?)"));
  result = gj::any_tensor(gj::dtype::f32, {3, 5});
  CHECK(contains(mode_error_of([&] { answer(&promise); }),
                 "returned f32 (3, 5), expected f32 (2, ?)"));
  CHECK(answer(nullptr).extent(0) == 3);

  result = {};
  CHECK(contains(mode_error_of([&] { answer(nullptr); }), "returned no tensor"));
}

TEST_CASE("dispatch: other operands of a handler are not bound to the caller's promise") {
  handler_mode lower{[](gj::op_call& call) { return call(); }};
  handler_mode upper{[](gj::op_call& call) {
    call(number(1), number(2));  // f64, seen and answered by the lower mode
    return gj::any_tensor(gj::dtype::f32, {});
  }};
  mode_scope a{lower};
  mode_scope b{upper};
  gj::op_promise const promise{gj::dtype::f32, {}};
  CHECK(call_with<gj::op::add>(&promise, std::source_location::current(), 1, 2).type() ==
        gj::dtype::f32);
}

TEST_CASE("dispatch: endless nesting is a mode_error with the mode's name") {
  struct endless : gj::function_mode {
    int entered = 0;
    gj::op_result handle(gj::op_call& call) override {
      ++entered;
      mode_scope again{*this};
      return call();
    }
  } mode;
  {
    mode_scope scope{mode};
    CHECK(contains(mode_error_of([] { add(number(1), 2); }),
                   "endless: more than 128 nested dispatches"));
    CHECK(mode.entered == 128);
    CHECK(mode_stack::depth() == 1);
  }
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  CHECK(value_of(add(number(1), 2)) == 3);
  CHECK(seen == words{"add"});
}

TEST_CASE("dispatch: no mode is asked under inert_scope, nor for ops that may not be overridden") {
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  {
    gj::inert_scope inert;
    CHECK(value_of(add(number(1), 2)) == 3);
    CHECK(mode_stack::depth() == 1);
    CHECK_FALSE(mode_stack::active());
  }
  call_with<gj::op::constant>(nullptr, std::source_location::current());
  CHECK(seen.empty());
}

TEST_CASE("dispatch: inert scopes nest, and the last one that ends brings the modes back") {
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  {
    gj::inert_scope const outer;
    CHECK_THROWS_AS(([] {
                      gj::inert_scope const inner;
                      throw 1;
                    }()),
                    int);
    CHECK(gj::is_inert());
    add(number(1), 2);
    CHECK(seen.empty());
  }
  CHECK_FALSE(gj::is_inert());
  add(number(1), 2);
  CHECK(seen == words{"add"});
}

TEST_CASE("dispatch: a sink that runs ops reaches no mode") {
  words seen;
  log_mode log(seen);
  mode_scope scope{log};
  double computed = 0;
  auto sink = [&](gj::event const&) { computed = value_of(add(number(1), 2)); };
  gj::subscription heard{sink};
  gj::send({.kind = gj::event_kind::warning});
  CHECK(computed == 3);
  CHECK(seen.empty());
}
