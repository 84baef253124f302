// guardjit: tests/conformance/modes/built_in.cpp: cases of the modes that come with the library
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::mode_scope;
using gj::tensor;
using support::mat;
using support::vec;
using support::thrown;

namespace {

constexpr char const* passes = "nothing was thrown";

constexpr int line_of_network = __LINE__ + 2;
constexpr auto network = [](auto const& x, auto const& w, auto const& b) {
  auto const h = gj::relu(gj::matmul(x, w) + b);
  return h / gj::sum(h, gj::axes(1), gj::keepdims);
};

constexpr int line_of_log = __LINE__ + 3;
/// The second op makes a NaN of elements below 1.
constexpr auto log_of_less = [](auto const& x) {
  return gj::exp(gj::log(x - 1.0f)) * 2.0f;
};

std::string at(int line) { return "built_in.cpp:" + std::to_string(line); }

/// Text of an error up to the folders of this file.
std::string without_folders(std::string text) {
  auto const end = text.rfind('/'), begin = text.rfind(' ', end);
  return end == std::string::npos ? text : text.erase(begin + 1, end - begin);
}

}  // namespace

TEST_CASE("M120: op_log keeps the same records of eager code and of a compiled function") {
  auto const g = gj::compile(network);
  auto const x = mat(2, 3), w = mat(3, 4);
  auto const b = vec(4);
  gj::op_log eager, compiling, hit, replayed;
  {
    mode_scope const watch(eager);
    gj::eval(network(x, w, b));
  }
  {
    mode_scope const watch(compiling);
    g(x, w, b);
  }
  {
    mode_scope const watch(hit);
    g(x, w, b);
  }
  CHECK(g.compiles() == 1);
  gj::nan_check runtime;
  {
    mode_scope const needs_values(runtime);
    mode_scope const watch(replayed);
    g(x, w, b);
  }
  std::string const first = at(line_of_network), second = at(line_of_network + 1);
  CHECK(eager.to_string() ==
        "matmul(f32[2, 3], f32[3, 4]) -> f32[2, 4]        " + first +
            "\nadd(f32[2, 4], f32[4]) -> f32[2, 4]              " + first +
            "\nrelu(f32[2, 4]) -> f32[2, 4]                     " + first +
            "\nsum(f32[2, 4], axes 1, keepdims) -> f32[2, 1]    " + second +
            "\ndiv(f32[2, 4], f32[2, 1]) -> f32[2, 4]           " + second + "\n");
  CHECK(compiling.to_string() == eager.to_string());
  CHECK(hit.to_string() == eager.to_string());
  CHECK(replayed.to_string() == eager.to_string());
}

TEST_CASE("M120: op_log knows compound forms, scalars and any_tensors") {
  auto x = vec(3);
  gj::any_tensor const y = vec(3);
  gj::op_log log;
  int line = 0;
  {
    mode_scope const watch(log);
    line = __LINE__ + 1;
    x += 2.0;
    gj::any_tensor const z = y * x;
  }
  CHECK(log.to_string() == "add(f32[3], weak f64) -> f32[3] in place    " + at(line) +
                               "\nmul(f32[3], f32[3]) -> f32[3]               " + at(line + 1) + "\n");
}

TEST_CASE("flop_counter: what a compiled function needs is what eager code needs") {
  auto const g = gj::compile(network);
  auto const w = mat(3, 4);
  auto const b = vec(4);
  gj::flop_counter eager, compiled;
  for (gj::index_t const n : {2, 5, 7}) {
    auto const x = mat(n, 3);
    {
      mode_scope const watch(eager);
      gj::eval(network(x, w, b));
    }
    mode_scope const watch(compiled);
    g(x, w, b);
  }
  CHECK(eager.to_string() == compiled.to_string());
  gj::index_t const rows = 2 + 5 + 7;
  CHECK(compiled.flops(gj::op::matmul) == 2 * rows * 3 * 4);
  CHECK(compiled.flops(gj::op::add) == rows * 4);
  CHECK(compiled.flops(gj::op::sum) == rows * 3);
  CHECK(compiled.flops(gj::op::div) == rows * 4);
  CHECK(compiled.total() == rows * (24 + 4 + 4 + 3 + 4));
  CHECK(compiled.rows().size() == 15);
}

TEST_CASE("MODE-079: nan_check names the op that made a NaN, and its line") {
  auto const g = gj::compile(log_of_less);
  tensor<float, dyn, dyn> x = mat(2, 3, 2);
  gj::nan_check check;
  gj::mode_scope const scope(check);
  CHECK(thrown<gj::mode_error>([&] { gj::eval(log_of_less(x)); }) == passes);
  CHECK(thrown<gj::mode_error>([&] { g(x); }) == passes);
  {
    gj::dispatch_disabled const off;
    x(1, 2) = 0.5f;
    x(1, 0) = -1.0f;
  }
  std::string const said = "guardjit: log(x): nan_check: element (1, 0) of the result is nan; f32 (2, 3); " +
                           at(line_of_log);
  CHECK(without_folders(thrown<gj::mode_error>([&] { gj::eval(log_of_less(x)); })) == said);
  CHECK(without_folders(thrown<gj::mode_error>([&] { g(x); })) == said);
  CHECK(g.compiles() == 0);
  auto out = mat(2, 3, 7);
  CHECK(without_folders(thrown<gj::mode_error>([&] { g.into(out, x); })) == said);
  CHECK(support::same_bits(out, mat(2, 3, 7)));
  CHECK(gj::mode_stack::depth() == 1);
}

TEST_CASE("nan_check: infinities if asked; views, f64 and what a compound form would write") {
  gj::nan_check check(gj::not_a_number::nan_or_infinity);
  mode_scope const scope(check);
  tensor<double, dyn> x{1.0, 0.0}, y{2.0, 3.0};
  CHECK(thrown<gj::mode_error>([&] { gj::eval(y / x); }).find("element (1) of the result is inf; f64 (2)") !=
        std::string::npos);
  CHECK(thrown<gj::mode_error>([&] { y /= x; }).find("div(a, b)") != std::string::npos);
  CHECK(support::elements(y) == std::vector<double>{2, 3});
  tensor<double, dyn, dyn> const m{{1.0, 2.0}, {-std::numeric_limits<double>::infinity(), 4.0}};
  CHECK(thrown<gj::mode_error>([&] { gj::eval(gj::transpose(m)); })
            .find("element (0, 1) of the result is -inf; f64 (2, 2); element (1, 0) of operand 0 is -inf") !=
        std::string::npos);
}

TEST_CASE("MODE-087: no_allocation lets a hit with into run, and refuses a new tensor") {
  constexpr auto shifted = [](auto const& x) { return gj::exp(x) + 1.0f; };
  auto const g = gj::compile(shifted);
  auto const x = vec(64, -60);
  auto const expected = g(x);
  tensor<float, dyn> out(64), y = vec(3, 5);
  auto const before = gj::live_storages();
  {
    gj::no_allocation const scope;
    g.into(out, x);
    CHECK(gj::mode_stack::depth() == 0);
    CHECK(gj::current_word() == 0);
    CHECK(thrown<gj::mode_error>([&] { y = x + 1.0f; }) ==
          "guardjit: no_allocation: tensor storage of 256 bytes would be allocated");
    CHECK(thrown<gj::mode_error>([&] { tensor<float, dyn> const z = x + 1.0f; }) != passes);
    CHECK(thrown<gj::mode_error>([&] { g(x); }) != passes);
    y = y + 1.0f;  // in the elements that y has
    x.data();
  }
  CHECK(support::same_bits(out, expected));
  CHECK(support::elements(y) == std::vector<float>{6, 7, 8});
  CHECK(gj::live_storages() == before);
  CHECK(support::same_bits(g(x), expected));
}
