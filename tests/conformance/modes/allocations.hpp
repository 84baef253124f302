// guardjit: tests/conformance/modes/allocations.hpp: how often this thread went to the heap
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_MODES_ALLOCATIONS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_MODES_ALLOCATIONS_HPP

/// Calls of `operator new` by this thread so far.
extern thread_local long heap_calls;

#endif
