// guardjit: tests/conformance/guards/workspace.cpp: cases of memory: what a hit allocates, where intermediates lie
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/expr/composite/transpose.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <thread>

#include "conformance/guards/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using fixtures::plain;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::counted;
using support::elements;
using support::failing_heap;
using support::heap_calls_of;
using support::mat;
using support::vec;

namespace {

/// Several kernels, so that there are intermediates: with the reference backend one an op.
struct network {
  constexpr auto operator()(auto x, auto w) const { return gj::relu(gj::matmul(x, w) * 2 - 3) + gj::transpose(x); }
};
tensor<float, dyn, dyn> expected_network(tensor<float, dyn, dyn> const& x, tensor<float, dyn, dyn> const& w) {
  tensor<float, dyn, dyn> y(x.extent(0), w.extent(1));
  for (index_t i = 0; i < y.extent(0); ++i)
    for (index_t j = 0; j < y.extent(1); ++j) {
      float sum = 0;
      for (index_t k = 0; k < x.extent(1); ++k) sum += x(i, k) * w(k, j);
      y(i, j) = (sum * 2 - 3 > 0 ? sum * 2 - 3 : 0) + x(j, i);
    }
  return y;
}

/// Runs `act` for each op that it is told of, apart from those of `act`.
template <class Act> class on_each_op final : public gj::observer_mode {
 public:
  explicit on_each_op(Act const& act) : act_(act) {}
  void observe(gj::op_record const&) override {
    if (busy_) return;
    busy_ = true;
    right += act_() ? 1 : 0;
    busy_ = false;
  }
  int right = 0;

 private:
  Act const& act_;
  bool busy_ = false;
};

struct alignas(64) room {
  std::byte bytes[8192];
  std::span<std::byte> span(std::size_t size, std::size_t offset = 0) { return {bytes + offset, size}; }
};

}  // namespace

TEST_CASE("GRD-075: an output that is the argument") {
  auto const g = gj::compile([](auto x) { return x * 2 + 1; }, plain);
  auto x = vec(2000);
  CHECK(heap_calls_of([&] { g.into(x, x); }) > 0);
  CHECK(heap_calls_of([&] { g.into(x, x); }) == 0);
  CHECK(x(0) == 7);
  CHECK(x(1999) == 8003);
  CHECK(g.compiles() == 1);
}

TEST_CASE("GRD-086: a hit allocates outputs only, and nothing with into") {
  auto const g = gj::compile(network{}, plain);
  auto const x = mat(64, 64, 0.5), w = mat(64, 64, -3);
  auto out = mat(64, 64);
  auto const first = g(x, w);
  g.into(out, x, w);
  CHECK(heap_calls_of([&] { g.into(out, x, w); }) == 0);
  // 64 × 64 floats are more than what a thread keeps for reuse.
  CHECK(heap_calls_of([&] { g(x, w); }) == 1);

  SUBCASE("dynamic entries, too") {
    auto const x2 = mat(65, 65), w2 = mat(65, 65);
    auto out2 = mat(65, 65), out3 = mat(70, 70);
    auto const x3 = mat(70, 70), w3 = mat(70, 70);
    g.into(out2, x2, w2);
    g.into(out3, x3, w3);
    REQUIRE(g.compiles() == 2);
    CHECK(heap_calls_of([&] { g.into(out2, x2, w2); }) == 0);
    CHECK(heap_calls_of([&] { g.into(out, x, w); }) == 0);
    CHECK(heap_calls_of([&] { g(x2, w2); }) == 1);
  }
  SUBCASE("strided, transposed and overlapping outputs, too") {
    auto turned = support::laid_out<float, dyn, dyn>(support::how::transposed, {64, 64});
    auto overlapping = x.clone();
    g.into(turned, x, w);
    g.into(overlapping, overlapping, w);
    CHECK(heap_calls_of([&] { g.into(turned, x, w); }) == 0);
    CHECK(heap_calls_of([&] { g.into(overlapping, overlapping, w); }) == 0);
  }
}

TEST_CASE("GRD-152: with a workspace of the caller no heap is touched, in a new thread neither") {
  auto const g = gj::compile(network{}, plain);
  auto const x = mat(4, 4, 0.5), w = mat(4, 4, -3), expected = expected_network(x, w);
  index_t const bytes = g.workspace_bytes(x, w);
  REQUIRE(bytes > 0);
  REQUIRE(bytes <= index_t{sizeof(room)} - 64);
  CHECK(g.compiles() == 1);
  auto const size = static_cast<std::size_t>(bytes);
  auto out = mat(4, 4, -1);
  room memory;
  bool right = false, refused = false, misaligned = false, unchanged = false;
  long heap_calls = -1;
  std::thread([&] {
    failing_heap const forbidden(0);
    heap_calls = heap_calls_of([&] { g.into(out, x, w, memory.span(size)); });
    heap_calls += heap_calls_of([&] { g.into(out, x, w, memory.span(size)); });
  }).join();
  CHECK(heap_calls == 0);
  right = support::same_bits(out, expected);
  CHECK(right);

  out = mat(4, 4, -1);
  std::thread([&] {
    try {
      g.into(out, x, w, memory.span(size - 1));
    } catch (gj::workspace_error const&) {
      refused = true;
    }
    try {
      g.into(out, x, w, memory.span(size, 8));
    } catch (gj::workspace_error const&) {
      misaligned = true;
    }
  }).join();
  unchanged = support::same_bits(out, mat(4, 4, -1));
  CHECK(refused);
  CHECK(misaligned);
  CHECK(unchanged);
}

TEST_CASE("a thread's workspace grows on demand, and is kept") {
  auto const g = gj::compile(network{}, plain, gj::dynamic::all);
  for (index_t n : {3, 40, 5, 90, 2}) {
    auto const x = mat(n, n, 0.5), w = mat(n, n, -3);
    auto out = mat(n, n);
    g.into(out, x, w);
    CHECK(support::near(out, expected_network(x, w)));
    CHECK(heap_calls_of([&] { g.into(out, x, w); }) == 0);
  }
  CHECK(g.compiles() == 1);
}

TEST_CASE("a compiled call inside a compiled call has a workspace of its own") {
  // An observer runs while the outer call holds the thread's workspace.
  auto const inner = gj::compile(network{}, plain);
  auto const x = mat(8, 8, 0.5), w = mat(8, 8, -3), expected = expected_network(x, w);
  inner(x, w);
  auto const call_inner = [&] { return support::same_bits(inner(x, w), expected); };
  on_each_op observer(call_inner);
  auto const outer = gj::compile([](auto a, auto b) { return gj::exp(gj::matmul(a, b) * 0.0f) + gj::transpose(a); }, plain);
  auto out = mat(8, 8), strided = support::laid_out<float, dyn, dyn>(support::how::transposed, {8, 8});
  {
    gj::mode_scope const scope(observer);
    for (int k = 0; k < 3; ++k) outer.into(out, x, w);
    outer.into(strided, x, w);
    CHECK(support::near(outer(x, w), out));
  }
  CHECK(observer.right > 10);
  for (index_t i = 0; i < 8; ++i)
    for (index_t j = 0; j < 8; ++j) CHECK(out(i, j) == 1 + x(j, i));
  CHECK(support::same_bits(out, strided));
}
