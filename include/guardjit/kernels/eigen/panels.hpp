// guardjit: kernels/eigen/panels.hpp: products with a right matrix arranged once, in panels of columns
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_PANELS_HPP
#define GUARDJIT_KERNELS_EIGEN_PANELS_HPP

#include <guardjit/kernels/eigen/memory.hpp>
#include <guardjit/reference/matmul.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Packets of columns in a whole panel. Panels follow each other, the last may have one packet; in each
/// the rows follow each other, 64-byte aligned, with zeros behind the last column.
inline constexpr int panel_packets = 2;
/// Rows of a block whose sums stay in registers.
#if defined(EIGEN_VECTORIZE_AVX512)
inline constexpr int panel_rows = 8;
#else
inline constexpr int panel_rows = 4;
#endif

/// Packets of columns of a matrix.
template <class T> constexpr index_t packets_of(index_t columns) {
  return (columns + packet_width<T> - 1) / packet_width<T>;
}

/// Rows of the left matrix up to which panels beat Eigen's kernels, which arrange the right one at each call.
/// Beyond, that is little beside the product itself.
inline constexpr index_t most_panel_rows = 8 * panel_rows;

template <class T> void pack_panels(matmul_nest const& nest, T* to, T const* right) {
  constexpr index_t width = packet_width<T>;
  index_t const packets = packets_of<T>(nest.n);
  for (index_t first = 0; first < packets; first += panel_packets) {
    index_t const columns = width * (packets - first < panel_packets ? packets - first : panel_packets);
    for (index_t p = 0; p < nest.k; ++p)
      for (index_t c = 0, j = first * width; c < columns; ++c, ++j)
        *to++ = j < nest.n ? right[p * nest.right_row + j * nest.right_column] : T(0);
  }
}

/// `Rows` rows of the result under `Panels` panels of `Packets` packets each; `Splits` partial sums hide the
/// latency where the rows are too few.
template <int Rows, int Panels, int Packets, int Splits, class T>
[[gnu::always_inline]] inline void panel_block(matmul_nest const& nest, T* out, T const* left,
                                               T const* panel, first_lanes<T> const& lanes) {
  constexpr int width = packet_width<T>, columns = Panels * Packets;
  index_t const next_panel = nest.k * (Packets * width);
  raw_packet<T> sums[Splits][Rows][columns];
#pragma GCC unroll 32
  for (int each = 0; each < Splits * Rows * columns; ++each)
    sums[each / (Rows * columns)][each / columns % Rows][each % columns] = splat(T(0));
  auto const add_row = [&](index_t p, auto& split) {
    raw_packet<T> b[columns];
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c)
      b[c] = Eigen::internal::pload<raw_packet<T>>(panel + c / Packets * next_panel +
                                                   (p * Packets + c % Packets) * width);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      auto const a = splat(left[r * nest.left_row + p * nest.left_column]);
#pragma GCC unroll 4
      for (int c = 0; c < columns; ++c) split[r][c] = Eigen::internal::pmadd(a, b[c], split[r][c]);
    }
  };
  index_t p = 0;
  for (; p + Splits <= nest.k; p += Splits)
#pragma GCC unroll 4
    for (int each = 0; each < Splits; ++each) add_row(p + each, sums[each]);
  if constexpr (Splits > 1)
    for (; p < nest.k; ++p) add_row(p, sums[0]);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) {
      auto sum = sums[0][r][c];
#pragma GCC unroll 4
      for (int each = 1; each < Splits; ++each) sum = Eigen::internal::padd(sum, sums[each][r][c]);
      T* const to = out + r * nest.n + c * width;
      if (c < columns - 1 || lanes.count == width) store_unaligned(to, sum);
      else lanes.store(to, sum);
    }
}

/// As many blocks of `Rows` rows as there are, then the rest by smaller ones.
template <int Rows, int Panels, int Packets, class T>
void panel_below(matmul_nest const& nest, index_t rows, T* out, T const* left, T const* panel,
                 first_lanes<T> const& lanes) {
  constexpr int sums = Rows * Panels * Packets, splits = sums >= 8 ? 1 : sums >= 4 ? 2 : 4;
  for (; rows >= Rows; rows -= Rows, out += Rows * nest.n, left += Rows * nest.left_row)
    panel_block<Rows, Panels, Packets, splits>(nest, out, left, panel, lanes);
  if constexpr (Rows > 1)
    if (rows > 0) panel_below<Rows / 2, Panels, Packets>(nest, rows, out, left, panel, lanes);
}

/// A product with a packed right matrix, panel by panel, so that each is read from memory once. A single
/// row takes two panels at a time: it reads so much for each of its own elements.
/// Precondition: no extent is 0.
template <class T>
void panel_product(matmul_nest const& nest, T* out, T const* left, T const* panel) {
  constexpr index_t width = packet_width<T>, whole = panel_packets * width;
  for (index_t j = 0; j < nest.n;) {
    index_t const columns = nest.n - j;
    bool const is_pair = nest.m == 1 && columns > whole + width;
    index_t const taken = is_pair ? 2 * whole : columns > width ? whole : width;
    first_lanes<T> const lanes(columns < taken ? width - (taken - columns) : width);
    if (is_pair) panel_block<1, 2, 2, 2>(nest, out + j, left, panel, lanes);
    else if (columns > width) panel_below<panel_rows, 1, 2>(nest, nest.m, out + j, left, panel, lanes);
    else panel_below<panel_rows, 1, 1>(nest, nest.m, out + j, left, panel, lanes);
    j += taken;
    panel += taken * nest.k;
  }
}

}  // namespace detail

/// Bytes of the packed form of a right matrix, rank 2, of f32 or f64; 0 where a product does not want one.
template <class T> constexpr index_t eigen_packed_bytes(matmul_nest const& nest) {
  if constexpr (!std::is_floating_point_v<T>) return 0;
  else if (nest.m < 1 || nest.m > detail::most_panel_rows || nest.n < 2 || nest.k < 1) return 0;
  else return detail::packets_of<T>(nest.n) * detail::packet_width<T> * nest.k * index_t{sizeof(T)};
}

/// Writes the packed form, 64-byte aligned. Complexity: one pass.
template <class T> void eigen_pack(matmul_nest const& nest, void* to, void const* right) {
  if constexpr (std::is_floating_point_v<T>)
    detail::pack_panels(nest, static_cast<T*>(to), static_cast<T const*>(right));
}

/// Products with a right matrix in packed form, the same one for all of a batch.
/// Rules: POL-3, N31, N32, N33.
template <element T>
void eigen_packed_matmul(matmul_nest const& nest, void* out, void const* left, void const* packed) {
  if constexpr (std::is_floating_point_v<T>)
    for_each_product<T>(nest, out, left, packed, [&](T* c, T const* a, T const*) {
      detail::panel_product(nest, c, a, static_cast<T const*>(packed));
    });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
