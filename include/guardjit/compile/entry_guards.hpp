// guardjit: compile/entry_guards.hpp: what the user's options make of the guards of a new entry
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ENTRY_GUARDS_HPP
#define GUARDJIT_COMPILE_ENTRY_GUARDS_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/compile/entry.hpp>
#include <guardjit/compile/function_state.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A guard with its place in the list of its entry.
struct ordered_description {
  guard_description what;
  std::size_t place = 0;
};

/// By kind, argument, text (G60).
[[gnu::cold]] inline bool is_before(guard_description const& a, guard_description const& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.argument != b.argument) return a.argument < b.argument;
  return a.text < b.text;
}

[[gnu::cold]] inline std::vector<ordered_description> in_order_of_filter(
    function_state const& fn, function_spec const& spec, entry const& e) {
  graph_view const& g = spec.paths[static_cast<unsigned>(e.path)].graph;
  std::vector<ordered_description> list;
  for (std::size_t k = 0; k < e.guards.size(); ++k) {
    guard const& what = e.guards[k];
    ordered_description one{{what, text_of(what, g, spec.names, fn.predicates, spec.stacks)}, k};
    auto at = list.begin();
    while (at != list.end() && !is_before(one.what, at->what)) ++at;
    list.insert(at, std::move(one));
  }
  return list;
}

[[noreturn, gnu::cold]] inline void raise_not_droppable(function_state const& fn,
                                                        guard_description const& g) {
  raise<option_error>(fixed_text("guardjit: guard_filter(keep): ")
                      << name_of(g.kind) << " protects memory or a path and cannot be dropped: "
                      << g.text.c_str() << "; " << fn.label().c_str());
}

/// Moves the guards that the function's filter does not keep to `dropped`.
/// Throws: `option_error` where they are of a kind that an entry cannot do without; what the filter throws.
[[gnu::cold]] inline void filter_guards(function_state const& fn, function_spec const& spec, entry& e) {
  std::vector<bool> keeps(e.guards.size(), true);
  for (ordered_description const& g : in_order_of_filter(fn, spec, e)) {
    keeps[g.place] = fn.filter(fn.filters, g.what);
    if (!keeps[g.place] && !may_be_dropped(g.what.kind)) raise_not_droppable(fn, g.what);
  }
  std::vector<guard> kept;
  for (std::size_t k = 0; k < e.guards.size(); ++k) {
    guard_kind const kind = e.guards[k].kind;
    (keeps[k] ? kept : e.dropped).push_back(e.guards[k]);
    if (keeps[k]) continue;
    e.keeps_scalars = e.keeps_scalars || kind == guard_kind::scalar_is;
    e.is_open = e.is_open || kind == guard_kind::scalar_is || kind == guard_kind::mode_stack_is;
  }
  e.guards = std::move(kept);
}

/// Adds the user guards of a function to those of a new entry, and drops what its filter drops.
/// Rules: G21, G60.
[[gnu::cold]] inline void finish_guards(function_state const& fn, function_spec const& spec, entry& e) {
  for (std::size_t k = 0; k < fn.predicates.size(); ++k)
    e.guards.push_back(
        {.kind = guard_kind::predicate, .condition = static_cast<std::int16_t>(k), .expected = 1});
  if (fn.filter) filter_guards(fn, spec, e);
  for (guard const& g : e.guards)
    if (g.kind == guard_kind::predicate) e.predicates |= std::uint64_t{1} << g.condition;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
