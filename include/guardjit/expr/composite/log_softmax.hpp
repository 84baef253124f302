// guardjit: expr/composite/log_softmax.hpp: logarithms of softmax
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_LOG_SOFTMAX_HPP
#define GUARDJIT_EXPR_COMPOSITE_LOG_SOFTMAX_HPP

#include <guardjit/expr/composite/softmax.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

struct log_softmax_body {
  static constexpr op checks = op::amax;
  static constexpr auto call(auto const& x, int axis, source_line line) {
    auto const values = as_floating(x, line);
    auto const apart = sub(values, row_maximum(values, axes(axis), line), line);
    auto const total = sum(exp(apart, line), axes(axis), keepdims, line);
    return sub(apart, log(total, line), line);
  }
};

struct masked_log_softmax_body {
  static constexpr op checks = op::amax;
  static constexpr auto call(auto const& x, auto const& mask, int axis, source_line line) {
    return masked_row(x, mask, axis, line,
                      [line](auto const& taken, auto const& apart, auto const&, auto const& total) {
                        auto const logarithms = sub(apart, log(total, line), line);
                        return guardjit::where(taken, logarithms, -row_infinity, line);
                      });
  }
};

using log_softmax_function = masked_row_function<log_softmax_body, masked_log_softmax_body>;

}  // namespace detail

/// The logarithm of `softmax`, without its underflow: `log_softmax(x, axis = -1)`. Places that a mask,
/// `log_softmax(x, axis, mask)`, leaves out are -inf.
/// Shapes:, Dtypes:, Throws: as `softmax`.
/// Modes: `amax`, `sub` twice, `exp`, `sum`, `log`, and what `softmax` adds. Rules: POL-10.
inline constexpr detail::log_softmax_function log_softmax{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
