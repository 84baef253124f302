// guardjit: graph/trace.hpp: from a captureless callable to its graph, path by path
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_TRACE_HPP
#define GUARDJIT_GRAPH_TRACE_HPP

#include <guardjit/graph/append.hpp>
#include <guardjit/graph/results.hpp>
#include <guardjit/graph/signature.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Numbers of arguments that `f` assigns to.
template <int... Argument> using argument_list = std::integer_sequence<int, Argument...>;

/// Calls `F` on symbols. Everything `f` does happens here, inside the C++ compiler. An argument whose
/// symbol is another one afterwards is in-out, as are those of `InOuts`: outputs are the results, then the
/// final values of these. Parameters by value and by const reference cannot change a symbol. Rules: G4.
template <class F, class Signature, int Capacity, int... InOuts>
constexpr graph_buffer<Capacity> trace(path_script script, argument_list<InOuts...>) {
  graph_buffer<Capacity> buffer;
  std::array<std::int32_t, graph_builder::table_size(Capacity)> table{};
  tracer t(buffer, table.data(), script);

  auto const argument = [&t](int k) {
    argument_type const& a = Signature::arguments[static_cast<unsigned>(k)];
    node n;
    n.id = op::input;
    n.type = a.type;
    n.weak = a.scalar;
    n.bits = static_cast<std::uint64_t>(k);
    if (!a.scalar) n.source = static_cast<std::int16_t>(k);
    shape s = a.extents;
    for (int d = 0; d < s.rank; ++d)
      if (s[d] == dyn) s[d] = t.extent_of_argument(k, d);
    n.form = t.add_shape(s);
    return sym(&t, t.push(n));
  };
  buffer.arguments = Signature::size;
  t.set_argument_count(Signature::size);
  t.set_declared(Signature::declared);
  auto const add_output = [&](int node) {
    if (buffer.size.outputs == max_results) return t.fail(mistake_kind::too_many_results, max_results, 0, 0);
    buffer.outputs[static_cast<unsigned>(buffer.size.outputs++)] = static_cast<std::int16_t>(node);
  };
  [&]<int... K>(std::integer_sequence<int, K...>) {
    sym arguments[Signature::size + 1]{argument(K)...};
    if constexpr (std::is_void_v<decltype(F{}(arguments[K]...))>) {
      F{}(arguments[K]...);
    } else {
      auto const result = F{}(arguments[K]...);
      std::apply([&](auto const&... leaf) { (add_output(sym_operand(leaf).node_in(t)), ...); },
                 leaves_of(result));
    }
    for (int k = 0; k < Signature::size; ++k) {
      int const value = arguments[k].id();
      if (value == k && ((k != InOuts) && ...)) continue;
      t.require_assignable(k, value);
      add_output(value);
      if (t.failed()) break;
      buffer.in_outs[static_cast<unsigned>(buffer.in_out_count++)] = static_cast<std::int16_t>(k);
    }
  }(std::make_integer_sequence<int, Signature::size>{});
  return buffer;
}

template <class F, int... K> constexpr bool takes_syms(std::integer_sequence<int, K...>) {
  return std::is_invocable_v<F, decltype(static_cast<void>(K), std::declval<sym&>())...>;
}
/// Whether `F` can be called on symbols in the places of all arguments.
template <class F, class Signature>
concept callable_on_symbols = takes_syms<F>(std::make_integer_sequence<int, Signature::size>{});

/// What `F` gives when it is called on symbols.
template <class F, int... K> auto result_on_syms(std::integer_sequence<int, K...>)
    -> std::remove_cvref_t<std::invoke_result_t<
        F, decltype(static_cast<void>(K), std::declval<sym&>())...>>;
template <class F, class Signature> using traced_result =
    decltype(result_on_syms<F>(std::make_integer_sequence<int, Signature::size>{}));

/// The same where `F` can be traced; else what the inert trace has.
template <class F, class Signature> constexpr auto result_structure() {
  if constexpr (!callable_on_symbols<F, Signature>) return std::type_identity<sym>{};
  else if constexpr (std::is_void_v<traced_result<F, Signature>>) return std::type_identity<std::tuple<>>{};
  else if constexpr (!has_results<traced_result<F, Signature>>()) return std::type_identity<sym>{};
  else return std::type_identity<traced_result<F, Signature>>{};
}

/// Whether the trace of `F` is a constant expression.
template <class F, class Signature, path_script Script, int Capacity>
concept evaluable_by_the_compiler = requires {
  typename std::integral_constant<int, trace<F, Signature, Capacity>(Script, argument_list<>{}).outputs[0]>;
};

/// What stands for a function that cannot be traced, so that nothing else fails: its first argument.
template <class Signature> constexpr graph_buffer<4> inert_trace() {
  graph_buffer<4> buffer;
  buffer.size = {1, 1, 0, 0, 0, 0, 1};
  buffer.arguments = Signature::size;
  if constexpr (Signature::size > 0) {
    buffer.nodes[0].id = op::input;
    buffer.nodes[0].type = Signature::arguments[0].type;
    buffer.shapes[0] = Signature::arguments[0].extents;
    for (int d = 0; d < buffer.shapes[0].rank; ++d)
      if (buffer.shapes[0][d] == dyn) buffer.shapes[0][d] = 1;
  }
  return buffer;
}

/// Two errors: advice, then the compiler's own words for what stops it. A function of its own,
/// since an error inside `trace_that_fits` would cascade.
template <class F, class Signature, path_script Script, int Capacity> void explain_trace() {
  static_assert(evaluable_by_the_compiler<F, Signature, Script, Capacity>,
                "guardjit: compile(f): the compiler must be able to evaluate f: no static or global "
                "variables, no I/O, helper functions constexpr; clang stops at a number of steps: raise "
                "it by -fconstexpr-steps=");
  [[maybe_unused]] constexpr int output = trace<F, Signature, Capacity>(Script, argument_list<>{}).outputs[0];
}

/// Each trace is an evaluation of its own, made once.
template <class F, class Signature, path_script Script, class InOuts, int Capacity>
inline constexpr auto trace_buffer = trace<F, Signature, Capacity>(Script, InOuts{});
template <class Signature> inline constexpr auto inert_buffer = inert_trace<Signature>();

/// Traces with little room first, since large graphs cost the compiler time: clang takes steps for room that
/// stays empty, too.
template <class F, class Signature, path_script Script, class InOuts, int Capacity = 256>
constexpr auto const& trace_that_fits() {
  if constexpr (!callable_on_symbols<F, Signature>) {
    static_assert(callable_on_symbols<F, Signature>,
                  "guardjit: compile(f): f cannot be called with symbols: each parameter must be auto, one "
                  "for each argument, and to<T>(n) converts extents and scalars, no C++ cast");
    return inert_buffer<Signature>;
  } else if constexpr (!has_results<traced_result<F, Signature>>()) {
    require_results<traced_result<F, Signature>>();
    return inert_buffer<Signature>;
  } else if constexpr (!evaluable_by_the_compiler<F, Signature, Script, Capacity>) {
    [[maybe_unused]] auto const explain = &explain_trace<F, Signature, Script, Capacity>;
    return inert_buffer<Signature>;
  } else if constexpr (constexpr auto const& buffer = trace_buffer<F, Signature, Script, InOuts, Capacity>;
                       Capacity < 4096 && buffer.wrong.kind == mistake_kind::too_many_nodes) {
    return trace_that_fits<F, Signature, Script, InOuts, 4 * Capacity>();
  } else {
    return trace_buffer<F, Signature, Script, InOuts, Capacity>;
  }
}

template <auto const& Buffer, int... K> auto in_outs_of(std::integer_sequence<int, K...>)
    -> argument_list<Buffer.in_outs[K]...>;

}  // namespace detail

namespace detail {
/// Whether `F` can be traced: nothing above had to explain why not.
template <class F, class Signature> constexpr bool is_traceable() {
  if constexpr (!callable_on_symbols<F, Signature>) return false;
  else if constexpr (!has_results<traced_result<F, Signature>>()) return false;
  else return evaluable_by_the_compiler<F, Signature, path_script{}, 256>;
}
}  // namespace detail

/// The graph of `F` on the path that `Script` tells, at its exact size: `graph`, a constant. `in_outs` are
/// the arguments whose final values are its last outputs: those that `F` assigns to there, and `InOuts`.
/// Rules: G4, G94.
template <class F, class Signature, path_script Script = path_script{},
          class InOuts = detail::argument_list<>>
struct traced {
 private:
  static constexpr auto const& buffer_ = detail::trace_that_fits<F, Signature, Script, InOuts>();

 public:
  using signature = Signature;
  static constexpr auto graph = exact_graph<buffer_>();
  /// What options say of extents of the arguments.
  static constexpr std::span<declared_extent const> declared = Signature::declared;
  using in_outs =
      decltype(detail::in_outs_of<buffer_>(std::make_integer_sequence<int, buffer_.in_out_count>{}));
  static constexpr path_script script = Script;
  /// What `F` returns in the trace; its leaves are the results.
  using result = typename decltype(detail::result_structure<F, Signature>())::type;
};

/// The script of the path behind that of `g`: its last false outcome turns true, but for the first
/// `settled` ones. `length` is -1 behind the last path.
constexpr path_script next_path(graph_view g, int settled = 0) {
  for (int k = static_cast<int>(g.conditions.size()) - 1; k >= settled; --k) {
    if (g.conditions[static_cast<unsigned>(k)].outcome) continue;
    path_script s{std::uint64_t{1} << k, k + 1};
    for (int j = 0; j < k; ++j)
      if (g.conditions[static_cast<unsigned>(j)].outcome) s.outcomes |= std::uint64_t{1} << j;
    return s;
  }
  return {0, -1};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
