// guardjit: compile/broken_call.hpp: one call of a function that `opaque` cuts: segment by segment
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BROKEN_CALL_HPP
#define GUARDJIT_COMPILE_BROKEN_CALL_HPP

#include <guardjit/compile/break_point.hpp>
#include <guardjit/compile/broken_path.hpp>
#include <guardjit/compile/call.hpp>
#include <guardjit/compile/declared_shapes.hpp>
#include <guardjit/compile/outputs.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

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
    choose<path_script{}, 0, false>({}, [&]<class Segment>(std::type_identity<Segment>) {
      std::apply(
          [&](auto const&... value) {
            if constexpr (Segment::runs) {
              using first = typed_call<typename Segment::spec, Guards, Arguments...>;
              first(home_, stack_, guards_, value...).with_room(use);
            } else {
              using idle = idle_segment<Source, Segment>;
              index_t symbols[idle::symbols + 1];
              call_frame<static_cast<int>(sizeof...(Arguments)), 1> frame(value...);
              frame_view view = frame.view();
              view.stack = stack_;
              any_call const c{home_.of(idle::data), home_.fn, view, {nullptr, symbols}};
              use(c);
            }
          },
          values_);
    });
  }

  /// The path that the call took, a number in `broken_specialization::paths`; -1 before all callables of a
  /// call have returned.
  int path() const noexcept { return path_; }

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

  using tree = typename Source::tree;
  using node_values = kept_values<Source>;

  /// Calls `use(std::type_identity<broken_segment<…>>)` for the segment that comes behind break `S - 1` on
  /// paths that begin with `Start`: the conditions up to the next break are decided here, where the
  /// results that they may read are known. With `Throws` it tests what is declared of extents, since the
  /// first segment may read none of them, and the rules of ops before a break whose segment computes nothing.
  template <path_script Start, int S, bool Throws>
  void choose([[maybe_unused]] node_values const& values, auto const& use) const {
    constexpr auto starts = tree::starts(Start, S);
    [&]<int... K>(std::integer_sequence<int, K...>) {
      int taken = 0;
      constexpr bool is_checked = Throws && ((S == 0 && !Source::declared.empty()) ||
                                             (has_rules_apart<starts[K], S>() || ...));
      if constexpr (starts.count > 1 || is_checked) {
        static constexpr std::array<path_spec, sizeof...(K)> list{
            path_at_break<starts[K], S, Start.length>()...};
        static constexpr function_spec fn{.arguments = Source::types,
                                          .names = Source::names::names,
                                          .declared = Source::declared,
                                          .paths = list};
        constexpr std::size_t most = largest({std::size_t{1}, list[K].graph.extents.size()...});
        index_t room[most];
        with_results<broken_segment<Source, starts[0], S>>(values, [&](auto const&... value) {
          call_frame<static_cast<int>(sizeof...(value)), 1> frame(value...);
          frame_view const f = frame.view();
          if (Throws && S == 0) require_declared(fn, f, home_.fn);
          taken = path_of(fn, f, room);
          path_spec const& path = list[static_cast<unsigned>(taken)];
          if (constexpr bool is_apart[] = {has_rules_apart<starts[K], S>()...}; Throws && is_apart[taken])
            require_shapes(path.graph, values_on(path, fn, f, room));
        });
      }
      ((taken == K ? use(std::type_identity<broken_segment<Source, starts[K], S>>{}) : void()), ...);
    }
    (std::make_integer_sequence<int, starts.count>{});
  }
  /// Whether there are rules of ops that no segment checks.
  template <path_script Start, int S> static constexpr bool has_rules_apart() {
    using here = broken_segment<Source, Start, S>;
    return !here::runs && !here::part::graph.view().requirements.empty();
  }
  template <path_script Start, int S, int Settled> static constexpr path_spec path_at_break() {
    constexpr graph_view whole = tree::graph(tree::first_with(Start));
    constexpr int checked = S == 0 ? 0 : size_before(whole, S - 1).requirements;
    constexpr graph_view part = part_before(whole, S, Settled, checked);
    return {.written = part, .graph = part};
  }
  /// Calls `use(values…)` with the arguments, then the results of the callables before a segment.
  template <class Segment> void with_results(node_values const& values, auto const& use) const {
    with_inputs<Segment>(values, std::integer_sequence<int>{}, use);
  }
  /// The same, then values of nodes.
  template <class Segment, int... Node>
  void with_inputs([[maybe_unused]] node_values const& values, std::integer_sequence<int, Node...>,
                   auto const& use) const {
    [&]<int... B>(std::integer_sequence<int, B...>) {
      std::apply(
          [&](auto const&... value) {
            use(value...,
                from_any<typename Segment::template result_of<B>>(
                    values.template at<Segment::traced::graph.view().breaks[B].result>())...,
                from_any<typename Segment::template tensor_at<Node>>(values.template at<Node>())...);
          },
          values_);
    }
    (std::make_integer_sequence<int, Segment::number>{});
  }

  /// Runs all segments but the last, and gives the call of that one to `use`.
  void along_path(auto const& use) const {
    node_values values;
    run_from<path_script{}, 0>(values, use);
  }
  template <path_script Start, int S> void run_from(node_values& values, auto const& use) const {
    choose<Start, S, true>(values, [&]<class Segment>(std::type_identity<Segment>) {
      if constexpr (Segment::is_last) {
        path_ = Segment::path;
        with_segment<Segment>(values, use);
      } else {
        if constexpr (Segment::runs)
          with_segment<Segment>(values, [&](auto const& call) {
            using spec = typename Segment::spec;
            auto const results = call.template result<typename decltype(type_of_results<spec>())::type>();
            for_each_index<Segment::part::outputs.count>([&]<class K>(K) {
              values.template at<Segment::part::outputs[K::value]>() = std::get<K::value>(results);
            });
          });
        run_break<Segment>(values);
        run_from<Segment::start, S + 1>(values, use);
      }
    });
  }

  /// The call of one segment with its type at hand.
  template <class Spec, class... Values> struct segment_call : typed_call<Spec, Guards, Values...> {
    using spec = Spec;
    using typed_call<Spec, Guards, Values...>::typed_call;
  };
  template <class Segment> void with_segment(node_values const& values, auto const& use) const {
    [&]<int... K>(std::integer_sequence<int, K...>) {
      with_inputs<Segment>(values, std::integer_sequence<int, Segment::part::inputs[K]...>{},
                           [&](auto const&... value) { with_values<typename Segment::spec>(use, value...); });
    }
    (std::make_integer_sequence<int, Segment::part::inputs.count>{});
  }
  template <class Spec, class... Values>
  void with_values(auto const& use, Values const&... values) const {
    segment_call<Spec, Values...> const call(home_, stack_, guards_, values...);
    use(call);
  }

  template <class Segment> void run_break(node_values& values) const {
    static constexpr graph_view g = Segment::traced::graph.view();
    static constexpr break_point const& b = g.breaks[Segment::number];
    std::array<operand, max_opaque_operands> operands = no_operands();
    for_each_index<b.operands>(
        [&]<class K>(K) { operands[K::value] = operand_of<Segment, b.in[K::value]>(values); });
    values.template at<b.result>() =
        call_break(home_.fn, g, b, {operands.data(), static_cast<std::size_t>(b.operands)});
  }
  static std::array<operand, max_opaque_operands> no_operands() {
    return {operand(0), operand(0), operand(0), operand(0),
            operand(0), operand(0), operand(0), operand(0)};
  }

  template <class Segment, int Node> operand operand_of(node_values const& values) const {
    constexpr node n = Segment::traced::graph.view()[Node];
    constexpr auto word = static_cast<index_t>(n.bits);
    if constexpr (info_of(n.id).form != op_form::leaf && n.weak) {
      return scalar_of_tensor(values.template at<Node>());
    } else if constexpr (n.id == op::constant) {
      return weak_operand(n.type, n.bits);
    } else if constexpr (n.id == op::input && is_symbol(word)) {
      return operand(
          extent_in_call(Segment::traced::graph.view(), word, [&](index_t input, index_t dim) {
            return extent_of_input<Segment>(values, input, static_cast<int>(dim));
          }));
    } else if constexpr (n.id == op::input && word < static_cast<index_t>(sizeof...(Arguments))) {
      return operand(std::get<static_cast<std::size_t>(word)>(values_));
    } else {
      return operand(values.template at<Node>());
    }
  }
  template <class Segment>
  index_t extent_of_input(node_values const& values, index_t input, int dim) const {
    index_t found = 0;
    for_each_index<static_cast<int>(sizeof...(Arguments))>([&]<class K>(K) {
      if constexpr (is_argument_tensor_v<std::tuple_element_t<K::value, std::tuple<Arguments...>>>)
        if (input == K::value) found = std::get<K::value>(values_).extent(dim);
    });
    auto const behind = input - static_cast<index_t>(sizeof...(Arguments));
    if (behind >= 0) {
      break_point const& b = Segment::traced::graph.view().breaks[static_cast<std::size_t>(behind)];
      found = values.list[node_values::place(b.result)].extent(dim);
    }
    return found;
  }

  function_caches& home_;
  int stack_;
  mutable int path_ = -1;
  [[no_unique_address]] Guards guards_;
  std::tuple<Arguments const&...> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
