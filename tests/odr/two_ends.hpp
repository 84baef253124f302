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

/// A mode that both units use.
struct GUARDJIT_VISIBLE tripling : guardjit::pure_mode<tripling> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == guardjit::op::mul) return call() * 1.5f;
    return call();
  }
};
/// Its tag in the other unit, and the slot of the mode that is on top there.
OTHER_END void const* other_end_tag();
OTHER_END guardjit::function_mode* other_end_top();
/// Calls `use` under a mode `tripling` that the other unit made.
OTHER_END void under_mode_of_other_end(void (*use)(void*), void* context);

/// Whether a pinned entry of the other unit, where GUARDJIT_EXTRA_CHECKS is 1, checks its guards.
OTHER_END bool other_end_checks(vector const& x, vector const& longer);

#endif
