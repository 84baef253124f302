// guardjit: compile/program.hpp: all that the C++ compiler knows of one path of a function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PROGRAM_HPP
#define GUARDJIT_COMPILE_PROGRAM_HPP

#include <guardjit/compile/spec.hpp>
#include <guardjit/compile/written_arguments.hpp>
#include <guardjit/graph/passes/lower.hpp>
#include <guardjit/graph/passes/optimize.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Where one result of a function lies.
struct result_facts {
  /// The step whose buffer is the result's storage, or -1.
  int backing = -1;
  /// The function gives back a view of an argument (G5), at least for some strides.
  bool may_be_argument = false;
  /// The result is copied, unless it turns out to be a view of an argument: the optimised graph gives
  /// back an argument that the function as written copies, or what an earlier result lies in; or it is
  /// written to an argument that is read until then.
  bool copies = false;
  /// The argument that it is written to, or -1.
  int argument = -1;
};

/// Which buffer each step writes: that of a result, or a number of a temporary. Temporaries whose
/// lives do not meet share one.
constexpr int output_buffer(int result) { return -1 - result; }
constexpr int result_of_buffer(int buffer) { return -1 - buffer; }
inline constexpr int no_buffer = INT32_MIN;
template <int Steps> struct buffer_plan {
  std::array<int, Steps == 0 ? 1 : Steps> of_step{};
  int temporaries = 0;
};

/// The node below a chain of views that owns memory: an argument, or the result of a step.
template <class Lowered> constexpr int memory_of(graph_view const& g, Lowered const& kernels, int node) {
  while (is_view(g[node].id) && kernels.step_of[static_cast<unsigned>(node)] < 0) node = g[node].in[0];
  return node;
}

/// Whether the elements of an argument never change.
template <class Traced> constexpr bool is_frozen_argument(index_t argument) {
  using types = typename Traced::signature;
  return argument >= 0 && argument < types::size &&
         types::arguments[static_cast<unsigned>(argument)].frozen;
}
/// Whether a node's elements may lie in the buffer of a step.
template <class Lowered>
constexpr bool lies_in(graph_view const& g, Lowered const& kernels, int node, int step) {
  for (;; node = g[node].in[0]) {
    if (kernels.step_of[static_cast<unsigned>(node)] == step) return true;
    if (!is_view(g[node].id)) return false;
  }
}

/// Lives of the results, and from them the buffers.
template <int Steps, class Lowered> constexpr buffer_plan<Steps> plan_buffers(graph_view const& g,
                                                                              Lowered const& kernels,
                                                                              auto const& facts) {
  buffer_plan<Steps> plan;
  std::array<int, static_cast<unsigned>(Steps) + 1> last{}, joined{};
  for (int s = 0; s < Steps; ++s) last[static_cast<unsigned>(s)] = s, joined[static_cast<unsigned>(s)] = -1;
  auto const slot_node = [&](step const& s, int k) {
    return static_cast<int>(kernels.slots[static_cast<unsigned>(s.first_slot + k)]);
  };
  auto const extend = [&](int node, int until) {
    // A reshape that turns out to be a view keeps what is below it alive, too.
    for (;; node = g[node].in[0]) {
      int const s = kernels.step_of[static_cast<unsigned>(node)];
      if (s >= 0) last[static_cast<unsigned>(s)] = until;
      if (!is_view(g[node].id)) return;
    }
  };
  for (int s = 0; s < Steps; ++s) {
    step const& now = kernels.steps[static_cast<unsigned>(s)];
    for (int k = 0; k < now.slots; ++k) extend(slot_node(now, k), s);
  }
  for (std::int16_t output : g.outputs) extend(output, Steps);

  // No step but the last one writes the output before all indices were tested.
  int last_test = -1;
  for (int s = 0; s < Steps; ++s)
    if (kernels.steps[static_cast<unsigned>(s)].kind == step_kind::indexed) last_test = s;

  // What writes into an argument must not begin to while others read it.
  auto const overwrites_read = [&](int source, int s) {
    for (result_facts const& r : facts) {
      if (r.argument < 0 || r.backing != s) continue;
      int first = source;
      for (int t = source - 1; t >= 0; --t)
        if (joined[static_cast<unsigned>(t)] == first) first = t;
      if (!is_free_from(g, kernels, first, r.argument)) return true;
    }
    return false;
  };
  // An elementwise step may write over an operand of its own shape and dtype that dies there.
  for (int s = 0; s < Steps; ++s) {
    step const& now = kernels.steps[static_cast<unsigned>(s)];
    if (now.kind != step_kind::elementwise) continue;
    for (int k = 0; k < now.slots; ++k) {
      int const node = slot_node(now, k);
      int const source = kernels.step_of[static_cast<unsigned>(node)];
      bool const same = source >= 0 && source >= last_test && g[node].id != op::reshape &&
                        g[node].form == g[now.root].form && g[node].type == g[now.root].type &&
                        last[static_cast<unsigned>(source)] == s;
      bool read_twice = false;
      for (int j = 0; j < now.slots; ++j)
        read_twice = read_twice || (j != k && lies_in(g, kernels, slot_node(now, j), source));
      if (!same || read_twice || overwrites_read(source, s)) continue;
      joined[static_cast<unsigned>(source)] = s;
      break;
    }
  }
  std::array<int, static_cast<unsigned>(Steps) + 1> free_after{};
  for (int s = 0; s < Steps; ++s) plan.of_step[static_cast<unsigned>(s)] = no_buffer;
  for (int s = 0; s < Steps; ++s) {
    int end = s;
    while (joined[static_cast<unsigned>(end)] >= 0) end = joined[static_cast<unsigned>(end)];
    int buffer = plan.of_step[static_cast<unsigned>(s)];
    if (buffer == no_buffer) {
      for (unsigned r = 0; r < facts.size(); ++r)
        if (facts[r].backing == end) buffer = output_buffer(static_cast<int>(r));
      if (buffer == no_buffer) {
        for (buffer = 0; buffer < plan.temporaries && free_after[static_cast<unsigned>(buffer)] >= s;)
          ++buffer;
        if (buffer == plan.temporaries) ++plan.temporaries;
        free_after[static_cast<unsigned>(buffer)] = last[static_cast<unsigned>(end)];
      }
    }
    for (int k = s; k >= 0; k = joined[static_cast<unsigned>(k)])
      plan.of_step[static_cast<unsigned>(k)] = buffer;
  }
  return plan;
}

}  // namespace detail

/// One path of a function for one backend: graphs, kernels, places and buffers, all constants.
template <class Traced, class Backend> struct program {
  using backend = Backend;
  using traced = Traced;

  /// The function as written.
  static constexpr graph_view written() { return Traced::graph.view(); }
  /// What kernels are made from.
  static constexpr auto const& graph = optimized<Traced>::graph;
  static constexpr graph_view view() { return graph.view(); }

  static constexpr int size = graph.view().size();
  static constexpr auto fates = group<optimized<Traced>::graph>(Backend::fuses);
  static constexpr auto kernels = lower<optimized<Traced>::graph, fates>();
  static_assert(!kernels.overflows, "guardjit: compile(f): f has too many operations");
  static constexpr int steps = kernels.count;
  static constexpr int arguments = graph.arguments;

  static constexpr int results = static_cast<int>(graph.view().outputs.size());

  /// For each result the argument that it is written to, or -1.
  static constexpr auto written_to = detail::arguments_of_results<results>(typename Traced::in_outs{});
  static constexpr bool is_written(int argument) {
    for (int k : written_to)
      if (k == argument) return true;
    return false;
  }

  static constexpr auto facts = [] {
    std::array<detail::result_facts, static_cast<unsigned>(results)> all{};
    for (unsigned k = 0; k < all.size(); ++k) {
      int const memory = detail::memory_of(graph.view(), kernels, graph.outputs[k]);
      int const made_by = kernels.step_of[static_cast<unsigned>(memory)];
      int const below = detail::argument_under(written(), written().outputs[k]);
      // Frozen ones are copied: results may be written.
      bool const argument = below >= 0 && written_to[k] < 0 && !is_written(below) &&
                            !detail::is_frozen_argument<Traced>(below);
      bool const maybe_view = graph.view()[memory].id == op::reshape;
      bool taken = false;
      for (unsigned j = 0; j < k; ++j) taken = taken || (made_by >= 0 && all[j].backing == made_by);
      bool const in_place = written_to[k] < 0 || detail::is_made_in_place(graph.view(), kernels, k, made_by,
                                                                          written_to[k]);
      detail::result_facts& r = all[k];
      r.argument = written_to[k];
      if (made_by >= 0 && !taken && in_place && (!maybe_view || argument)) r.backing = made_by;
      r.may_be_argument = argument && (made_by < 0 || maybe_view);
      r.copies = r.backing < 0 && (taken || !r.may_be_argument);
    }
    return all;
  }();
  static constexpr bool is_backing(int step) {
    for (detail::result_facts const& r : facts)
      if (r.backing == step) return true;
    return false;
  }
  /// Whether a step tests indices behind one that makes a result. Outputs are then written when all
  /// steps ran, so that a wrong index leaves them as they were (POL-11).
  static constexpr bool tests_indices_late() {
    bool made = false;
    for (int s = 0; s < steps; ++s) {
      if (made && kernels.steps[static_cast<unsigned>(s)].kind == step_kind::indexed) return true;
      made = made || is_backing(s);
    }
    return false;
  }
  /// Whether what is written to an argument is copied from one that is written, too, as where two are
  /// exchanged. Outputs are then written when all copies were made.
  static constexpr bool exchanges_arguments() {
    for (unsigned k = 0; k < static_cast<unsigned>(results); ++k) {
      int const node = graph.outputs[k], below = detail::argument_under(graph.view(), node);
      bool const stays = detail::is_argument(graph.view(), node, written_to[k]);
      if (written_to[k] >= 0 && below >= 0 && is_written(below) && !stays) return true;
    }
    return false;
  }
  /// Results that may be copied, before number `result`.
  static constexpr int copies_before(int result) {
    int count = 0;
    for (int k = 0; k < result; ++k) count += facts[static_cast<unsigned>(k)].copies ? 1 : 0;
    return count;
  }
  static constexpr auto buffers = detail::plan_buffers<steps>(graph.view(), kernels, facts);

  /// Of each node that has memory or is a view of some: its place, else -1.
  static constexpr auto place_of = [] {
    std::array<std::int16_t, static_cast<unsigned>(size)> place{};
    std::int16_t count = 0;
    for (unsigned k = 0; k < static_cast<unsigned>(size); ++k) {
      bool const has = fates.fate[k] == node_fate::stored || fates.fate[k] == node_fate::view ||
                       graph.nodes[k].id == op::input;
      place[k] = has ? count++ : static_cast<std::int16_t>(-1);
    }
    return place;
  }();
  static constexpr int places = [] {
    int count = 0;
    for (std::int16_t p : place_of) count += p >= 0 ? 1 : 0;
    return count;
  }();

  static constexpr auto result_types = [] {
    std::array<declared_result, static_cast<unsigned>(results)> types{};
    for (unsigned k = 0; k < types.size(); ++k) {
      int const output = graph.outputs[k];
      types[k] = {graph.view()[output].type, graph.view().shape_of(output)};
      shape& s = types[k].extents;
      for (int d = 0; d < s.rank; ++d)
        if (is_symbol(s[d])) s[d] = dyn;
    }
    return types;
  }();
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
