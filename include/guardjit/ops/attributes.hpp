// guardjit: ops/attributes.hpp: what an op takes besides its operands
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_ATTRIBUTES_HPP
#define GUARDJIT_OPS_ATTRIBUTES_HPP

#include <guardjit/ops/op.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// A stop of a slice that means "to the end".
inline constexpr index_t slice_end = INT64_MAX;

/// Attributes of one op; each op reads the fields that its form names. In a traced graph the
/// extents in `target`, `start` and `stop` may be symbolic.
struct attributes {
  std::uint8_t axes = 0;                 ///< reductions: bit d is set where axis d is reduced
  bool keepdims = false;                 ///< reductions: reduced axes stay with extent 1
  bool lowest_of_none = false;           ///< `amax`: of no elements it is the lowest value, and no mistake
  index_t correction = 0;                ///< `mean`: taken from the number of elements to divide by
  dtype type = dtype::f32;               ///< `to` and factories
  std::int8_t axis = 0;                  ///< `slice`, `select`, `concat`, `take`, `gather`
  std::int16_t beside = -1;              ///< factories, `arange`: the argument whose device is theirs
  index_t start = 0, stop = slice_end, step = 1;  ///< `slice`: Python's rules (N40); `select`: start
  std::array<std::int8_t, max_rank> order{};      ///< `permute`: axis d of the result is axis order[d]
  shape target;                          ///< `reshape`, `expand`, factories, `arange`

  constexpr bool operator==(attributes const&) const = default;
};

/// What a `mean` of `count` elements divides by; 0 where it is NaN. Rules: N22.
GUARDJIT_HD constexpr index_t mean_divisor(index_t count, index_t correction) {
  return count > 0 && count > correction ? count - correction : 0;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
