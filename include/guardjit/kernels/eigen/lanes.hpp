// guardjit: kernels/eigen/lanes.hpp: which formulas run in packets, and how
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_LANES_HPP
#define GUARDJIT_KERNELS_EIGEN_LANES_HPP

#include <guardjit/kernels/eigen/packet_math.hpp>
#include <guardjit/kernels/eigen/rounding.hpp>
#include <guardjit/reference/formula.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Lanes of packets of `T`: a bool is a mask; inputs of other dtypes arrive converted to `T`.
template <class T> struct packet_lanes {
  template <dtype Type> using lane_for =
      std::conditional_t<Type == dtype::boolean, packet_mask<T>, packet<T>>;

  template <dtype Type, std::uint64_t Bits> static lane_for<Type> constant() {
    if constexpr (Type == dtype::boolean)
      return packet_mask<T>::of(detail::constant_value<bool, Bits>());
    else return {detail::splat(detail::constant_value<T, Bits>())};
  }
  template <dtype To, dtype From> static lane_for<To> convert(lane_for<From> v) {
    if constexpr (To == dtype::boolean && From != dtype::boolean)
      return not_(eq_(v, packet<T>::of(0)));
    else if constexpr (To != dtype::boolean && From == dtype::boolean)
      return {Eigen::internal::pand(v.raw, detail::splat(T(1)))};
    else return v;
  }
};

/// Single elements that compute the bits that lanes of packets of `T` compute, in less time than a packet
/// takes where only one is needed.
template <class T> struct single_lanes {
  template <dtype Type> using lane_for =
      lane<std::conditional_t<Type == dtype::boolean, bool, T>, packet_math>;

  template <dtype Type, std::uint64_t Bits> static lane_for<Type> constant() {
    return {detail::constant_value<decltype(lane_for<Type>::value), Bits>()};
  }
  template <dtype To, dtype From> static lane_for<To> convert(lane_for<From> v) {
    if constexpr (To == dtype::boolean && From != dtype::boolean) return {v.value != T(0)};
    else if constexpr (To != dtype::boolean && From == dtype::boolean) return {v.value ? T(1) : T(0)};
    else return v;
  }
};

namespace detail {
/// Whether every node computes in the float dtype `type` or on bools. Inputs of other dtypes may
/// only be converted to it, the result may be a conversion from it, and reductions keep it.
template <class Formula> constexpr bool packs_in(dtype type) {
  bool found = false;
  for (int k = 0; k < Formula::size; ++k) {
    auto const n = Formula::node(k);
    bool const last = k == Formula::size - 1;
    auto const from = [&](int operand) { return Formula::node(operand); };
    if (n.type == type) found = true;
    switch (n.id) {
      case op::input:
        if (last && n.type != type) return false;
        break;
      case op::constant:
        if (n.type != type && n.type != dtype::boolean) return false;
        break;
      case op::to: {
        auto const source = from(n.a);
        bool const ours = source.type == type || source.type == dtype::boolean;
        if (n.type == type) {
          if (!ours && source.id != op::input) return false;
        } else if (!ours || (n.type != dtype::boolean && (!last || source.type != type))) {
          return false;
        }
        break;
      }
      default: {
        int const arity = info_of(n.id).arity;
        bool same = n.type == type || (n.type == dtype::boolean && !is_reduction(n.id));
        for (int o = 0; o < arity; ++o) {
          auto const t = from(o == 0 ? n.a : o == 1 ? n.b : n.c).type;
          same = same && (t == type || (t == dtype::boolean && !is_reduction(n.id)));
        }
        if (!same) return false;
      }
    }
  }
  return found;
}
}  // namespace detail

/// The float dtype in whose packets a formula runs; `boolean` where it takes single elements.
template <class Formula>
inline constexpr dtype packet_type = detail::packs_in<Formula>(dtype::f32)   ? dtype::f32
                                     : detail::packs_in<Formula>(dtype::f64) ? dtype::f64
                                                                             : dtype::boolean;
template <class Formula> inline constexpr bool packable = packet_type<Formula> != dtype::boolean;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
