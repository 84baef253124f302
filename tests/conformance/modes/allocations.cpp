// guardjit: tests/conformance/modes/allocations.cpp: `operator new` of this program counts its calls
// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"

#include <cstdlib>
#include <new>

thread_local long heap_calls = 0;

namespace {
void* allocate(std::size_t size, std::size_t alignment) {
  ++heap_calls;
  void* const block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!block) throw std::bad_alloc();
  return block;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
