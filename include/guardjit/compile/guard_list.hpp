// guardjit: compile/guard_list.hpp: which guards an entry needs, given what may vary
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GUARD_LIST_HPP
#define GUARDJIT_COMPILE_GUARD_LIST_HPP

#include <guardjit/compile/entry.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What an entry leaves open: extents (bit d of an argument's byte) and strides (read at the call).
template <int Arguments> struct open_dims {
  std::array<std::uint8_t, Arguments == 0 ? 1 : Arguments> extents{};
  std::array<bool, Arguments == 0 ? 1 : Arguments> strides{};

  constexpr bool any() const {
    for (unsigned k = 0; k < extents.size(); ++k)
      if (extents[k] != 0 || strides[k]) return true;
    return false;
  }
};

namespace detail {

/// Extents and strides of one argument, as far as the signature does not prove them (G20).
template <class Spec>
void add_argument_guards(std::vector<guard>& to, typename Spec::frame const& f, unsigned k,
                         open_dims<Spec::arguments> const& open) {
  layout_view const& l = f.layouts[k];
  argument_type const& type = Spec::signature::arguments[k];
  if (type.scalar) return;
  auto const argument = static_cast<std::int8_t>(k);
  for (int d = 0; d < type.extents.rank; ++d) {
    bool const is_read = Spec::usage.elements[k] || (Spec::usage.extents[k] >> d & 1u) != 0;
    if (!is_read || type.extents[d] != dyn || (open.extents[k] >> d & 1u) != 0) continue;
    to.push_back({.kind = guard_kind::extent_is, .argument = argument, .dim = static_cast<std::int8_t>(d), .expected = l.extents[d]});
  }
  if (!Spec::usage.elements[k] || type.extents.rank == 0) return;
  if (is_contiguous(l)) {
    to.push_back({.kind = guard_kind::contiguous, .argument = argument, .expected = 1});
  } else if (open.strides[k] || open.extents[k] != 0) {
    to.push_back({.kind = guard_kind::strides_are, .argument = argument, .expected = class_of(l)});
  } else {
    for (int d = 0; d < l.rank; ++d)
      if (l.extents[d] != 1)
        to.push_back({.kind = guard_kind::strides_are, .argument = argument, .dim = static_cast<std::int8_t>(d), .expected = l.strides[d]});
  }
}

/// One rule of an op as a guard: for a broadcast, the case that this call is in (G83).
inline guard guard_of(requirement const& r, source_line where, index_t left, index_t right) {
  guard g{.kind = guard_kind::extents_equal, .left = r.left, .right = r.right, .where = where};
  if (r.kind == requirement_kind::multiple) g.kind = guard_kind::multiple_of;
  if (r.kind == requirement_kind::positive) {
    g.kind = guard_kind::extent_in;
    g.expected = 1;
  }
  if (r.kind == requirement_kind::broadcast && left != right) {
    g.kind = guard_kind::extent_is;
    g.left = left == 1 ? r.left : r.right;
    g.expected = 1;
  }
  return g;
}

template <class Traced, class Frame>
void add_relation_guards(std::vector<guard>& to, Frame const& f, bool is_dynamic) {
  constexpr graph_view g = Traced::graph.view();
  path_values<Traced> const values(f);
  for (requirement const& r : g.requirements) {
    if (!is_dynamic) break;
    guard const made = guard_of(r, g[r.node].where, value_of(r.left, values.extents), value_of(r.right, values.extents));
    bool known = false;
    for (guard const& other : to) known = known || other == made;
    if (!known) to.push_back(made);
  }
  for (unsigned k = 0; k < g.conditions.size(); ++k) {
    condition const& c = g.conditions[k];
    bool const reads_scalar = c.left.kind == term::scalar || c.right.kind == term::scalar;
    if (is_dynamic || reads_scalar)
      to.push_back({.kind = guard_kind::path_is, .condition = static_cast<std::int16_t>(k), .expected = c.outcome ? 1 : 0, .where = c.where});
  }
}

}  // namespace detail

/// The guards of an entry for this call: modes and state are the call's word; then arguments in
/// order, relations, aliasing, path. Rules: G20, G21, G25, G26, G27.
template <class Spec>
std::vector<guard> guards_of(typename Spec::frame const& f, int path, open_dims<Spec::arguments> const& open,
                             std::uint64_t overlaps) {
  std::vector<guard> list;
  for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments); ++k)
    detail::add_argument_guards<Spec>(list, f, k, open);
  for_each_index<Spec::path_count>([&]<class K>(K) {
    if (K::value == path)
      detail::add_relation_guards<typename Spec::template program_at<K::value>::traced>(list, f, open.any());
  });
  for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments) && overlaps != 0; ++k)
    if (Spec::usage.elements[k] && !Spec::signature::arguments[k].scalar)
      list.push_back({.kind = guard_kind::no_overlap, .argument = static_cast<std::int8_t>(k),
                      .expected = static_cast<index_t>(overlaps >> (2 * k) & 3u)});
  return list;
}

/// Calls `visit(guard, context)` for the guards of an entry against a call until it returns false.
template <class Spec, class Visit>
void check_guards(entry<Spec> const& e, typename Spec::frame const& f, std::uint64_t overlaps, Visit&& visit) {
  for_each_index<Spec::path_count>([&]<class K>(K) {
    if (K::value != e.path) return;
    detail::path_values<typename Spec::template program_at<K::value>::traced> const values(f);
    guard_context const context{f.layouts.data(), values.extents, values.outcomes, overlaps};
    for (guard const& g : e.guards)
      if (!visit(g, context)) return;
  });
}

/// Whether all guards of an entry hold. Complexity: linear in the guards; no allocation.
template <class Spec>
bool guards_hold(entry<Spec> const& e, typename Spec::frame const& f, std::uint64_t overlaps) {
  if (e.overlaps != overlaps) return false;
  bool all = true;
  check_guards(e, f, overlaps, [&all](guard const& g, guard_context const& c) { return all = holds(g, c); });
  return all;
}

/// The graph of an entry's path as written, for texts.
template <class Spec> graph_view graph_of(entry<Spec> const& e) {
  graph_view g;
  for_each_index<Spec::path_count>([&]<class K>(K) {
    if (K::value == e.path) g = Spec::template program_at<K::value>::written();
  });
  return g;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
