// guardjit: graph/signature.hpp: the static part of argument types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_SIGNATURE_HPP
#define GUARDJIT_GRAPH_SIGNATURE_HPP

#include <guardjit/graph/declared_extent.hpp>
#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What the type of one argument says: dtype, and extents (`dyn` where the call decides) of a
/// tensor, or a C++ scalar.
struct argument_type {
  dtype type = dtype::f32;
  bool scalar = false;
  shape extents{};
  bool by_value = false;  ///< a scalar whose value entries guard (`specialize`)
  bool frozen = false;  ///< its elements never change
  constexpr bool operator==(argument_type const&) const = default;
};

/// The static part of all argument types of a call. Rules: G11.
template <argument_type... Arguments> struct call_signature {
  static constexpr int size = static_cast<int>(sizeof...(Arguments));
  static constexpr std::array<argument_type, sizeof...(Arguments)> arguments{Arguments...};
  /// What the types prove: `arguments` without the numbers that options declare.
  static constexpr auto const& proven = arguments;
  /// What options declare of extents that the types leave open.
  static constexpr std::span<declared_extent const> declared{};
  /// Whether the types are as declared.
  static constexpr bool is_fitting = true;
};

namespace detail {
/// `Signature` with more arguments behind its own.
template <class Signature, argument_type... More> struct appended_signature;
template <argument_type... Arguments, argument_type... More>
struct appended_signature<call_signature<Arguments...>, More...> {
  using type = call_signature<Arguments..., More...>;
};
}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
