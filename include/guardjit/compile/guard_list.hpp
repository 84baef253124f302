// guardjit: compile/guard_list.hpp: which guards an entry needs, given what may vary
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GUARD_LIST_HPP
#define GUARDJIT_COMPILE_GUARD_LIST_HPP

#include <guardjit/compile/entry.hpp>
#include <guardjit/compile/path.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What an entry leaves open of one argument: extents (bit d: dim d), and strides, which are then
/// read at the call.
struct open_dims {
  std::uint8_t extents = 0;
  bool strides = false;
};

inline bool any_open(std::span<open_dims const> open) {
  for (open_dims const& o : open)
    if (o.extents != 0 || o.strides) return true;
  return false;
}

namespace detail {

/// Extents and strides of one argument, as far as the signature does not prove them (G20).
[[gnu::cold]]
inline void add_argument_guards(std::vector<guard>& to, function_spec const& fn, frame_view const& f, int k,
                                open_dims open) {
  layout_view const& l = f.layouts[k];
  argument_type const& type = fn.arguments[static_cast<unsigned>(k)];
  if (type.scalar) return;
  auto const argument = static_cast<std::int16_t>(k);
  for (int d = 0; d < type.extents.rank; ++d)
    if (fn.reads(k, d) && type.extents[d] == dyn && (open.extents >> d & 1u) == 0)
      to.push_back({.kind = guard_kind::extent_is,
                    .argument = argument,
                    .dim = static_cast<std::int8_t>(d),
                    .expected = l.extents[d]});
  if (!fn.reads_elements[k] || type.extents.rank == 0) return;
  if (is_contiguous(l)) {
    to.push_back({.kind = guard_kind::contiguous, .argument = argument, .expected = 1});
  } else if (open.strides || open.extents != 0) {
    to.push_back({.kind = guard_kind::strides_are, .argument = argument, .expected = class_of(l)});
  } else {
    for (int d = 0; d < l.rank; ++d)
      if (l.extents[d] != 1)
        to.push_back({.kind = guard_kind::strides_are,
                      .argument = argument,
                      .dim = static_cast<std::int8_t>(d),
                      .expected = l.strides[d]});
  }
}

/// One rule of an op as a guard: where an extent may be 1 instead, the case that this call is in (G83).
[[gnu::cold]] inline guard guard_of(requirement const& r, source_line where, index_t left, index_t right) {
  guard g{.kind = guard_kind::extents_equal, .left = r.left, .right = r.right, .where = where};
  if (r.kind == requirement_kind::multiple) g.kind = guard_kind::multiple_of;
  if (r.kind == requirement_kind::positive) {
    g.kind = guard_kind::extent_in;
    g.expected = 1;
  }
  if (r.kind == requirement_kind::index) {
    g.kind = guard_kind::extent_in;
    g.left = r.right;
    g.expected = left < 0 ? -left : left + 1;
  }
  bool const may_be_1 = r.kind == requirement_kind::broadcast || r.kind == requirement_kind::stretch;
  if (may_be_1 && left != right) {
    g.kind = guard_kind::extent_is;
    g.left = left == 1 ? r.left : r.right;
    g.expected = 1;
  }
  return g;
}

[[gnu::cold]] inline void add_once(std::vector<guard>& to, guard const& g) {
  for (guard const& known : to)
    if (known == g) return;
  to.push_back(g);
}

/// The line of the first factory of a path that was given no device.
[[gnu::cold]] inline source_line line_of_factory(path_spec const& path) {
  for (std::int16_t k : path.order)
    if (node const& n = path.graph[k]; is_factory(n.id) && n.source == default_source) return n.where;
  return {};
}

}  // namespace detail

/// The guards of an entry for this call, whose plan has `forms`: modes where the function declares stacks
/// (else it has entries for none, and a call tests the thread's word), state, arguments in order,
/// relations, aliasing, path.
/// Rules: G20, G21, G25, G26, G27.
[[gnu::cold]]
inline std::vector<guard> guards_of(function_spec const& fn, frame_view const& f, path_spec const& path,
                                    path_values const& values, std::span<open_dims const> open,
                                    std::uint64_t overlaps, std::uint64_t forms = 0) {
  std::vector<guard> list;
  bool const is_dynamic = any_open(open);
  graph_view const& g = path.graph;
  if (!fn.stacks.empty())
    list.push_back({.kind = guard_kind::mode_stack_is, .expected = f.stack});
  if (path.reads_default_device)
    list.push_back({.kind = guard_kind::state_is, .expected = f.default_device,
                    .where = detail::line_of_factory(path)});
  for (int k = 0; k < f.arguments; ++k)
    detail::add_argument_guards(list, fn, f, k, open[static_cast<unsigned>(k)]);
  auto const add_rules = [&](graph_view const& of) {
    for (requirement const& r : of.requirements)
      detail::add_once(list, detail::guard_of(r, of[r.node].where, value_of(r.left, values.symbols),
                                              value_of(r.right, values.symbols)));
  };
  if (is_dynamic) {
    add_rules(path.written);
    if (path.is_rewritten()) add_rules(g);
  }
  if (overlaps != 0)
    for (int k = 0; k < f.arguments; ++k)
      if (fn.reads_elements[k] && !fn.arguments[static_cast<unsigned>(k)].scalar)
        list.push_back({.kind = guard_kind::no_overlap, .argument = static_cast<std::int16_t>(k),
                        .expected = static_cast<index_t>(overlaps >> overlap_shift(k) & 3u)});
  for (std::size_t n = 0; n < fn.frozen.size(); ++n)
    if ((forms >> n & 1u) != 0)
      list.push_back({.kind = guard_kind::same_storage, .argument = fn.frozen[n],
                      .expected = storage_word(*f.owners[fn.frozen[n]])});
  for (unsigned k = 0; k < g.conditions.size(); ++k) {
    condition const& c = g.conditions[k];
    if (is_dynamic || c.reads_scalar())
      list.push_back({.kind = guard_kind::path_is, .condition = static_cast<std::int16_t>(k),
                      .expected = c.outcome ? 1 : 0, .left = c.left.value, .where = c.where});
  }
  return list;
}

/// Whether all guards of an entry hold. Complexity: linear in the guards; no allocation.
/// Rules: G22, G23.
inline bool guards_hold(entry const& e, function_spec const& fn, frame_view const& f, std::uint64_t overlaps,
                        index_t* room) noexcept {
  if (e.overlaps != overlaps) return false;
  path_values const values = values_on(fn.paths[static_cast<unsigned>(e.path)], fn, f, room);
  guard_context const context{f.layouts, values.symbols,   values.outcomes, overlaps,
                              f.stack,   f.default_device, f.held(), f.owners};
  for (guard const& g : e.guards)
    if (!holds(g, context)) return false;
  return true;
}

/// All guards of an entry that do not hold.
[[gnu::cold]]
inline std::vector<guard_failure> failed_guards(entry const& e, function_spec const& fn, frame_view const& f,
                                                std::uint64_t overlaps, index_t* room) {
  std::vector<guard_failure> failures;
  path_spec const& path = fn.paths[static_cast<unsigned>(e.path)];
  path_values const values = values_on(path, fn, f, room);
  guard_context const context{f.layouts, values.symbols,   values.outcomes, overlaps,
                              f.stack,   f.default_device, f.held(), f.owners};
  auto const found = [&](term const& t) {
    return t.kind == term::extent ? value_of(t.value, values.symbols)
                                  : __builtin_bit_cast(index_t, detail::term_value(t, fn, f, values.symbols));
  };
  for (guard const& g : e.guards) {
    if (holds(g, context)) continue;
    guard_failure failure = failure_of(g, context);
    if (g.kind == guard_kind::path_is) {
      condition const& c = path.graph.conditions[static_cast<unsigned>(g.condition)];
      failure.left = found(c.left);
      failure.right = found(c.right);
    }
    failures.push_back(failure);
  }
  return failures;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
