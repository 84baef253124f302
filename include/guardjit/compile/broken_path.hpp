// guardjit: compile/broken_path.hpp: a function that `opaque` cuts: a specialization for each segment
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BROKEN_PATH_HPP
#define GUARDJIT_COMPILE_BROKEN_PATH_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/transforms/segments.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The tensor that a node of a graph is; symbols are run-time extents.
template <auto const& Graph, int Node> struct node_tensor {
  static constexpr shape extents = [] {
    shape s = Graph.view().shape_of(Node);
    for (int d = 0; d < s.rank; ++d)
      if (is_symbol(s[d])) s[d] = dyn;
    return s;
  }();
  using type = tensor_of_t<Graph.view()[Node].type, extents>;
};

/// What all paths of a function start from.
template <class F, class Signature, class Backend, class Names, class Stacks, int MaxPaths>
struct broken_source {
  using backend = Backend;
  using names = Names;
  using stacks = Stacks;
  using signature = Signature;
  using all_paths = guardjit::paths<F, Signature, MaxPaths>;
  using tree = path_tree<all_paths>;
  using in_outs = typename all_paths::in_outs;
  static constexpr auto const& types = Signature::arguments;
  static constexpr std::span<declared_extent const> declared = Signature::declared;
};

/// The values that a call keeps: what callables gave, and what segments computed for later ones. Each has a
/// place; a call goes along one path, so that a number may stand for a node of each.
template <class Source> struct kept_values {
  static constexpr auto is_kept = []<class... Traced>(type_list<Traced...>) {
    std::array<bool, static_cast<std::size_t>(Source::tree::nodes)> kept{};
    auto const add = [&kept]<class Path>(std::type_identity<Path>) {
      using parts = cut<Path::graph>;
      for (int s = 0; s < parts::breaks; ++s) {
        kept[static_cast<std::size_t>(Path::graph.breaks[static_cast<std::size_t>(s)].result)] = true;
        auto const outputs = parts::outputs(s);
        for (int k = 0; k < outputs.count; ++k) kept[static_cast<std::size_t>(outputs[k])] = true;
      }
    };
    (add(std::type_identity<Traced>{}), ...);
    return kept;
  }(typename Source::tree::list{});
  static constexpr std::size_t place(int node) {
    std::size_t before = 0;
    for (int k = 0; k < node; ++k) before += is_kept[static_cast<std::size_t>(k)] ? 1 : 0;
    return before;
  }

  /// The place of a node that is kept.
  template <int Node> static constexpr std::size_t place_of = [] {
    static_assert(is_kept[Node]);
    return place(Node);
  }();

  std::array<any_tensor, place(Source::tree::nodes)> list{};
  template <int Node> any_tensor& at() { return list[place_of<Node>]; }
  template <int Node> any_tensor const& at() const { return list[place_of<Node>]; }
};

/// Segment `S` of the paths that begin with `Start`: its specialization, and what it is given.
template <class Source, path_script Start, int S> struct broken_segment {
  using part = segment<typename Source::all_paths, Start, S>;
  using traced = typename part::traced;
  static constexpr path_script start = Start;
  static constexpr int number = S;
  static constexpr bool is_last = part::is_last;
  /// Whether there is something to compute.
  static constexpr bool runs = is_last || part::outputs.count > 0;
  /// One of the paths that have it; of the last segment the path.
  static constexpr int path = Source::tree::first_with(Start);

  template <int Node> using tensor_at = typename node_tensor<traced::graph, Node>::type;
  /// What the callable of an earlier break gave.
  template <int Break> using result_of = tensor_at<traced::graph.view().breaks[Break].result>;
  template <int... B, int... K>
  static auto inputs_of(std::integer_sequence<int, B...>, std::integer_sequence<int, K...>)
      -> type_list<result_of<B>..., tensor_at<part::inputs[K]>...>;
  template <class... Inputs> static auto signature_with(type_list<Inputs...>) ->
      typename appended_signature<typename Source::signature, argument_type_of<Inputs>()...>::type;
  using signature = decltype(signature_with(
      inputs_of(std::make_integer_sequence<int, S>{},
                std::make_integer_sequence<int, part::inputs.count>{})));
  using function = segment_function<typename Source::all_paths, Start, S>;
  using spec = specialization<function, signature, typename Source::backend,
                              segment_names<part, typename Source::names>, typename Source::stacks>;

  /// Whether the handlers of declared modes make no mistake here. One C++ compile error if they do.
  static constexpr bool require() {
    if constexpr (!runs) {
      return true;
    } else {
      require_moded_paths<function, signature, typename Source::stacks>();
      return moded_paths<function, signature, typename Source::stacks>::fine;
    }
  }
};

/// What who asks about a call sees where the first segment computes nothing: a function of no results.
template <class Source, class Segment> struct idle_segment {
  using part = typename Segment::part;
  static constexpr auto usage = usage_of<part>();
  static constexpr path_spec path[] = {{.written = part::graph.view(), .graph = part::graph.view()}};
  static constexpr std::size_t symbols = part::graph.view().extents.size();
  static constexpr function_spec data{.arguments = Source::types,
                                      .names = Source::names::names,
                                      .declared = Source::declared,
                                      .reads_elements = usage.elements.data(),
                                      .reads_extents = usage.extents.data(),
                                      .paths = path,
                                      .symbols = symbols,
                                      .backend = Source::backend::name};
};

/// One segment as data. `spec` is null where it computes nothing: its callable is given arguments and
/// results as they are.
struct segment_data {
  graph_view graph{};  ///< as written
  function_spec const* spec = nullptr;
};
/// One path of a function with breaks as data. Everything points to constants.
struct broken_path_data {
  graph_view graph{};  ///< as written, with its conditions and breaks
  /// One more than there are breaks. Those that paths share have the same `spec`.
  std::span<segment_data const> segments{};
};
template <class Source, int Path> struct broken_path {
  static constexpr graph_view const& graph = Source::tree::graph(Path);
  static constexpr int breaks = static_cast<int>(graph.breaks.size());
  template <int S> using segment = broken_segment<Source, outcomes_before(graph, S), S>;
  using last = typename segment<breaks>::spec;

  template <int S> static constexpr segment_data data_of() {
    using here = segment<S>;
    if constexpr (here::runs) return {here::part::graph.view(), &here::spec::data};
    else return {here::part::graph.view(), nullptr};
  }
  template <int... S> static constexpr auto list_of(std::integer_sequence<int, S...>) {
    return std::array<segment_data, sizeof...(S)>{data_of<S>()...};
  }
  using numbers = std::make_integer_sequence<int, breaks + 1>;
  static constexpr auto segments = list_of(numbers{});

  template <int... S> static constexpr bool require(std::integer_sequence<int, S...>) {
    return (segment<S>::require() && ...);
  }
};
/// Whether calls may be made. One C++ compile error where the handler of a declared mode makes a mistake.
/// Rules: M13, M15, M16.
template <class Source> constexpr bool require_segments() {
  return []<int... Path>(std::integer_sequence<int, Path...>) {
    return (broken_path<Source, Path>::require(typename broken_path<Source, Path>::numbers{}) && ...);
  }(std::make_integer_sequence<int, Source::tree::count>{});
}

/// What all paths share, in the place of a `specialization`.
template <class Source> struct broken_specialization {
  using backend = typename Source::backend;
  using path_numbers = std::make_integer_sequence<int, Source::tree::count>;
  template <int... Path> static constexpr auto merged(std::integer_sequence<int, Path...>) {
    return merged_results(broken_path<Source, Path>::last::result_types...);
  }
  static constexpr auto result_types = merged(path_numbers{});
  static constexpr int results = static_cast<int>(result_types.size());
  using in_outs = typename Source::in_outs;
  static constexpr int returned = results - static_cast<int>(in_outs::size());
  using result_structure = typename Source::tree::template nth<0>::result;

  /// All paths as data, for those who tell of them; `broken_call::path()` is the number of one.
  template <int... Path> static constexpr auto list_of(std::integer_sequence<int, Path...>) {
    return std::array<broken_path_data, sizeof...(Path)>{
        broken_path_data{Source::tree::graph(Path), broken_path<Source, Path>::segments}...};
  }
  static constexpr auto paths = list_of(path_numbers{});
};

template <class Spec> inline constexpr bool is_broken = false;
template <class Source> inline constexpr bool is_broken<broken_specialization<Source>> = true;
/// One C++ compile error where a function has no one entry, or one for a relation of its arguments.
template <class Spec> constexpr bool require_pinnable() {
  constexpr bool writes_arguments = Spec::returned < Spec::results;
  static_assert(
      !is_broken<Spec>,
      "guardjit: g.pin(arguments...): f must not call opaque, which gives each part an entry of its own");
  static_assert(is_broken<Spec> || !writes_arguments,
                "guardjit: g.pin(arguments...): f must not assign to its arguments");
  return !is_broken<Spec> && !writes_arguments;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
