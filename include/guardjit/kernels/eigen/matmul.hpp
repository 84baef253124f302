// guardjit: kernels/eigen/matmul.hpp: matrix products by Eigen's kernels
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_MATMUL_HPP
#define GUARDJIT_KERNELS_EIGEN_MATMUL_HPP

#include <guardjit/reference/matmul.hpp>

#include <Eigen/Core>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A matrix where it lies: `Order` says which of its strides is 1; vectors may have any other.
template <class T, int Order, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
using matrix_map = Eigen::Map<Eigen::Matrix<T, Rows, Columns, Order> const, Eigen::Unaligned, Eigen::OuterStride<>>;

/// Calls `use` with `data` as a matrix whose order its strides tell; without a stride of 1 (or an
/// extent of 1 in its place) nothing is called. Returns whether it was.
template <class T>
bool with_matrix(T const* data, index_t rows, index_t columns, index_t row_stride, index_t column_stride, auto const& use) {
  if ((column_stride == 1 || columns == 1) && (row_stride >= columns || rows == 1)) {
    use(matrix_map<T, Eigen::RowMajor>(data, rows, columns, Eigen::OuterStride<>(rows == 1 ? columns : row_stride)));
    return true;
  }
  if ((row_stride == 1 || rows == 1) && (column_stride >= rows || columns == 1)) {
    use(matrix_map<T, Eigen::ColMajor>(data, rows, columns, Eigen::OuterStride<>(columns == 1 ? rows : column_stride)));
    return true;
  }
  return false;
}

/// One product. One row or one column go through Eigen's matrix times vector.
template <class T> void product(matmul_nest const& nest, T* out, T const* left, T const* right) {
  using row_vector = Eigen::Map<Eigen::Matrix<T, 1, Eigen::Dynamic>>;
  using column_vector = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>;
  using stepped = Eigen::InnerStride<>;
  using row_operand = Eigen::Map<Eigen::Matrix<T, 1, Eigen::Dynamic> const, Eigen::Unaligned, stepped>;
  using column_operand = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1> const, Eigen::Unaligned, stepped>;
  using result_map = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  bool done = false;
  if (nest.m == 1) {
    row_operand const a(left, nest.k, stepped(nest.left_column));
    done = with_matrix(right, nest.k, nest.n, nest.right_row, nest.right_column, [&](auto const& b) {
      row_vector(out, nest.n).noalias() = a * b;
    });
  } else if (nest.n == 1) {
    column_operand const b(right, nest.k, stepped(nest.right_row));
    done = with_matrix(left, nest.m, nest.k, nest.left_row, nest.left_column, [&](auto const& a) {
      column_vector(out, nest.m).noalias() = a * b;
    });
  } else {
    with_matrix(left, nest.m, nest.k, nest.left_row, nest.left_column, [&](auto const& a) {
      done = with_matrix(right, nest.k, nest.n, nest.right_row, nest.right_column, [&](auto const& b) {
        result_map(out, nest.m, nest.n).noalias() = a * b;
      });
    });
  }
  if (!done) reference_product(nest, out, left, right);
}

}  // namespace detail

/// Matrix products of f32, f64 or i64. Operands without a stride of 1 (in a product of matrices)
/// go through plain loops: the caller copies them first where that pays.
/// Rules: POL-3, N31, N32, N33.
template <element T>
void eigen_matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
  for_each_product<T>(nest, out, left, right, [&](T* c, T const* a, T const* b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (nest.k > 0 && nest.m > 0 && nest.n > 0) return detail::product(nest, c, a, b);
    }
    reference_product(nest, c, a, b);
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
