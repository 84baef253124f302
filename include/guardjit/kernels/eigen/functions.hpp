// guardjit: kernels/eigen/functions.hpp: exponentials, logarithms and powers of packets within the rules
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_FUNCTIONS_HPP
#define GUARDJIT_KERNELS_EIGEN_FUNCTIONS_HPP

#include <guardjit/kernels/eigen/packet.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
/// The polynomial with the given coefficients, highest power first; in f32 and f64 packets a
/// product and a sum become one rounding where the processor has it.
template <class T, class... Rest>
inline raw_packet<T> horner(raw_packet<T> x, T first, Rest... rest) {
  auto sum = splat(first);
  [[maybe_unused]] int const order[] = {
      (sum = Eigen::internal::pmadd(sum, x, splat(static_cast<T>(rest))), 0)...};
  return sum;
}
}  // namespace detail

namespace detail {
#ifdef EIGEN_VECTORIZE_AVX512
/// 2 to the power of k / 16, rounded.
alignas(64) inline constexpr float sixteenth_powers[16] = {
    1.0f,        1.04427378f, 1.09050773f, 1.13878863f, 1.18920712f, 1.24185781f,
    1.29683955f, 1.35425555f, 1.41421356f, 1.47682615f, 1.54221083f, 1.61049033f,
    1.68179283f, 1.75625216f, 1.83400809f, 1.91520656f};
#endif
}  // namespace detail

/// Rules: section 8 of `numerics.md`: within 2 ULP, exp(-inf) = 0. Eigen's f32 function of
/// AVX-512 overflows from 88.38 on and is off by 4 ULP below -86: that one is replaced, by one whose
/// worst error is 1.07 ULP: a sixteenth of a power of two from a table in a register, times a
/// polynomial of degree 3.
template <class T> inline packet<T> exp_(packet<T> a) {
  using namespace Eigen::internal;
#ifdef EIGEN_VECTORIZE_AVX512
  if constexpr (std::is_same_v<T, float>) {
    // NaN is the operand that `pmin` and `pmax` return. `scalef` overflows to inf and underflows
    // to 0 by itself.
    auto const x = pmax(pmin(a.raw, detail::splat(89.0f)), detail::splat(-104.0f));
    // The sum has as many bits behind the point as sixteenths need: it rounds, and its lowest four
    // bits number the element of the table.
    auto const rounder = detail::splat(786432.0f);
    auto const rounded = pmadd(x, detail::splat(1.44269504088896341f), rounder);
    auto const m = psub(rounded, rounder);
    auto const r =
        pmadd(m, detail::splat(2.12194440e-4f), pmadd(m, detail::splat(-0.693359375f), x));
    auto const power = _mm512_permutexvar_ps(_mm512_castps_si512(rounded),
                                             _mm512_load_ps(detail::sixteenth_powers));
    auto const p = detail::horner<float>(r, 1.66666667e-1f, 0.5f, 1.0f);
    return {_mm512_scalef_ps(pmadd(pmul(power, r), p, power), m)};
  }
#endif
  constexpr T lowest = std::is_same_v<T, float> ? T(-88.7229) : T(-709.7828);
  return {pandnot(pexp(a.raw), pcmp_lt(a.raw, detail::splat(lowest)))};
}

/// Rules: section 8: within 2 ULP, for subnormals too, which Eigen's function takes for the
/// smallest normal number: they are scaled.
template <class T> inline packet<T> log_(packet<T> a) {
  using namespace Eigen::internal;
  using limits = std::numeric_limits<T>;
  auto const x = a.raw;
  auto const small = pcmp_lt(x, detail::splat(limits::min()));
  constexpr T scale = std::is_same_v<T, float> ? T(16777216.0) : T(18014398509481984.0);
  constexpr T log_of_scale =
      std::is_same_v<T, float> ? T(16.635532333438687426) : T(37.429947750237048);
  auto const y = plog(pmul(x, pselect(small, detail::splat(scale), detail::splat(T(1)))));
  return {psub(y, pand(small, detail::splat(log_of_scale)))};
}

/// Rules: section 8: within 5 ULP (f32), 4 ULP (f64).
/// With one rounding for a product and a sum, f32 is x P(x²) / Q(x²): fitted to 2e-8 up to 9, and
/// within 4.93 ULP for every float up to the clamp, where it is 1.
/// Source: the rest: Cephes, `tanhf` and `tanh`.
template <class T> inline packet<T> tanh_(packet<T> a) {
  using namespace Eigen::internal;
#ifdef EIGEN_VECTORIZE_FMA
  if constexpr (std::is_same_v<T, float>) {
    auto const x = pmax(pmin(a.raw, detail::splat(7.98304176f)), detail::splat(-7.98304176f));
    auto const z = pmul(x, x);
    auto const p =
        detail::horner<float>(z, 1.33546774e-08f, 2.06090936e-05f, 0.0034955889f, 0.133810267f);
    auto const q =
        detail::horner<float>(z, 7.7765651e-07f, 0.00032856359f, 0.0258769859f, 0.467143416f, 1.0f);
    return {pdiv(pmadd(pmul(x, z), p, x), q)};
  }
#endif
  auto const x = a.raw, one = detail::splat(T(1)), sign_bit = detail::splat(T(-0.0));
  auto const z = pmul(x, x);
  decltype(pmul(x, x)) p;
  if constexpr (std::is_same_v<T, float>) {
    p = detail::horner<float>(z, -5.70498872745E-3f, 2.06390887954E-2f, -5.37397155531E-2f,
                              1.33314422036E-1f, -3.33332819422E-1f);
  } else {
    p = pdiv(detail::horner<double>(z, -9.64399179425052238628E-1, -9.92877231001918586564E1,
                                    -1.61468768441708447952E3),
             detail::horner<double>(z, 1.0, 1.12811678491632931402E2, 2.23548839060100448583E3,
                                    4.84406305325125486048E3));
  }
  auto const near = padd(x, pmul(x, pmul(z, p)));
  auto const magnitude = pandnot(x, sign_bit);
  auto const e = pexp(padd(magnitude, magnitude));
  auto const far = psub(one, pdiv(detail::splat(T(2)), padd(e, one)));
  auto const either = pselect(pcmp_lt(magnitude, detail::splat(T(0.625))), near, far);
  return {por(either, pand(x, sign_bit))};
}

/// Rules: section 8: within 3 ULP; worst found: f32 2.4, f64 2.7. Far from 0 the exponential less 1,
/// near it (u - 1) x / log(u) for u = exp(x), whose errors cancel.
/// Source: W. Kahan.
template <class T> inline packet<T> expm1_(packet<T> a) {
  using namespace Eigen::internal;
  packet<T> const one = packet<T>::of(1), u = exp_(a), less = u - one;
  auto const near = select_(eq_(u, one), a, less * (a / log_(u)));
  auto const is_near = lt_(abs_(a), packet<T>::of(2));
  return select_(is_near, near, less);
}

/// Rules: section 8: within 3 ULP; worst found: 2.5.
template <class T> inline packet<T> log1p_(packet<T> a) {
  return {Eigen::internal::generic_plog1p(a.raw)};
}

/// Rules: section 8: within 4 ULP, POL-23. By the C++ library, since Eigen's is off by 40 ULP and more.
template <class T> inline packet<T> pow_(packet<T> a, packet<T> b) {
  return detail::lane_by_lane(a, b, [](T v, T exponent) { return std::pow(v, exponent); });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
