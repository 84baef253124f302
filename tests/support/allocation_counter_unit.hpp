// guardjit: tests/support/allocation_counter_unit.hpp: the `operator new` that counts; for one unit a program
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_UNIT_HPP
#define GUARDJIT_TESTS_SUPPORT_ALLOCATION_COUNTER_UNIT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "support/allocation_counter.hpp"

thread_local long support::heap_calls = 0;
thread_local long support::heap_calls_left = -1;
thread_local bool support::heap_fails_once = false;
thread_local long support::heap_failures = 0;
thread_local char* support::heap_arena = nullptr;
thread_local long support::heap_arena_bytes = 0;

namespace {
std::uintptr_t arena_begin = 0, arena_end = 0;  // the one arena of the program that was used so far

void* arena_block(std::size_t size, std::size_t alignment) {
  auto const at = reinterpret_cast<std::uintptr_t>(support::heap_arena);
  if (arena_begin == 0) {
    arena_begin = at;
    arena_end = at + static_cast<std::size_t>(support::heap_arena_bytes);
  }
  auto const block = (at + alignment - 1) / alignment * alignment;
  auto const used = static_cast<long>(block + size - at);
  if (used > support::heap_arena_bytes) throw std::bad_alloc();
  support::heap_arena += used;
  support::heap_arena_bytes -= used;
  return reinterpret_cast<void*>(block);
}
void* counted_allocation(std::size_t size, std::size_t alignment) {
  ++support::heap_calls;
  if (support::heap_calls_left == 0) {
    ++support::heap_failures;
    if (support::heap_fails_once) support::heap_calls_left = -1;
    throw std::bad_alloc();
  }
  if (support::heap_calls_left > 0) --support::heap_calls_left;
  std::size_t const rounded = (size + alignment - 1) / alignment * alignment;
  if (support::heap_arena_bytes != 0) return arena_block(rounded, alignment);
  void* const block = std::aligned_alloc(alignment, rounded);
  if (!block) throw std::bad_alloc();
  return block;
}
void free_block(void* block) noexcept {
  auto const at = reinterpret_cast<std::uintptr_t>(block);
  if (at >= arena_begin && at < arena_end) return;
  std::free(block);
}
}  // namespace

void* operator new(std::size_t size) { return counted_allocation(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_allocation(size, static_cast<std::size_t>(alignment));
}
// The standard library asks so for buffers that it can do without, and gives them back by the plain `delete`.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  try {
    return operator new(size);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept { free_block(block); }
void operator delete(void* block, std::size_t) noexcept { free_block(block); }
void operator delete(void* block, std::align_val_t) noexcept { free_block(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { free_block(block); }

#endif
