// guardjit: base/inert.hpp: the per-thread counter under which no op reaches a mode
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_INERT_HPP
#define GUARDJIT_BASE_INERT_HPP

#include <guardjit/base/scope_base.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
GUARDJIT_VISIBLE constinit inline thread_local int inert_count = 0;
}

/// Whether ops of this thread go to their kernels without asking modes.
inline bool is_inert() noexcept { return detail::inert_count != 0; }

/// While it lives, no op of this thread is dispatched; the mode stack stays readable.
/// Nests. It is no part of any state that guards see.
/// Rules: M10, M66, M82.
class [[nodiscard]] inert_scope : scope_base {
 public:
  inert_scope() noexcept { ++detail::inert_count; }
  ~inert_scope() { --detail::inert_count; }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
