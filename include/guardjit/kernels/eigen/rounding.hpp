// guardjit: kernels/eigen/rounding.hpp: floor, ceil, round and fmod of packets
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ROUNDING_HPP
#define GUARDJIT_KERNELS_EIGEN_ROUNDING_HPP

#include <guardjit/kernels/eigen/packet.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
#ifndef EIGEN_VECTORIZE_SSE4_1
/// A sum with the smallest number that has no digits behind the point leaves none. Rounds to even.
template <class T> inline raw_packet<T> whole_part(raw_packet<T> a) {
  using namespace Eigen::internal;
  auto const largest = splat(limits_of<T>::no_fraction), size = pabs(a);
  auto const whole = psub(padd(size, largest), largest);
  return pselect(pcmp_lt(size, largest), por(whole, pand(a, splat(T(-0.0)))), a);
}
#endif
}  // namespace detail

/// Ties go to even.
template <class T> inline packet<T> round_(packet<T> a) {
#ifdef EIGEN_VECTORIZE_SSE4_1
  return {Eigen::internal::print(a.raw)};
#else
  return {detail::whole_part<T>(a.raw)};
#endif
}
template <class T> inline packet<T> floor_(packet<T> a) {
#ifdef EIGEN_VECTORIZE_SSE4_1
  return {Eigen::internal::pfloor(a.raw)};
#else
  packet<T> const whole = round_(a);
  return {Eigen::internal::psub(
      whole.raw, Eigen::internal::pand(gt_(whole, a).raw, detail::splat(T(1))))};
#endif
}
/// Zeros keep the sign of `a`.
template <class T> inline packet<T> ceil_(packet<T> a) {
#ifdef EIGEN_VECTORIZE_SSE4_1
  return {Eigen::internal::pceil(a.raw)};
#else
  return -floor_(-a);
#endif
}

template <class T> inline packet<T> fmod_(packet<T> a, packet<T> b) {
  return detail::lane_by_lane(a, b, [](T v, T divisor) { return std::fmod(v, divisor); });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
