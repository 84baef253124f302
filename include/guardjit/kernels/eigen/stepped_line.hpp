// guardjit: kernels/eigen/stepped_line.hpp: a line whose operands are arrays or one element, told at run time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_STEPPED_LINE_HPP
#define GUARDJIT_KERNELS_EIGEN_STEPPED_LINE_HPP

#include <guardjit/kernels/eigen/unit_line.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `n` elements; bit k of `repeated` is set where slot k is a packet of copies of one element. Where none is,
/// `unit_line` is faster.
template <class Formula>
[[gnu::noinline]] void stepped_line(packet_element<Formula>* out, void const* const* in, unsigned repeated,
                                    index_t n) {
  using T = packet_element<Formula>;
  T const* at[slot_count<Formula>];
  index_t step[slot_count<Formula>];
  for_each_slot<Formula>([&](int slot) {
    at[slot] = static_cast<T const*>(in[slot]);
    step[slot] = (repeated >> slot & 1u) != 0 ? 0 : -1;
  });
  auto const emit = [&](index_t from, auto const& part) __attribute__((always_inline)) {
    part.store(out + from, evaluate_packet<Formula, Formula::size - 1>(at, step, from, part).raw);
  };
  for_each_packet<T>(n, emit);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
