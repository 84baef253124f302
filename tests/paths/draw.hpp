// guardjit: tests/paths/draw.hpp: random operands: extents, layouts and values
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_DRAW_HPP
#define GUARDJIT_TESTS_PATHS_DRAW_HPP

#include <guardjit/tensor/any_tensor.hpp>

#include <vector>

#include "function.hpp"

namespace paths {

/// A sequence of random numbers (splitmix64).
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  /// One of 0 … count - 1.
  index_t below(index_t count) { return static_cast<index_t>(next() % static_cast<std::uint64_t>(count)); }
  bool once_in(index_t count) { return below(count) == 0; }
  template <class T, std::size_t Count> T one_of(T const (&list)[Count]) {
    return list[below(static_cast<index_t>(Count))];
  }

 private:
  std::uint64_t state_;
};

/// How operands lie in memory; `mixed` has any order, direction and step of the axes.
enum class layout_kind { contiguous, transposed, sliced, reversed, expanded, mixed };
inline constexpr int layout_kinds = 6;

/// An operand of each parameter of `s` for the sizes of a turn, any where these are `dyn`. In the first
/// turn, whose signatures fix no extent, some do not fit.
std::vector<any_tensor> draw(subject const& s, unsigned turn, layout_kind layout, dice& random);

}  // namespace paths

#endif
