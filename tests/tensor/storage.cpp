// guardjit: tests/tensor/storage.cpp: owners, blocks and their cache
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/storage.hpp>

#include <doctest/doctest.h>
#include <support/thrown.hpp>

#include <cstring>
#include <vector>

namespace gj = guardjit;
using gj::storage;

namespace {
bool is_aligned(void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }
void count_release(void* context) noexcept { ++*static_cast<int*>(context); }
}  // namespace

TEST_CASE("storage: every size is 64-byte aligned and wholly writable") {
  for (gj::index_t bytes : {1, 4, 63, 64, 65, 128, 1000, 4096, 4097, 100'000}) {
    storage const s = storage::allocate(bytes);
    CHECK(is_aligned(s.data()));
    CHECK(s.bytes() == bytes);
    std::memset(s.data(), 0x5a, static_cast<std::size_t>(bytes));
  }
}

TEST_CASE("storage: copies share one block, the last one releases it") {
  auto const before = gj::live_storages();
  {
    storage a = storage::allocate(16);
    CHECK(a.unique());
    CHECK(gj::live_storages() == before + 1);
    storage b = a;
    CHECK(a == b);
    CHECK_FALSE(a.unique());
    storage c = std::move(a);
    CHECK_FALSE(bool(a));
    CHECK(c.data() == b.data());
    b = storage{};
    CHECK(c.unique());
    c = storage(c);
    CHECK(c.unique());
    CHECK(gj::live_storages() == before + 1);
    b = storage::allocate(16);
    CHECK(b != c);
  }
  CHECK(gj::live_storages() == before);
}

TEST_CASE("storage: no handle has no block, no bytes and the default device") {
  storage const none;
  CHECK_FALSE(bool(none));
  CHECK(none.data() == nullptr);
  CHECK(none.bytes() == 0);
  CHECK(none.where() == gj::device{});
  CHECK_FALSE(none.unique());
  CHECK(none == storage{});
}

TEST_CASE("storage: zero bytes need a block only to remember a device") {
  auto const before = gj::live_storages();
  CHECK_FALSE(bool(storage::allocate(0)));
  CHECK(gj::live_storages() == before);
  gj::device const other{gj::device_kind::cpu, 1};
  CHECK(storage::allocate(0, other).where() == other);
}

TEST_CASE("storage: wrong sizes and devices are refused") {
  CHECK(support::contains(support::thrown<gj::shape_error>([] { storage::allocate(-1); }), "-1"));
  auto const text = support::thrown<gj::device_error>([] {
    storage::allocate(8, {gj::device_kind::cuda, 2});
  });
  CHECK(support::contains(text, "cuda:2"));
  CHECK(support::contains(text, "expected cpu"));
}

TEST_CASE("storage: a small block comes back from the thread's cache") {
  if (gj::detail::cached_blocks == 0) return;
  void* first = nullptr;
  {
    storage const s = storage::allocate(100);
    first = s.data();
  }
  CHECK(storage::allocate(128).data() == first);  // the same class
}

TEST_CASE("storage: a cache keeps a bounded number of blocks of each class") {
  std::vector<storage> many;
  for (int k = 0; k < 100; ++k) many.push_back(storage::allocate(256));
  many.clear();
  CHECK(gj::detail::thread_storage.count[gj::detail::storage_class_of(256)] ==
        gj::detail::cached_blocks);
}

TEST_CASE("storage: foreign memory is released once, by its last owner") {
  int released = 0;
  float memory[4]{};
  auto const before = gj::live_storages();
  {
    storage const a = storage::adopt(memory, sizeof memory, &released, count_release);
    storage const b = a;
    CHECK(a.data() == memory);
    CHECK(a.bytes() == sizeof memory);
    CHECK(gj::live_storages() == before + 1);
  }
  CHECK(released == 1);
  CHECK(gj::live_storages() == before);
}

TEST_CASE("NUM-056: a shape of too many bytes is refused before allocation") {
  auto const text = support::thrown<gj::shape_error>([] {
    gj::byte_count({gj::index_t{1} << 32, gj::index_t{1} << 32}, gj::dtype::u8);
  });
  CHECK(support::contains(text, "(4294967296, 4294967296) of u8"));
  // One byte below the limit in elements, above it in bytes.
  gj::index_t const most = (gj::index_t{1} << 62) - 1;
  CHECK(gj::byte_count({most}, gj::dtype::u8) == most);
  CHECK_THROWS_AS(gj::byte_count({most}, gj::dtype::f32), gj::shape_error);
  // An extent 0 does not make strides representable.
  CHECK_THROWS_AS(gj::byte_count({most, most, 0}, gj::dtype::u8), gj::shape_error);
  CHECK(support::contains(support::thrown<gj::shape_error>([] {
                          gj::byte_count({3, -2}, gj::dtype::u8);
                        }),
                        "extent 1 is negative: -2"));
}
