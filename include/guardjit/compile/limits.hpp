// guardjit: compile/limits.hpp: how many entries and compiles a function may have, and what happens then
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_LIMITS_HPP
#define GUARDJIT_COMPILE_LIMITS_HPP

#include <guardjit/base/config.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// Option: entries of one signature, at most; `on_limit` says what further calls do.
/// Rules: G50, G52.
struct recompile_limit {
  int entries = 8;
};

/// Option: compiles of one compiled function, at most; failed ones and those of evicted entries count.
/// Rules: G51, G52.
struct compile_limit {
  int compiles = 256;
};

/// What a call does that needs an entry where none may be made.
enum class limit_action : std::uint8_t {
  uncached,  ///< it runs fused, by a plan that is not kept
  eager,     ///< it runs op by op; with `fullgraph` it throws `limit_error`
  error,     ///< it throws `limit_error`
  evict,     ///< the oldest entry of the signature goes; at `compile_limit` as `uncached`
};

/// Option: what happens at a limit. `compile(f, recompile_limit{4}, on_limit{limit_action::evict})`.
/// Rules: G52.
struct on_limit {
  limit_action action = limit_action::uncached;
};

/// The type of `error_on_recompile`.
struct error_on_recompile_option {};
/// Option: a call that needs a second entry of a signature throws `recompile_error`; entries stay.
/// Rules: G45.
inline constexpr error_on_recompile_option error_on_recompile{};

/// The type of `fullgraph`.
struct fullgraph_option {};
/// Option: a call that cannot run as one graph throws instead of running op by op: `mode_error` where a
/// mode needs the values of each op, `limit_error` where `limit_action::eager` asks for it. `opaque` in `f`
/// is a C++ compile error.
/// Rules: M98, G52, G100.
inline constexpr fullgraph_option fullgraph{};

/// The type of `disabled`.
struct disabled_option {};
/// Option: all calls run op by op, under every stance, and no entry is made. `GUARDJIT_DISABLE=1` in the
/// environment does this for all functions; it is read when the first one is compiled.
/// Rules: G76.
inline constexpr disabled_option disabled{};

/// The type of `suppress_backend_errors`.
struct suppress_backend_errors_option {};
/// Option: where the backend fails to make a plan, a call sends one warning and runs op by op, by the kernels
/// of `reference`, which the function has for this; the next call tries the backend again. Without it the
/// caller gets a `backend_error`. It costs the C++ compiler plain loops for all ops of the function.
/// Rules: G105.
inline constexpr suppress_backend_errors_option suppress_backend_errors{};

/// The options above as numbers and flags.
struct compile_settings {
  int recompile_limit = guardjit::recompile_limit{}.entries;
  int compile_limit = guardjit::compile_limit{}.compiles;
  limit_action at_limit = limit_action::uncached;
  bool error_on_recompile = false;
  bool fullgraph = false;
  bool disabled = false;
  bool suppresses_backend_errors = false;
};

namespace detail {

template <class Option> constexpr void apply_setting(compile_settings&, Option const&) {}
constexpr void apply_setting(compile_settings& to, recompile_limit const& o) {
  to.recompile_limit = o.entries;
}
constexpr void apply_setting(compile_settings& to, compile_limit const& o) {
  to.compile_limit = o.compiles;
}
constexpr void apply_setting(compile_settings& to, on_limit const& o) { to.at_limit = o.action; }
constexpr void apply_setting(compile_settings& to, error_on_recompile_option const&) {
  to.error_on_recompile = true;
}
constexpr void apply_setting(compile_settings& to, fullgraph_option const&) { to.fullgraph = true; }
constexpr void apply_setting(compile_settings& to, disabled_option const&) { to.disabled = true; }
constexpr void apply_setting(compile_settings& to, suppress_backend_errors_option const&) {
  to.suppresses_backend_errors = true;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
