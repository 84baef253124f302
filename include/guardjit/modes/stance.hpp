// guardjit: modes/stance.hpp: what calls of compiled functions do where no entry serves them, per thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_STANCE_HPP
#define GUARDJIT_MODES_STANCE_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/base/scope_base.hpp>
#include <guardjit/modes/thread_state.hpp>

namespace guardjit::inline GUARDJIT_ABI {

constexpr char const* name_of(stance s) noexcept {
  constexpr char const* names[] = {"normal", "force_eager", "eager_on_recompile", "fail_on_recompile",
                                   "eager_then_compile"};
  return names[static_cast<unsigned>(s)];
}

/// What may follow a stance: it changes the setting, or throws `stance_error` where the two do not go
/// together.
template <class Option>
concept stance_option = requires(Option const& option, detail::stance_setting& to) { option.apply(to); };

/// The type of `allow_first`.
struct allow_first_option {
  static constexpr void apply(detail::stance_setting& to) {
    if (to.kind != stance::fail_on_recompile)
      raise<stance_error>(fixed_text("guardjit: allow_first goes with stance fail_on_recompile, not with ")
                          << name_of(to.kind));
    to.allows_first = true;
  }
};
/// Option of `stance::fail_on_recompile`: a call may make the first entry of its signature. Rules: G73.
inline constexpr allow_first_option allow_first{};

namespace detail {

template <stance_option... Option> constexpr stance_setting setting_of(stance s, Option const&... options) {
  stance_setting to{s};
  (options.apply(to), ...);
  return to;
}
template <stance_option Option> constexpr stance_setting setting_of(Option const& option) {
  return setting_of(stance::normal, option);
}
inline void change_stance(stance_setting const& to) noexcept {
  this_thread.calls = to;
  set_word_bits(stance_bit, to.acts_on_hits() ? stance_bit : 0);
}

}  // namespace detail

/// The stance of this thread: `normal` in a new one. Complexity: one load. Rules: G70, G132.
inline stance current_stance() noexcept { return detail::this_thread.calls.kind; }

/// Sets the stance of this thread, until it is set again or the scope around it ends. It acts on all
/// functions, those that were compiled before, too.
/// Throws: `stance_error` where an option does not go with it; nothing is changed then.
/// Complexity: two stores. Rules: G70.
template <stance_option... Option> void set_stance(stance s, Option const&... options) {
  detail::change_stance(detail::setting_of(s, options...));
}

/// While it lives, `s` is the stance of this thread; the end brings back what was before, also where it
/// was changed inside. Not in traced functions, which have no run time: calls of them ask.
///
///     { stance_scope strict{stance::fail_on_recompile}; serve(request); }
///
/// Throws: `stance_error` where an option does not go with it; nothing is changed then.
/// Rules: G70, G77.
class [[nodiscard]] stance_scope : scope_base {
 public:
  template <stance_option... Option>
  explicit stance_scope(stance s, Option const&... options) : former_(detail::this_thread.calls) {
    set_stance(s, options...);
  }
  ~stance_scope() { detail::change_stance(former_); }

 private:
  detail::stance_setting former_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
