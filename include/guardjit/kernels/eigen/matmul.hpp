// guardjit: kernels/eigen/matmul.hpp: matrix products by Eigen's kernels
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_MATMUL_HPP
#define GUARDJIT_KERNELS_EIGEN_MATMUL_HPP

#include <guardjit/kernels/eigen/core.hpp>
#include <guardjit/reference/matmul.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Calls `use` with `data` as a matrix of the order that its strides tell. Without a stride of 1,
/// or an extent of 1 in its place, nothing is called. Returns whether it was.
template <class T>
inline bool with_matrix(T const* data, index_t rows, index_t columns, index_t row_stride, index_t column_stride, auto const& use) {
  using Eigen::Dynamic, Eigen::RowMajor, Eigen::ColMajor, Eigen::OuterStride;
  if ((column_stride == 1 || columns == 1) && (row_stride >= columns || rows == 1)) {
    OuterStride<> const stride(rows == 1 ? columns : row_stride);
    use(Eigen::Map<Eigen::Matrix<T, Dynamic, Dynamic, RowMajor> const, 0, OuterStride<>>(data, rows, columns, stride));
    return true;
  }
  if ((row_stride == 1 || rows == 1) && (column_stride >= rows || columns == 1)) {
    OuterStride<> const stride(columns == 1 ? rows : column_stride);
    use(Eigen::Map<Eigen::Matrix<T, Dynamic, Dynamic, ColMajor> const, 0, OuterStride<>>(data, rows, columns, stride));
    return true;
  }
  return false;
}

/// Matrix times vector, both of the vectors contiguous; a row times a matrix is its transpose
/// times the row. Returns whether it was done.
template <class T>
inline bool matrix_times_vector(T* out, T const* matrix, index_t rows, index_t columns, index_t row_stride, index_t column_stride, T const* vector) {
  using vector_type = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  return with_matrix(matrix, rows, columns, row_stride, column_stride, [&](auto const& a) {
    Eigen::Map<vector_type>(out, rows).noalias() = a * Eigen::Map<vector_type const>(vector, columns);
  });
}

/// One product.
template <class T> void product(matmul_nest const& nest, T* out, T const* left, T const* right) {
  if (nest.m == 1 && nest.left_column == 1 &&
      matrix_times_vector(out, right, nest.n, nest.k, nest.right_column, nest.right_row, left)) return;
  if (nest.n == 1 && nest.right_row == 1 &&
      matrix_times_vector(out, left, nest.m, nest.k, nest.left_row, nest.left_column, right)) return;
  bool done = false;
  with_matrix(left, nest.m, nest.k, nest.left_row, nest.left_column, [&](auto const& a) {
    done = with_matrix(right, nest.k, nest.n, nest.right_row, nest.right_column, [&](auto const& b) {
      using result_type = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      Eigen::Map<result_type>(out, nest.m, nest.n).noalias() = a * b;
    });
  });
  if (!done) reference_product(nest, out, left, right);
}

}  // namespace detail

/// Matrix products of f32, f64 or i64. Operands without a stride of 1 (in a product of matrices)
/// go through plain loops: the caller copies them first where that pays.
/// Rules: POL-3, N31, N32, N33.
template <element T>
void eigen_matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
  auto const one = [&](T* c, T const* a, T const* b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (nest.k > 0 && nest.m > 0 && nest.n > 0) return detail::product(nest, c, a, b);
    }
    reference_product(nest, c, a, b);
  };
  if (nest.batch.rank == 0) return one(static_cast<T*>(out), static_cast<T const*>(left), static_cast<T const*>(right));
  for_each_product<T>(nest, out, left, right, one);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
