// guardjit: tests/golden/verdict.hpp: operands of a golden case, and whether the results are right
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_GOLDEN_VERDICT_HPP
#define GUARDJIT_TESTS_GOLDEN_VERDICT_HPP

#include <guardjit/tensor/any_tensor.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "case.hpp"

namespace golden {

namespace gj = guardjit;

/// An operand as the public functions take it: left out, a tensor, or a C++ scalar.
using argument = std::variant<std::monostate, gj::any_tensor, bool, std::int64_t, float, double>;
using arguments = std::span<argument const>;
using results = std::vector<gj::any_tensor>;

/// The library's dtype of that name, if it has one.
std::optional<gj::dtype> dtype_of(std::string_view name);

/// The first dtype of a case that the library lacks; empty if it has all.
std::string missing_dtype(test_case const& c);

/// An operand in memory, laid out as the case says. Precondition: its dtype exists.
argument laid_out(value_data const& data);

/// Whether `got` is `want` within `bound`. Rules: POL-16, POL-17.
template <class T> bool is_right(T got, T want, tolerance const& bound);

/// Empty, or what is wrong: runs a case and compares the results, or the error that was thrown.
/// Operands, and what lies between their elements, must stay as they were.
std::string verdict(test_case const& c, std::function<results(arguments)> const& run);

}  // namespace golden

#endif
