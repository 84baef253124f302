// guardjit: kernels/eigen/trigonometric.hpp: sine and cosine of packets within the rules
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_TRIGONOMETRIC_HPP
#define GUARDJIT_KERNELS_EIGEN_TRIGONOMETRIC_HPP

#include <guardjit/kernels/eigen/packet.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Whether sine and cosine have packets of `T` that keep the rules: Eigen's for f32 are within 1.5 ULP
/// where a product and a sum are one rounding, and within 2.3 ULP elsewhere.
template <class T> inline constexpr bool has_packet_sine =
#ifdef EIGEN_VECTORIZE_FMA
    std::is_same_v<T, float>;
#else
    false;
#endif

/// Rules: section 8: within 2 ULP.
template <class T> inline packet<T> sin_(packet<T> a) {
  if constexpr (has_packet_sine<T>) return {Eigen::internal::psin_float(a.raw)};
  else return detail::lane_by_lane(a, [](T v) { return std::sin(v); });
}
template <class T> inline packet<T> cos_(packet<T> a) {
  if constexpr (has_packet_sine<T>) return {Eigen::internal::pcos_float(a.raw)};
  else return detail::lane_by_lane(a, [](T v) { return std::cos(v); });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
