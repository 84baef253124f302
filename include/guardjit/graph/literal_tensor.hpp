// guardjit: graph/literal_tensor.hpp: a tensor that the C++ compiler can compute with
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_LITERAL_TENSOR_HPP
#define GUARDJIT_GRAPH_LITERAL_TENSOR_HPP

#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// A tensor by value with static extents, row-major: `literal_tensor<float, 2, 2>{{1, 2, 3, 4}}`.
/// A literal type, for `evaluate_constant`. Rules: G97.
template <element T, index_t... Extents>
  requires(sizeof...(Extents) <= max_rank && ((Extents >= 0) && ...))
struct literal_tensor {
  using value_type = T;
  static constexpr index_t count = (index_t{1} * ... * Extents);

  T elements[static_cast<unsigned>(count == 0 ? 1 : count)]{};

  static constexpr guardjit::shape shape() {
    guardjit::shape s;
    ((s[s.rank++] = Extents), ...);
    return s;
  }
  constexpr bool operator==(literal_tensor const&) const = default;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
