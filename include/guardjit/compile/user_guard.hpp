// guardjit: compile/user_guard.hpp: guards that the user writes: predicates over the arguments of a call
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_USER_GUARD_HPP
#define GUARDJIT_COMPILE_USER_GUARD_HPP

#include <guardjit/base/inert.hpp>
#include <guardjit/compile/spec.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

/// Option: a predicate over the arguments of a call, as const references in their order: those that the
/// caller gives, expressions evaluated; an `any_tensor` as the tensor that its signature names, structures
/// as they are; bound values are not among them. Each entry is guarded by its being true. It is asked once
/// a call, inert, by hits too; not where a mode needs the values of each op, since nothing is looked up
/// then. A call for which it is false finds no entry and may make none: `guard_error` with the name, and
/// nothing is cached; at a limit it runs as `on_limit` says. One that throws is false; its text is the
/// reason. It may be given several times.
/// `compile(f, user_guard([](auto const& x) { return x.extent(0) % 8 == 0; }, "whole packets"))`.
/// Requires: callable as const with the arguments of each call, a bool.
/// Lifetime: the predicate is kept with the compiled function, and threads may ask it at the same time;
/// `name` is referred to: a literal.
/// Rules: G36, G38, M66.
template <class Predicate> struct user_guard_option {
  Predicate predicate;
  char const* name;
};
template <class Predicate>
constexpr user_guard_option<Predicate> user_guard(Predicate predicate, char const* name) {
  return {std::move(predicate), name};
}

namespace detail {

/// A call of a function that has no user guards: nothing to ask, nothing to store.
struct no_user_guards {
  static constexpr bool hold() noexcept { return true; }
  static constexpr predicate_outcomes const* outcomes() noexcept { return nullptr; }
};

template <class Predicate, class... Arguments>
concept predicate_over = requires(Predicate const& predicate, Arguments const&... arguments) {
  static_cast<bool>(predicate(arguments...));
};
template <class Predicate, class... Arguments> constexpr bool require_predicate() {
  static_assert(predicate_over<Predicate, Arguments...>,
                "guardjit: user_guard(predicate, name): predicate must take the arguments of the call by "
                "const reference and give a bool");
  return predicate_over<Predicate, Arguments...>;
}

/// The user guards of one call: all are asked once, when first a lookup needs them.
/// Lifetime: on the frame of the call; refers to the guards and to the arguments.
template <class Guards, class... Arguments> class asked_guards;
template <class... Predicate, class... Arguments>
class asked_guards<std::tuple<user_guard_option<Predicate>...>, Arguments...> {
 public:
  using guards = std::tuple<user_guard_option<Predicate>...>;
  static constexpr std::size_t count = sizeof...(Predicate);
  static_assert(count <= 64, "guardjit: compile(f, options…): at most 64 user guards");

  asked_guards(guards const& all, Arguments const&... arguments) : guards_(all), arguments_(arguments...) {}
  asked_guards(asked_guards const&) = delete;
  asked_guards& operator=(asked_guards const&) = delete;

  /// Whether all are true, and so fit every entry.
  bool hold() noexcept { return outcomes()->held == all_predicates; }
  predicate_outcomes const* outcomes() noexcept {
    if (!were_asked_) ask(std::index_sequence_for<Predicate...>{});
    return &outcomes_;
  }

 private:
  template <std::size_t... K> void ask(std::index_sequence<K...>) noexcept {
    inert_scope const inert;
    were_asked_ = true;
    outcomes_.thrown = thrown_.data();
    (ask_one<K, Predicate>(), ...);
  }
  template <std::size_t K, class P> void ask_one() noexcept {
    if constexpr (require_predicate<P, Arguments...>()) {
      bool const held =
          std::apply([this](auto const&... x) { return this->template is_true<K>(x...); }, arguments_);
      if (!held) outcomes_.held &= ~(std::uint64_t{1} << K);
    }
  }
  template <std::size_t K> bool is_true(auto const&... arguments) noexcept {
    auto const& predicate = std::get<K>(guards_).predicate;
#if GUARDJIT_EXCEPTIONS
    try {
      return static_cast<bool>(predicate(arguments...));
    } catch (...) {
      thrown_[K] = std::current_exception();
      return false;
    }
#else
    return static_cast<bool>(predicate(arguments...));
#endif
  }

  guards const& guards_;
  std::tuple<Arguments const&...> arguments_;
  predicate_outcomes outcomes_;
  bool were_asked_ = false;
  std::array<std::exception_ptr, count> thrown_;
};

/// `asked_guards` as a call hands it on.
template <class Asked> class user_guards_of_call {
 public:
  explicit user_guards_of_call(Asked& asked) noexcept : asked_(&asked) {}
  bool hold() const noexcept { return asked_->hold(); }
  predicate_outcomes const* outcomes() const noexcept { return asked_->outcomes(); }

 private:
  Asked* asked_;
};

/// Calls `use(guards of a call)` for one call with these arguments.
template <class Guards, class... Arguments>
auto with_asked_guards(Guards const& all, auto const& use, Arguments const&... arguments) {
  using asked_type = asked_guards<Guards, Arguments...>;
  asked_type asked(all, arguments...);
  return use(user_guards_of_call<asked_type>(asked));
}

template <class Option> inline constexpr bool is_user_guard = false;
template <class Predicate> inline constexpr bool is_user_guard<user_guard_option<Predicate>> = true;

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
