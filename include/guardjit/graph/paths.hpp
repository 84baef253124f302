// guardjit: graph/paths.hpp: every path of a function under one signature
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PATHS_HPP
#define GUARDJIT_GRAPH_PATHS_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/graph/mistakes.hpp>
#include <guardjit/graph/trace.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Paths of one function, at most, where nothing else is said. Rules: G91.
inline constexpr int default_max_paths = 64;

namespace detail {

/// Depth first. It ends behind a mistake and behind the bound, so that the build ends.
template <class F, class Signature, int Most, path_script Script, class... Found>
constexpr auto paths_from() {
  using here = traced<F, Signature, Script>;
  constexpr path_script next = next_path(here::graph.view());
  if constexpr (here::graph.wrong || next.length < 0 || sizeof...(Found) == Most)
    return type_list<Found..., here>{};
  else
    return paths_from<F, Signature, Most, next, Found..., here>();
}

/// The arguments that a path assigns to: all of them, on whatever path. Rules: G4, G95.
template <int Arguments> struct argument_set {
  std::array<bool, static_cast<unsigned>(Arguments) + 1> has{};
  constexpr int count() const {
    int n = 0;
    for (bool one : has) n += one ? 1 : 0;
    return n;
  }
  constexpr int number(int k) const {
    int at = 0;
    for (; k > 0 || !has[static_cast<unsigned>(at)]; ++at) k -= has[static_cast<unsigned>(at)] ? 1 : 0;
    return at;
  }
  template <int... K> constexpr void add(argument_list<K...>) { ((has[K] = true), ...); }
};
template <class List> struct assigned_arguments;
template <class... Path> struct assigned_arguments<type_list<Path...>> {
  template <int Arguments> static constexpr auto of() {
    argument_set<Arguments> all;
    (all.add(typename Path::in_outs{}), ...);
    return all;
  }
};
template <class List, int Arguments, int... K> auto list_assigned(std::integer_sequence<int, K...>)
    -> argument_list<assigned_arguments<List>::template of<Arguments>().number(K)...>;

template <class F, class Signature, class Path, class InOuts> using path_with =
    std::conditional_t<std::is_same_v<typename Path::in_outs, InOuts>, Path,
                       traced<F, Signature, Path::script, InOuts>>;
/// The paths with one list of in-out arguments: one that leaves an argument alone gives it back.
template <class F, class Signature, class InOuts, class... Path>
auto paths_with(type_list<Path...>) -> type_list<path_with<F, Signature, Path, InOuts>...>;
template <class F, class Signature, class First, class... Rest>
constexpr auto paths_of_one_kind(type_list<First, Rest...> found) {
  if constexpr ((std::is_same_v<typename First::in_outs, typename Rest::in_outs> && ...)) {
    return found;
  } else {
    using list = type_list<First, Rest...>;
    constexpr int arguments = Signature::size;
    constexpr int count = assigned_arguments<list>::template of<arguments>().count();
    using all = decltype(list_assigned<list, arguments>(std::make_integer_sequence<int, count>{}));
    return decltype(paths_with<F, Signature, all>(found)){};
  }
}

template <class List, std::size_t K> using path_at = nth_type_t<static_cast<int>(K), List>;

/// The branch whose other outcome the next path takes; of the last path its last branch.
template <class Path> struct forking_line {
  static constexpr graph_view g = Path::graph.view();
  static constexpr path_script next = next_path(g);
  static constexpr std::size_t branch =
      next.length > 0 ? static_cast<std::size_t>(next.length) - 1 : g.conditions.size() - 1;
  static constexpr source_line value = g.conditions[branch].where;
};
template <class Path, int Result> struct result_line {
  static constexpr source_line value = Path::graph.view()[Path::graph.outputs[Result]].where;
};

struct result_kind {
  dtype type{};
  int rank = 0;
  constexpr bool operator==(result_kind const&) const = default;
};
constexpr result_kind result_of(graph_view const& g, unsigned k) {
  return {g[g.outputs[k]].type, g.shape_of(g.outputs[k]).rank};
}

/// A result of a path that is of another kind than that of the first path; path 0 if there is none.
struct unlike_result {
  std::size_t path = 0;
  int result = 0;
};
template <class First, class... Rest> constexpr unlike_result first_unlike(type_list<First, Rest...>) {
  graph_view const paths[] = {First::graph.view(), Rest::graph.view()...};
  for (unsigned r = 0; r < paths[0].outputs.size(); ++r)
    for (std::size_t k = 1; k <= sizeof...(Rest); ++k)
      if (!(result_of(paths[k], r) == result_of(paths[0], r))) return {k, static_cast<int>(r)};
  return {};
}

/// Whether `opaque` cuts a path of a list.
template <class... Traced> constexpr bool has_breaks(type_list<Traced...>) {
  return (!Traced::graph.view().breaks.empty() || ...);
}
template <class First, class... Rest> constexpr source_line first_break(type_list<First, Rest...>) {
  graph_view const paths[] = {First::graph.view(), Rest::graph.view()...};
  for (graph_view const& g : paths)
    if (!g.breaks.empty()) return g.breaks[0].where;
  return {};
}
template <class List> struct first_break_line {
  static constexpr source_line value = first_break(List{});
};
/// The line of the first `opaque`, for the C++ compile error of who needs one graph.
template <class List> using line_of_break = typename named_line<first_break_line<List>>::type;

}  // namespace detail

/// All paths of `F`, `Most` of which are allowed: `list` has a `traced` for each, `count` their number.
/// Where `fine` is false, `require_paths` says why; the last path of the list is then the one with the
/// mistake.
/// Rules: G90, G95.
template <class F, class Signature, int Most = default_max_paths> struct paths {
  using list = decltype(detail::paths_of_one_kind<F, Signature>(
      decltype(detail::paths_from<F, Signature, Most, path_script{}>()){}));
  static constexpr int count = static_cast<int>(list::size);
  using last = detail::path_at<list, list::size - 1>;
  /// The arguments that `F` assigns to.
  using in_outs = typename detail::path_at<list, 0>::in_outs;
  static constexpr bool has_outputs = !last::graph.view().outputs.empty();
  static constexpr bool fine = !last::graph.wrong && count <= Most && has_outputs &&
                               detail::first_unlike(list{}).path == 0;
};

/// One C++ compile error if a path of `F` has a mistake, if there are too many, or if the dtype or
/// rank of their results differ. Behind it, ask `paths<F, Signature>::fine` before using them.
/// Rules: G91, G93, G95.
template <class F, class Signature, int Most = default_max_paths> constexpr void require_paths() {
  using every = paths<F, Signature, Most>;
  using last = typename every::last;
  if constexpr (last::graph.wrong) {
    require_no_mistake<last::graph>();
  } else if constexpr (every::count > Most) {
    using at = typename detail::named_line<detail::forking_line<last>>::type;
    constexpr mistake wrong{mistake_kind::too_many_paths, {}, Most, 0, 0, {}};
    require_no_mistake<wrong, at>();
  } else if constexpr (!every::has_outputs) {
    static_assert(no_mistake<mistakes::results_in_number<every::has_outputs>>,
                  "guardjit: compile(f): f must return tensors, or assign to arguments that it takes by "
                  "reference");
  } else if constexpr (constexpr auto found = detail::first_unlike(typename every::list{}); found.path != 0) {
    using one = detail::path_at<typename every::list, 0>;
    using other = detail::path_at<typename every::list, found.path>;
    constexpr int k = found.result;
    constexpr detail::result_kind a = detail::result_of(one::graph.view(), k);
    constexpr detail::result_kind b = detail::result_of(other::graph.view(), k);
    using at = typename detail::named_line<detail::result_line<one, k>>::type;
    using at_other = typename detail::named_line<detail::result_line<other, k>>::type;
    if constexpr (a.type != b.type)
      static_assert(no_mistake<mistakes::result_dtypes_differ<a.type, b.type, at, at_other, k>>,
                    "guardjit: the results of all paths must have one dtype");
    else
      static_assert(no_mistake<mistakes::result_ranks_differ<a.rank, b.rank, at, at_other, k>>,
                    "guardjit: the results of all paths must have one rank");
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
