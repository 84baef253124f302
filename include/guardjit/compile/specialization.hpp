// guardjit: compile/specialization.hpp: one function under one signature: its paths and programs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SPECIALIZATION_HPP
#define GUARDJIT_COMPILE_SPECIALIZATION_HPP

#include <guardjit/compile/backend_build.hpp>
#include <guardjit/compile/op_sequence.hpp>
#include <guardjit/compile/replay.hpp>
#include <guardjit/compile/run.hpp>
#include <guardjit/compile/usage.hpp>
#include <guardjit/graph/paths.hpp>

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

/// One path as data.
template <class Traced, class Backend> struct path_constants {
  static constexpr auto order = order_of<Traced::graph>();
  static constexpr path_spec value{Traced::graph.view(),
                                   {order.list.data(), order.count},
                                   node_kernels<Traced::graph, Backend>::list.data(),
                                   &bind_program<program<Traced, Backend>>, build_of<Backend>()};
};

/// A number for a signature, the same for each order of instantiation.
constexpr unsigned place_of(std::span<argument_type const> arguments) {
  std::uint64_t hash = 0;
  for (argument_type const& a : arguments) {
    auto const kind = static_cast<std::uint64_t>(a.type) + (a.scalar ? 64u : 0u);
    hash = mix(hash, mix(kind, static_cast<std::uint64_t>(a.extents.rank)));
    for (int d = 0; d < a.extents.rank; ++d)
      hash = mix(hash, static_cast<std::uint64_t>(a.extents[d]));
  }
  return static_cast<unsigned>(hash % function_spec::places);
}

/// Whether kernels read other bases than the arguments and the outputs.
template <class Program> constexpr bool needs_more_than_outputs() {
  for (node const& n : Program::view().nodes)
    if (n.id == op::input && is_symbol(static_cast<index_t>(n.bits))) return true;
  return Program::buffers.temporaries > 0;
}

/// Facts over all paths of a function.
template <class List, class Backend> struct all_paths;
template <class First, class... Rest, class Backend> struct all_paths<type_list<First, Rest...>, Backend> {
  using first_program = program<First, Backend>;
  using result_structure = typename First::result;

  static constexpr std::array<path_spec, 1 + sizeof...(Rest)> list{path_constants<First, Backend>::value,
                                                                   path_constants<Rest, Backend>::value...};
  static constexpr auto usage = [] {
    auto all = usage_of<First>();
    (all.merge(usage_of<Rest>()), ...);
    return all;
  }();
  static constexpr bool branches_on_scalars = [] {
    for (path_spec const& path : list)
      for (condition const& c : path.written.conditions)
        if (c.reads_scalar()) return true;
    return false;
  }();
  /// Whether a path needs a workspace, or reads extents as values.
  static constexpr bool reads_bases_of_plan =
      needs_more_than_outputs<first_program>() ||
      (needs_more_than_outputs<program<Rest, Backend>>() || ...);
  static constexpr bool checks_scalars = [] {
    bool some = false;
    for (path_spec const& path : list)
      for_each_unchecked_scalar(path.written, [&some](int, int, dtype) { some = true; });
    return some;
  }();
  static constexpr bool tests_indices = [] {
    for (path_spec const& path : list)
      for (node const& n : path.written.nodes)
        if (info_of(n.id).types == dtype_rule::indexed) return true;
    return false;
  }();
  /// An extent of a result is static where all paths agree (G95).
  static constexpr auto results = [] {
    auto types = first_program::result_types;
    decltype(types) const others[] = {types, program<Rest, Backend>::result_types...};
    for (auto const& other : others)
      for (unsigned k = 0; k < types.size(); ++k)
        for (int d = 0; d < types[k].extents.rank; ++d)
          if (other[k].extents[d] != types[k].extents[d]) types[k].extents[d] = dyn;
    return types;
  }();
  static constexpr std::size_t plan_bytes = [] {
    std::size_t const sizes[] = {sizeof(plan<first_program>), sizeof(plan<program<Rest, Backend>>)...};
    std::size_t most = 0;
    for (std::size_t s : sizes) most = s > most ? s : most;
    return (most + 63) / 64 * 64;
  }();
  static constexpr std::size_t symbols = [] {
    std::size_t most = 1;
    for (path_spec const& path : list)
      most = path.written.extents.size() > most ? path.written.extents.size() : most;
    return most;
  }();
};

}  // namespace detail

/// A function under one signature, for one backend: everything the C++ compiler decides. `Names` are
/// those of its arguments in messages.
template <class F, class Signature, class Backend, class Names = numbered_leaves> struct specialization {
  using signature = Signature;
  using backend = Backend;
  using paths = guardjit::paths<F, Signature>;
  using facts = detail::all_paths<typename paths::list, Backend>;
  static constexpr int arguments = Signature::size;

  static constexpr auto const& result_types = facts::results;
  static constexpr int results = static_cast<int>(facts::results.size());
  /// What `F` returns in the trace: the structure of the results.
  using result_structure = typename facts::result_structure;

  static constexpr function_spec data{
      .arguments = Signature::arguments,
      .names = Names::names,
      .place = detail::place_of(Signature::arguments),
      .reads_elements = facts::usage.elements.data(),
      .reads_extents = facts::usage.extents.data(),
      .paths = facts::list,
      .branches_on_scalars = facts::branches_on_scalars,
      .checks_scalars = facts::checks_scalars,
      .tests_indices = facts::tests_indices,
      .plan_bytes = facts::plan_bytes,
      .symbols = facts::symbols,
      .results = facts::results,
      .backend = Backend::name,
  };
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
