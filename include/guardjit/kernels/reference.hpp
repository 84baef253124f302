// guardjit: kernels/reference.hpp: the backend of plain loops, the oracle of all others
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_REFERENCE_HPP
#define GUARDJIT_KERNELS_REFERENCE_HPP

#include <guardjit/reference/matmul.hpp>
#include <guardjit/reference/movement.hpp>
#include <guardjit/reference/row.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace backends {

/// Plain loops of one element at a time, one op a kernel.
struct reference {
  static constexpr char const* name = "reference";
  static constexpr bool fuses = false;

  template <class Formula>
  static void elementwise(loop_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    reference_elementwise<Formula>(nest, out, in);
  }
  template <class Formula>
  static void reduce(reduce_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    reference_reduce<Formula>(nest, out, in);
  }
  template <class Formula>
  static void rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    reference_rows<Formula>(nest, out, in);
  }
  template <class T>
  static void matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
    for_each_product<T>(nest, out, left, right, [&](T* c, T const* a, T const* b) {
      reference_product<T>(nest, c, a, b);
    });
  }
  template <element T, element Index>
  static void gather(gather_nest const& nest, void* out, void const* x, void const* index) {
    reference_gather<T, Index>(nest, out, x, index);
  }
  template <element Index>
  static outside_index first_outside(loop_nest<1> const& nest, void const* index, index_t extent) {
    return reference_first_outside<Index>(nest, index, extent);
  }
  static void arange(std::int64_t* out, index_t count) { reference_arange(out, count); }
};

}  // namespace backends

/// The backend of plain loops, as an option: `compile(f, backend(reference))`.
inline constexpr backends::reference reference{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
