// guardjit: tests/conformance/modes/random_stacks_2.cpp: drawn functions 26 to 50
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/random_stacks.hpp"

TEST_CASE("M97: drawn functions 26 to 50 are told and computed as in eager code") {
  random_stacks::check_functions<26>(std::make_index_sequence<25>{});
}
