// guardjit: tests/support/allocation_counter_unit.hpp: the `operator new` that counts; for one unit a program
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_UNIT_HPP
#define GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_UNIT_HPP

#include <cstdlib>
#include <new>

#include "support/allocation_counter.hpp"

thread_local long support::heap_calls = 0;
thread_local long support::heap_calls_left = -1;

namespace {
void* counted_allocation(std::size_t size, std::size_t alignment) {
  ++support::heap_calls;
  if (support::heap_calls_left == 0) throw std::bad_alloc();
  if (support::heap_calls_left > 0) --support::heap_calls_left;
  void* const block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!block) throw std::bad_alloc();
  return block;
}
}  // namespace

void* operator new(std::size_t size) { return counted_allocation(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_allocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

#endif
