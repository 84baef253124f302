// guardjit: tests/conformance/guards/allocations.cpp: `operator new` of this program counts its calls
// SPDX-License-Identifier: BSL-1.0
#include "support/allocation_counter_unit.hpp"
