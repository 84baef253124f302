// guardjit: ops/trigonometric.hpp: rows of sine and cosine
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_TRIGONOMETRIC_HPP
#define GUARDJIT_OPS_TRIGONOMETRIC_HPP

#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

template <> struct op_row<op::sin> {
  static constexpr op_info info{"sin", op_form::elementwise, 1, dtype_rule::floating, 20};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return sin_(a); }
};
template <> struct op_row<op::cos> {
  static constexpr op_info info{"cos", op_form::elementwise, 1, dtype_rule::floating, 20};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return cos_(a); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
