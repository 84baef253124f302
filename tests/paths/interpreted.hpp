// guardjit: tests/paths/interpreted.hpp: graphs as data, run by an interpreter
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_INTERPRETED_HPP
#define GUARDJIT_TESTS_PATHS_INTERPRETED_HPP

#include <guardjit/compile/erased_backend.hpp>
#include <guardjit/tensor/any_tensor.hpp>

#include <vector>

namespace paths {

/// `tiles`, for units that need not compile its loops.
guardjit::erased_backend tiles_backend();

enum class interpreter { tiles, reference };

/// What a plan is made for before it is run: the layouts of the call, those alone, or others.
enum class first_call { same, fixed, other };

/// The outputs of an optimised graph, row-major. One that is an argument, or a view of some, is a copy.
std::vector<guardjit::any_tensor> interpreted(interpreter by, guardjit::graph_view const& g,
                                        std::span<guardjit::any_tensor const> arguments,
                                        first_call first = first_call::same);

}  // namespace paths

#endif
