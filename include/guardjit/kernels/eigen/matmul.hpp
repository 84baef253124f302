// guardjit: kernels/eigen/matmul.hpp: matrix products by Eigen's kernels, small ones by packets
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_MATMUL_HPP
#define GUARDJIT_KERNELS_EIGEN_MATMUL_HPP

#include <guardjit/kernels/eigen/memory.hpp>
#include <guardjit/reference/matmul.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// How a matrix lies: which of its strides is 1, and the other one. An extent of 1 has any stride.
struct matrix_order {
  bool by_rows = false, by_columns = false;
  index_t stride = 0;

  constexpr matrix_order(index_t rows, index_t columns, index_t row_stride, index_t column_stride) {
    by_rows = (column_stride == 1 || columns == 1) && (row_stride >= columns || rows == 1);
    by_columns =
        !by_rows && (row_stride == 1 || rows == 1) && (column_stride >= rows || columns == 1);
    if (by_rows) stride = rows == 1 ? columns : row_stride;
    if (by_columns) stride = columns == 1 ? rows : column_stride;
  }
  constexpr bool known() const { return by_rows || by_columns; }
};

/// Eigen's kernels are called by their inner names: its expressions for the four pairs of orders
/// take three times as long to compile, for the same loops.
template <class T, int Left, int Right> void blocked_product(matmul_nest const& nest, T* out,
                                                             T const* left, index_t left_stride,
                                                             T const* right, index_t right_stride) {
  using namespace Eigen::internal;
  gemm_blocking_space<Eigen::RowMajor, T, T, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic>
      blocking(nest.m, nest.n, nest.k, 1, true);
  general_matrix_matrix_product<Eigen::Index, T, Left, false, T, Right, false, Eigen::RowMajor,
                                1>::run(nest.m, nest.n, nest.k, left, left_stride, right,
                                        right_stride, out, 1, nest.n, T(1), blocking, nullptr);
}

/// Adds a matrix times a vector of any stride to `out`; by rows, the vector must be contiguous.
template <class T, int Order> void matrix_times_vector(T* out, index_t rows, index_t columns,
                                                       T const* matrix, index_t stride,
                                                       T const* vector, index_t step) {
  using namespace Eigen::internal;
  constexpr int other = Order == Eigen::RowMajor ? Eigen::ColMajor : Eigen::RowMajor;
  using matrix_mapper = const_blas_data_mapper<T, Eigen::Index, Order>;
  using vector_mapper = const_blas_data_mapper<T, Eigen::Index, other>;
  general_matrix_vector_product<Eigen::Index, T, matrix_mapper, Order, false, T, vector_mapper,
                                false>::run(rows, columns, matrix_mapper(matrix, stride),
                                            vector_mapper(vector, step), out, 1, T(1));
}

/// `Rows` rows of a product with a small right matrix by rows, `Packets` packets of columns from
/// `j` on; `Splits` partial sums hide the latency where the rows are too few.
template <int Rows, int Packets, int Splits, class T>
[[gnu::always_inline]] inline void small_block(matmul_nest const& nest, T* out, T const* left,
                                               T const* right, index_t j) {
  constexpr int width = packet_width<T>;
  index_t const last = nest.n - j - (Packets - 1) * width;
  first_lanes<T> const lanes(last < width ? last : width);
  raw_packet<T> sums[Splits][Rows][Packets];
#pragma GCC unroll 32
  for (int each = 0; each < Splits * Rows * Packets; ++each)
    sums[each / (Rows * Packets)][each / Packets % Rows][each % Packets] = splat(T(0));
  auto const add = [&](index_t p, auto& split) {
    T const* const from = right + p * nest.right_row + j;
    raw_packet<T> b[Packets];
#pragma GCC unroll 2
    for (int c = 0; c < Packets; ++c)
      b[c] = c == Packets - 1 ? lanes(from + c * width) : load_unaligned(from + c * width);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      auto const a = splat(left[r * nest.left_row + p * nest.left_column]);
#pragma GCC unroll 2
      for (int c = 0; c < Packets; ++c) split[r][c] = Eigen::internal::pmadd(a, b[c], split[r][c]);
    }
  };
  index_t p = 0;
  for (; p + Splits <= nest.k; p += Splits)
#pragma GCC unroll 4
    for (int each = 0; each < Splits; ++each) add(p + each, sums[each]);
  if constexpr (Splits > 1)
    for (; p < nest.k; ++p) add(p, sums[0]);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < Packets; ++c) {
      auto sum = sums[0][r][c];
#pragma GCC unroll 4
      for (int each = 1; each < Splits; ++each) sum = Eigen::internal::padd(sum, sums[each][r][c]);
      T* const to = out + r * nest.n + j + c * width;
      if (c == Packets - 1) lanes.store(to, sum);
      else store_unaligned(to, sum);
    }
}
template <int Rows, int Splits, class T>
void small_rows(matmul_nest const& nest, T* out, T const* left, T const* right) {
  constexpr int width = packet_width<T>;
  index_t j = 0;
  for (; nest.n - j > width; j += 2 * width)
    small_block<Rows, 2, Splits>(nest, out, left, right, j);
  if (j < nest.n) small_block<Rows, 1, Splits>(nest, out, left, right, j);
}
template <class T>
void small_product(matmul_nest const& nest, T* out, T const* left, T const* right) {
  index_t i = 0;
  for (; i + 8 <= nest.m; i += 8)
    small_rows<8, 1>(nest, out + i * nest.n, left + i * nest.left_row, right);
  for (; i < nest.m; ++i) small_rows<1, 4>(nest, out + i * nest.n, left + i * nest.left_row, right);
}

/// Bytes up to which a right matrix is small: it stays in the L1 cache while all rows pass.
inline constexpr index_t small_matrix = 16384;

/// One product, no extent 0.
template <class T> void product(matmul_nest const& nest, T* out, T const* left, T const* right) {
  index_t const m = nest.m, n = nest.n, k = nest.k;
  constexpr int by_rows = Eigen::RowMajor, by_columns = Eigen::ColMajor;
  matrix_order const a(m, k, nest.left_row, nest.left_column),
      b(k, n, nest.right_row, nest.right_column);
  if (n > 1 && nest.right_column == 1 && k * n * static_cast<index_t>(sizeof(T)) <= small_matrix)
    return small_product(nest, out, left, right);
  bool const row = m == 1 && b.known() && (b.by_rows || nest.left_column == 1),
             column = n == 1 && a.known() && (a.by_columns || nest.right_row == 1);
  if (!row && !column && !(a.known() && b.known()))
    return reference_product(nest, out, left, right);
  __builtin_memset(out, 0, static_cast<std::size_t>(m * n) * sizeof(T));
  // A row times a matrix is the transposed matrix times the row.
  if (row && b.by_rows)
    return matrix_times_vector<T, by_columns>(out, n, k, right, b.stride, left, nest.left_column);
  if (row) return matrix_times_vector<T, by_rows>(out, n, k, right, b.stride, left, 1);
  if (column && a.by_columns)
    return matrix_times_vector<T, by_columns>(out, m, k, left, a.stride, right, nest.right_row);
  if (column) return matrix_times_vector<T, by_rows>(out, m, k, left, a.stride, right, 1);
  if (a.by_rows && b.by_rows)
    return blocked_product<T, by_rows, by_rows>(nest, out, left, a.stride, right, b.stride);
  if (a.by_rows)
    return blocked_product<T, by_rows, by_columns>(nest, out, left, a.stride, right, b.stride);
  if (b.by_rows)
    return blocked_product<T, by_columns, by_rows>(nest, out, left, a.stride, right, b.stride);
  return blocked_product<T, by_columns, by_columns>(nest, out, left, a.stride, right, b.stride);
}

}  // namespace detail

/// Matrix products of f32, f64 or i64. Matrices without a stride of 1 (a small right one may stand
/// beside any left one) go through plain loops: the caller copies them first where that pays.
/// Rules: POL-3, N31, N32, N33.
template <element T>
void eigen_matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
  auto const one = [&](T* c, T const* a, T const* b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (nest.k > 0 && nest.m > 0 && nest.n > 0) return detail::product(nest, c, a, b);
    }
    reference_product(nest, c, a, b);
  };
  if (nest.batch.rank == 0)
    return one(static_cast<T*>(out), static_cast<T const*>(left), static_cast<T const*>(right));
  for_each_product<T>(nest, out, left, right, one);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
