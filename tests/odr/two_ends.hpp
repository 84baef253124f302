// guardjit: tests/odr/two_ends.hpp: what one end of the program asks the other
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_ODR_TWO_ENDS_HPP
#define GUARDJIT_TESTS_ODR_TWO_ENDS_HPP

#include <guardjit/guardjit.hpp>

#define OTHER_END __attribute__((visibility("default")))

using vector = guardjit::tensor<float, guardjit::dyn>;

inline constexpr auto twice_plus_one = [](auto const& x) { return x * 2.0f + 1.0f; };

/// The same function, compiled and called in the other unit.
OTHER_END float other_end_computes(vector const& x);
/// Whether the other unit sees a mode on the stack.
OTHER_END bool other_end_sees_a_mode();
/// An eager operation in the other unit.
OTHER_END void other_end_adds(vector const& x);

#endif
