// guardjit: transforms/segments.hpp: a graph cut where `opaque` callables are called
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_SEGMENTS_HPP
#define GUARDJIT_TRANSFORMS_SEGMENTS_HPP

#include <guardjit/graph/leaf_names.hpp>
#include <guardjit/graph/passes/drop.hpp>
#include <guardjit/graph/signature.hpp>
#include <guardjit/transforms/moded_paths.hpp>
#include <guardjit/transforms/path_tree.hpp>

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
  /// Whether node `k` is a scalar that `f` computes. It is no value of a segment, each computes it anew; but
  /// a callable that is given it needs someone who does.
  static constexpr bool is_computed_scalar(int k) {
    return info_of(Graph.view()[k].id).form != op_form::leaf && Graph.view()[k].weak;
  }
  /// Nodes of segment `s` that later ones or its callable need, and the scalars that its callable is given;
  /// of the last one the results.
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
    std::array<bool, static_cast<unsigned>(size)> is_given{};
    for_each_operand(s, [&](int k) { is_given[static_cast<unsigned>(k)] = true; });
    for (int k = 0; k < size; ++k) {
      auto const at = static_cast<unsigned>(k);
      if (is_needed[at] && (segment(k) == s || (is_given[at] && is_computed_scalar(k)))) found.add(k);
    }
    return found;
  }
};

/// The graph of one segment without what it is given: of the paths that begin with `Start`, up to their
/// break `S`. Rules of ops are checked by the segment in whose part of `f` they are.
template <auto const& Graph, int S> constexpr graph_size segment_size(int outputs) {
  graph_view const g = Graph.view();
  graph_size size = size_before(g, S);
  if (S > 0) size.requirements -= size_before(g, S - 1).requirements;
  size.outputs = outputs;
  size.conditions = size.breaks = size.passing = 0;
  return size;
}

/// The nodes of segment `S` whose values its callable or a later segment needs, on one path at least; of
/// the last segment the results.
template <class Paths, path_script Start, int S> constexpr auto segment_outputs() {
  using here = typename path_tree<Paths>::template traced<Start>;
  using parts = cut<here::graph>;
  if constexpr (S == parts::breaks) {
    return parts::outputs(S);
  } else {
    std::array<bool, static_cast<unsigned>(parts::size)> is_needed{};
    auto const add = [&is_needed]<class Traced>(std::type_identity<Traced>) {
      if (!begins_with(Traced::graph.view(), Start)) return;
      auto const own = cut<Traced::graph>::outputs(S);
      for (int k = 0; k < own.count; ++k) is_needed[static_cast<unsigned>(own[k])] = true;
    };
    for_each_type(typename Paths::list{}, add);
    typename parts::node_list found;
    for (int k = 0; k < parts::size; ++k)
      if (is_needed[static_cast<unsigned>(k)]) found.add(k);
    return found;
  }
}

/// The graph of one segment: the nodes keep their numbers; those of earlier segments are inputs behind
/// the arguments and the results of earlier callables.
template <class Paths, path_script Start, int S> constexpr auto segment_graph() {
  using traced = typename path_tree<Paths>::template traced<Start>;
  constexpr auto const& whole = traced::graph;
  using parts = cut<traced::graph>;
  constexpr auto inputs = parts::inputs(S), outputs = segment_outputs<Paths, Start, S>();
  constexpr graph_size size = segment_size<traced::graph, S>(outputs.count);
  constexpr int checked = S == 0 ? 0 : size_before(whole.view(), S - 1).requirements;
  graph<size> result;
  graph_view const from = part_before(whole.view(), S, 0, checked);
  copy_first(from.nodes, result.nodes, size.nodes);
  copy_first(from.shapes, result.shapes, size.shapes);
  copy_first(from.extents, result.extents, size.extents);
  copy_first(from.extra, result.extra, size.extra);
  copy_first(from.scopes, result.scopes, size.scopes);
  for (int k = 0; k < size.requirements; ++k) {
    requirement r = from.requirements[static_cast<unsigned>(k)];
    // That of an op which was there already names the one behind it.
    if (r.node >= size.nodes) r.node = size.nodes - 1;
    result.requirements[static_cast<unsigned>(k)] = r;
  }
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

/// One segment of the paths with breaks that begin with `Start`, in the place of a traced function. Its
/// arguments are those of the function, the results of earlier callables, then values of earlier segments.
/// Rules: G100.
template <class Paths, path_script Start, int S> struct segment {
  /// One of the paths that have it.
  using traced = typename path_tree<Paths>::template traced<Start>;
  using parts = detail::cut<traced::graph>;
  static constexpr bool is_last = S == parts::breaks;
  /// Of the arguments of the function, which are the first ones of the segment.
  using signature = typename traced::signature;
  static constexpr auto graph = detail::segment_graph<Paths, Start, S>();
  static constexpr auto inputs = parts::inputs(S);
  static constexpr auto outputs = detail::segment_outputs<Paths, Start, S>();
  static constexpr std::span<declared_extent const> declared = traced::declared;
  /// The structure of its results: that of the function for the last one.
  /// What is written into arguments is a result of the last segment, behind the others.
  using in_outs = detail::argument_list<>;
  /// The structure of its results: that of the function for the last one, if this is all.
  static constexpr auto result_structure() {
    if constexpr (is_last && traced::in_outs::size() == 0)
      return std::type_identity<typename traced::result>{};
    else
      return std::type_identity<decltype(detail::tuple_of_syms(
          std::make_integer_sequence<int, outputs.count>{}))>{};
  }
  using result = typename decltype(result_structure())::type;
};

/// Stands for the function of a segment, whose only path is known.
template <class Paths, path_script Start, int S> struct segment_function {};
namespace detail {
template <class Paths, path_script Start, int S> struct first_key<segment_function<Paths, Start, S>> {
  static constexpr int of(int, int keys) {
    return path_tree<Paths>::template traced<Start>::graph.arguments - keys;
  }
};
}  // namespace detail
template <class Paths, path_script Start, int S, class Signature, int Most>
struct paths<segment_function<Paths, Start, S>, Signature, Most> {
  using list = type_list<segment<Paths, Start, S>>;
  using last = segment<Paths, Start, S>;
  using in_outs = detail::argument_list<>;
  static constexpr int count = 1;
  static constexpr bool fine = true;
};

/// Names of the arguments of a segment in messages: `arg[0]`, `opaque#1`, `sum[line 12]`.
/// `Names` are those of the function.
template <class Segment, class Names> struct segment_names {
  static constexpr int given = Segment::traced::graph.arguments;
  static constexpr int breaks = Segment::graph.arguments - given - Segment::inputs.count;
  static constexpr auto list = [] {
    std::array<leaf_path, static_cast<unsigned>(Segment::graph.arguments) + 1> all{};
    unsigned at = 0;
    auto const put = [&](char const* kind, int number, char const* end) {
      leaf_path& name = all[at++];
      name.append(kind);
      name.append(number);
      name.append(end);
    };
    for (int k = 0; k < given; ++k) {
      auto const known = static_cast<unsigned>(k);
      if (known < Names::names.size()) all[at++] = Names::names[known];
      else put("arg[", k, "]");
    }
    for (int k = 0; k < breaks; ++k) put("opaque#", k + 1, "");
    for (int k = 0; k < Segment::inputs.count; ++k) {
      node const& n = Segment::traced::graph.view()[Segment::inputs[k]];
      all[at].append(info_of(n.id).name);
      put("[line ", static_cast<int>(n.where.line), "]");
    }
    return all;
  }();
  static constexpr std::span<leaf_path const> names{list.data(),
                                                    static_cast<unsigned>(Segment::graph.arguments)};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
