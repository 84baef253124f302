// guardjit: tests/conformance/guards/graph.cpp: cases that the C++ compiler decides
// SPDX-License-Identifier: BSL-1.0
#include "graph/traces.hpp"

#include <guardjit/graph/evaluate_constant.hpp>

#include <doctest/doctest.h>

#include <string_view>

// The errors themselves are shown by tests/compile_fail/graph; here stands what they are made from.

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::mistake_kind, gj::op;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
using paths_of = gj::paths<std::remove_cvref_t<decltype(F)>, gj::call_signature<Arguments...>>;
template <auto const& F, gj::argument_type... Arguments>
constexpr bool is_evaluable =
    gj::detail::evaluable_by_the_compiler<std::remove_cvref_t<decltype(F)>, gj::call_signature<Arguments...>, gj::path_script{}, 256>;
template <auto const& F, gj::argument_type... Arguments>
constexpr bool is_callable = gj::detail::callable_on_symbols<std::remove_cvref_t<decltype(F)>, gj::call_signature<Arguments...>>;

/// The mistake of the last path as a run-time error would say it, and the line it names.
template <class Paths> std::string_view text() {
  static gj::fixed_text message;
  message = gj::fixed_text{};
  message << Paths::last::graph.wrong;
  return message.c_str();
}
template <class Paths> constexpr int line = static_cast<int>(Paths::last::graph.wrong_line.line);

constexpr int data_line = __LINE__;
constexpr auto on_data = [](auto x) {
  if (x > 0) return x * 2.0f;
  return -x;
};

constexpr int loop_line = __LINE__;
constexpr auto over_extent = [](auto x) {
  auto y = x;
  for (int i = 0; x.extent(0) > i; ++i) y = y + x * i;
  return y;
};

constexpr int product_line = __LINE__;
constexpr auto one_path_is_wrong = [](auto x, auto w) {
  if (x.extent(0) > 16) return gj::matmul(x, w);
  return x * 2.0f;
};

constexpr auto squares = [](auto x) { return x * x + x * x; };
static_assert(trace_of<squares, of(dyn)>::graph.view().size() <= 3);

constexpr int helper_line = __LINE__;
constexpr auto helper(auto x) {
  if (x.extent(0) > 4) return x + 1;
  return x;
}
constexpr auto calls_helper = [](auto x) { return x.rank() == 2 ? gj::sum(x) : helper(x); };

int variable = 1;
int plain_function() { return ++variable; }
constexpr auto reads_variable = [](auto x) { return x * variable; };
constexpr auto calls_plain_function = [](auto x) { return x * plain_function(); };

constexpr auto other_dtype = [](auto x) { return x.extent(0) > 4 ? gj::to<double>(x) : x; };
constexpr auto other_rank = [](auto x) { return x.extent(0) > 4 ? gj::sum(x, gj::axes(0)) : x; };
constexpr auto other_extent = [](auto x) { return x.extent(0) > 4 ? gj::slice(x, 1, 0, 2) : x; };

constexpr int endless_line = __LINE__;
constexpr auto endless = [](auto x) {
  while (!(x.extent(0) == 4)) x = x + x;
  return x;
};

constexpr auto three_turns = [](auto x, auto w) {
  auto y = x;
  for (int i = 0; i < 3; ++i) y = gj::relu(y * w - 1);
  return y;
};
static_assert(gj::evaluate_constant(three_turns, 2.0f, 3.0f) == 41);

constexpr auto layer = [](auto a, auto b, auto c) { return gj::matmul(a, b) + c; };

constexpr auto extents_as_scalars = [](auto x) { return x * x.extent(0) + gj::to<float>(x.extent(0)); };
constexpr auto concrete = [](auto x, int k) { return x * k; };
constexpr auto generic = [](auto x, auto k) { return x * k; };

}  // namespace

TEST_CASE("GRD-035: a branch on elements is refused") {
  using refused = paths_of<on_data, of()>;
  CHECK_FALSE(refused::fine);
  CHECK(refused::last::graph.wrong.kind == mistake_kind::branch_on_data);
  CHECK(line<refused> == data_line + 2);
  CHECK(text<refused>().find("a branch must not depend on elements; use where") != std::string_view::npos);
}

TEST_CASE("GRD-039: a loop over an extent has too many paths, or unrolls") {
  using refused = paths_of<over_extent, of(dyn)>;
  CHECK(refused::last::graph.wrong.kind == mistake_kind::too_many_paths);
  CHECK(line<refused> == loop_line + 3);
  using unrolled = paths_of<over_extent, of(7)>;
  CHECK(unrolled::fine);
  CHECK(unrolled::count == 1);
  CHECK(count_of(unrolled::last::graph.view(), op::add) == 7);
}

TEST_CASE("GRD-040: inner extents that differ on one path") {
  using refused = paths_of<one_path_is_wrong, of(dyn, 64), of(32, 64)>;
  CHECK(refused::count == 2);
  CHECK(refused::last::graph.wrong.kind == mistake_kind::inner_extents_differ);
  CHECK(refused::last::graph.wrong.left == 64);
  CHECK(refused::last::graph.wrong.right == 32);
  CHECK(line<refused> == product_line + 2);
  CHECK(text<refused>() == "guardjit: matmul(a, b): inner extents must be equal: 64 and 32");
  CHECK(paths_of<one_path_is_wrong, of(dyn, 64), of(64, 64)>::fine);
}

TEST_CASE("GRD-041: equal values are one node") {
  CHECK(trace_of<squares, of(dyn)>::graph.view().size() == 3);
}

TEST_CASE("GRD-043: helpers fork with their own line, ranks decide at once") {
  using forked = paths_of<calls_helper, of(dyn)>;
  CHECK(forked::count == 2);
  CHECK(static_cast<int>(forked::last::graph.conditions[0].where.line) == helper_line + 2);
  CHECK(paths_of<calls_helper, of(dyn, dyn)>::count == 1);
}

TEST_CASE("GRD-054: what the compiler cannot evaluate is refused") {
  CHECK_FALSE(is_evaluable<reads_variable, of(4)>);
  CHECK_FALSE(is_evaluable<calls_plain_function, of(4)>);
  CHECK(is_evaluable<squares, of(4)>);
}

TEST_CASE("GRD-141: paths give one dtype and one rank; extents may differ") {
  CHECK_FALSE(paths_of<other_dtype, of(dyn, 4)>::fine);
  CHECK_FALSE(paths_of<other_rank, of(dyn, 4)>::fine);
  CHECK(paths_of<other_extent, of(dyn, 4)>::fine);
  CHECK(paths_of<other_extent, of(dyn, 4)>::count == 2);
}

TEST_CASE("GRD-142: a loop that no path leaves ends the build with its line") {
  using refused = paths_of<endless, of(dyn)>;
  CHECK(refused::last::graph.wrong.kind == mistake_kind::too_many_paths);
  CHECK(line<refused> == endless_line + 2);
}

TEST_CASE("GRD-143: scalars through a traced loop") {
  constexpr float at_two = gj::evaluate_constant(three_turns, 2.0f, 3.0f);
  constexpr float at_a_tenth = gj::evaluate_constant(three_turns, 0.1f, 3.0f);
  CHECK(at_two == 41.0f);
  CHECK(at_a_tenth == 0.0f);
}

TEST_CASE("GRD-144: a product and a sum of literal tensors") {
  using matrix = gj::literal_tensor<float, 2, 2>;
  constexpr matrix result = gj::evaluate_constant(layer, matrix{{1, 2, 3, 4}}, matrix{{5, 6, 7, 8}}, matrix{{1, 1, 1, 1}});
  CHECK((result == matrix{{20, 23, 44, 51}}));
  using refused = paths_of<layer, of(2, 3), of(2, 2), of(2, 2)>;
  CHECK(refused::last::graph.wrong.kind == mistake_kind::inner_extents_differ);
  CHECK(refused::last::graph.wrong.left == 3);
  CHECK(refused::last::graph.wrong.right == 2);
}

TEST_CASE("GRD-145: extents are scalar operands, C++ casts and concrete parameters are refused") {
  CHECK(result_of(trace_of<extents_as_scalars, of(dyn)>::graph.view()).type == dtype::f32);
  CHECK_FALSE(std::is_constructible_v<float, gj::extent_sym>);
  CHECK_FALSE(is_callable<concrete, of(4), scalar<dtype::i64>()>);
  CHECK(is_callable<generic, of(4), scalar<dtype::i64>()>);
}
