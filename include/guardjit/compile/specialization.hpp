// guardjit: compile/specialization.hpp: one function under one signature: its paths and programs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SPECIALIZATION_HPP
#define GUARDJIT_COMPILE_SPECIALIZATION_HPP

#include <guardjit/base/type_name.hpp>
#include <guardjit/compile/backend_guards.hpp>
#include <guardjit/compile/erased_plan.hpp>
#include <guardjit/compile/frozen_operand.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/replay.hpp>
#include <guardjit/compile/run.hpp>
#include <guardjit/compile/usage.hpp>
#include <guardjit/compile/watched_run.hpp>
#include <guardjit/modes/mode_tag.hpp>
#include <guardjit/transforms/moded_paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Binds a program into `room` and says how to run it.
template <class Program> void bind_program(layout_view const* arguments, void* room, bound_call& to) {
  auto* const p = new (room) plan<Program>;
  bind(*p, arguments, to);
  to.plan = p;
  to.run = [](void const* bound, void* const* bases) {
    run(*static_cast<plan<Program> const*>(bound), bases);
  };
}

/// Whether an output needs a factory that was given no device. Rules: M60.
constexpr bool has_placed_factory(graph_view const& g, std::span<std::int16_t const> needed) {
  for (std::int16_t k : needed)
    if (is_factory(g[k].id) && g[k].source == default_source) return true;
  return false;
}

/// The kernels of each node for calls whose backend failed; null for functions that do not ask for them.
template <auto const& Graph, class Backend> constexpr op_kernel const* fallback_kernels() {
  if constexpr (requires { typename Backend::fallback; })
    return node_kernels<Graph, typename Backend::fallback>::list.data();
  else return nullptr;
}

/// One path as data.
template <class Traced, class Backend> struct path_constants {
  static constexpr auto order = order_of<Traced::graph>();
  static constexpr bool reads_default =
      has_placed_factory(Traced::graph.view(), {order.list.data(), order.count});
  static constexpr path_spec value{.written = Traced::graph.view(),
                                   .graph = Traced::graph.view(),
                                   .order = {order.list.data(), order.count},
                                   .kernels = node_kernels<Traced::graph, Backend>::list.data(),
                                   .fallback = fallback_kernels<Traced::graph, Backend>(),
                                   .bind = &bind_program<program<Traced, Backend>>,
                                   .watched = &watched_program_of<program<Traced, Backend>>,
                                   .build = build_of<Backend>(),
                                   .reads_default_device = reads_default,
                                   .guards = guards_hook_of<Backend>(),
                                   .optimized = program<Traced, Backend>::view()};
};
/// One that modes rewrote. Its nodes are in the order in which they came; only stack 0 is replayed.
template <class Traced, class Stack, int Number, int FirstKey, path_script Script, class Backend>
struct path_constants<moded<Traced, Stack, Number, FirstKey, Script>, Backend> {
  using path = moded<Traced, Stack, Number, FirstKey, Script>;
  static constexpr auto order = [] {
    std::array<std::int16_t, static_cast<unsigned>(path::graph.view().size())> all{};
    for (unsigned k = 0; k < all.size(); ++k) all[k] = static_cast<std::int16_t>(k);
    return all;
  }();
  static constexpr op_kernel const* kernels() {
    if constexpr (Number == 0) return node_kernels<path::graph, Backend>::list.data();
    else return nullptr;
  }
  static constexpr op_kernel const* fallback() {
    if constexpr (Number == 0) return fallback_kernels<path::graph, Backend>();
    else return nullptr;
  }
  static constexpr path_spec value{.written = Traced::graph.view(),
                                   .graph = path::graph.view(),
                                   .order = order,
                                   .kernels = kernels(),
                                   .fallback = fallback(),
                                   .stack = Number,
                                   .bind = &bind_program<program<path, Backend>>,
                                   .watched = &watched_program_of<program<path, Backend>>,
                                   .build = build_of<Backend>(),
                                   .reads_default_device = has_placed_factory(path::graph.view(), order),
                                   .guards = guards_hook_of<Backend>(),
                                   .optimized = program<path, Backend>::view()};
};

/// Declared modes as data.
template <class Stack> struct stack_constants;
template <class... Modes> struct stack_constants<type_list<Modes...>> {
  static constexpr std::array<void const*, sizeof...(Modes)> tags{mode_tag<Modes>...};
  static constexpr std::array<char const*, sizeof...(Modes)> names{type_name<Modes>()...};
  static constexpr declared_stack value{tags, names.data()};
};
template <class Stacks> struct stack_list;
template <class... Stacks> struct stack_list<type_list<Stacks...>> {
  static constexpr std::array<declared_stack, sizeof...(Stacks)> value{stack_constants<Stacks>::value...};
};

/// A number for a signature, the same for each order of instantiation.
constexpr unsigned place_of(std::span<argument_type const> arguments) {
  std::uint64_t hash = 0;
  for (argument_type const& a : arguments) {
    auto const kind = static_cast<std::uint64_t>(a.type) + (a.scalar ? 64u : 0u) + (a.frozen ? 128u : 0u);
    hash = mix(hash, mix(kind, static_cast<std::uint64_t>(a.extents.rank)));
    for (int d = 0; d < a.extents.rank; ++d)
      hash = mix(hash, static_cast<std::uint64_t>(a.extents[d]));
  }
  return static_cast<unsigned>(hash % function_spec::places);
}

constexpr std::size_t room_of_plans(std::size_t own, std::size_t erased) {
  return own > erased ? own : erased;
}

/// Whether kernels read other bases than the arguments and the outputs.
template <class Program> constexpr bool needs_more_than_outputs() {
  for (node const& n : Program::view().nodes)
    if (n.id == op::input && is_symbol(static_cast<index_t>(n.bits))) return true;
  return Program::buffers.temporaries > 0;
}

/// The declared results of several paths: an extent is static where all agree.
template <class Results, class... Others>
constexpr Results merged_results(Results types, Others const&... others) {
  Results const all[] = {types, others...};
  for (Results const& other : all)
    for (unsigned k = 0; k < types.size(); ++k)
      for (int d = 0; d < types[k].extents.rank; ++d)
        if (other[k].extents[d] != types[k].extents[d]) types[k].extents[d] = dyn;
  return types;
}

/// Whether a path depends on a scalar that entries do not guard by value.
constexpr bool branches_on_free_scalars(std::span<path_spec const> paths,
                                        std::span<argument_type const> arguments) {
  for (path_spec const& path : paths)
    for (condition const& c : path.graph.conditions)
      if (reads_free_scalar(c, arguments)) return true;
  return false;
}

/// Facts over all paths of a function.
template <class List, class Backend> struct all_paths;
template <class First, class... Rest, class Backend> struct all_paths<type_list<First, Rest...>, Backend> {
  using first_program = program<First, Backend>;
  using result_structure = typename First::result;

  using frozen = frozen_operands<first_program, program<Rest, Backend>...>;
  static constexpr auto list = [] {
    std::array<path_spec, 1 + sizeof...(Rest)> all{path_constants<First, Backend>::value,
                                                   path_constants<Rest, Backend>::value...};
    if constexpr (frozen::count > 0) {
      unsigned k = 0;
      all[k++].take_forms = &take_forms<first_program, frozen>;
      ((all[k++].take_forms = &take_forms<program<Rest, Backend>, frozen>), ...);
    }
    return all;
  }();
  static constexpr auto usage = [] {
    auto all = usage_of<First>();
    (all.merge(usage_of<Rest>()), ...);
    return all;
  }();
  /// Whether a path needs a workspace, or reads extents as values.
  static constexpr bool reads_bases_of_plan =
      needs_more_than_outputs<first_program>() ||
      (needs_more_than_outputs<program<Rest, Backend>>() || ...);
  static constexpr bool checks_scalars = [] {
    bool some = false;
    for (path_spec const& path : list)
      for_each_unchecked_scalar(path.graph, [&some](int, int, dtype) { some = true; });
    return some;
  }();
  static constexpr bool tests_indices = [] {
    for (path_spec const& path : list)
      for (node const& n : path.graph.nodes)
        if (info_of(n.id).types == dtype_rule::indexed) return true;
    return false;
  }();
  static constexpr bool reads_default_device = [] {
    bool some = false;
    for (path_spec const& path : list) some = some || path.reads_default_device;
    return some;
  }();
  /// What decides the device of each result, where all paths agree; else `varied_source`.
  static constexpr std::int16_t varied_source = -3;
  static constexpr auto result_sources = [] {
    std::array<std::int16_t, first_program::result_types.size()> sources{};
    for (unsigned r = 0; r < sources.size(); ++r) {
      sources[r] = list[0].source_of_result(r);
      for (path_spec const& path : list)
        if (path.source_of_result(r) != sources[r]) sources[r] = varied_source;
    }
    return sources;
  }();
  /// An extent of a result is static where all paths agree (G95).
  static constexpr auto results =
      merged_results(first_program::result_types, program<Rest, Backend>::result_types...);
  static constexpr std::size_t plan_bytes = [] {
    std::size_t const sizes[] = {sizeof(plan<first_program>), sizeof(plan<program<Rest, Backend>>)...};
    std::size_t most = 0;
    for (std::size_t s : sizes) most = s > most ? s : most;
    return (most + 63) / 64 * 64;
  }();
  static constexpr std::size_t symbols = [] {
    std::size_t most = 1;
    for (path_spec const& path : list)
      most = path.graph.extents.size() > most ? path.graph.extents.size() : most;
    return most;
  }();
};

template <class List> struct argument_array;
template <int... K> struct argument_array<std::integer_sequence<int, K...>> {
  static constexpr std::array<int, sizeof...(K)> value{K...};
};
template <class List> inline constexpr std::span<int const> list_of_arguments = argument_array<List>::value;

}  // namespace detail

/// A function under one signature, for one backend: everything the C++ compiler decides. `Names` are
/// those of its arguments in messages, `Stacks` the declared lists of modes.
template <class F, class Signature, class Backend, class Names = numbered_leaves, class Stacks = type_list<>,
          int MaxPaths = default_max_paths>
struct specialization {
  using signature = Signature;
  using backend = Backend;
  using paths = guardjit::paths<F, Signature, MaxPaths>;
  /// The declared mode stacks.
  using stacks = Stacks;
  using facts = detail::all_paths<typename moded_paths<F, Signature, Stacks, MaxPaths>::list, Backend>;
  static constexpr int arguments = Signature::size;

  static constexpr auto const& result_types = facts::results;
  static constexpr int results = static_cast<int>(facts::results.size());
  /// The arguments that the last results are written to, and how many results a call gives back.
  using in_outs = typename paths::in_outs;
  static constexpr int returned = results - static_cast<int>(in_outs::size());
  /// What `F` returns in the trace: the structure of the results that a call gives back.
  using result_structure = typename facts::result_structure;

  /// How many arguments plans may keep packed forms of.
  static constexpr int frozen_arguments = static_cast<int>(facts::frozen::count);

  static constexpr function_spec data{
      .arguments = Signature::arguments,
      .names = Names::names,
      .declared = Signature::declared,
      .place = detail::place_of(Signature::arguments),
      .reads_elements = facts::usage.elements.data(),
      .reads_extents = facts::usage.extents.data(),
      .frozen = facts::frozen::list,
      .paths = facts::list,
      .stacks = detail::stack_list<Stacks>::value,
      .branches_on_scalars = detail::branches_on_free_scalars(facts::list, Signature::arguments),
      .checks_scalars = facts::checks_scalars,
      .tests_indices = facts::tests_indices,
      .reads_default_device = facts::reads_default_device,
      .plan_bytes = detail::room_of_plans(
          facts::plan_bytes,
          detail::erased_plan_bytes(Signature::arguments, facts::results.size(), facts::symbols)),
      .symbols = facts::symbols,
      .results = facts::results,
      .in_outs = detail::list_of_arguments<in_outs>,
      .backend = Backend::name,
  };
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
