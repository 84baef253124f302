// guardjit: kernels/eigen/fixed.hpp: a few packets of elements whose number is a constant
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_FIXED_HPP
#define GUARDJIT_KERNELS_EIGEN_FIXED_HPP

#include <guardjit/kernels/eigen/elementwise.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Formula, index_t Count> inline constexpr index_t fixed_packets =
    (Count + packet_width<packet_element<Formula>> - 1) / packet_width<packet_element<Formula>>;

/// Whether `Count` elements are worth code of their own: their results stay in registers, and the
/// code is not much longer than a call.
template <class Formula, index_t Count> constexpr bool has_fixed_line() {
  if constexpr (is_plain<Formula>())
    return Count > 0 && fixed_packets<Formula, Count> <= 8 &&
           fixed_packets<Formula, Count> * Formula::size <= 64;
  else return false;
}

/// `Count` elements, which the result and each input hold one after another; inputs whose bit is
/// set in `Repeated` hold one for all. Everything is read before anything is written, so the last
/// packet may repeat elements of the one before, and only a single packet needs a mask.
template <class Formula, index_t Count, std::uint64_t Repeated> class fixed_line {
  using T = packet_element<Formula>;
  static constexpr index_t width = packet_width<T>;

  [[gnu::always_inline]] static auto lanes() {
    if constexpr (Count >= width) return full_packet<T>{};
    else return first_lanes<T>(Count);
  }
  static constexpr index_t first_element(int packet) {
    index_t const begin = packet * width;
    return packet > 0 && begin + width > Count ? Count - width : begin;
  }
  template <int Packet> [[gnu::always_inline]] static raw_packet<T> result(void const* const* in) {
    auto const part = lanes();
    auto const leaf = [&]<int Node>(std::integral_constant<int, Node>) {
      constexpr formula_node n = Formula::node(Node);
      auto const from = static_cast<T const*>(in[n.a]);
      if constexpr ((Repeated >> n.a & 1u) != 0) return to_lane<T, n.type>(splat(*from));
      else return to_lane<T, n.type>(part(from + first_element(Packet)));
    };
    return evaluate_formula<Formula, packet_lanes<T>, Formula::size - 1>(leaf).raw;
  }

 public:
  template <int... Packet> [[gnu::always_inline]] static void run(
      T* out, void const* const* in, std::integer_sequence<int, Packet...>) {
    raw_packet<T> const results[] = {result<Packet>(in)...};
    auto const part = lanes();
    (part.store(out + first_element(Packet), results[Packet]), ...);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
