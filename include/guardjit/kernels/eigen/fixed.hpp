// guardjit: kernels/eigen/fixed.hpp: so few packets that their kernel is inlined where it is called
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

/// The same for a number that is known at run time: up to how many elements. Without masks one
/// packet is too much code.
template <class Formula> constexpr index_t short_limit() {
#if defined(EIGEN_VECTORIZE_AVX)
  if constexpr (is_plain<Formula>())
    if (Formula::size <= 20) return 2 * packet_width<packet_element<Formula>>;
#endif
  return 0;
}

/// Elements that the result and each input hold one after another; inputs whose bit is set in
/// `Repeated` hold one for all. Everything is read before anything is written, so the last packet
/// may repeat elements of the one before, and only a single packet needs a mask.
template <class Formula, std::uint64_t Repeated> class few_packets {
  using T = packet_element<Formula>;
  static constexpr index_t width = packet_width<T>;

  /// The packet from element `first` on.
  [[gnu::always_inline]] static raw_packet<T> packet_at(void const* const* in, index_t first,
                                                        auto const& lanes) {
    auto const leaf = [&]<int Node>(std::integral_constant<int, Node>) {
      constexpr formula_node n = Formula::node(Node);
      auto const from = static_cast<T const*>(in[n.a]);
      if constexpr ((Repeated >> n.a & 1u) != 0) return to_lane<T, n.type>(splat(*from));
      else return to_lane<T, n.type>(lanes(from + first));
    };
    return evaluate_formula<Formula, packet_lanes<T>, Formula::size - 1>(leaf).raw;
  }
  [[gnu::always_inline]] static void single(T* out, void const* const* in, index_t count) {
    first_lanes<T> const lanes(count);
    lanes.store(out, packet_at(in, 0, lanes));
  }
  template <int... Packet> [[gnu::always_inline]] static void several(
      T* out, void const* const* in, index_t count, std::integer_sequence<int, Packet...>) {
    full_packet<T> const lanes;
    index_t const last = count - width;
    index_t const first[] = {(Packet * width < last ? Packet * width : last)...};
    raw_packet<T> const results[] = {packet_at(in, first[Packet], lanes)...};
    (lanes.store(out + first[Packet], results[Packet]), ...);
  }

 public:
  /// `Count` elements.
  template <index_t Count> [[gnu::always_inline]] static void run(T* out, void const* const* in) {
    constexpr auto packets = static_cast<int>(fixed_packets<Formula, Count>);
    if constexpr (Count < width) single(out, in, Count);
    else several(out, in, Count, std::make_integer_sequence<int, packets>{});
  }
  /// `count` elements, at least 1 and at most two packets.
  [[gnu::always_inline]] static void run(T* out, void const* const* in, index_t count) {
    if (count <= width) single(out, in, count);
    else several(out, in, count, std::make_integer_sequence<int, 2>{});
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
