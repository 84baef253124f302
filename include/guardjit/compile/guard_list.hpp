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
    g.right = no_bound;
  }
  if (r.kind == requirement_kind::index) {
    g.kind = guard_kind::extent_in;
    g.left = r.right;
    g.right = no_bound;
    g.expected = left < 0 ? -left : left + 1;
  }
  bool const may_be_1 = r.kind == requirement_kind::broadcast || r.kind == requirement_kind::stretch;
  if (may_be_1 && left != right) {
    g.kind = guard_kind::extent_is;
    g.left = left == 1 ? r.left : r.right;
    g.right = 0;  // of no meaning, and so that equal guards are equal
    g.expected = 1;
  }
  return g;
}

[[gnu::cold]] inline void add_once(std::vector<guard>& to, guard const& g) {
  for (guard const& known : to)
    if (known == g) return;
  to.push_back(g);
}

/// The symbol of an extent of an argument, which every trace has.
[[gnu::cold]] inline index_t symbol_of(graph_view const& g, declared_extent const& e) {
  extent_node const wanted{extent_op::input, e.argument, e.dim};
  int number = 0;
  while (!(g.extents[static_cast<unsigned>(number)] == wanted)) ++number;
  return symbol(number);
}
/// What `shape_of` declares, as guards. Rules: G86.
[[gnu::cold]] inline void add_declared_guards(std::vector<guard>& to, function_spec const& fn,
                                              graph_view const& g) {
  for (declared_extent const& e : fn.declared) {
    if (!e.is_checked()) continue;
    guard made{.kind = guard_kind::extent_is, .argument = e.argument, .dim = e.dim, .expected = e.lo};
    if (e.kind != declared_kind::number) made.left = symbol_of(g, e);
    if (e.kind == declared_kind::range) {
      made.kind = guard_kind::extent_in;
      made.right = e.hi;
    } else if (e.kind == declared_kind::multiple) {
      made.kind = guard_kind::multiple_of;
      made.right = e.divisor;
    } else if (e.kind == declared_kind::named) {
      declared_extent const& first = first_of_name(fn.declared, e);
      if (&first == &e) continue;
      made.kind = guard_kind::extents_equal;
      made.right = made.left;
      made.left = symbol_of(g, first);
    }
    to.push_back(made);
  }
}

/// The line of the first factory of a path that was given no device.
[[gnu::cold]] inline source_line line_of_factory(path_spec const& path) {
  for (std::int16_t k : path.order)
    if (node const& n = path.graph[k]; is_factory(n.id) && n.source == default_source) return n.where;
  return {};
}

}  // namespace detail

/// The guards of an entry for this call, whose plan has `forms`, `of_backend` among them: modes where the
/// function declares stacks (else it has entries for none, and a call tests the thread's word), state,
/// arguments in order, relations, aliasing, path.
/// Rules: G20, G21, G25, G26, G27.
[[gnu::cold]]
inline std::vector<guard> guards_of(function_spec const& fn, frame_view const& f, path_spec const& path,
                                    path_values const& values, std::span<open_dims const> open,
                                    std::uint64_t overlaps, std::span<guard const> of_backend,
                                    std::uint64_t forms = 0) {
  std::vector<guard> list;
  auto const add_of_backend = [&](guard_kind kind, int argument) {
    for (guard const& g : of_backend)
      if (g.kind == kind && g.argument == argument) detail::add_once(list, g);
  };
  bool const is_dynamic = any_open(open);
  graph_view const& g = path.graph;
  if (!fn.stacks.empty())
    list.push_back({.kind = guard_kind::mode_stack_is, .expected = f.stack});
  if (path.reads_default_device)
    list.push_back({.kind = guard_kind::state_is, .expected = f.default_device,
                    .where = detail::line_of_factory(path)});
  add_of_backend(guard_kind::state_is, -1);
  for (int k = 0; k < f.arguments; ++k) {
    detail::add_argument_guards(list, fn, f, k, open[static_cast<unsigned>(k)]);
    add_of_backend(guard_kind::aligned, k);
  }
  detail::add_declared_guards(list, fn, g);
  auto const add_rules = [&](graph_view const& of) {
    for (requirement const& r : of.requirements)
      detail::add_once(list, detail::guard_of(r, of[r.node].where, value_of(r.left, values.symbols),
                                              value_of(r.right, values.symbols)));
  };
  if (is_dynamic) {
    add_rules(path.written);
    if (path.is_rewritten()) add_rules(g);
  }
  if (overlaps != 0 || !fn.in_outs.empty())
    for (int k = 0; k < f.arguments; ++k)
      if (fn.reads_elements[k] && !fn.arguments[static_cast<unsigned>(k)].scalar && !fn.is_written_alone(k))
        list.push_back({.kind = guard_kind::no_overlap, .argument = static_cast<std::int16_t>(k),
                        .expected = static_cast<index_t>(overlaps >> overlap_shift(k) & 3u)});
  for (std::size_t n = 0; n < fn.frozen.size(); ++n)
    if ((forms >> n & 1u) != 0)
      list.push_back({.kind = guard_kind::same_storage, .argument = fn.frozen[n],
                      .expected = storage_word(*f.owners[fn.frozen[n]])});
  for (std::size_t k = 0; k < fn.arguments.size(); ++k)
    if (fn.arguments[k].by_value && fn.reads_elements[k])
      list.push_back({.kind = guard_kind::scalar_is, .argument = static_cast<std::int16_t>(k),
                      .expected = static_cast<index_t>(f.scalars[k]),
                      .left = static_cast<index_t>(fn.arguments[k].type)});
  for (unsigned k = 0; k < g.conditions.size(); ++k) {
    condition const& c = g.conditions[k];
    if (is_dynamic || reads_free_scalar(c, fn.arguments))
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
  if (e.keeps_scalars && f.dropped.empty()) [[unlikely]] {
    frame_view recorded = f;
    recorded.dropped = e.dropped;
    return guards_hold(e, fn, recorded, overlaps, room);
  }
  path_values const values = values_on(fn.paths[static_cast<unsigned>(e.path)], fn, f, room);
  guard_context const context{f.layouts, values.symbols, values.outcomes, overlaps, f.stack,
                              f.default_device, f.scalars, f.held(), f.bases, f.thread_count, f.owners};
  for (guard const& g : e.guards)
    if (!holds(g, context)) return false;
  return true;
}

/// An entry whose guards of scalars were dropped runs with the values that it was made for. They lie in
/// the entry, which the call's epoch keeps alive.
[[gnu::cold]] inline void use_recorded_scalars(entry const& e, frame_view const& f) noexcept {
  for (guard const& g : e.dropped)
    if (g.kind == guard_kind::scalar_is) f.bases[g.argument] = const_cast<index_t*>(&g.expected);
}

/// All guards of an entry that do not hold.
[[gnu::cold]]
inline std::vector<guard_failure> failed_guards(entry const& e, function_spec const& fn, frame_view f,
                                                std::uint64_t overlaps, index_t* room) {
  std::vector<guard_failure> failures;
  if (e.keeps_scalars) f.dropped = e.dropped;
  path_spec const& path = fn.paths[static_cast<unsigned>(e.path)];
  path_values const values = values_on(path, fn, f, room);
  guard_context const context{f.layouts, values.symbols, values.outcomes, overlaps, f.stack,
                              f.default_device, f.scalars, f.held(), f.bases, f.thread_count, f.owners};
  auto const found = [&](term const& t) {
    return t.kind == term::extent ? value_of(t.value, values.symbols)
                                  : __builtin_bit_cast(index_t, detail::term_value(t, fn, f, values.symbols));
  };
  // An entry for outputs apart from all arguments lists no guard for that: lookups compare the word.
  bool tells_overlaps = e.overlaps == 0 && overlaps != 0;
  auto const tell_overlaps = [&] {
    for (int k = 0; k < f.arguments && k < overlap_arguments && tells_overlaps; ++k)
      if (auto const how = static_cast<index_t>(overlaps >> overlap_shift(k) & 3u); how != 0)
        failures.push_back(
            {.kind = guard_kind::no_overlap, .argument = static_cast<std::int16_t>(k), .actual = how});
    tells_overlaps = false;
  };
  for (guard const& g : e.guards) {
    if (g.kind > guard_kind::no_overlap) tell_overlaps();
    if (holds(g, context)) continue;
    guard_failure failure = failure_of(g, context);
    if (g.kind == guard_kind::path_is) {
      condition const& c = path.graph.conditions[static_cast<unsigned>(g.condition)];
      failure.left = found(c.left);
      failure.right = found(c.right);
    }
    failures.push_back(failure);
  }
  tell_overlaps();
  return failures;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
