// guardjit: tests/conformance/modes/twins.hpp: what one unit with a mode of its own name offers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_MODES_TWINS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_MODES_TWINS_HPP

/// Calls `use` under the other unit's mode `twin`.
void under_other_twin(void (*use)(void*), void* context);
/// The tag of that mode, and the name of its type.
void const* tag_of_other_twin();
char const* name_of_other_twin();

#endif
