// guardjit: graph/extent.hpp: extents that are known at a call only, as expressions
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_EXTENT_HPP
#define GUARDJIT_GRAPH_EXTENT_HPP

#include <guardjit/tensor/shape.hpp>

#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// How a symbolic extent comes about. `broadcast(a, b)` is b where a is 1, else a.
enum class extent_op : std::uint8_t { input, plus, minus, times, quotient, min, max, broadcast };

/// One symbolic extent. Of `input`, `left` is the argument and `right` the dim.
struct extent_node {
  extent_op id{};
  index_t left = 0, right = 0;
  constexpr bool operator==(extent_node const&) const = default;
};

namespace detail {
inline constexpr index_t first_symbol = INT64_MIN;
}

/// In a graph an extent is a number, or a symbol: the number of an `extent_node`, far below zero.
constexpr bool is_symbol(index_t extent) { return extent < INT64_MIN / 2; }
constexpr index_t symbol(int number) { return detail::first_symbol + number; }
constexpr int number_of(index_t symbol) { return static_cast<int>(symbol - detail::first_symbol); }

/// The value of an extent, given those of all symbols.
constexpr index_t value_of(index_t extent, std::span<index_t const> values) {
  return is_symbol(extent) ? values[static_cast<unsigned>(number_of(extent))] : extent;
}

constexpr index_t apply(extent_op id, index_t a, index_t b) {
  switch (id) {
    case extent_op::plus: return a + b;
    case extent_op::minus: return a - b;
    case extent_op::times: return a * b;
    case extent_op::quotient: return b == 0 ? 0 : a / b;
    case extent_op::min: return a < b ? a : b;
    case extent_op::max: return a > b ? a : b;
    case extent_op::broadcast: return a == 1 ? b : a;
    case extent_op::input: break;
  }
  return 0;
}

/// Fills `values` from the arguments: `argument(k)` gives a pointer to the extents of argument k.
constexpr void evaluate_extents(std::span<extent_node const> nodes, std::span<index_t> values,
                                auto const& argument) {
  for (unsigned k = 0; k < nodes.size(); ++k) {
    extent_node const& n = nodes[k];
    values[k] = n.id == extent_op::input ? argument(static_cast<int>(n.left))[n.right]
                                         : apply(n.id, value_of(n.left, values), value_of(n.right, values));
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
