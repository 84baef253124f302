// guardjit: kernels/eigen/error_function.hpp: the error function of packets within the rules
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ERROR_FUNCTION_HPP
#define GUARDJIT_KERNELS_EIGEN_ERROR_FUNCTION_HPP

#include <guardjit/kernels/eigen/functions.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Whether the error function has packets of `T`; elements of f64 go to the C++ library.
template <class T> inline constexpr bool has_packet_erf = std::is_same_v<T, float>;

namespace detail {
/// Up to 1: a P(a²), where P is fitted to 1.3e-9.
inline packet<float> erf_near_zero(packet<float> a) {
  packet<float> const p{horner<float>((a * a).raw, 7.85385782e-05f, -0.000801019254f, 0.00518832775f,
                                      -0.026853811f, 0.112835854f, -0.37612626f, 1.12837911f)};
  return a * p;
}
/// 1 - erf(a) for a >= 0: exp(-a²) F(y) / (1 + 2a), where F is a polynomial in y = (a - 2) / (a + 2),
/// fitted to 1.5e-8 up to 10.5; from there on it is 0. The rounding of a² adds an error of a² · 2^-24.
inline packet<float> erf_tail(packet<float> a) {
  using lanes = packet<float>;
  lanes const two = lanes::of(2), x = min_(a, lanes::of(10.5)), y = (x - two) / (x + two);
  lanes const f{horner<float>(y.raw, -0.000396107294f, -0.00122234179f, 0.00131257111f, 0.00862535741f,
                              -0.00806088839f, -0.0542026237f, 0.16405566f, -0.166031569f,
                              -0.0927639976f, 1.27697837f)};
  return exp_(-(x * x)) * f / (lanes::of(1) + two * x);
}
}  // namespace detail

/// Rules: section 8: within 6 ULP (f32), 4 ULP (f64); worst found: 2.5.
template <class T> inline packet<T> erf_(packet<T> a) {
  if constexpr (has_packet_erf<T>) {
    auto const one = packet<T>::of(1), size = abs_(a), far = one - detail::erf_tail(size);
    return select_(lt_(size, one), detail::erf_near_zero(a),
                   select_(lt_(a, packet<T>::of(0)), -far, far));
  } else {
    return detail::lane_by_lane(a, [](T v) { return std::erf(v); });
  }
}
/// 1 - erf(a), for what is computed from it.
template <class T> inline packet<T> erfc_(packet<T> a) {
  if constexpr (has_packet_erf<T>) {
    auto const one = packet<T>::of(1), size = abs_(a), tail = detail::erf_tail(size);
    return select_(lt_(size, packet<T>::of(0.5)), one - detail::erf_near_zero(a),
                   select_(lt_(a, packet<T>::of(0)), packet<T>::of(2) - tail, tail));
  } else {
    return detail::lane_by_lane(a, [](T v) { return std::erfc(v); });
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
