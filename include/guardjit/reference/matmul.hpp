// guardjit: reference/matmul.hpp: matrix products by three loops
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_MATMUL_HPP
#define GUARDJIT_REFERENCE_MATMUL_HPP

#include <guardjit/ops/lane.hpp>
#include <guardjit/reference/element.hpp>
#include <guardjit/reference/loop_nest.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// One product of `T` (f32, f64, i64): result (m, n) row-major, operands with any strides.
/// Rules: POL-3, N31, N32, N33.
template <element T>
constexpr void reference_product(matmul_nest const& nest, T* out, T const* left, T const* right) {
  for (index_t i = 0; i < nest.m; ++i)
    for (index_t j = 0; j < nest.n; ++j) {
      lane<T> total{};
      for (index_t p = 0; p < nest.k; ++p)
        total = total + lane<T>{left[i * nest.left_row + p * nest.left_column]} *
                        lane<T>{right[p * nest.right_row + j * nest.right_column]};
      out[i * nest.n + j] = total.value;
    }
}

/// Calls `product(out, left, right)` for each matrix of a batch.
template <element T> void for_each_product(matmul_nest const& nest, void* out, void const* left,
                                           void const* right, auto&& product) {
  for_each_step(nest.batch, [&](auto const& at) {
    product(static_cast<T*>(out) + at[0], static_cast<T const*>(left) + at[1],
            static_cast<T const*>(right) + at[2]);
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
