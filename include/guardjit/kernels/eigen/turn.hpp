// guardjit: kernels/eigen/turn.hpp: rows and columns of a block of packets exchanged
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_TURN_HPP
#define GUARDJIT_KERNELS_EIGEN_TURN_HPP

#include <guardjit/kernels/eigen/packet.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

// Attributes of packets, which the block does not need.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
/// As many packets as one has lanes.
template <class T> using packet_block = Eigen::internal::PacketBlock<raw_packet<T>, packet_width<T>>;
#pragma GCC diagnostic pop

/// Lane `j` of packet `i` becomes lane `i` of packet `j`.
template <class T> inline void turn(packet_block<T>& block) { Eigen::internal::ptranspose(block); }

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
