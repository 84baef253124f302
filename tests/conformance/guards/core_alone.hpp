// guardjit: tests/conformance/guards/core_alone.hpp: what a unit does that includes core.hpp and no more
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_CORE_ALONE_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_CORE_ALONE_HPP

#include <string>
#include <vector>

namespace core_alone {

/// 2 x + 1 and 2 x, by `backend(reference)`.
float compiled(float x);
float evaluated(float x);
std::vector<std::string> backends();
std::string error_of_tiles();

}  // namespace core_alone

#endif
