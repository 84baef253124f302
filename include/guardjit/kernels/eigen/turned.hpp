// guardjit: kernels/eigen/turned.hpp: elementwise kernels over inputs whose columns lie one after another
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_TURNED_HPP
#define GUARDJIT_KERNELS_EIGEN_TURNED_HPP

#include <guardjit/kernels/eigen/turn.hpp>
#include <guardjit/kernels/eigen/unit_line.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Reads a block of as many rows as a packet has lanes, whose columns lie one after another, and writes
/// its rows one after another: packets are columns, which are turned in registers.
template <class T>
void turn_block(T* to, index_t pitch, T const* from, index_t column_step, index_t columns) {
  constexpr int width = packet_width<T>;
  index_t j = 0;
  for (; j + width <= columns; j += width) {
    packet_block<T> block;
    for (int k = 0; k < width; ++k) block.packet[k] = load_unaligned(from + (j + k) * column_step);
    turn<T>(block);
    for (int k = 0; k < width; ++k) store_unaligned(to + k * pitch + j, block.packet[k]);
  }
  for (; j < columns; ++j)
    for (int k = 0; k < width; ++k) to[k * pitch + j] = from[j * column_step + k];
}

/// Planes of rows and columns of which some inputs hold the columns one after another, as transposed ones
/// do. Read element by element along a row, each would touch a cache line for itself.
template <class Formula> class turned_planes {
  using T = packet_element<Formula>;
  using nest_type = loop_nest<Formula::inputs + 1>;
  static constexpr auto operands = static_cast<unsigned>(Formula::inputs) + 1;
  using steps_type = std::array<index_t, operands>;
  static constexpr int width = packet_width<T>;
  /// Columns of a tile: all tiles stay in the L1 cache.
  static constexpr index_t tile_columns = [] {
    index_t const columns = 8192 / slot_count<Formula> / width / width * width;
    return columns > 128 ? index_t{128} : columns < width ? index_t{width} : columns;
  }();

 public:
  /// Whether an input is turned, and nothing is read in another way than rows or columns.
  static bool fits(nest_type const& nest) {
    if (nest.rank < 2) return false;
    steps_type const &along = nest.strides[at(nest.rank - 1)], &across = nest.strides[at(nest.rank - 2)];
    if (along[0] != 1 || nest.extents[at(nest.rank - 2)] < width) return false;
    bool any = false;
    for (unsigned k = 1; k < operands; ++k) {
      bool const turned = is_turned(along[k], across[k]);
      any = any || turned;
      if (!turned && along[k] != 0 && along[k] != 1) return false;
      if (along[k] != 0 && Formula::is_repeated(static_cast<int>(k) - 1)) return false;
    }
    return any;
  }

  static void run(nest_type const& nest, void* out, void const* const* in) {
    turned_planes const plane(nest);
    for_each_step(nest, nest.rank - 2, [&](auto const& offsets) {
      T const* from[slot_count<Formula>]{};
      for (int slot = 0; slot < Formula::inputs; ++slot)
        from[slot] = static_cast<T const*>(in[slot]) + offsets[at(slot + 1)];
      for (index_t j = 0; j < plane.columns_; j += tile_columns)
        for (index_t i = 0; i < plane.rows_; i += width)
          plane.tile(static_cast<T*>(out) + offsets[0], from, i, j);
    });
  }

 private:
  explicit turned_planes(nest_type const& nest)
      : along_(nest.strides[at(nest.rank - 1)]),
        across_(nest.strides[at(nest.rank - 2)]),
        rows_(nest.extents[at(nest.rank - 2)]),
        columns_(nest.extents[at(nest.rank - 1)]) {}

  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }
  static bool is_turned(index_t along, index_t across) { return across == 1 && along != 0 && along != 1; }

  /// The tile whose first row and column are `i` and `j`.
  void tile(T* out, T const* const* from, index_t i, index_t j) const {
    alignas(64) T tiles[slot_count<Formula>][static_cast<unsigned>(width * tile_columns)];
    index_t const count = columns_ - j < tile_columns ? columns_ - j : tile_columns;
    index_t const rows = rows_ - i < width ? rows_ - i : width;
    void const* row[slot_count<Formula>]{};
    index_t next[slot_count<Formula>]{};
    for (int slot = 0; slot < Formula::inputs; ++slot) {
      index_t const along = along_[at(slot + 1)], across = across_[at(slot + 1)];
      T const* const first = from[slot] + i * across + j * along;
      row[slot] = first;
      next[slot] = across;
      if (along == 1 || Formula::is_repeated(slot)) continue;
      row[slot] = tiles[slot];
      next[slot] = tile_columns;
      if (is_turned(along, across) && rows == width)
        turn_block(tiles[slot], tile_columns, first, along, count);
      else
        for (index_t r = 0; r < rows; ++r)
          for (index_t c = 0; c < count; ++c)
            tiles[slot][r * tile_columns + c] = first[r * across + c * along];
    }
    for (index_t r = 0; r < rows; ++r) {
      unit_line<Formula>(out + (i + r) * across_[0] + j, row, count);
      for (int slot = 0; slot < Formula::inputs; ++slot)
        row[slot] = static_cast<T const*>(row[slot]) + next[slot];
    }
  }

  steps_type const &along_, &across_;
  index_t rows_, columns_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
