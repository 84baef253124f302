// guardjit: kernels/eigen/packet_math.hpp: the functions of packets for one element
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_PACKET_MATH_HPP
#define GUARDJIT_KERNELS_EIGEN_PACKET_MATH_HPP

#include <guardjit/kernels/eigen/error_function.hpp>
#include <guardjit/kernels/eigen/trigonometric.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What plain loops of the eigen backend call, so that its lanes agree to the bit wherever an element
/// stands. Rules: POL-17.
struct packet_math {
  template <class T> static T exp(T v) { return first(exp_(packet<T>::of(v))); }
  template <class T> static T log(T v) { return first(log_(packet<T>::of(v))); }
  template <class T> static T tanh(T v) { return first(tanh_(packet<T>::of(v))); }
  template <class T> static T expm1(T v) { return first(expm1_(packet<T>::of(v))); }
  template <class T> static T log1p(T v) { return first(log1p_(packet<T>::of(v))); }
  template <class T> static T pow(T v, T exponent) { return std::pow(v, exponent); }
  template <class T> static T sin(T v) {
    if constexpr (has_packet_sine<T>) return first(sin_(packet<T>::of(v)));
    else return std::sin(v);
  }
  template <class T> static T cos(T v) {
    if constexpr (has_packet_sine<T>) return first(cos_(packet<T>::of(v)));
    else return std::cos(v);
  }
  template <class T> static T erf(T v) {
    if constexpr (has_packet_erf<T>) return first(erf_(packet<T>::of(v)));
    else return std::erf(v);
  }
  template <class T> static T erfc(T v) {
    if constexpr (has_packet_erf<T>) return first(erfc_(packet<T>::of(v)));
    else return std::erfc(v);
  }

 private:
  template <class T> static T first(packet<T> a) { return Eigen::internal::pfirst(a.raw); }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
