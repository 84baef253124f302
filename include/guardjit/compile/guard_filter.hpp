// guardjit: compile/guard_filter.hpp: which of its guards an entry keeps
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GUARD_FILTER_HPP
#define GUARDJIT_COMPILE_GUARD_FILTER_HPP

#include <guardjit/guards/description.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Option: keeps the guards for which `keep(guard_description)` is true; the others are listed in
/// `entry_info::dropped` and not checked. It sees each guard once when an entry is made, by kind,
/// argument and text; inert; what it throws reaches the caller, and nothing is cached. Kinds that
/// protect memory or paths cannot be dropped: `option_error`. Filters combine by `&&`, `||` and `!`; of
/// several options all must keep.
/// `compile(f, guard_filter([](auto const& g) { return g.text != "whole packets"; }))`.
/// Requires: callable as const; threads that compile for several signatures may ask it at the same time.
/// Lifetime: kept with the compiled function.
/// Rules: G60, M68.
template <class Keep> struct guard_filter_option {
  Keep keep;
  constexpr bool operator()(guard_description const& g) const { return static_cast<bool>(keep(g)); }
};
template <class Keep> constexpr guard_filter_option<Keep> guard_filter(Keep keep) {
  static_assert(std::is_invocable_r_v<bool, Keep const&, guard_description const&>,
                "guardjit: guard_filter(keep): keep must take a guard_description const& and give a bool");
  return {std::move(keep)};
}

namespace detail {

template <guard_kind... Kind> struct keeps_other_kinds {
  constexpr bool operator()(guard_description const& g) const { return ((g.kind != Kind) && ...); }
};
template <class A, class B> struct keeps_both {
  A a;
  B b;
  constexpr bool operator()(guard_description const& g) const { return a(g) && b(g); }
};
template <class A, class B> struct keeps_either {
  A a;
  B b;
  constexpr bool operator()(guard_description const& g) const { return a(g) || b(g); }
};
template <class A> struct keeps_others {
  A a;
  constexpr bool operator()(guard_description const& g) const { return !a(g); }
};

template <class Option> inline constexpr bool is_guard_filter = false;
template <class Keep> inline constexpr bool is_guard_filter<guard_filter_option<Keep>> = true;

}  // namespace detail

/// A filter that drops the guards of some kinds: `drop_kind<guard_kind::predicate>`.
template <guard_kind... Kind>
inline constexpr guard_filter_option<detail::keeps_other_kinds<Kind...>> drop_kind{};

template <class A, class B>
constexpr auto operator&&(guard_filter_option<A> a, guard_filter_option<B> b) {
  return guard_filter(detail::keeps_both<A, B>{std::move(a.keep), std::move(b.keep)});
}
template <class A, class B>
constexpr auto operator||(guard_filter_option<A> a, guard_filter_option<B> b) {
  return guard_filter(detail::keeps_either<A, B>{std::move(a.keep), std::move(b.keep)});
}
template <class A> constexpr auto operator!(guard_filter_option<A> a) {
  return guard_filter(detail::keeps_others<A>{std::move(a.keep)});
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
