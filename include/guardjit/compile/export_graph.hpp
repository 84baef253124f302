// guardjit: compile/export_graph.hpp: `export_graph(f, options…, args…)`: the graph of a call
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPORT_GRAPH_HPP
#define GUARDJIT_COMPILE_EXPORT_GRAPH_HPP

#include <guardjit/compile/explain_access.hpp>
#include <guardjit/compile/exported_graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The paths of a function under no mode as data; no kernel is named.
template <class F, class Signature, class Names, int MaxPaths> struct exported_paths {
  using every = moded_paths<F, Signature, type_list<>, MaxPaths>;
  template <class... Path> static constexpr auto paths_of(type_list<Path...>) {
    return std::array{path_spec{.written = Path::graph.view(), .graph = Path::graph.view()}...};
  }
  template <class First, class... Rest>
  static constexpr auto usage_of_all(type_list<First, Rest...>) {
    auto all = usage_of<First>();
    (all.merge(usage_of<Rest>()), ...);
    return all;
  }
  static constexpr auto paths = paths_of(typename every::list{});
  static constexpr auto usage = usage_of_all(typename every::list{});
  static constexpr std::size_t symbols = [] {
    std::size_t most = 1;
    for (path_spec const& path : paths)
      most = path.graph.extents.size() > most ? path.graph.extents.size() : most;
    return most;
  }();
  static constexpr function_spec data{
      .arguments = Signature::arguments,
      .names = Names::names,
      .declared = Signature::declared,
      .reads_elements = usage.elements.data(),
      .reads_extents = usage.extents.data(),
      .paths = paths,
      .in_outs = list_of_arguments<typename guardjit::paths<F, Signature, MaxPaths>::in_outs>};
};

/// Guards of a graph, not of a plan: memory and the thread are no matter of it.
constexpr bool is_guard_of_graph(guard_kind kind) {
  return kind == guard_kind::extent_is || kind == guard_kind::extents_equal ||
         kind == guard_kind::multiple_of || kind == guard_kind::extent_in ||
         kind == guard_kind::scalar_is || kind == guard_kind::path_is ||
         kind == guard_kind::predicate;
}

/// Throws: `shape_error` where the call breaks a declaration or a rule.
[[gnu::cold]] inline exported_graph export_call(function_spec const& spec, function_state const& fn,
                                                frame_view const& f, index_t* room) {
  require_declared(spec, f, fn);
  path_spec const& path = spec.paths[static_cast<unsigned>(path_of(spec, f, room))];
  require_shapes(path, spec, f, room);
  exported_graph out{path.graph, {}, {}, {}};
  for (std::size_t k = 0; k < spec.arguments.size(); ++k) {
    exported_input x{argument_text(spec.names, static_cast<index_t>(k)), {}};
    for (int d = 0; d < spec.arguments[k].extents.rank; ++d) {
      declared_extent const* const e = declared_of(spec.declared, static_cast<index_t>(k), d);
      x.declared.push_back(e ? declaration_text(*e) : std::string());
    }
    out.inputs.push_back(std::move(x));
  }
  std::size_t const returned = path.graph.outputs.size() - spec.in_outs.size();
  for (std::size_t r = 0; r < path.graph.outputs.size(); ++r)
    out.written.push_back(r < returned ? std::string()
                                       : argument_text(spec.names, spec.in_outs[r - returned]));
  std::vector<open_dims> const open(spec.arguments.size(), open_dims{0xFF, true});
  std::vector<guard> all = guards_of(spec, f, path, values_on(path, spec, f, room), open, 0, {});
  for (std::size_t k = 0; k < fn.predicates.size(); ++k)
    all.push_back(
        {.kind = guard_kind::predicate, .condition = static_cast<std::int16_t>(k), .expected = 1});
  for (guard const& g : all)
    if (is_guard_of_graph(g.kind))
      out.guards.push_back(
          {name_of(g.kind), text_of(g, path.graph, spec.names, fn.predicates), g.where});
  return out;
}

/// What is done with a call: its types lead to the graph, and no further.
struct graph_export {
  static constexpr bool sees_graphs_only = true;
  function_state const& fn;
  exported_graph& out;

  template <class F, class Signature, class Function, class... Leaves>
  void see(Leaves const&... leaves) const {
    using written = typename Function::template paths<Signature>::list;
    if constexpr (has_breaks(written{})) {
      static_assert(no_mistake<mistakes::break_in_fullgraph<line_of_break<written>>>,
                    "guardjit: export_graph(f, …): f must not call opaque: it is one graph");
    } else {
      using paths = exported_paths<F, Signature, typename Function::names, Function::max_paths>;
      call_frame<static_cast<int>(sizeof...(Leaves))> frame(leaves...);
      index_t room[paths::symbols];
      out = export_call(paths::data, fn, frame.view(), room);
    }
  }
};
template <class F, class Options, class... Bound>
exported_graph export_of(compiled_function<F, Options, Bound...> const& g,
                         auto const&... arguments) {
  exported_graph out;
  explain_access::with_call(g, graph_export{explain_access::caches(g).fn, out}, arguments...);
  return out;
}

template <class T> inline constexpr bool is_compiled_function = false;
template <class F, class Options, class... Bound>
inline constexpr bool is_compiled_function<compiled_function<F, Options, Bound...>> = true;

/// A part of a call of `export_graph`, if it is an option; if it is an argument.
template <class Part> auto option_in(Part const& part) {
  if constexpr (option_of_compile<Part>) return std::tuple<Part>(part);
  else return std::tuple<>{};
}
template <class Part> auto argument_in(Part const& part) {
  if constexpr (option_of_compile<Part>) return std::tuple<>{};
  else return std::tuple<Part const&>(part);
}

}  // namespace detail

/// The graph of `f` for a call with these arguments, with its declared extents, and what else a call must
/// keep for it: relations of extents, and the outcomes of branches. Options are those of `compile`, before
/// the arguments: `export_graph(f, shape_of<0, any_extent, 64>, x, w)`. `f` may be a compiled function,
/// which has its bound values and, where no others are given, its options. No kernel runs and none is made;
/// extents stay symbols.
/// Requires: no `opaque` in `f`; an extent declared to vary that `f` needs one value of is a C++ compile
/// error, as in `compile`.
/// Throws: `shape_error` where the arguments break a declaration, with argument and dim, or a rule of an op.
/// Complexity: linear in the graph. Lifetime: the graph is a constant.
/// Rules: A120, A121, A122, A123.
template <class F, class... Parts> exported_graph export_graph(F const& f, Parts const&... parts) {
  if constexpr ((std::is_same_v<Parts, erased_backend_option> || ...)) {
    static_assert(no_mistake<mistakes::explained_erased_backend<F>>,
                  "guardjit: export_graph(f, backend(b), …): the graph is the same for all backends: leave "
                  "backend(b) out");
    return exported_graph{};
  } else if constexpr (detail::is_compiled_function<F> && !(detail::option_of_compile<Parts> || ...)) {
    return detail::export_of(f, parts...);
  } else {
    auto const g = std::apply(
        [&f](auto const&... option) { return detail::compile_value(source_line{}, f, option...); },
        std::tuple_cat(detail::option_in(parts)...));
    detail::function_state& fn = detail::explain_access::caches(g).fn;
    if (!fn.name) fn.name = "export_graph";
    return std::apply([&g](auto const&... argument) { return detail::export_of(g, argument...); },
                      std::tuple_cat(detail::argument_in(parts)...));
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
