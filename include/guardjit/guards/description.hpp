// guardjit: guards/description.hpp: a guard in words: what must hold
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDS_DESCRIPTION_HPP
#define GUARDJIT_GUARDS_DESCRIPTION_HPP

#include <guardjit/guards/reason.hpp>

namespace guardjit::inline GUARDJIT_ABI {

constexpr char const* name_of(guard_kind kind) noexcept {
  switch (kind) {
    case guard_kind::mode_stack_is: return "mode_stack_is";
    case guard_kind::state_is: return "state_is";
    case guard_kind::extent_is: return "extent_is";
    case guard_kind::contiguous: return "contiguous";
    case guard_kind::strides_are: return "strides_are";
    case guard_kind::aligned: return "aligned";
    case guard_kind::extents_equal: return "extents_equal";
    case guard_kind::multiple_of: return "multiple_of";
    case guard_kind::extent_in: return "extent_in";
    case guard_kind::no_overlap: return "no_overlap";
    case guard_kind::same_storage: return "same_storage";
    case guard_kind::scalar_is: return "scalar_is";
    case guard_kind::path_is: return "path_is";
    case guard_kind::predicate: return "predicate";
    case guard_kind::backend: return "backend";
  }
  return "";
}

/// Whether an entry stays sound without guards of a kind: those of memory and of paths never go.
/// Rules: G60.
constexpr bool may_be_dropped(guard_kind kind) noexcept {
  return kind == guard_kind::predicate || kind == guard_kind::mode_stack_is ||
         kind == guard_kind::state_is || kind == guard_kind::scalar_is;
}

/// A guard and what must hold: `arg[0].extent(0) = 8`; of a user guard its name.
struct guard_description : guard {
  std::string text;
};

/// `g` is the graph of the path that the guard is of; `names` are those of the arguments, `predicates`
/// those of the user guards, `stacks` the declared mode stacks.
[[gnu::cold]] inline std::string text_of(guard const& what, graph_view const& g,
                                         std::span<leaf_path const> names = {},
                                         std::span<char const* const> predicates = {},
                                         std::span<declared_stack const> stacks = {}) {
  using namespace detail;
  std::string const argument = argument_text(names, what.argument);
  auto const extent = [&](index_t e) { return extent_text(g, names, e); };
  std::string const dim = "(" + std::to_string(what.dim) + ")", expected = std::to_string(what.expected);
  switch (what.kind) {
    case guard_kind::mode_stack_is: return "mode stack = " + stack_text(stacks, what.expected);
    case guard_kind::state_is:
      return std::string(state_text(what.left)) + " = " + state_value_text(what.left, what.expected);
    case guard_kind::aligned: return argument + " data aligned to " + expected;
    case guard_kind::extent_is:
      return (what.argument >= 0 ? argument + ".extent" + dim : extent(what.left)) + " = " + expected;
    case guard_kind::contiguous: return argument + " is contiguous";
    case guard_kind::strides_are:
      if (what.dim >= 0) return argument + ".stride" + dim + " = " + expected;
      return argument + " strides are " + class_text(what.expected);
    case guard_kind::extents_equal: return extent(what.left) + " = " + extent(what.right);
    case guard_kind::multiple_of:
      return extent(what.left) + " is a multiple of " + extent(what.right);
    case guard_kind::extent_in:
      if (what.right == no_bound) return extent(what.left) + " >= " + expected;
      return expected + " <= " + extent(what.left) + " <= " + std::to_string(what.right);
    case guard_kind::no_overlap: {
      constexpr char const* relations[] = {"disjoint", "the same view", "overlapping"};
      return "output and " + argument + " are " + relations[what.expected];
    }
    case guard_kind::same_storage: return argument + " is the frozen tensor of the entry";
    case guard_kind::scalar_is: return argument + " = " + scalar_text(what.expected, what.left);
    case guard_kind::path_is: {
      condition const& c = g.conditions[static_cast<unsigned>(what.condition)];
      return condition_text(g, names, c) + (what.expected ? " is true" : " is false");
    }
    case guard_kind::predicate: {
      auto const k = static_cast<std::size_t>(what.condition);
      return k < predicates.size() ? predicates[k] : "predicate " + std::to_string(k);
    }
    case guard_kind::backend: break;
  }
  return "";
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
