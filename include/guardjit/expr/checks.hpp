// guardjit: expr/checks.hpp: what evaluation checks besides shapes: integer scalars and devices
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_CHECKS_HPP
#define GUARDJIT_EXPR_CHECKS_HPP

#include <guardjit/expr/expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Throws where an integer scalar of an expression does not fit the dtype of its op, or tensors lie
/// on two devices. `on` becomes the device, if there is a tensor.
/// Throws: `dtype_error`, `device_error`. Rules: M20.
class operand_checks {
 public:
  template <expression Expression> void check(Expression const& e) {
    std::apply([&](auto const&... in) { (check_operand(e, in), ...); }, e.operands());
  }
  device on() const { return on_; }

 private:
  template <class Expression, class Operand>
  void check_operand(Expression const& e, Operand const& x) {
    if constexpr (expression<Operand>) {
      check(x);
    } else if constexpr (eager_operand<Operand>::scalar) {
      check_scalar(x, Expression::id, Expression::compute, e.line());
    } else {
      if (placed_ && x.where() != on_) [[unlikely]]
        raise_device_mismatch(Expression::id, on_, x.where(), e.line());
      on_ = x.where();
      placed_ = true;
    }
  }

  device on_{};
  bool placed_ = false;
};

/// The device of an expression's value, all checked.
template <class Expression> device checked_device(Expression const& e) {
  operand_checks checks;
  checks.check(e);
  return checks.on();
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
