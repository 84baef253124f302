// guardjit: base/scope_base.hpp: what all scopes have in common: they stay where they were made
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_SCOPE_BASE_HPP
#define GUARDJIT_BASE_SCOPE_BASE_HPP

#include <guardjit/base/config.hpp>

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

/// Base of the scopes: not copyable, not movable, not made by `new`.
/// Rules: M35.
class scope_base {
 public:
  scope_base(scope_base const&) = delete;
  scope_base& operator=(scope_base const&) = delete;
  static void* operator new(std::size_t) = delete;
  static void* operator new[](std::size_t) = delete;

 protected:
  constexpr scope_base() noexcept = default;
  constexpr ~scope_base() = default;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
