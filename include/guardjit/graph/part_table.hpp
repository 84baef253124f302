// guardjit: graph/part_table.hpp: finds equal parts of a graph that is being made, by their hashes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PART_TABLE_HPP
#define GUARDJIT_GRAPH_PART_TABLE_HPP

#include <guardjit/graph/graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

constexpr std::uint64_t key_of(node const& n) {
  return (static_cast<std::uint64_t>(n.id) + 1) * 0x9E3779B97F4A7C15u ^
         static_cast<std::uint64_t>(n.in[0] + 1) * 0xC2B2AE3D27D4EB4Fu ^
         static_cast<std::uint64_t>(n.in[1] + 1) * 0x165667B19E3779F9u ^
         (n.bits + static_cast<std::uint64_t>(n.attribute)) * 0xD6E8FEB86659FD93u;
}
constexpr std::uint64_t key_of(extent_node const& n) {
  return (static_cast<std::uint64_t>(n.left) + 1) * 0xC2B2AE3D27D4EB4Fu ^
         (static_cast<std::uint64_t>(n.right) + static_cast<std::uint64_t>(n.id)) * 0x165667B19E3779F9u;
}
constexpr std::uint64_t key_of(shape const& s) {
  index_t const* const extents = s.extents.data();
  auto key = static_cast<std::uint64_t>(s.rank);
  for (int d = 0; d < s.rank; ++d)
    key = (key + static_cast<std::uint64_t>(extents[d])) * 0xD6E8FEB86659FD93u;
  return key;
}
/// The same where the two sides are exchanged.
constexpr std::uint64_t key_of(requirement const& r) {
  return (static_cast<std::uint64_t>(r.left) ^ static_cast<std::uint64_t>(r.right)) * 0xD6E8FEB86659FD93u;
}

constexpr bool equal_parts(node const& a, node const& b) { return a.same_as(b); }
constexpr bool equal_parts(requirement const& a, requirement const& b) { return a == b; }
constexpr bool equal_parts(extent_node const& a, extent_node const& b) { return a == b; }
/// Cheaper than `==` where shapes are many.
constexpr bool equal_parts(shape const& a, shape const& b) {
  if (a.rank != b.rank) return false;
  index_t const *left = a.extents.data(), *right = b.extents.data();
  for (int d = 0; d < a.rank; ++d)
    if (left[d] != right[d]) return false;
  return true;
}

enum class graph_part : std::uint8_t { node, extent, shape, requirement };

/// One table for all kinds of parts: a slot has the kind, and the place plus one, so that 0 is free.
class part_table {
 public:
  static constexpr unsigned slots(int capacity) { return 4 * static_cast<unsigned>(capacity); }
  /// `slots` has as many as a graph of `capacity` nodes needs, all 0.
  constexpr part_table(std::int32_t* slots, int capacity)
      : slots_(slots), mask_(part_table::slots(capacity) - 1) {}

  /// The place of `value` in a list of `count` parts, added if it is new; -1 where there is no room.
  /// Complexity: constant.
  template <class Part>
  constexpr int intern(graph_part kind, Part* list, int& count, int room, Part const& value) {
    int const of_kind = static_cast<int>(kind) << kind_shift;
    unsigned slot = static_cast<unsigned>(key_of(value) >> 40) & mask_;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask_) {
      int const place = slots_[slot] - of_kind - 1;
      if (place >= 0 && place < count && equal_parts(list[place], value)) return place;
    }
    if (count == room) return -1;
    list[count++] = value;
    slots_[slot] = of_kind + count;
    return count - 1;
  }

 private:
  static constexpr int kind_shift = 24;
  std::int32_t* slots_;
  unsigned mask_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
