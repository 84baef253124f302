// guardjit: tests/conformance/modes/hits.cpp: cases of hits that modes see: no allocation, no lock
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <dlfcn.h>
#include <pthread.h>

#include "conformance/modes/fixtures.hpp"
#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace {
thread_local long locks = 0;
}

/// All mutexes of the program come here first.
extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const real = reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return real(mutex);
}

namespace gj = guardjit;
using fixtures::count_ob;
using gj::dyn;
using gj::tensor;
using support::heap_calls_of;
using support::mat;
using support::vec;

namespace {

/// A log of what the functions here do not do.
struct log_of_div final : gj::op_log {
  static constexpr gj::op_set interests = {gj::op::div};
};

constexpr auto layer = [](auto const& x, auto const& w, auto const& b) {
  return gj::relu(gj::matmul(gj::exp(x), w) + b) * 2.0f;
};

}  // namespace

TEST_CASE("MODE-078: hits under observers allocate nothing with into, and take no lock") {
  auto const x = mat(4, 3, -9), x6 = mat(6, 3, -9), w = mat(3, 5);
  auto const b = vec(5);
  auto out = mat(4, 5), out6 = mat(6, 5), turned = support::transposed(mat(5, 4));
  auto const g = gj::compile(layer);
  g.into(out6, x6, w, b);
  auto const expected = g(x, w, b), expected6 = g(x6, w, b);
  int const made = g.compiles();
  REQUIRE(made == 2);

  count_ob counted;
  gj::op_counter by_op;
  gj::flop_counter flops;
  gj::strict_shapes shapes;
  log_of_div log;
  constexpr auto same_shapes = [](auto const& a, auto const& c) { return gj::exp(a * c) - a; };
  auto const h = gj::compile(same_shapes, gj::inline_modes<gj::strict_shapes>);
  {
    gj::mode_scope const strict(shapes);
    h(x, x);
  }
  auto out_h = mat(4, 3);

  long allocations = 0;
  {
    gj::mode_scope const first(counted);
    gj::mode_scope const second(by_op);
    gj::mode_scope const third(flops);
    gj::mode_scope const fourth(log);
    auto const hits = [&] {
      g.into(out, x, w, b);
      g.into(out6, x6, w, b);
      g.into(turned, x, w, b);
      gj::mode_scope const strict(shapes);
      h.into(out_h, x, x);
    };
    hits();  // the counter's rows are made
    locks = 0;
    allocations = heap_calls_of([&] { hits(); });
    CHECK(locks == 0);
  }
  CHECK(allocations == 0);
  CHECK(g.compiles() == made);
  CHECK(h.compiles() == 1);
  CHECK(counted.told == 2 * (3 * 5 + 3));
  CHECK(by_op.total() == counted.told);
  CHECK(by_op.count(gj::op::matmul) == 6);
  CHECK(flops.flops(gj::op::matmul) == 2 * (2 * 2 * 4 * 5 * 3 + 2 * 6 * 5 * 3));
  CHECK(log.records().empty());
  CHECK(support::near(out, expected));
  CHECK(support::near(turned, expected));
  CHECK(support::near(out6, expected6));

  // The instruments do see a miss.
  locks = 0;
  CHECK(heap_calls_of([&] { g.clear(); g.into(out, x, w, b); }) > 0);
  CHECK(locks > 0);
}
