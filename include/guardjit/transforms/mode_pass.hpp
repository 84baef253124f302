// guardjit: transforms/mode_pass.hpp: a graph under a stack of modes: their handlers run in the compiler
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_MODE_PASS_HPP
#define GUARDJIT_TRANSFORMS_MODE_PASS_HPP

#include <guardjit/graph/node_order.hpp>
#include <guardjit/graph/trace.hpp>
#include <guardjit/transforms/trace_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Handlers that run inside each other in a trace, at most. Rules: M13.
inline constexpr int max_trace_nesting = max_declared_modes;
/// Modes that handlers entered by `with_modes`, at most: each takes nine or more of the 512 nested calls
/// that compilers evaluate, and a handler that enters itself without end should be told by name.
inline constexpr int max_entered_modes = 40;
/// Modes on the stack of a pass, at most: those declared, of `with_modes` around an op, and in handlers.
inline constexpr int max_pass_modes = max_declared_modes + max_scopes + max_entered_modes;

/// The stack of a pass: the declared modes, then those of `with_modes`.
struct mode_walk : trace_walk {
  std::array<trace_mode, max_pass_modes> modes{};
  int declared = 0;
  int visible = 0;
  int real = 0;  ///< of the declared ones, those that are visible: between them observers may be
  int nesting = 0;
  int entered = 0;  ///< by handlers
};

/// M15: what a handler gave is what the op promises.
constexpr int checked_result(tracer& t, trace_mode const& mode, node const& promised, sym const& result,
                             source_line where) {
  if (t.failed() || !result.trace()) return result.id() < 0 ? 0 : result.id();
  node const& got = t[result.id()];
  shape const& expected = t.shape_of_form(promised.form);
  shape const& extents = t.shape_of(result.id());
  t.begin(promised.id, where);
  if (got.type != promised.type) {
    t.fail_by(mode.name, "", mistake_kind::dtype_of_handler, 0, 0, 0, promised.type);
  } else if (extents.rank != expected.rank) {
    t.fail_by(mode.name, "", mistake_kind::rank_of_handler, extents.rank, expected.rank);
  } else {
    for (int d = 0; d < expected.rank; ++d)
      if (extents[d] != expected[d])
        t.fail_by(mode.name, "", mistake_kind::extent_of_handler, extents[d], expected[d], d);
  }
  if (!got.weak) return result.id();
  // A scalar stands for a tensor of rank 0, as in eager code.
  attributes extra;
  extra.type = got.type;
  int const in[] = {result.id()};
  node tensor = node_of(t, op::to, extra, where, in);
  tensor.weak = false;
  return t.push(tensor);
}

/// An op on its way: through the visible modes that want it, top first, then into the graph. What is a
/// C++ scalar in eager code is none of their business.
constexpr int walk_modes(tracer& t, op id, attributes const& extra, source_line where,
                         std::span<int const> in) {
  auto& w = static_cast<mode_walk&>(*t.walk());
  node const promised = node_of(t, id, extra, where, in);
  if (promised.weak) return t.push(promised);
  if (!info_of(id).overridable || t.failed()) return t.push_apart(promised);
  for (int level = w.visible;; --level) {
    if (level <= w.real) t.add_passing({promised, level});
    if (level == 0) return t.push_apart(promised);
    trace_mode const& mode = w.modes[static_cast<unsigned>(level - 1)];
    if (!mode.wants(id)) continue;
    if (w.nesting == max_trace_nesting) {
      t.begin(id, where);
      t.fail_by(mode.name, "", mistake_kind::handlers_nested, max_trace_nesting);
      return t.push_apart(promised);
    }
    int const visible = w.visible, real = w.real;
    trace_mode const asked = mode;  // `with_modes` in a handler takes its place
    trace_call call(t, id, extra, where, in, promised, asked);
    w.visible = level - 1;
    w.real = real < level - 1 ? real : level - 1;
    ++w.nesting;
    sym const result = asked.handle(call);
    --w.nesting;
    w.visible = visible;
    w.real = real;
    return checked_result(t, asked, promised, result, where);
  }
}

/// The modes that are visible to an op of `f`: the declared ones, then its scopes from outside in.
constexpr void show_scopes(mode_walk& w, graph_view const& from, int scope, int const* moved) {
  std::array<int, max_scopes> chain{};
  int length = 0;
  for (; scope > 0; ++length) {
    chain[static_cast<unsigned>(length)] = scope;
    scope = from.scopes[static_cast<unsigned>(scope - 1)].around;
  }
  w.visible = w.declared + length;
  w.real = w.declared;
  for (int k = 0; k < length; ++k) {
    trace_mode& mode = w.modes[static_cast<unsigned>(w.visible - 1 - k)];
    mode = from.scopes[static_cast<unsigned>(chain[static_cast<unsigned>(k)] - 1)].mode;
    for (std::int16_t& key : mode.keys) key = static_cast<std::int16_t>(moved[key]);
  }
}

/// Replays `Graph` through `stack` into a new one. Each op that goes into it is a node of its own.
template <auto const& Graph, int Capacity>
constexpr auto apply_modes(std::span<trace_mode const> stack, path_script script,
                           std::span<declared_extent const> declared) {
  constexpr int size = Graph.view().size();
  graph_view const from = Graph.view();
  graph_buffer<Capacity, 2 * Capacity> buffer;
  std::array<std::int32_t, graph_builder::table_size(Capacity)> table{};
  tracer t(buffer, table.data(), script);
  t.set_argument_count(from.arguments);
  t.set_declared(declared);
  t.adopt(from);
  for (condition const& c : from.conditions) t.add_condition(c);
  std::array<int, static_cast<unsigned>(size)> moved{};
  for (int k = 0; k < size; ++k)
    if (info_of(from[k].id).form == op_form::leaf) moved[static_cast<unsigned>(k)] = t.push(from[k]);

  mode_walk w;
  w.run = &walk_modes;
  t.set_walk(&w);
  for (trace_mode const& mode : stack) {
    trace_mode& to = w.modes[static_cast<unsigned>(w.declared++)];
    to = mode;
    for (std::int16_t& key : to.keys) key = static_cast<std::int16_t>(moved[static_cast<unsigned>(key)]);
  }
  auto const order = order_of<Graph>();
  for (unsigned at = 0; at < order.count; ++at) {
    int const k = order.list[at];
    node const& n = from[k];
    if (info_of(n.id).form == op_form::leaf) continue;
    std::array<int, max_node_operands> in{};
    auto const count = static_cast<unsigned>(from.operands(k));
    for (unsigned o = 0; o < count; ++o) in[o] = moved[static_cast<unsigned>(n.in[o])];
    show_scopes(w, from, n.scope, moved.data());
    attributes const extra = from.attributes_of(k);
    moved[static_cast<unsigned>(k)] = append_node(t, n.id, extra, n.where, {in.data(), count});
  }
  for (std::int16_t output : from.outputs)
    buffer.outputs[static_cast<unsigned>(buffer.size.outputs++)] =
        static_cast<std::int16_t>(moved[static_cast<unsigned>(output)]);
  buffer.arguments = from.arguments;
  t.require_assignable_as(from, moved.data());
  // A handler may have dropped the op whose rule it is.
  for (int k = 0; k < buffer.size.requirements; ++k)
    if (int& at = buffer.requirements[static_cast<unsigned>(k)].node; at >= buffer.size.nodes)
      at = buffer.size.nodes - 1;
  return buffer;
}

/// Numbers in the key of a mode.
template <class Mode> constexpr int count_keys() {
  if constexpr (Mode::class_of_mode == mode_class::keyed)
    return static_cast<int>(std::tuple_size_v<decltype(std::declval<Mode const&>().key())>);
  else return 0;
}
template <class Mode> inline constexpr int key_count = count_keys<Mode>();

/// The declared modes with the nodes of their keys, which are the arguments from `FirstKey` on.
template <auto const& Graph, int FirstKey, class... Modes> constexpr auto trace_stack(type_list<Modes...>) {
  std::array<trace_mode, sizeof...(Modes) + 1> stack{};
  graph_view const g = Graph.view();
  unsigned at = 0;
  int argument = FirstKey;
  [[maybe_unused]] auto const add = [&]<class Mode>(std::type_identity<Mode>) {
    stack[at] = trace_mode_of<Mode>();
    for (unsigned k = 0; k < static_cast<unsigned>(key_count<Mode>); ++k, ++argument)
      for (int n = 0; n < g.size(); ++n)
        if (g[n].id == op::input && g[n].bits == static_cast<std::uint64_t>(argument))
          stack[at].keys[k] = static_cast<std::int16_t>(n);
    ++at;
  };
  (add(std::type_identity<Modes>{}), ...);
  return stack;
}

template <class Traced, class Stack, int FirstKey> struct pass_stack {
  static constexpr auto list = trace_stack<Traced::graph, FirstKey>(Stack{});
  static constexpr std::span<trace_mode const> view{list.data(), Stack::size};
};

/// Each pass is an evaluation of its own, made once.
template <class Traced, class Stack, int FirstKey, path_script Script, int Capacity>
inline constexpr auto pass_buffer =
    apply_modes<Traced::graph, Capacity>(pass_stack<Traced, Stack, FirstKey>::view, Script, Traced::declared);

/// With little room first.
template <class Traced, class Stack, int FirstKey, path_script Script, int Capacity>
constexpr auto const& pass_that_fits() {
  constexpr auto const& buffer = pass_buffer<Traced, Stack, FirstKey, Script, Capacity>;
  if constexpr (Capacity < 4096 && buffer.wrong.kind == mistake_kind::too_many_nodes)
    return pass_that_fits<Traced, Stack, FirstKey, Script, 4096>();
  else return pass_buffer<Traced, Stack, FirstKey, Script, Capacity>;
}

}  // namespace detail

/// The graph of `Traced`, a path of `f`, under the modes of `Stack`, on the path that `Script` tells:
/// handlers may branch on keys and extents. The first conditions are those of `Traced`. `Number` is that
/// of the stack, 0 for none.
/// Rules: M80, M81, M84, M94.
template <class Traced, class Stack, int Number, int FirstKey, path_script Script = path_script{}>
struct moded {
 private:
  static constexpr int room_ = capacity_for(Traced::graph.view());
  static constexpr auto const& buffer_ =
      detail::pass_that_fits<Traced, Stack, FirstKey, Script, room_>();

 public:
  static constexpr auto graph = exact_graph<buffer_>();
  static constexpr std::span<declared_extent const> declared = Traced::declared;
  /// The path as written.
  using written = Traced;
  using result = typename Traced::result;
  using in_outs = typename Traced::in_outs;
  using signature = typename Traced::signature;
  static constexpr int stack = Number;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
