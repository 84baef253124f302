// guardjit: compile/broken_call.hpp: one call of a function that `opaque` cuts: segment by segment
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BROKEN_CALL_HPP
#define GUARDJIT_COMPILE_BROKEN_CALL_HPP

#include <guardjit/compile/break_point.hpp>
#include <guardjit/compile/call.hpp>
#include <guardjit/compile/outputs.hpp>
#include <guardjit/transforms/segments.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Whether a path of a function has a break.
template <class... Traced> constexpr bool has_breaks(type_list<Traced...>) {
  return (!Traced::graph.view().breaks.empty() || ...);
}

template <class Traced> struct first_break_line {
  static constexpr source_line value = Traced::graph.view().breaks[0].where;
};
/// One C++ compile error for the first break of a function that must be one graph. Rules: G100.
template <class First, class... Rest> constexpr void require_no_breaks(type_list<First, Rest...>) {
  if constexpr (First::graph.view().breaks.empty()) {
    require_no_breaks(type_list<Rest...>{});
  } else {
    using at = typename named_line<first_break_line<First>>::type;
    static_assert(no_mistake<mistakes::break_in_fullgraph<at>>,
                  "guardjit: compile(f, fullgraph): f must not call opaque");
  }
}

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

/// The parts of one path: a specialization for each segment. `Source` has what the paths share.
template <class Source, class Traced> struct broken_path {
  using traced = Traced;
  using parts = cut<Traced::graph>;
  static constexpr int segments = parts::segments;

  template <int S> static constexpr auto inputs_of_segment() {
    return
        []<int... B, int... K>(std::integer_sequence<int, B...>, std::integer_sequence<int, K...>) {
      [[maybe_unused]] constexpr auto inputs = parts::inputs(S);
      return type_list<
          typename node_tensor<Traced::graph, Traced::graph.view().breaks[B].result>::type...,
          typename node_tensor<Traced::graph, inputs[K]>::type...>{};
    }
    (std::make_integer_sequence<int, S>{},
     std::make_integer_sequence<int, parts::inputs(S).count>{});
  }
  template <int S, class... Inputs>
  static auto specialization_of(type_list<Inputs...>) -> specialization<
      segment_function<Traced, S>,
      typename appended_signature<typename Source::signature, argument_type_of<Inputs>()...>::type,
      typename Source::backend, typename Source::names, typename Source::stacks>;
  template <int S> using spec = decltype(specialization_of<S>(inputs_of_segment<S>()));
  using last = spec<segments - 1>;
};

/// What all paths of a function start from.
template <class F, class Signature, class Backend, class Names, class Stacks, int MaxPaths>
struct broken_source {
  using backend = Backend;
  using names = Names;
  using stacks = Stacks;
  using signature = Signature;
  using all_paths = guardjit::paths<F, Signature, MaxPaths>;
  using paths = typename all_paths::list;
  using in_outs = typename all_paths::in_outs;
  static constexpr auto const& types = Signature::arguments;
  static constexpr std::span<declared_extent const> declared = Signature::declared;
};
/// What all paths share, in the place of a `specialization`.
template <class Source> struct broken_specialization {
  using backend = typename Source::backend;
  template <class List> struct all;
  template <class First, class... Rest> struct all<type_list<First, Rest...>> {
    using first = typename broken_path<Source, First>::last;
    static constexpr auto results =
        merged_results(first::result_types, broken_path<Source, Rest>::last::result_types...);
  };
  using facts = all<typename Source::paths>;
  static constexpr auto const& result_types = facts::results;
  static constexpr int results = static_cast<int>(facts::results.size());
  using in_outs = typename Source::in_outs;
  static constexpr int returned = results - static_cast<int>(in_outs::size());
  using result_structure = typename nth_type_t<0, typename Source::paths>::result;
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

constexpr std::size_t largest(std::initializer_list<std::size_t> sizes) {
  std::size_t most = 0;
  for (std::size_t s : sizes) most = s > most ? s : most;
  return most;
}

/// One call. Each segment finds or makes an entry in a table of its own; between two the callable runs.
/// Lifetime: refers to the arguments.
/// Rules: G100.
template <class Source, class Guards, class... Arguments> class broken_call {
 public:
  broken_call(function_caches& home, int stack, Guards guards, Arguments const&... values)
      : home_(home), stack_(stack), guards_(guards), values_(values...) {}

  template <class Result> Result result() const {
    Result out = no_results<Result>();
    if constexpr (writes_arguments) require_apart_arguments(std::tuple<>{});
    along_path([&](auto const& last) {
      using spec = typename std::remove_cvref_t<decltype(last)>::spec;
      using own = typename decltype(type_of_results<spec>())::type;
      own const mine = last.template result<own>();
      auto const leaves = leaves_of(mine);
      std::vector<any_tensor> all = std::apply(
          [](auto const&... leaf) { return std::vector<any_tensor>{any_tensor(leaf)...}; }, leaves);
      if constexpr (writes_arguments)
        last.with_room([&all](any_call const& c) {
          inert_scope const inert;
          write_values(c, all, views_of_arguments(c, typename Source::in_outs{}));
        });
      out = results_from<Result>(all.data());
    });
    return out;
  }
  /// What is written, arguments included, is written by the last segment.
  void into(auto const& outs) const {
    if constexpr (writes_arguments) require_apart_arguments(outs);
    along_path([&](auto const& last) {
      last.into(std::tuple_cat(outs, written_values(typename Source::in_outs{}, values_)));
    });
  }
  void into(auto const& outs, std::span<std::byte>) const {
    static_assert(
        std::tuple_size_v<std::remove_cvref_t<decltype(outs)>> < 0,
        "guardjit: into(out, arguments…, workspace): a function with opaque takes no workspace");
  }

  /// Calls `use(any_call)` of the first segment.
  void with_room(auto&& use) const {
    along(false, [&]<class Path>(std::type_identity<Path>) {
      std::apply(
          [&](auto const&... value) {
            using first = typed_call<typename Path::template spec<0>, Guards, Arguments...>;
            first(home_, stack_, guards_, value...).with_room(use);
          },
          values_);
    });
  }

 private:
  static constexpr bool writes_arguments = Source::in_outs::size() > 0;

  /// Before the first callable runs. Throws: `overlap_error` where two tensors that are written overlap.
  void require_apart_arguments(auto const& outs) const {
    with_room([&](any_call const& c) {
      auto const arguments = views_of_arguments(c, typename Source::in_outs{});
      std::apply(
          [&]<class... Out>(Out&... out) {
            std::array<output_view, sizeof...(Out) + arguments.size()> all{
                output_view{out.data(), out.layout().view(), size_of(Out::type())}...};
            for (std::size_t k = 0; k < arguments.size(); ++k) all[sizeof...(Out) + k] = arguments[k];
            require_apart(c, all);
            for (output_view const& one : all) require_distinct_elements(c, one);
          },
          outs);
    });
  }

  template <class Path> using node_values =
      std::array<any_tensor, static_cast<std::size_t>(Path::parts::size)>;

  /// Calls `use(std::type_identity<broken_path<…>>)` for the path that the call takes. With `throws` it
  /// tests what is declared of extents, since the first segment may read none of them.
  void along([[maybe_unused]] bool throws, auto const& use) const {
    [&]<class... Traced>(type_list<Traced...>) {
      constexpr std::size_t count = sizeof...(Traced);
      int taken = 0;
      if constexpr (count > 1 || !Source::declared.empty()) {
        static constexpr std::array<path_spec, count> list{
            path_spec{.written = Traced::graph.view(), .graph = Traced::graph.view()}...};
        static constexpr function_spec fn{.arguments = Source::types,
                                          .names = Source::names::names,
                                          .declared = Source::declared,
                                          .paths = list};
        constexpr std::size_t most =
            largest({std::size_t{1}, Traced::graph.view().extents.size()...});
        index_t room[most];
        std::apply(
            [&](auto const&... value) {
              call_frame<sizeof...(Arguments), 1> frame(value...);
              if (throws) require_declared(fn, frame.view(), home_.fn);
              taken = path_of(fn, frame.view(), room);
            },
            values_);
      }
      int number = 0;
      ((number++ == taken ? use(std::type_identity<broken_path<Source, Traced>>{}) : void()), ...);
    }(typename Source::paths{});
  }
  /// Runs all segments but the last, and gives the call of that one to `use`.
  void along_path(auto const& use) const {
    along(true, [&]<class Path>(std::type_identity<Path>) {
      node_values<Path> values;
      run_from<Path, 0>(values, use);
    });
  }

  template <class Path, int S> void run_from(node_values<Path>& values, auto const& use) const {
    if constexpr (S + 1 == Path::segments) {
      with_segment<Path, S>(values, use);
    } else {
      constexpr auto outputs = Path::parts::outputs(S);
      if constexpr (outputs.count > 0)
        with_segment<Path, S>(values, [&](auto const& call) {
          using spec = typename std::remove_cvref_t<decltype(call)>::spec;
          auto const results =
              call.template result<typename decltype(type_of_results<spec>())::type>();
          for_each_index<outputs.count>([&]<class K>(K) {
            values[static_cast<std::size_t>(outputs[K::value])] = std::get<K::value>(results);
          });
        });
      run_break<Path, S>(values);
      run_from<Path, S + 1>(values, use);
    }
  }

  /// The call of one segment with its type at hand.
  template <class Spec, class... Values> struct segment_call : typed_call<Spec, Guards, Values...> {
    using spec = Spec;
    using typed_call<Spec, Guards, Values...>::typed_call;
  };
  template <class Path, int S>
  void with_segment(node_values<Path> const& values, auto const& use) const {
    constexpr auto inputs = Path::parts::inputs(S);
    [&]<int... B, int... K>(std::integer_sequence<int, B...>, std::integer_sequence<int, K...>) {
      std::apply(
          [&](auto const&... value) {
            with_values<typename Path::template spec<S>>(
                use, value...,
                from_any<typename node_tensor<Path::traced::graph,
                                              Path::traced::graph.view().breaks[B].result>::type>(
                    values[static_cast<std::size_t>(
                        Path::traced::graph.view().breaks[B].result)])...,
                from_any<typename node_tensor<Path::traced::graph, inputs[K]>::type>(
                    values[static_cast<std::size_t>(inputs[K])])...);
          },
          values_);
    }
    (std::make_integer_sequence<int, S>{}, std::make_integer_sequence<int, inputs.count>{});
  }
  template <class Spec, class... Values>
  void with_values(auto const& use, Values const&... values) const {
    segment_call<Spec, Values...> const call(home_, stack_, guards_, values...);
    use(call);
  }

  template <class Path, int S> void run_break(node_values<Path>& values) const {
    static constexpr graph_view g = Path::traced::graph.view();
    static constexpr break_point const& b = g.breaks[S];
    std::array<operand, max_opaque_operands> operands = no_operands();
    for_each_index<b.operands>(
        [&]<class K>(K) { operands[K::value] = operand_of<Path, b.in[K::value]>(values); });
    values[static_cast<std::size_t>(b.result)] =
        call_break(home_.fn, g, b, {operands.data(), static_cast<std::size_t>(b.operands)});
  }
  static std::array<operand, max_opaque_operands> no_operands() {
    return {operand(0), operand(0), operand(0), operand(0),
            operand(0), operand(0), operand(0), operand(0)};
  }

  template <class Path, int Node> operand operand_of(node_values<Path> const& values) const {
    constexpr node n = Path::traced::graph.view()[Node];
    constexpr auto word = static_cast<index_t>(n.bits);
    static_assert(info_of(n.id).form == op_form::leaf || !n.weak,
                  "guardjit: opaque<R>(h)(x...): a scalar that f computes cannot be an operand");
    if constexpr (n.id == op::constant) {
      return weak_operand(n.type, n.bits);
    } else if constexpr (n.id == op::input && is_symbol(word)) {
      return operand(
          extent_in_call(Path::traced::graph.view(), word, [&](index_t input, index_t dim) {
            return extent_of_input<Path>(values, input, static_cast<int>(dim));
          }));
    } else if constexpr (n.id == op::input && word < static_cast<index_t>(sizeof...(Arguments))) {
      return operand(std::get<static_cast<std::size_t>(word)>(values_));
    } else {
      return operand(values[static_cast<std::size_t>(Node)]);
    }
  }
  template <class Path>
  index_t extent_of_input(node_values<Path> const& values, index_t input, int dim) const {
    index_t found = 0;
    for_each_index<static_cast<int>(sizeof...(Arguments))>([&]<class K>(K) {
      if constexpr (is_argument_tensor_v<std::tuple_element_t<K::value, std::tuple<Arguments...>>>)
        if (input == K::value) found = std::get<K::value>(values_).extent(dim);
    });
    auto const behind = input - static_cast<index_t>(sizeof...(Arguments));
    if (behind >= 0) {
      break_point const& b = Path::traced::graph.view().breaks[static_cast<std::size_t>(behind)];
      found = values[static_cast<std::size_t>(b.result)].extent(dim);
    }
    return found;
  }

  function_caches& home_;
  int stack_;
  [[no_unique_address]] Guards guards_;
  std::tuple<Arguments const&...> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
