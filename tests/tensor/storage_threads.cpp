// guardjit: tests/tensor/storage_threads.cpp: blocks that live and die in different threads
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/any_tensor.hpp>

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace gj = guardjit;
using gj::storage;

TEST_SUITE("threads") {
  TEST_CASE("storage: blocks of one thread are dropped by another") {
    auto const before = gj::live_storages();
    std::vector<storage> blocks;
    std::thread([&] {
      for (int k = 0; k < 200; ++k) blocks.push_back(storage::allocate(k * 50));
    }).join();
    CHECK(gj::live_storages() == before + 199);  // the one of 0 bytes has no block
    std::thread([&] {
      blocks.clear();
      storage::allocate(64);  // out of what was just dropped
    }).join();
    CHECK(gj::live_storages() == before);
  }

  TEST_CASE("storage: many threads copy, read and drop one block") {
    auto const before = gj::live_storages();
    {
      gj::tensor<float, gj::dyn> const x{1, 2, 3};
      std::vector<std::thread> threads;
      int sums[8]{};
      for (int& sum : sums)
        threads.emplace_back([&sum, x] {
          for (int k = 0; k < 1000; ++k) {
            gj::tensor<float, gj::dyn> y = x;
            gj::any_tensor const a = y;
            sum += static_cast<int>(a.as<float, 3>()(2));
          }
        });
      for (auto& thread : threads) thread.join();
      for (int const sum : sums) CHECK(sum == 3000);
      threads.clear();
      CHECK(x.storage().unique());
    }
    CHECK(gj::live_storages() == before);
  }

  TEST_CASE("storage: the last owner sees what the others wrote") {
    for (int round = 0; round < 200; ++round) {
      storage a = storage::allocate(2 * sizeof(int));
      storage b = a;
      std::thread other([b = std::move(b)]() mutable {
        static_cast<int*>(b.data())[0] = 1;
        storage{std::move(b)};
      });
      static_cast<int*>(a.data())[1] = 2;
      a = storage{};
      other.join();
    }
    CHECK(gj::live_storages() >= 0);
  }

  TEST_CASE("storage: a block may outlive the cache of its thread") {
    auto const before = gj::live_storages();
    std::thread([] {
      // Made before the cache opens, so destroyed after it has closed.
      static thread_local struct late_owner {
        storage held;
        ~late_owner() {
          held = storage::allocate(64);  // works without a cache
          held = storage{};
        }
      } owner;
      owner.held = storage::allocate(64);
    }).join();
    CHECK(gj::live_storages() == before);
  }
}
