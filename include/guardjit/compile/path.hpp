// guardjit: compile/path.hpp: which path a call takes, and whether it keeps the shape rules
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PATH_HPP
#define GUARDJIT_COMPILE_PATH_HPP

#include <guardjit/compile/spec.hpp>
#include <guardjit/guards/guard.hpp>
#include <guardjit/ops/dtype_rules.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The dtype in which a node computes.
constexpr dtype compute_type_of(graph_view const& g, int node) {
  std::array<operand_type, max_node_operands> types{};
  auto const count = static_cast<unsigned>(g.operands(node));
  for (unsigned i = 0; i < count; ++i) types[i] = {g[g[node].in[i]].type, g[g[node].in[i]].weak};
  mistake none;
  return dtypes_of(g[node].id, {types.data(), count}, g.attributes_of(node), none).compute;
}

/// The value of a scalar argument.
inline double scalar_value(std::uint64_t const& bits, dtype type) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  });
}

inline double term_value(term const& t, function_spec const& fn, frame_view const& f,
                         std::span<index_t const> symbols) {
  if (t.kind == term::number) return t.real;
  if (t.kind == term::extent) return static_cast<double>(value_of(t.value, symbols));
  return scalar_value(f.scalar(t.value), fn.arguments[static_cast<unsigned>(t.value)].type);
}

inline bool outcome_of(condition const& c, function_spec const& fn, frame_view const& f,
                       std::span<index_t const> symbols) {
  if (c.left.kind == term::extent && c.right.kind == term::extent) {
    index_t const a = value_of(c.left.value, symbols), b = value_of(c.right.value, symbols);
    return compares(c.compare, a, b);
  }
  double const a = term_value(c.left, fn, f, symbols), b = term_value(c.right, fn, f, symbols);
  return compares(c.compare, a, b);
}

}  // namespace detail

/// What one path makes of a call: values of its symbols, outcomes of its conditions.
/// Lifetime: refers to the room it was given.
struct path_values {
  std::span<index_t const> symbols{};
  std::uint64_t outcomes = 0;
  bool taken = true;  ///< the call takes this path
};

/// Complexity: linear in the symbols and conditions; no allocation.
inline path_values values_on(path_spec const& path, function_spec const& fn, frame_view const& f,
                             index_t* room) {
  graph_view const& g = path.graph;
  std::span<index_t> const symbols(room, g.extents.size());
  evaluate_extents(g.extents, symbols, [&f](int k) { return f.layouts[k].extents; });
  path_values v{symbols, 0, true};
  for (unsigned k = 0; k < g.conditions.size(); ++k) {
    bool const outcome = detail::outcome_of(g.conditions[k], fn, f, symbols);
    if (outcome) v.outcomes |= std::uint64_t{1} << k;
    v.taken = v.taken && outcome == g.conditions[k].outcome;
  }
  return v;
}

/// The path that a call takes under its declared stack, or under none. Those of one stack exclude
/// each other and one is always taken.
inline int path_of(function_spec const& fn, frame_view const& f, index_t* room) {
  int const stack = f.stack < 0 ? 0 : f.stack;
  int last = 0;
  for (unsigned k = 0; k < fn.paths.size(); ++k) {
    if (fn.paths[k].stack != stack) continue;
    last = static_cast<int>(k);
    bool const is_only = k + 1 == fn.paths.size() || fn.paths[k + 1].stack != stack;
    if (is_only || values_on(fn.paths[k], fn, f, room).taken) break;
  }
  return last;
}

/// The shape of a node in a call.
inline shape shape_in_call(graph_view const& g, node const& n, std::span<index_t const> symbols) {
  shape s = g.shapes[static_cast<unsigned>(n.form)];
  for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], symbols);
  return s;
}

inline shape shape_in_call(graph_view const& g, int node, std::span<index_t const> symbols) {
  return shape_in_call(g, g[node], symbols);
}

/// The device that a source, `node::source`, stands for in a call. Results of compiled functions are
/// typed, which fixes the kind of the default device. Rules: M40.
inline device device_in_call(std::int16_t source, frame_view const& f) {
  if (source >= 0) return f.owners[source]->where();
  device const on = source == default_source ? device_of_word(f.default_device) : device{};
  return on.kind == device_kind::cpu ? on : device{};
}

/// Throws where an op has operands on several devices, as eager code does. For functions that read the
/// default device: of all others the types of the arguments say that they are in host memory.
/// Throws: `device_error`. Rules: M20, M40.
[[gnu::cold]] inline void require_devices(path_spec const& path, frame_view const& f) {
  graph_view const& g = path.graph;
  for (std::int16_t k : path.order) {
    std::int16_t first = host_source;
    for (int i = 0, count = g.operands(k); i < count; ++i) {
      std::int16_t const source = g[g.operand(k, i)].source;
      if (first == host_source) first = source;
      if (source == host_source || device_in_call(source, f) == device_in_call(first, f)) continue;
      detail::raise_device_mismatch(g[k].id, device_in_call(first, f), device_in_call(source, f), g[k].where);
    }
  }
}

/// Attributes of a node in a call, as eager code has them: extents are numbers, and the device of a
/// factory is no attribute.
inline attributes attributes_in_call(graph_view const& g, node const& n, std::span<index_t const> symbols) {
  attributes a = n.attribute < 0 ? attributes{} : g.extra[static_cast<unsigned>(n.attribute)];
  a.beside = -1;
  for (int d = 0; d < a.target.rank; ++d) a.target[d] = value_of(a.target[d], symbols);
  a.start = value_of(a.start, symbols);
  a.stop = value_of(a.stop, symbols);
  return a;
}

/// Calls `visit(node, scalar, compute)` for the integers of a call that ops of an integer dtype
/// `compute` take, whose range the trace could not test: scalar arguments and extents.
constexpr void for_each_unchecked_scalar(graph_view const& g, auto const& visit) {
  for (int k = 0; k < g.size(); ++k) {
    if (!is_elementwise(g[k].id)) continue;
    dtype const compute = detail::compute_type_of(g, k);
    if (is_in_range(INT64_MAX, compute)) continue;
    for (int i = 0; i < g.operands(k); ++i) {
      node const& scalar = g[g.operand(k, i)];
      if (scalar.weak && scalar.type == dtype::i64 && scalar.id == op::input)
        visit(k, g.operand(k, i), compute);
    }
  }
}

/// Throws where an integer of the call is no value of the dtype of an op that takes it, in the words
/// of the static error.
/// Throws: `dtype_error`. Rules: numerics.md, section 1.
[[gnu::cold]] inline void require_scalars(path_spec const& path, frame_view const& f,
                                          std::span<index_t const> symbols) {
  graph_view const& g = path.graph;
  for_each_unchecked_scalar(g, [&](int node, int scalar, dtype compute) {
    auto const word = static_cast<index_t>(g[scalar].bits);
    index_t const value = is_symbol(word) ? value_of(word, symbols) : static_cast<index_t>(f.scalars[word]);
    if (is_in_range(value, compute)) return;
    fixed_text detail("; ");
    raise_mistake({mistake_kind::scalar_out_of_range, g[node].id, value, 0, 0, compute},
                  detail << g[node].where);
  });
}

/// Throws where the call breaks a shape rule of its path, in the words of the static error.
/// Throws: `shape_error`. Rules: G85, G93.
[[gnu::cold]] inline void require_shapes(graph_view const& g, path_values const& v) {
  for (requirement const& r : g.requirements) {
    index_t const a = value_of(r.left, v.symbols), b = value_of(r.right, v.symbols);
    if (r.holds(a, b)) continue;
    fixed_text detail;
    detail << "; shapes";
    for (int k = 0; k < g.operands(r.node); ++k)
      detail << ' ' << shape_in_call(g, g.operand(r.node, k), v.symbols);
    if (*r.mode) detail << "; mode " << r.mode;
    raise_mistake({r.otherwise, g[r.node].id, a, b, r.axis, {}}, detail << "; " << g[r.node].where);
  }
  // Extents that the function computes may turn out negative.
  for (int k = 0; k < g.size(); ++k) {
    shape const s = shape_in_call(g, k, v.symbols);
    for (int d = 0; d < s.rank; ++d)
      if (s[d] < 0) {
        fixed_text detail("; ");
        raise_mistake({mistake_kind::extent_is_negative, g[k].id, s[d], 0, d, {}}, detail << g[k].where);
      }
  }
}
/// Those of the function as written come first (M20); modes may make ops with rules of their own.
[[gnu::cold]] inline void require_shapes(path_spec const& path, function_spec const& fn,
                                         frame_view const& f, index_t* room) {
  path_values const v = values_on(path, fn, f, room);
  require_shapes(path.written, v);
  if (path.is_rewritten()) require_shapes(path.graph, v);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
