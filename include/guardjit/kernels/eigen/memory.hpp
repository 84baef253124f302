// guardjit: kernels/eigen/memory.hpp: loads and stores of a part of a packet
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_MEMORY_HPP
#define GUARDJIT_KERNELS_EIGEN_MEMORY_HPP

#include <guardjit/kernels/eigen/packet.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
/// Bits of `T` that are set in the first lanes: reading `packet_width - count` elements into it
/// gives `count` set lanes.
template <class T> struct lane_bits {
  static constexpr int width = packet_width<T>;
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  struct table {
    alignas(64) bits value[2 * width];
  };
  static constexpr table all = [] {
    table t{};
    for (int k = 0; k < width; ++k) t.value[k] = -1;
    return t;
  }();
};

template <class T> inline raw_packet<T> load_unaligned(T const* from) {
  return Eigen::internal::ploadu<raw_packet<T>>(from);
}
template <class T> inline void store_unaligned(T* to, raw_packet<T> v) {
  Eigen::internal::pstoreu(to, v);
}
}  // namespace detail

namespace detail {
/// The lanes of an f32 packet as two packets of f64.
struct wide_packet {
  packet<double> low, high;
};
inline wide_packet widen(packet<float> v) {
#if defined(EIGEN_VECTORIZE_AVX512)
  auto const high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v.raw), 1));
  return {{_mm512_cvtps_pd(_mm512_castps512_ps256(v.raw))}, {_mm512_cvtps_pd(high)}};
#elif defined(EIGEN_VECTORIZE_AVX)
  return {{_mm256_cvtps_pd(_mm256_castps256_ps128(v.raw))},
          {_mm256_cvtps_pd(_mm256_extractf128_ps(v.raw, 1))}};
#else
  constexpr int half = packet_width<double>;
  alignas(64) float from[packet_width<float>];
  alignas(64) double to[2 * half];
  Eigen::internal::pstore(from, v.raw);
  for (int k = 0; k < 2 * half; ++k) to[k] = static_cast<double>(from[k]);
  return {{Eigen::internal::pload<raw_packet<double>>(to)},
          {Eigen::internal::pload<raw_packet<double>>(to + half)}};
#endif
}
}  // namespace detail

namespace detail {
#if defined(EIGEN_VECTORIZE_SSE2) && !defined(EIGEN_VECTORIZE_AVX512)
// Parts of 128 bits in one or two steps. Stores under a mask take longer than these on many
// processors, and a buffer of single elements stalls the load of the whole.
inline __m128 load_quarters(float const* from, int count) {
  if (count == 0) return _mm_setzero_ps();
  if (count == 1) return _mm_load_ss(from);
  __m128 const pair = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<__m64 const*>(from));
  return count == 2 ? pair : _mm_movelh_ps(pair, _mm_load_ss(from + 2));
}
inline __m128d load_quarters(double const* from, int count) {
  return count == 0 ? _mm_setzero_pd() : _mm_load_sd(from);
}
inline void store_quarters(float* to, __m128 v, int count) {
  if (count & 2) {
    _mm_storel_pi(reinterpret_cast<__m64*>(to), v);
    v = _mm_movehl_ps(v, v);
    to += 2;
  }
  if (count & 1) _mm_store_ss(to, v);
}
inline void store_quarters(double* to, __m128d v, int count) {
  if (count & 1) _mm_store_sd(to, v);
}
#endif
#if defined(EIGEN_VECTORIZE_AVX) && !defined(EIGEN_VECTORIZE_AVX512)
inline void store_quarters(float* to, __m256 v, int count) {
  auto low = _mm256_castps256_ps128(v);
  if (count & 4) {
    _mm_storeu_ps(to, low);
    low = _mm256_extractf128_ps(v, 1);
    to += 4;
  }
  store_quarters(to, low, count & 3);
}
inline void store_quarters(double* to, __m256d v, int count) {
  auto low = _mm256_castpd256_pd128(v);
  if (count & 2) {
    _mm_storeu_pd(to, low);
    low = _mm256_extractf128_pd(v, 1);
    to += 2;
  }
  store_quarters(to, low, count & 1);
}
#endif
}  // namespace detail

/// The first `count` lanes of a packet of `T`: all that a tail touches. Loads give 0 in the
/// others. By masks where the processor has them, else through a buffer.
template <class T> struct first_lanes {
  static constexpr int width = detail::packet_width<T>;
  using raw = detail::raw_packet<T>;
  int count;
#if defined(EIGEN_VECTORIZE_AVX512)
  using mask_type = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  mask_type mask;
#elif defined(EIGEN_VECTORIZE_AVX)
  __m256i mask;
#endif

  explicit first_lanes(index_t n)
      : count(static_cast<int>(n))
#if defined(EIGEN_VECTORIZE_AVX512)
        ,
        mask(static_cast<mask_type>((1u << n) - 1u))
#elif defined(EIGEN_VECTORIZE_AVX)
        ,
        mask(_mm256_loadu_si256(static_cast<__m256i const*>(
            static_cast<void const*>(detail::lane_bits<T>::all.value + width - n))))
#endif
  {
  }

  raw operator()(T const* from) const {
#if defined(EIGEN_VECTORIZE_AVX512)
    if constexpr (sizeof(T) == 4) return _mm512_maskz_loadu_ps(mask, from);
    else return _mm512_maskz_loadu_pd(mask, from);
#elif defined(EIGEN_VECTORIZE_AVX)
    if constexpr (sizeof(T) == 4) return _mm256_maskload_ps(from, mask);
    else return _mm256_maskload_pd(from, mask);
#elif defined(EIGEN_VECTORIZE_SSE2)
    if (count == width) return detail::load_unaligned(from);
    return detail::load_quarters(from, count);
#else
    if (count == width) return detail::load_unaligned(from);
    alignas(64) T lanes[width]{};
    for (int k = 0; k < count; ++k) lanes[k] = from[k];
    return Eigen::internal::pload<raw>(lanes);
#endif
  }

  void store(T* to, raw v) const {
#if defined(EIGEN_VECTORIZE_AVX512)
    if constexpr (sizeof(T) == 4) _mm512_mask_storeu_ps(to, mask, v);
    else _mm512_mask_storeu_pd(to, mask, v);
#elif defined(EIGEN_VECTORIZE_SSE2)
    if (count == width) return detail::store_unaligned(to, v);
    detail::store_quarters(to, v, count);
#else
    if (count == width) return detail::store_unaligned(to, v);
    alignas(64) T lanes[width];
    Eigen::internal::pstore(lanes, v);
    for (int k = 0; k < count; ++k) to[k] = lanes[k];
#endif
  }

  /// `v` in these lanes, `other` in the rest.
  raw select(raw v, raw other) const {
    void const* const bits = detail::lane_bits<T>::all.value + width - count;
    return Eigen::internal::pselect(detail::load_unaligned(static_cast<T const*>(bits)), v, other);
  }
};

/// All lanes of a packet of `T`, with the functions of `first_lanes`.
template <class T> struct full_packet {
  detail::raw_packet<T> operator()(T const* from) const { return detail::load_unaligned(from); }
  void store(T* to, detail::raw_packet<T> v) const { detail::store_unaligned(to, v); }
};

namespace detail {
/// Calls `visit(first, lanes)` for each packet of `n` elements; the last one may have some lanes only.
template <class T> [[gnu::always_inline]] inline void for_each_packet(index_t n, auto const& visit) {
  constexpr int width = packet_width<T>;
  index_t i = 0;
  for (; i + width <= n; i += width) visit(i, full_packet<T>{});
  if (i < n) visit(i, first_lanes<T>(n - i));
}
}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
