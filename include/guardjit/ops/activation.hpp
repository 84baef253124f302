// guardjit: ops/activation.hpp: rows of the activations of neural networks
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_ACTIVATION_HPP
#define GUARDJIT_OPS_ACTIVATION_HPP

#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/op.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// relu(x) = maximum(x, +0). Rules: POL-15.
template <> struct op_row<op::relu> {
  static constexpr op_info info{"relu", op_form::elementwise, 1, dtype_rule::promoted_number, 1};
  template <class Lane> GUARDJIT_HD static constexpr Lane eval(Lane a) { return relu_(a); }
};

namespace detail {

/// 1 / (1 + exp(-a)), from the exponential that does not overflow.
template <class Lane> GUARDJIT_HD Lane logistic(Lane a) {
  Lane const one = Lane::of(1), e = exp_(-abs_(a));
  return select_(lt_(a, Lane::of(0)), e, one) / (one + e);
}

/// a * logistic(b) for a and b of one sign. Below -80 (-700), where the exponential becomes subnormal
/// before the product does, it is taken for b + 64. An a of -inf is the lowest number: the limit from
/// below is -0.
template <class Lane> GUARDJIT_HD Lane gated(Lane a, Lane b) {
  using T = typename Lane::value_type;
  constexpr double far = sizeof(T) == 4 ? -80 : -700, exp_of_minus_64 = 1.6038108905486378e-28;
  a = max_(a, Lane::of(limits_of<T>::lowest));
  auto const is_far = lt_(b, Lane::of(far));
  Lane const one = Lane::of(1), e = exp_(select_(is_far, b + Lane::of(64), -abs_(b)));
  Lane const product = select_(lt_(b, Lane::of(0)), a * e, a);
  return select_(is_far, product * Lane::of(exp_of_minus_64), product / (one + e));
}

}  // namespace detail

/// Rules: section 8 of `numerics.md`: within 4 ULP, 0 at -inf; worst found: 2.4.
template <> struct op_row<op::sigmoid> {
  static constexpr op_info info{"sigmoid", op_form::elementwise, 1, dtype_rule::floating, 20};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return detail::logistic(a); }
};
/// x * sigmoid(x).
/// Rules: section 8: within 5 ULP (f32), 4 ULP (f64), -0 at -inf; worst found: 3.1 and 3.0.
template <> struct op_row<op::silu> {
  static constexpr op_info info{"silu", op_form::elementwise, 1, dtype_rule::floating, 22};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) { return detail::gated(a, a); }
};
/// log(1 + exp(x)). Rules: section 8: within 4 ULP; worst found: 3.0.
template <> struct op_row<op::softplus> {
  static constexpr op_info info{"softplus", op_form::elementwise, 1, dtype_rule::floating, 40};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) {
    return max_(a, Lane::of(0)) + log1p_(exp_(-abs_(a)));
  }
};
/// x times the part of a normal distribution below x. The smaller part is computed, so that it does not
/// cancel.
/// Rules: section 8: within 6 ULP (f32), 4 ULP (f64), below -1 times 1 + x², -0 at -inf; worst found:
/// 3.5 and 2.4.
template <> struct op_row<op::gelu> {
  static constexpr op_info info{"gelu", op_form::elementwise, 1, dtype_rule::floating, 34};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) {
    constexpr double root_of_half = 0.70710678118654752440;
    a = max_(a, Lane::of(detail::limits_of<typename Lane::value_type>::lowest));
    Lane const tail = Lane::of(0.5) * erfc_(abs_(a) * Lane::of(root_of_half));
    return a * select_(lt_(a, Lane::of(0)), tail, Lane::of(1) - tail);
  }
};
/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), which is x * sigmoid of twice the argument.
/// Rules: as `gelu`; worst found: f32 2.9, f64 3.6.
template <> struct op_row<op::gelu_tanh> {
  static constexpr op_info info{"gelu_tanh", op_form::elementwise, 1, dtype_rule::floating, 28};
  template <class Lane> GUARDJIT_HD static Lane eval(Lane a) {
    // 2 sqrt(2 / pi), and 0.044715 times it, each rounded once: large arguments magnify their errors.
    constexpr double linear = 1.5957691216057308, cubic = 0.07135481627260025;
    return detail::gated(a, a * (Lane::of(linear) + Lane::of(cubic) * (a * a)));
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
