// guardjit: kernels/eigen/packet.hpp: an Eigen packet as the lane type of formulas
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_PACKET_HPP
#define GUARDJIT_KERNELS_EIGEN_PACKET_HPP

#include <guardjit/kernels/eigen/core.hpp>
#include <guardjit/ops/lane.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
template <class T> using raw_packet = typename Eigen::internal::packet_traits<T>::type;

/// Lanes of the widest packet of `T`.
template <class T> inline constexpr int packet_width = Eigen::internal::packet_traits<T>::size;

template <class T> inline raw_packet<T> splat(T v) {
  return Eigen::internal::pset1<raw_packet<T>>(v);
}
}  // namespace detail

/// Truth values of the lanes of a packet of `T`: all bits of a lane are set or none.
template <class T> struct packet_mask {
  using mask = packet_mask;
  detail::raw_packet<T> raw;

  static packet_mask of(double v) {
    auto const zero = detail::splat(T(0));
    return {v != 0 ? Eigen::internal::pcmp_eq(zero, zero) : zero};
  }
};

/// A packet of `T`. Rules: as `lane`.
template <class T> struct packet {
  using value_type = T;
  using mask = packet_mask<T>;
  detail::raw_packet<T> raw;

  static packet of(double v) { return {detail::splat(static_cast<T>(v))}; }
};

template <class T> inline packet<T> operator+(packet<T> a, packet<T> b) {
  return {Eigen::internal::padd(a.raw, b.raw)};
}
template <class T> inline packet<T> operator-(packet<T> a, packet<T> b) {
  return {Eigen::internal::psub(a.raw, b.raw)};
}
template <class T> inline packet<T> operator*(packet<T> a, packet<T> b) {
  return {Eigen::internal::pmul(a.raw, b.raw)};
}
template <class T> inline packet<T> operator/(packet<T> a, packet<T> b) {
  return {Eigen::internal::pdiv(a.raw, b.raw)};
}
/// By the sign bit: Eigen's `pnegate` subtracts from +0 on some processors.
template <class T> inline packet<T> operator-(packet<T> a) {
  return {Eigen::internal::pxor(a.raw, detail::splat(T(-0.0)))};
}

/// Eigen's `pmin` returns one of its operands where one is NaN or both are zeros, which one by
/// their order: the bits of both orders together hold NaN and the sign of -0. AVX-512 orders the
/// zeros by itself, and the sum brings NaN.
template <class T> inline packet<T> min_(packet<T> a, packet<T> b) {
#ifdef EIGEN_VECTORIZE_AVX512DQ
  if constexpr (std::is_same_v<T, float>)
    return {_mm512_mask_add_ps(_mm512_range_ps(a.raw, b.raw, 4),
                               _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q), a.raw, b.raw)};
  else
    return {_mm512_mask_add_pd(_mm512_range_pd(a.raw, b.raw, 4),
                               _mm512_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q), a.raw, b.raw)};
#else
  return {Eigen::internal::por(Eigen::internal::pmin(a.raw, b.raw),
                               Eigen::internal::pmin(b.raw, a.raw))};
#endif
}
template <class T> inline packet<T> max_(packet<T> a, packet<T> b) {
#ifdef EIGEN_VECTORIZE_AVX512DQ
  if constexpr (std::is_same_v<T, float>)
    return {_mm512_mask_add_ps(_mm512_range_ps(a.raw, b.raw, 5),
                               _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q), a.raw, b.raw)};
  else
    return {_mm512_mask_add_pd(_mm512_range_pd(a.raw, b.raw, 5),
                               _mm512_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q), a.raw, b.raw)};
#else
  return -min_(-a, -b);
#endif
}
/// `pmax` returns its first operand for NaN and for two zeros; the sum makes -0 a +0.
template <class T> inline packet<T> relu_(packet<T> a) {
  auto const zero = detail::splat(T(0));
  return {Eigen::internal::padd(Eigen::internal::pmax(a.raw, zero), zero)};
}

template <class T> inline packet<T> abs_(packet<T> a) { return {Eigen::internal::pabs(a.raw)}; }

template <class T> inline packet_mask<T> lt_(packet<T> a, packet<T> b) {
  return {Eigen::internal::pcmp_lt(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> gt_(packet<T> a, packet<T> b) {
  return {Eigen::internal::pcmp_lt(b.raw, a.raw)};
}
template <class T> inline packet_mask<T> le_(packet<T> a, packet<T> b) {
  return {Eigen::internal::pcmp_le(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> eq_(packet<T> a, packet<T> b) {
  return {Eigen::internal::pcmp_eq(a.raw, b.raw)};
}
template <class T> inline packet<T> select_(packet_mask<T> c, packet<T> a, packet<T> b) {
  return {Eigen::internal::pselect(c.raw, a.raw, b.raw)};
}

// Bool ops on truth values, with the meaning that `lane<bool>` gives them.
template <class T> inline packet_mask<T> operator&(packet_mask<T> a, packet_mask<T> b) {
  return {Eigen::internal::pand(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> operator|(packet_mask<T> a, packet_mask<T> b) {
  return {Eigen::internal::por(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> operator^(packet_mask<T> a, packet_mask<T> b) {
  return {Eigen::internal::pxor(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> operator+(packet_mask<T> a, packet_mask<T> b) { return a | b; }
template <class T> inline packet_mask<T> operator*(packet_mask<T> a, packet_mask<T> b) { return a & b; }
template <class T> inline packet_mask<T> max_(packet_mask<T> a, packet_mask<T> b) { return a | b; }
template <class T> inline packet_mask<T> min_(packet_mask<T> a, packet_mask<T> b) { return a & b; }
template <class T> inline packet_mask<T> abs_(packet_mask<T> a) { return a; }
template <class T> inline packet_mask<T> gt_(packet_mask<T> a, packet_mask<T> b) {
  return {Eigen::internal::pandnot(a.raw, b.raw)};
}
template <class T> inline packet_mask<T> lt_(packet_mask<T> a, packet_mask<T> b) {
  return gt_(b, a);
}
template <class T> inline packet_mask<T> not_(packet_mask<T> a) {
  return gt_(packet_mask<T>::of(1), a);
}
template <class T> inline packet_mask<T> le_(packet_mask<T> a, packet_mask<T> b) {
  return not_(gt_(a, b));
}
template <class T> inline packet_mask<T> eq_(packet_mask<T> a, packet_mask<T> b) { return not_(a ^ b); }
template <class T>
inline packet_mask<T> select_(packet_mask<T> c, packet_mask<T> a, packet_mask<T> b) {
  return {Eigen::internal::pselect(c.raw, a.raw, b.raw)};
}

namespace detail {
template <class T, class F> inline packet<T> lane_by_lane(packet<T> a, packet<T> b, F f) {
  constexpr int width = packet_width<T>;
  alignas(64) T left[width], right[width];
  Eigen::internal::pstore(left, a.raw);
  Eigen::internal::pstore(right, b.raw);
  for (int k = 0; k < width; ++k) left[k] = f(left[k], right[k]);
  return {Eigen::internal::pload<raw_packet<T>>(left)};
}
template <class T, class F> inline packet<T> lane_by_lane(packet<T> a, F f) {
  return lane_by_lane(a, a, [f](T v, T) { return f(v); });
}
}  // namespace detail

/// Correctly rounded: Eigen's `psqrt` multiplies by an approximate reciprocal in some packets.
template <class T> inline packet<T> sqrt_(packet<T> a) {
#if defined(EIGEN_VECTORIZE_AVX512)
  if constexpr (std::is_same_v<T, float>) return {_mm512_sqrt_ps(a.raw)};
  else return {_mm512_sqrt_pd(a.raw)};
#elif defined(EIGEN_VECTORIZE_AVX)
  if constexpr (std::is_same_v<T, float>) return {_mm256_sqrt_ps(a.raw)};
  else return {_mm256_sqrt_pd(a.raw)};
#elif defined(EIGEN_VECTORIZE_SSE2)
  if constexpr (std::is_same_v<T, float>) return {_mm_sqrt_ps(a.raw)};
  else return {_mm_sqrt_pd(a.raw)};
#else
  return detail::lane_by_lane(a, [](T v) { return std::sqrt(v); });
#endif
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
