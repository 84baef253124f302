// guardjit: transforms/path_tree.hpp: which paths of a function agree up to a call of opaque
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_PATH_TREE_HPP
#define GUARDJIT_TRANSFORMS_PATH_TREE_HPP

#include <guardjit/graph/paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What a graph had where break `s` came; behind the last one, all of it.
constexpr graph_size size_before(graph_view const& g, int s) {
  if (static_cast<std::size_t>(s) < g.breaks.size()) return g.breaks[static_cast<unsigned>(s)].before;
  auto const count = [](auto const& list) { return static_cast<int>(list.size()); };
  return {g.size(),           count(g.shapes),     count(g.extents), count(g.extra),   count(g.requirements),
          count(g.conditions), count(g.outputs), count(g.scopes),  count(g.passing), count(g.breaks)};
}

/// The outcomes of the conditions that a path met before break `s`.
constexpr path_script outcomes_before(graph_view const& g, int s) {
  path_script start{0, size_before(g, s).conditions};
  for (int k = 0; k < start.length; ++k)
    if (g.conditions[static_cast<unsigned>(k)].outcome) start.outcomes |= std::uint64_t{1} << k;
  return start;
}
/// Whether a path begins with these outcomes.
constexpr bool begins_with(graph_view const& g, path_script const& start) {
  if (static_cast<int>(g.conditions.size()) < start.length) return false;
  for (int k = 0; k < start.length; ++k)
    if (g.conditions[static_cast<unsigned>(k)].outcome != ((start.outcomes >> k & 1u) != 0)) return false;
  return true;
}

/// The part of a graph that its conditions, rules and shapes before break `s` are made of: the same on all
/// paths that agree up to there. `settled` conditions and `checked` rules of it are left out.
constexpr graph_view part_before(graph_view g, int s, int settled, int checked) {
  graph_size const size = size_before(g, s);
  auto const first = [](auto const& list, int count) { return list.first(static_cast<unsigned>(count)); };
  g.nodes = first(g.nodes, size.nodes);
  g.extents = first(g.extents, size.extents);
  g.requirements = first(g.requirements, size.requirements).subspan(static_cast<unsigned>(checked));
  g.conditions = first(g.conditions, size.conditions).subspan(static_cast<unsigned>(settled));
  return g;
}

/// Beginnings of paths.
template <int Most> struct path_starts {
  std::array<path_script, static_cast<unsigned>(Most)> list{};
  int count = 0;
  constexpr path_script const& operator[](int k) const { return list[static_cast<unsigned>(k)]; }
  constexpr void add(path_script const& start) {
    for (int k = 0; k < count; ++k)
      if ((*this)[k] == start) return;
    list[static_cast<unsigned>(count++)] = start;
  }
};

}  // namespace detail

/// The paths of a function as a tree: they part at conditions, which are decided in the order of `f`, those
/// behind a call of `opaque` when it has returned. `Paths` is a `paths<…>`, which is fine. A place in the
/// tree is the number of the next break and the outcomes of all conditions before it.
/// Rules: G100.
template <class Paths> struct path_tree {
  using list = typename Paths::list;
  static constexpr int count = Paths::count;
  static constexpr auto graphs = []<class... Traced>(type_list<Traced...>) {
    return std::array<graph_view, sizeof...(Traced)>{Traced::graph.view()...};
  }(list{});
  static constexpr graph_view const& graph(int path) { return graphs[static_cast<unsigned>(path)]; }

  /// The first path that begins so.
  static constexpr int first_with(path_script const& start) {
    int path = 0;
    while (!detail::begins_with(graph(path), start)) ++path;
    return path;
  }
  template <int Path> using nth = detail::path_at<list, static_cast<std::size_t>(Path)>;
  template <path_script Start> using traced = nth<first_with(Start)>;

  /// How the paths that begin with `start` go on up to break `s`, or their end.
  static constexpr auto starts(path_script const& start, int s) {
    detail::path_starts<count> found;
    for (graph_view const& g : graphs)
      if (detail::begins_with(g, start)) found.add(detail::outcomes_before(g, s));
    return found;
  }
  /// The nodes of the largest path.
  static constexpr int nodes = [] {
    int most = 0;
    for (graph_view const& g : graphs) most = g.size() > most ? g.size() : most;
    return most;
  }();
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
