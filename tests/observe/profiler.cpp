// guardjit: tests/observe/profiler.cpp: what a profiler measures in eager code and in compiled calls
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>
#include <guardjit/observe/profiler.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::mode_scope;
using gj::op;
using gj::profile_row;
using gj::tensor;
using support::mat;
using support::same_bits;
using support::vec;

namespace {

/// A clock of which each reading is 10 later than the last one.
thread_local std::int64_t now = 0;
std::int64_t next() noexcept { return now += 10; }

constexpr int line_of_layer = __LINE__ + 2;
constexpr auto layer = [](auto const& x, auto const& w, auto const& b) {
  auto const y = gj::matmul(x, w);
  return gj::relu(y + b) * 2.0f;
};

std::vector<op> ops_of(profile_row const& row) { return {row.ops.begin(), row.ops.end()}; }
using ops = std::vector<op>;

}  // namespace

TEST_CASE("profiler: ops of eager code, by line, with their bytes") {
  gj::any_tensor const x = mat(4, 3), w = mat(3, 5), b = vec(5);
  gj::profiler prof(&next);
  {
    mode_scope const watch(prof);
    for (int k = 0; k < 3; ++k) layer(x, w, b);
  }
  REQUIRE(prof.rows().size() == 4);
  profile_row const& product = prof.rows()[0];
  CHECK(ops_of(product) == ops{op::matmul});
  CHECK_FALSE(product.is_kernel);
  CHECK(product.where.line == static_cast<unsigned>(line_of_layer));
  CHECK(product.calls == 3);
  CHECK(product.nanoseconds == 30);
  CHECK(product.bytes_read == 3 * 4 * (12 + 15));
  CHECK(product.bytes_written == 3 * 4 * 20);
  profile_row const& sum = prof.rows()[1];
  CHECK(ops_of(sum) == ops{op::add});
  CHECK(sum.bytes_read == 3 * 4 * (20 + 5));
  CHECK(ops_of(prof.rows()[2]) == ops{op::relu});
  CHECK(prof.rows()[3].bytes_read == 3 * 4 * 20);
  CHECK(prof.nanoseconds() == 120);
  prof.reset();
  CHECK(prof.rows().empty());
}

TEST_CASE("profiler: views take no bytes, stretched axes count once, picked elements as they are written") {
  gj::any_tensor const x = mat(4, 3), row = vec(3);
  tensor<std::int64_t, dyn> const index{2, 0};
  gj::profiler prof(&next);
  mode_scope const watch(prof);
  gj::permute(x, gj::axes(1, 0));
  gj::any_tensor const wide = gj::expand(row, {100, 3});
  wide * 2.0f;
  gj::take(x, index, 0);
  gj::reshape(gj::permute(x, gj::axes(1, 0)), {12});
  REQUIRE(prof.rows().size() == 6);
  CHECK(prof.rows()[0].bytes_read + prof.rows()[0].bytes_written == 0);
  CHECK(prof.rows()[1].bytes_read + prof.rows()[1].bytes_written == 0);
  CHECK(prof.rows()[2].bytes_read == 3 * 4);
  CHECK(prof.rows()[2].bytes_written == 300 * 4);
  CHECK(prof.rows()[3].bytes_read == 2 * 3 * 4 + 2 * 8);
  CHECK(prof.rows()[3].bytes_written == 2 * 3 * 4);
  CHECK(prof.rows()[5].bytes_read == 12 * 4);
  CHECK(prof.rows()[5].bytes_written == 12 * 4);
}

TEST_CASE("profiler: kernels of compiled calls, with their ops, bytes and line") {
  auto const g = gj::compile(layer, gj::name<"layer">);
  auto const w = mat(3, 5);
  auto const b = vec(5);
  auto const expected = g(mat(4, 3), w, b);
  gj::profiler prof(&next);
  auto out = mat(4, 5);
  {
    mode_scope const watch(prof);
    CHECK(same_bits(g(mat(4, 3), w, b), expected));
    g.into(out, mat(4, 3), w, b);
    g(mat(6, 3), w, b);
    g(mat(7, 3), w, b);
  }
  CHECK(same_bits(out, expected));
  CHECK(g.compiles() == 2);
  gj::index_t const rows = 4 + 4 + 6 + 7;
  REQUIRE(prof.rows().size() == 2);
  profile_row const &product = prof.rows()[0], &rest = prof.rows()[1];
  CHECK(product.is_kernel);
  CHECK(std::string(product.function) == "layer");
  CHECK(ops_of(product) == ops{op::matmul});
  CHECK(product.where.line == static_cast<unsigned>(line_of_layer));
  CHECK(product.calls == 4);
  CHECK(product.nanoseconds == 40);
  CHECK(product.bytes_read == 4 * (rows * 3 + 4 * 15));
  CHECK(product.bytes_written == 4 * rows * 5);
  CHECK(ops_of(rest) == ops{op::add, op::relu, op::mul});
  CHECK(rest.where.line == static_cast<unsigned>(line_of_layer + 1));
  CHECK(rest.bytes_read == 4 * (rows * 5 + 4 * 5));
  CHECK(rest.bytes_written == 4 * rows * 5);
}

TEST_CASE("profiler: entering and leaving it is no miss, and a call without it is as before") {
  auto const g = gj::compile(layer);
  auto const x = mat(4, 3), w = mat(3, 5);
  auto const b = vec(5);
  gj::profiler prof(&next);
  for (int k = 0; k < 3; ++k) {
    {
      mode_scope const watch(prof);
      g(x, w, b);
    }
    g(x, w, b);
  }
  CHECK(g.compiles() == 1);
  for (profile_row const& row : prof.rows()) CHECK(row.calls == 3);
}

TEST_CASE("profiler: a replay is measured op by op, once") {
  struct needs_values final : gj::function_mode {
    gj::op_result handle(gj::op_call& call) override { return call(); }
  } runtime;
  auto const g = gj::compile(layer);
  gj::profiler prof(&next);
  mode_scope const first(prof);
  mode_scope const second(runtime);
  g(mat(4, 3), mat(3, 5), vec(5));
  REQUIRE(prof.rows().size() == 4);
  for (profile_row const& row : prof.rows()) {
    CHECK_FALSE(row.is_kernel);
    CHECK(row.calls == 1);
    CHECK(row.nanoseconds == 10);
  }
}

TEST_CASE("profiler: sees nothing while dispatch is off or inert, and what it hides is not counted twice") {
  auto const g = gj::compile(layer);
  auto const x = mat(4, 3), w = mat(3, 5);
  auto const b = vec(5);
  gj::profiler lower(&next), upper(&next);
  mode_scope const first(lower);
  mode_scope const second(upper);
  {
    gj::dispatch_disabled const off;
    g(x, w, b);
  }
  {
    gj::inert_scope const inert;
    g(x, w, b);
  }
  CHECK(upper.rows().empty());
  g(x, w, b);
  CHECK_FALSE(upper.rows().empty());
  CHECK(lower.rows().empty());
}

TEST_CASE("profiler: results that are copied, and reshapes that are views or copies") {
  constexpr auto twice = [](auto const& x) {
    auto const y = x + 1.0f;
    return std::tuple(y, y);
  };
  auto const g = gj::compile(twice);
  gj::profiler prof(&next);
  {
    mode_scope const watch(prof);
    g(vec(8));
  }
  REQUIRE(prof.rows().size() == 2);
  CHECK(ops_of(prof.rows()[0]) == ops{op::add});
  CHECK(prof.rows()[1].ops.empty());
  CHECK(prof.rows()[1].bytes_read == 32);
  CHECK(prof.rows()[1].bytes_written == 32);

  constexpr auto flat = [](auto const& x) { return gj::exp(gj::reshape(x, {12})); };
  auto const h = gj::compile(flat);
  gj::profiler seen(&next);
  mode_scope const watch(seen);
  h(mat(4, 3));
  REQUIRE(seen.rows().size() == 1);
  CHECK(ops_of(seen.rows()[0]) == ops{op::exp});
  h(support::transposed(mat(4, 3)));
  REQUIRE(seen.rows().size() == 2);
  CHECK(ops_of(seen.rows()[1]) == ops{op::reshape});
  CHECK(seen.rows()[1].calls == 1);
  CHECK(seen.rows()[1].bytes_read == 48);
  CHECK(seen.rows()[0].calls == 2);
}

TEST_CASE("profiler: rows, reductions, joined and picked elements, each a kernel with its bytes") {
  auto const x = mat(4, 3);
  tensor<std::int64_t, dyn> const index{2, 0};
  auto const only_row = [](auto const& f, auto const&... in) {
    gj::profiler prof(&next);
    mode_scope const watch(prof);
    f(in...);
    REQUIRE(prof.rows().size() == 1);
    return prof.rows()[0];
  };
  profile_row const row = only_row(gj::compile([](auto const& a) { return gj::softmax(a, 1); }), x);
  CHECK(ops_of(row).front() == op::amax);
  CHECK(ops_of(row).back() == op::mul);
  CHECK(row.bytes_read == 48);
  CHECK(row.bytes_written == 48);

  profile_row const sum = only_row(gj::compile([](auto const& a) { return gj::sum(a * a, gj::axes(1)); }), x);
  CHECK(ops_of(sum) == ops{op::mul, op::sum});
  CHECK(sum.bytes_read == 48);
  CHECK(sum.bytes_written == 16);

  profile_row const joined = only_row(gj::compile([](auto const& a) { return gj::concat(a, a, 0); }), x);
  CHECK(ops_of(joined) == ops{op::concat});
  CHECK(joined.bytes_read == 96);
  CHECK(joined.bytes_written == 96);

  profile_row const picked =
      only_row(gj::compile([](auto const& a, auto const& i) { return gj::take(a, i, 0); }), x, index);
  CHECK(ops_of(picked) == ops{op::take});
  CHECK(picked.bytes_read == 2 * 3 * 4 + 2 * 8);
  CHECK(picked.bytes_written == 2 * 3 * 4);

  profile_row const wide = only_row(gj::compile([](auto const& a) { return gj::expand(a, {9, 3}) + 1.0f; }), vec(3));
  CHECK(wide.bytes_read == 12);
  CHECK(wide.bytes_written == 108);
}

TEST_CASE("profiler: a kernel that throws is not counted, and the next call is") {
  auto const g = gj::compile([](auto const& x, auto const& i) { return gj::exp(gj::take(x, i, 0)); });
  auto const x = vec(3);
  tensor<std::int64_t, dyn> const good{2, 0}, bad{3};
  gj::profiler prof(&next);
  mode_scope const watch(prof);
  CHECK_THROWS_AS(g(x, bad), gj::index_error);
  CHECK(prof.rows().empty());
  g(x, good);
  CHECK_FALSE(prof.rows().empty());
  CHECK(gj::mode_stack::depth() == 1);
}

TEST_CASE("profiler: its table") {
  gj::profiler prof(&next);
  CHECK(prof.to_string() == "ns  calls  read  written  GB/s  what\n");
  op const fused[] = {op::add, op::relu};
  prof.call_begins(4);
  auto const kernel = [&](std::int64_t time, gj::kernel_record const& record) {
    prof.kernel_begins();
    now += time - 10;
    prof.kernel_ends(record);
  };
  for (int k = 0; k < 2; ++k)
    kernel(50, {.function = "layer", .ops = fused, .bytes_read = 800, .bytes_written = 400, .where = {"a/f.cpp", 9}});
  kernel(1000, {.ops = {fused, 1}, .bytes_read = 123, .bytes_written = 0, .where = {"f.cpp", 10}});
  kernel(100, {.function = "layer", .where = {"f.cpp", 9}});
  {
    mode_scope const watch(prof);
    gj::op_call call({.id = op::zeros, .kernel = [](gj::op_call const&) {
                        now -= 10;
                        return gj::any_tensor(gj::dtype::f64, {2});
                      }});
    gj::dispatch(call);
  }
  CHECK(prof.to_string() ==
        "  ns  calls  read  written  GB/s  what\n"
        "1000      1   123        0   0.1  kernel add         f.cpp:10\n"
        " 100      2  1600      800  24.0  layer: add relu    f.cpp:9\n"
        " 100      1     0        0   0.0  layer: copy        f.cpp:9\n"
        "   0      1     0       16     -  op zeros\n");
}

TEST_CASE("profiler: the clock of the library goes forward") {
  std::int64_t const first = gj::detail::steady_nanoseconds();
  CHECK(gj::detail::steady_nanoseconds() >= first);
  gj::profiler prof;
  mode_scope const watch(prof);
  gj::any_tensor const x = mat(200, 200);
  gj::exp(x);
  CHECK(prof.nanoseconds() > 0);
}
