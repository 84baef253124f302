// guardjit: transforms/moded_paths.hpp: every path of a function under each of its declared stacks
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_MODED_PATHS_HPP
#define GUARDJIT_TRANSFORMS_MODED_PATHS_HPP

#include <guardjit/graph/paths.hpp>
#include <guardjit/transforms/mode_pass.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Depth first over the branches of handlers; those of `f` are settled. Ends behind a mistake.
template <class Traced, class Stack, int Number, int FirstKey, int Most, path_script Script, class... Found>
constexpr auto handler_paths() {
  using here = moded<Traced, Stack, Number, FirstKey, Script>;
  constexpr int settled = static_cast<int>(Traced::graph.view().conditions.size());
  constexpr path_script next = next_path(here::graph.view(), settled);
  if constexpr (here::graph.wrong || next.length < 0 || sizeof...(Found) == 4 * Most)
    return type_list<Found..., here>{};
  else return handler_paths<Traced, Stack, Number, FirstKey, Most, next, Found..., here>();
}

/// One path of `f` under one stack. A path that no mode touches is what it was.
template <class Traced, class Stack, int Number, int FirstKey, int Most> constexpr auto paths_under() {
  if constexpr (Number == 0 && Traced::graph.view().scopes.empty()) return type_list<Traced>{};
  else return handler_paths<Traced, Stack, Number, FirstKey, Most, path_script{}>();
}

template <class Stack, int Number, int FirstKey, int Most, class... Traced>
constexpr auto all_under(type_list<Traced...>) {
  return joined_t<decltype(paths_under<Traced, Stack, Number, FirstKey, Most>())...>{};
}

/// The numbers in the keys of all modes of a stack.
template <class... Modes> constexpr int count_stack_keys(type_list<Modes...>) {
  return (0 + ... + key_count<Modes>);
}

template <int Number, int FirstKey, int Most, class Paths> constexpr auto under_each(Paths, type_list<>) {
  return type_list<>{};
}
template <int Number, int FirstKey, int Most, class Paths, class First, class... Rest>
constexpr auto under_each(Paths paths, type_list<First, Rest...>) {
  constexpr int behind = FirstKey + count_stack_keys(First{});
  return all_under<First, Number, FirstKey, Most>(paths) +
         under_each<Number + 1, behind, Most>(paths, type_list<Rest...>{});
}

template <class Path> constexpr bool is_wrong() { return static_cast<bool>(Path::graph.wrong); }
template <class First, class... Rest> constexpr auto first_wrong(type_list<First, Rest...>) {
  if constexpr (is_wrong<First>() || sizeof...(Rest) == 0) return std::type_identity<First>{};
  else return first_wrong(type_list<Rest...>{});
}

}  // namespace detail

namespace detail {
/// The argument at which the keys of declared modes begin: they are the last ones of a function.
template <class F> struct first_key {
  static constexpr int of(int arguments, int keys) { return arguments - keys; }
};
}  // namespace detail

/// All paths of `F` under no stack, then under each of `Stacks`, lists of modes from bottom to top, whose
/// keys are the last arguments of the signature. `Most` and `fine` as in `paths`, where the paths as
/// written are.
/// Rules: M80, M94, M95.
template <class F, class Signature, class Stacks, int Most = default_max_paths> struct moded_paths {
  static constexpr int keys = []<class... Stack>(type_list<Stack...>) {
    return (0 + ... + detail::count_stack_keys(Stack{}));
  }(Stacks{});
  static constexpr int first_key = detail::first_key<F>::of(Signature::size, keys);
  using written = typename paths<F, Signature, Most>::list;
  using list = decltype(detail::under_each<0, first_key, Most>(written{}, type_list<type_list<>>{}) +
                        detail::under_each<1, first_key, Most>(written{}, Stacks{}));
  using wrong = typename decltype(detail::first_wrong(list{}))::type;
  static constexpr bool fine = !wrong::graph.wrong && list::size <= 4 * Most;
};

/// One C++ compile error if a handler made a mistake. Precondition: the paths as written are fine.
/// Rules: M13, M15, M16.
template <class F, class Signature, class Stacks, int Most = default_max_paths>
constexpr void require_moded_paths() {
  using every = moded_paths<F, Signature, Stacks, Most>;
  if constexpr (every::wrong::graph.wrong) {
    require_no_mistake<every::wrong::graph>();
  } else if constexpr (!every::fine) {
    using at = typename detail::named_line<detail::wrong_line_of<every::wrong::graph>>::type;
    constexpr mistake wrong{mistake_kind::too_many_paths, {}, 4 * Most, 0, 0, {}};
    require_no_mistake<wrong, at>();
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
