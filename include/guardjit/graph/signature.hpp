// guardjit: graph/signature.hpp: the static part of argument types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_SIGNATURE_HPP
#define GUARDJIT_GRAPH_SIGNATURE_HPP

#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What the type of one argument says: dtype, and extents (`dyn` where the call decides) of a
/// tensor, or a C++ scalar.
struct argument_type {
  dtype type = dtype::f32;
  bool scalar = false;
  shape extents{};
  bool frozen = false;  ///< its elements never change
  constexpr bool operator==(argument_type const&) const = default;
};

/// The static part of all argument types of a call. Rules: G11.
template <argument_type... Arguments> struct call_signature {
  static constexpr int size = static_cast<int>(sizeof...(Arguments));
  static constexpr std::array<argument_type, sizeof...(Arguments)> arguments{Arguments...};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
