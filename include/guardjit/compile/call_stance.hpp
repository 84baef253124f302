// guardjit: compile/call_stance.hpp: the stance of one call: the thread's, or one that `with` gives it
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_STANCE_HPP
#define GUARDJIT_COMPILE_CALL_STANCE_HPP

#include <guardjit/modes/stance.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The user guards of a call, and the stance that it has in the place of the thread's. A type of its own,
/// so that other calls carry nothing.
template <class Guards> struct guards_under_stance {
  [[no_unique_address]] Guards guards;
  stance_setting calls;

  bool hold() const noexcept { return guards.hold(); }
  auto const* outcomes() const noexcept { return guards.outcomes(); }
};
template <class Guards> inline constexpr bool has_own_stance = false;
template <class Guards> inline constexpr bool has_own_stance<guards_under_stance<Guards>> = true;

/// What is done with a call that `with` gives a stance.
template <class Use> struct stanced_use {
  Use use;
  stance_setting calls;

  [[gnu::always_inline]] auto operator()(auto spec, auto& call) const { return use(spec, call); }
};
template <class Use, class Guards>
[[gnu::always_inline]] constexpr Guards guards_for(Use const&, Guards guards) noexcept {
  return guards;
}
template <class Use, class Guards>
[[gnu::always_inline]] constexpr guards_under_stance<Guards> guards_for(stanced_use<Use> const& use,
                                                                        Guards guards) noexcept {
  return {guards, use.calls};
}

/// The stance of an ordinary call, and of one by `with`: `of` marks what is done with the call.
struct stance_of_thread {
  template <class Use> [[gnu::always_inline]] static constexpr Use of(Use use) noexcept { return use; }
};
struct stance_of_call {
  stance_setting calls;
  template <class Use> [[gnu::always_inline]] constexpr stanced_use<Use> of(Use use) const noexcept {
    return {use, calls};
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
