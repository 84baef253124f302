// guardjit: compile/eager_cause.hpp: why a call runs op by op
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EAGER_CAUSE_HPP
#define GUARDJIT_COMPILE_EAGER_CAUSE_HPP

#include <guardjit/compile/replay_modes.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/modes/stance.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Why a call runs op by op; `none`: it does not.
enum class eager_cause : std::uint8_t { none, disabled, stance, modes, limit, backend };

/// That of a call which looks up nothing. What the user asks for comes first, and with `fullgraph`, too.
/// Rules: G1, G71, G76, M98, M99.
inline eager_cause cause_before_lookup(function_state const& fn, frame_view const& f) noexcept {
  if (fn.disabled) return eager_cause::disabled;
  if (f.under.kind == stance::force_eager) return eager_cause::stance;
  return f.stack < 0 ? eager_cause::modes : eager_cause::none;
}

/// One fixed word, and words for people.
[[gnu::cold]] inline replay_reason reason_of(eager_cause cause, stance under) {
  switch (cause) {
    case eager_cause::disabled: return {"disabled", "the function is disabled"};
    case eager_cause::stance: return {"stance", std::string("stance ") + name_of(under)};
    case eager_cause::limit: return {"limit", "a limit is reached"};
    case eager_cause::backend: return {"backend", "the backend failed: it runs by reference"};
    default: return reason_of_replay();
  }
}

/// Tells that a call runs op by op. `reasons` are those of a miss, if there was one.
[[gnu::cold]] inline void report_replay(function_state const& fn, eager_cause cause, stance under,
                                        std::string const& reasons) {
  inert_scope const inert;
  replay_reason const reason = reason_of(cause, under);
  std::string const text = reason.text + (reasons.empty() ? "" : "; " + reasons);
  fn.tell({.kind = event_kind::eager_call, .reason = reason.word, .text = text.c_str()});
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
