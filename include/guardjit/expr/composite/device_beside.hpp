// guardjit: expr/composite/device_beside.hpp: the device of what a function makes beside its operand
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_DEVICE_BESIDE_HPP
#define GUARDJIT_EXPR_COMPOSITE_DEVICE_BESIDE_HPP

#include <guardjit/expr/expression.hpp>
#include <guardjit/graph/append.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// In a trace: the argument that decides it, as `attributes::beside`. Rules: M40.
constexpr std::int16_t argument_beside(sym const& x) { return (*x.trace())[x.id()].source; }

/// In eager code: where the tensor is, or those that an expression reads.
/// Throws: `device_error` where these are not on one device. Rules: M40.
template <class X> device device_beside(X const& x) {
  if constexpr (expression<X>) {
    auto const leaves = x.leaf_views();
    return common_device(x.view(leaves));
  } else if constexpr (requires { x.where(); }) {
    return x.where();
  } else {
    return {};
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
