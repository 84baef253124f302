// guardjit: tests/conformance/modes/random_stacks_1.cpp: drawn functions 1 to 25
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/random_stacks.hpp"

TEST_CASE("M97: drawn functions 1 to 25 are told and computed as in eager code") {
  random_stacks::check_functions<1>(std::make_index_sequence<25>{});
}
