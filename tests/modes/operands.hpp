// guardjit: tests/modes/operands.hpp: what an observer is told of operands
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_MODES_OPERANDS_HPP
#define GUARDJIT_TESTS_MODES_OPERANDS_HPP

#include <guardjit/modes/operand.hpp>

namespace operands {

using guardjit::operand_info;

constexpr operand_info of(guardjit::dtype type, guardjit::shape const& s) { return {type, false, s}; }
constexpr operand_info f32(auto... extents) { return of(guardjit::dtype::f32, guardjit::shape(extents...)); }
inline constexpr operand_info weak{guardjit::dtype::f32, true, {}};

}  // namespace operands

#endif
