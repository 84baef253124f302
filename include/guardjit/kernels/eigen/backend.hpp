// guardjit: kernels/eigen/backend.hpp: the backend of fused kernels on Eigen's packets
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_BACKEND_HPP
#define GUARDJIT_KERNELS_EIGEN_BACKEND_HPP

#include <guardjit/kernels/eigen/fixed.hpp>
#include <guardjit/kernels/eigen/gather.hpp>
#include <guardjit/kernels/eigen/matmul.hpp>
#include <guardjit/kernels/eigen/panels.hpp>
#include <guardjit/kernels/eigen/reduce.hpp>
#include <guardjit/kernels/eigen/rows.hpp>
#include <guardjit/kernels/eigen/stepped_line.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace backends {

/// Fused groups in packets, the others in single elements; matrix products by Eigen.
struct eigen {
  static constexpr char const* name = "eigen";
  static constexpr bool fuses = true;
  /// What plain loops call for exp, log and tanh, so that they give the packets' bits.
  using math = packet_math;

  template <class Formula>
  static void elementwise(loop_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    eigen_elementwise<Formula>(nest, out, in);
  }
  /// The same for arrays that lie one element after another.
  template <class Formula>
  requires(detail::is_plain<Formula>())
  static void flat(void* out, void const* const* in, index_t count) {
    detail::unit_line<Formula>(static_cast<detail::packet_element<Formula>*>(out), in, count);
  }
  /// The same where some inputs are 64 bytes of copies of one element: those whose bit is set in `repeated`.
  template <class Formula>
  requires(detail::is_plain<Formula>())
  static void stepped(void* out, void const* const* in, unsigned repeated, index_t count) {
    detail::stepped_line<Formula>(static_cast<detail::packet_element<Formula>*>(out), in, repeated, count);
  }
  /// A kernel to be inlined, for few elements whose number is a constant (`compile/fixed_call.hpp`).
  template <class Formula, index_t Count> static constexpr bool has_fixed =
      detail::has_fixed_line<Formula, Count>();
  template <class Formula, index_t Count, std::uint64_t Repeated>
  [[gnu::always_inline]] static void fixed(void* out, void const* const* in) {
    constexpr auto packets = static_cast<int>(detail::fixed_packets<Formula, Count>);
    detail::fixed_line<Formula, Count, Repeated>::run(
        static_cast<detail::packet_element<Formula>*>(out), in,
        std::make_integer_sequence<int, packets>{});
  }
  template <class Formula>
  static void reduce(reduce_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    eigen_reduce<Formula>(nest, out, in);
  }
  template <class Formula>
  static void rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    eigen_rows<Formula>(nest, out, in);
  }
  template <class T>
  static void matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
    eigen_matmul<T>(nest, out, left, right);
  }
  // Of a right operand that never changes, products keep another arrangement: its bytes (0: none is
  // wanted), how it is made, and the product with it.
  template <class T> static index_t packed_bytes(matmul_nest const& nest) {
    return eigen_packed_bytes<T>(nest);
  }
  template <class T> static void pack(matmul_nest const& nest, void* to, void const* right) {
    eigen_pack<T>(nest, to, right);
  }
  template <class T>
  static void packed_matmul(matmul_nest const& nest, void* out, void const* left, void const* packed) {
    eigen_packed_matmul<T>(nest, out, left, packed);
  }
  template <element T, element Index>
  static void gather(gather_nest const& nest, void* out, void const* x, void const* index) {
    gather_lines<T, Index>(nest, out, x, index);
  }
  template <element Index>
  static outside_index first_outside(loop_nest<1> const& nest, void const* index, index_t extent) {
    return reference_first_outside<Index>(nest, index, extent);
  }
  static void arange(std::int64_t* out, index_t count) { reference_arange(out, count); }
};

}  // namespace backends

/// The backend of Eigen's packets, as an option: `compile(f, backend(eigen))`.
inline constexpr backends::eigen eigen{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
