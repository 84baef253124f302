// guardjit: tests/compile/hit.cpp: what a hit must not do: allocate, lock, write shared memory
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

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
using gj::dyn;
using gj::tensor;
using support::heap_calls_of;
using support::mat;
using support::vec;

namespace {

/// Pages that can be made read-only. Their size must stay a multiple of that of a page.
alignas(4096) char shared_pages[1 << 21];
char* free_pages = shared_pages;

/// What `make` allocates lies in the pages, behind what was there before.
template <class Make> auto in_shared_pages(Make const& make) {
  support::heap_arena = free_pages;
  support::heap_arena_bytes = shared_pages + sizeof shared_pages - free_pages;
  struct ender {
    ~ender() {
      free_pages = support::heap_arena;
      support::heap_arena_bytes = 0;
    }
  } const end;
  return make();
}

/// While it lives, a write to the pages ends the program.
struct read_only_pages {
  read_only_pages() { REQUIRE(mprotect(shared_pages, sizeof shared_pages, PROT_READ) == 0); }
  ~read_only_pages() { mprotect(shared_pages, sizeof shared_pages, PROT_READ | PROT_WRITE); }
};

/// Whether the program lives through `act`, tried by a copy of it.
template <class Act> bool survives(Act const& act) {
  pid_t const child = fork();
  if (child == 0) {
    static_cast<void>(close(STDERR_FILENO));
    signal(SIGSEGV, SIG_DFL);
    act();
    _exit(0);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct layer {
  constexpr auto operator()(auto x, auto w, auto b) const { return gj::relu(gj::matmul(gj::exp(x), w) + b) * 2; }
};

}  // namespace

TEST_CASE("a hit with into allocates nothing, takes no lock and writes nothing that is shared") {
  auto const bias = vec(5);
  auto const x = mat(4, 3, -9), w = mat(3, 5), x6 = mat(6, 3, -9), x7 = mat(7, 3, -9);
  auto out = mat(4, 5), out6 = mat(6, 5), out7 = mat(7, 5);
  auto turned = support::laid_out<float, dyn, dyn>(support::how::transposed, {4, 5});
  // Made outside: what the thread keeps for itself.
  auto const g = gj::compile(layer{}, gj::bind(std::cref(bias)));
  g.into(out7, x7, w);

  auto const shared = in_shared_pages([&] {
    auto function = gj::compile(layer{}, gj::bind(std::cref(bias)));
    function.into(out, x, w);
    function.into(out6, x6, w);
    function.into(turned, x, w);
    function.into(out, x, w);
    return function;
  });
  REQUIRE(shared.compiles() == 2);
  auto const expected = g(x, w), expected6 = g(x6, w), expected7 = g(x7, w);

  long allocations = 0, locked = 0;
  bool right = true;
  locks = 0;
  {
    read_only_pages const pages;
    auto const before = gj::detail::current_epoch.load();
    allocations = heap_calls_of([&] {
      for (int k = 0; k < 3; ++k) {
        shared.into(out, x, w);      // static, not the last one installed
        shared.into(out6, x6, w);    // dynamic
        shared.into(out7, x7, w);    // dynamic, another length
        shared.into(turned, x, w);   // through the workspace
      }
    });
    locked = locks;
    right = before == gj::detail::current_epoch.load();
  }
  CHECK(allocations == 0);
  CHECK(locked == 0);
  CHECK(right);
  CHECK(support::near(out, expected));
  CHECK(support::near(turned, expected));
  CHECK(support::near(out6, expected6));
  CHECK(support::near(out7, expected7));

  // The instruments do see a miss.
  locks = 0;
  CHECK(heap_calls_of([&] { shared.clear(); g.clear(); g.into(out, x, w); }) > 0);
  CHECK(locks > 0);
}

TEST_CASE("a hit that returns its result takes no lock and writes nothing that is shared") {
  auto const x = vec(2000);
  auto const f = [](auto y) { return y * 2; };
  static_cast<void>(gj::compile(f)(x));
  auto const g = gj::compile(f);
  g(x);
  locks = 0;
  CHECK(heap_calls_of([&] { g(x); }) == 1);
  CHECK(locks == 0);
}

TEST_CASE("G16: eight threads hit entries in memory that none of them can write") {
  constexpr gj::index_t lengths = 64;
  auto const twice = [](auto x) { return x * 2; };
  static_cast<void>(gj::compile(twice)(vec(3)));  // what the thread keeps for itself
  auto const fixed = in_shared_pages([&] {
    auto g = gj::compile(twice, gj::dynamic::none, gj::recompile_limit{lengths}, gj::compile_limit{lengths});
    for (gj::index_t n = 1; n <= lengths; ++n) g(vec(n));
    return g;
  });
  auto const open = in_shared_pages([&] {
    auto g = gj::compile(twice, gj::dynamic::all, gj::signature<tensor<float, dyn>>);
    g(vec(3));
    return g;
  });
  REQUIRE(fixed.compiles() == lengths);

  std::atomic<int> right{0};
  bool writes = false, reads = false;
  {
    read_only_pages const pages;
    std::latch start(8);
    std::vector<std::thread> threads;
    for (int number = 0; number < 8; ++number)
      threads.emplace_back([&, number] {
        start.arrive_and_wait();
        for (int round = 0; round < 20; ++round)
          for (gj::index_t n = 1; n <= lengths; ++n) {
            auto const x = vec(n, number);
            auto out = vec(n);
            fixed.into(out, x);
            bool fits = support::same_bits(out, fixed(x)) && out(n - 1) == 2 * x(n - 1);
            open.into(out, x);
            fits = fits && support::same_bits(out, open(x));
            fits = fits && support::same_bits(out, open(gj::any_tensor(x)).as<float, dyn>());
            right += fits ? 1 : 0;
          }
      });
    for (std::thread& t : threads) t.join();
    // The pages do tell a write.
    reads = survives([&] { fixed(vec(2)); });
    writes = survives([&] { fixed.clear(); });
  }
  CHECK(right == 8 * 20 * lengths);
  CHECK(reads);
  CHECK(!writes);
  CHECK(fixed.compiles() == lengths);
  CHECK(open.compiles() == 1);
}
