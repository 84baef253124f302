// guardjit: transforms/segments.hpp: a graph cut where `opaque` callables are called
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_SEGMENTS_HPP
#define GUARDJIT_TRANSFORMS_SEGMENTS_HPP

#include <guardjit/graph/passes/drop.hpp>
#include <guardjit/graph/paths.hpp>
#include <guardjit/graph/signature.hpp>
#include <guardjit/transforms/moded_paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Which segment computes each node of a graph with breaks; those that none needs have -1. Segment k
/// computes what the k-th callable is given, the last one the results. Leaves and scalars belong to all.
template <auto const& Graph> struct cut {
  static constexpr int size = Graph.view().size();
  static constexpr int breaks = static_cast<int>(Graph.view().breaks.size());
  static constexpr int segments = breaks + 1;

  static constexpr bool is_computed(int k) {
    node const& n = Graph.view()[k];
    return info_of(n.id).form != op_form::leaf && !n.weak;
  }
  /// Calls `visit(k)` for what the callable of break `s` is given.
  static constexpr void for_each_operand(int s, auto const& visit) {
    break_point const& b = Graph.view().breaks[static_cast<unsigned>(s)];
    for (int k = 0; k < b.operands; ++k) visit(b.in[static_cast<unsigned>(k)]);
  }
  static constexpr auto segment_of = [] {
    std::array<int, static_cast<unsigned>(size)> segment{};
    for (int& s : segment) s = -1;
    graph_view const g = Graph.view();
    for (int s = 0; s < segments; ++s) {
      std::array<bool, static_cast<unsigned>(size)> needed{};
      auto const needs = [&](int k) { needed[static_cast<unsigned>(k)] = true; };
      if (s < breaks) for_each_operand(s, needs);
      else
        for (std::int16_t output : g.outputs) needs(output);
      for (int k = size - 1; k >= 0; --k) {
        auto const at = static_cast<unsigned>(k);
        if (!needed[at] || segment[at] >= 0) continue;
        if (is_computed(k)) segment[at] = s;
        for (std::int16_t operand : g[k].in)
          if (operand >= 0) needed[static_cast<unsigned>(operand)] = true;
      }
    }
    return segment;
  }();
  static constexpr int segment(int k) { return segment_of[static_cast<unsigned>(k)]; }

  /// Calls `visit(k)` for the nodes whose values segment `s` reads: of its own nodes, of the scalars that
  /// these need, and of the results if it is the last one.
  static constexpr void for_each_read(int s, auto const& visit) {
    graph_view const g = Graph.view();
    std::array<bool, static_cast<unsigned>(size)> read{};
    auto const reads = [&](int k) { read[static_cast<unsigned>(k)] = true; };
    if (s == breaks)
      for (std::int16_t output : g.outputs) reads(output);
    for (int k = size - 1; k >= 0; --k) {
      bool const is_mine = segment(k) == s || (!is_computed(k) && read[static_cast<unsigned>(k)]);
      if (!is_mine) continue;
      for (std::int16_t operand : g[k].in)
        if (operand >= 0) reads(operand);
    }
    for (int k = 0; k < size; ++k)
      if (read[static_cast<unsigned>(k)]) visit(k);
  }

  struct node_list {
    std::array<std::int16_t, static_cast<unsigned>(size)> list{};
    int count = 0;
    constexpr void add(int k) {
      list[static_cast<unsigned>(count++)] = static_cast<std::int16_t>(k);
    }
    constexpr int operator[](int k) const { return list[static_cast<unsigned>(k)]; }
  };
  /// Nodes of earlier segments that segment `s` reads, by number.
  static constexpr node_list inputs(int s) {
    node_list found;
    for_each_read(s, [&](int k) {
      if (is_computed(k) && segment(k) < s) found.add(k);
    });
    return found;
  }
  /// Nodes of segment `s` that later ones or its callable need; of the last one the results.
  static constexpr node_list outputs(int s) {
    node_list found;
    graph_view const g = Graph.view();
    if (s == breaks) {
      for (std::int16_t output : g.outputs) found.add(output);
      return found;
    }
    std::array<bool, static_cast<unsigned>(size)> is_needed{};
    auto const needs = [&](int k) { is_needed[static_cast<unsigned>(k)] = true; };
    for (int later = s; later < breaks; ++later) for_each_operand(later, needs);
    for (int later = s + 1; later < segments; ++later) for_each_read(later, needs);
    for (int k = 0; k < size; ++k)
      if (is_needed[static_cast<unsigned>(k)] && segment(k) == s) found.add(k);
    return found;
  }
};

/// Whether a requirement is checked by segment `s`: the first one that knows all its extents.
constexpr bool belongs_to_segment(graph_view const& g, requirement const& r, int s,
                                  auto const& depends_on) {
  for (int later = static_cast<int>(g.breaks.size()); later > 0; --later)
    if (depends_on(r.left, g.arguments + later - 1) || depends_on(r.right, g.arguments + later - 1))
      return later == s;
  return s == 0;
}

constexpr bool reads_input(graph_view const& g, index_t extent, int input) {
  if (!is_symbol(extent)) return false;
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (n.id == extent_op::input) return n.left == input;
  return reads_input(g, n.left, input) || reads_input(g, n.right, input);
}

/// The size of the graph of one segment.
template <auto const& Graph, int S> constexpr graph_size segment_size() {
  graph_size size = size_of_graph(Graph);
  size.outputs = cut<Graph>::outputs(S).count;
  size.conditions = size.breaks = size.passing = 0;
  size.requirements = 0;
  for (requirement const& r : Graph.view().requirements)
    size.requirements +=
        belongs_to_segment(Graph.view(), r, S,
                           [](index_t e, int input) { return reads_input(Graph.view(), e, input); })
            ? 1
            : 0;
  return size;
}

/// The graph of one segment: the nodes keep their numbers; those of earlier segments are inputs behind
/// the arguments and the results of earlier callables.
template <auto const& Graph, int S> constexpr auto segment_graph() {
  graph<segment_size<Graph, S>()> result;
  graph_view const from = Graph.view();
  using parts = cut<Graph>;
  copy_first(Graph.nodes, result.nodes, from.size());
  copy_first(Graph.shapes, result.shapes, static_cast<int>(from.shapes.size()));
  copy_first(Graph.extents, result.extents, static_cast<int>(from.extents.size()));
  copy_first(Graph.extra, result.extra, static_cast<int>(from.extra.size()));
  copy_first(Graph.scopes, result.scopes, static_cast<int>(from.scopes.size()));
  unsigned kept = 0;
  for (requirement const& r : from.requirements)
    if (belongs_to_segment(from, r, S,
                           [&](index_t e, int input) { return reads_input(from, e, input); }))
      result.requirements[kept++] = r;
  // Extents of what later callables give are read by nodes of later segments only.
  for (extent_node& e : result.extents)
    if (e.id == extent_op::input && e.left >= from.arguments + S) e = {extent_op::plus, 1, 0};
  auto const inputs = parts::inputs(S), outputs = parts::outputs(S);
  for (int k = 0; k < inputs.count; ++k) {
    node& n = result.nodes[static_cast<unsigned>(inputs[k])];
    n.id = op::input;
    n.bits = static_cast<std::uint64_t>(from.arguments + S + k);
    n.in = {-1, -1, -1};
    n.attribute = -1;
    n.scope = 0;
    n.source = static_cast<std::int16_t>(n.bits);
  }
  // What is made of values of earlier segments lies with them.
  for (int k = 0; k < from.size(); ++k) {
    node& n = result.nodes[static_cast<unsigned>(k)];
    if (info_of(n.id).form == op_form::leaf || is_factory(n.id)) continue;
    n.source = host_source;
    for (std::int16_t operand : n.in)
      if (operand >= 0 && n.source == host_source)
        n.source = result.nodes[static_cast<unsigned>(operand)].source;
  }
  for (int k = 0; k < outputs.count; ++k)
    result.outputs[static_cast<unsigned>(k)] = static_cast<std::int16_t>(outputs[k]);
  result.arguments = from.arguments + S + inputs.count;
  return result;
}

template <int> using sym_at = sym;
template <int... K> auto tuple_of_syms(std::integer_sequence<int, K...>)
    -> std::tuple<sym_at<K>...>;

}  // namespace detail

/// One segment of a path with breaks, in the place of a traced function. Its arguments are those of the
/// function, the results of earlier callables, then values of earlier segments.
/// Rules: G100.
template <class Traced, int S> struct segment {
  using parts = detail::cut<Traced::graph>;
  /// Of the arguments of the function, which are the first ones of the segment.
  using signature = typename Traced::signature;
  static constexpr auto graph = detail::segment_graph<Traced::graph, S>();
  static constexpr auto inputs = parts::inputs(S);
  static constexpr auto outputs = parts::outputs(S);
  static constexpr std::span<declared_extent const> declared = Traced::declared;
  /// The structure of its results: that of the function for the last one.
  /// What is written into arguments is a result of the last segment, behind the others.
  using in_outs = detail::argument_list<>;
  /// The structure of its results: that of the function for the last one, if this is all.
  static constexpr auto result_structure() {
    if constexpr (S == parts::breaks && Traced::in_outs::size() == 0)
      return std::type_identity<typename Traced::result>{};
    else
      return std::type_identity<decltype(detail::tuple_of_syms(
          std::make_integer_sequence<int, outputs.count>{}))>{};
  }
  using result = typename decltype(result_structure())::type;
};

/// Stands for the function of a segment, whose only path is known.
template <class Traced, int S> struct segment_function {};
namespace detail {
template <class Traced, int S> struct first_key<segment_function<Traced, S>> {
  static constexpr int of(int, int keys) { return Traced::graph.arguments - keys; }
};
}  // namespace detail
template <class Traced, int S, class Signature, int Most>
struct paths<segment_function<Traced, S>, Signature, Most> {
  using list = type_list<segment<Traced, S>>;
  using last = segment<Traced, S>;
  using in_outs = detail::argument_list<>;
  static constexpr int count = 1;
  static constexpr bool fine = true;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
