// guardjit: compile/kept_options.hpp: user guards and filters, kept with the compiled function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_KEPT_OPTIONS_HPP
#define GUARDJIT_COMPILE_KEPT_OPTIONS_HPP

#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/guard_filter.hpp>
#include <guardjit/compile/user_guard.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The options of one function that are more than numbers. `Guards` and `Filters` are tuples of options.
/// Lifetime: at one address as long as the function lives; its state refers to it.
template <class Guards, class Filters> struct kept_options {
  Guards guards;
  Filters filters;
  std::array<char const*, std::tuple_size_v<Guards>> names{};

  /// Tells the state of the function.
  void join(function_state& fn) {
    std::apply([this](auto const&... guard) { names = {guard.name...}; }, guards);
    fn.predicates = names;
    if constexpr (std::tuple_size_v<Filters> > 0) {
      fn.filter = [](void const* all, guard_description const& g) {
        return std::apply([&g](auto const&... keeps) { return (keeps(g) && ...); },
                          *static_cast<Filters const*>(all));
      };
      fn.filters = &filters;
    }
  }
};

/// An option of a call of `compile`, moved, if it is a user guard; if it is a filter.
template <class Option> auto user_guard_of(Option& option) {
  if constexpr (is_user_guard<Option>) return std::tuple<Option>(std::move(option));
  else return std::tuple<>{};
}
template <class Option> auto guard_filter_of(Option& option) {
  if constexpr (is_guard_filter<Option>) return std::tuple<Option>(std::move(option));
  else return std::tuple<>{};
}
template <class... Options>
auto kept_among(type_list<Options...>)
    -> kept_options<decltype(std::tuple_cat(user_guard_of(std::declval<Options&>())...)),
                    decltype(std::tuple_cat(guard_filter_of(std::declval<Options&>())...))>;
/// What a function with the options `Set` keeps.
template <class Set> using kept_options_of = decltype(kept_among(typename Set::options{}));

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
