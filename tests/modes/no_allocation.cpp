// guardjit: tests/modes/no_allocation.cpp: what counts as an allocation of tensor storage
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/no_allocation.hpp>
#include <guardjit/tensor/any_tensor.hpp>
#include <guardjit/tensor/views.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"
#include "support/thrown.hpp"
#include <thread>

namespace gj = guardjit;
using gj::dyn;
using gj::no_allocation;
using support::thrown;

namespace {
}

TEST_CASE("M120: storage is refused with its bytes, whether a block is at hand or not") {
  { gj::storage const kept = gj::storage::allocate(64); }  // the thread's cache has a block now
  auto const before = gj::live_storages();
  no_allocation const scope;
  CHECK(thrown<gj::mode_error>([] { gj::storage::allocate(64); }) ==
        "guardjit: no_allocation: tensor storage of 64 bytes would be allocated");
  CHECK(thrown<gj::mode_error>([] { gj::storage::allocate(1 << 20); }) ==
        "guardjit: no_allocation: tensor storage of 1048576 bytes would be allocated");
  CHECK(thrown<gj::mode_error>([] { gj::tensor<float, dyn>(3); }) != support::nothing_thrown);
  CHECK(thrown<gj::mode_error>([] { gj::any_tensor(gj::dtype::f64, {2}); }) != support::nothing_thrown);
  CHECK(gj::live_storages() == before);
}

TEST_CASE("M120: adopted memory is refused and stays the caller's") {
  int released = 0;
  float data[4]{};
  auto const adopt = [&] {
    return gj::storage::adopt(data, sizeof data, &released,
                              [](void* count) noexcept { ++*static_cast<int*>(count); });
  };
  {
    no_allocation const scope;
    CHECK(thrown<gj::mode_error>([&] { adopt(); }) != support::nothing_thrown);
    CHECK(released == 0);
  }
  adopt();
  CHECK(released == 1);
}

TEST_CASE("M120: handles, views and tensors without elements need none; blocks may be given back") {
  auto x = support::mat(2, 3);
  gj::tensor<float, dyn> dropped = support::vec(5);
  no_allocation const scope;
  gj::tensor<float, dyn, dyn> const handle = x, turned = support::transposed(x);
  gj::any_tensor const any = x;
  gj::tensor<float, dyn, dyn> const none(0, 3);
  CHECK(handle.storage() == any.storage());
  CHECK(turned.storage() == x.storage());
  CHECK(none.size() == 0);
  dropped = {};
  CHECK(dropped.size() == 0);
}

TEST_CASE("M120: scopes nest, and end with an exception") {
  auto const may_allocate = [] { return thrown<gj::mode_error>([] { gj::storage::allocate(8); }) == support::nothing_thrown; };
  CHECK(may_allocate());
  {
    no_allocation const outer;
    try {
      no_allocation const inner;
      throw 1;
    } catch (int) {
    }
    CHECK_FALSE(may_allocate());
  }
  CHECK(may_allocate());
}

TEST_CASE("M120: a scope is its thread's alone" * doctest::test_suite("threads")) {
  no_allocation const scope;
  gj::index_t bytes = 0;
  std::thread([&bytes] { bytes = gj::storage::allocate(128).bytes(); }).join();
  CHECK(bytes == 128);
}
