// guardjit: guards/reason.hpp: failed guards in words
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDS_REASON_HPP
#define GUARDJIT_GUARDS_REASON_HPP

#include <guardjit/graph/leaf_names.hpp>
#include <guardjit/guards/guard.hpp>

#include <cstdlib>  // strtod, which <string> brings
#include <string>   // texts
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Names of arguments, one each, or none where their numbers do.
using argument_names = std::span<leaf_path const>;

[[gnu::cold]] inline std::string argument_text(argument_names names, index_t number) {
  auto const k = static_cast<std::size_t>(number);
  return k < names.size() ? names[k].text : "arg[" + std::to_string(number) + "]";
}

[[gnu::cold]] inline std::string extent_text(graph_view const& g, argument_names names, index_t extent,
                                             bool is_part = false) {
  if (!is_symbol(extent)) return std::to_string(extent);
  extent_node const& n = g.extents[static_cast<unsigned>(number_of(extent))];
  if (n.id == extent_op::input)
    return argument_text(names, n.left) + ".extent(" + std::to_string(n.right) + ")";
  constexpr char const* signs[] = {"", " + ", " - ", " * ", " / ", " min ", " max ", " broadcast "};
  std::string const text = extent_text(g, names, n.left, true) + signs[static_cast<int>(n.id)] +
                           extent_text(g, names, n.right, true);
  return is_part ? "(" + text + ")" : text;
}

[[gnu::cold]] inline std::string number_text(double value) {
  std::string number = std::to_string(value);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

[[gnu::cold]] inline std::string term_text(graph_view const& g, argument_names names, term const& t) {
  if (t.kind == term::extent) return extent_text(g, names, t.value);
  if (t.kind == term::scalar) return argument_text(names, t.value);
  return number_text(t.real);
}
/// The value that a side of a condition had; see `guard_failure`.
[[gnu::cold]] inline std::string term_value_text(term const& t, index_t found) {
  if (t.kind == term::extent) return std::to_string(found);
  return number_text(t.kind == term::number ? t.real : __builtin_bit_cast(double, found));
}

[[gnu::cold]] inline std::string condition_text(graph_view const& g, argument_names names,
                                                condition const& c) {
  return term_text(g, names, c.left) + sign_of(c.compare) + term_text(g, names, c.right);
}

[[gnu::cold]] inline std::string class_text(index_t value) {
  constexpr char const* names[] = {"contiguous", "unit inner stride", "general strides"};
  std::string text = names[value & 0xFF];
  for (int d = 0; d < max_rank; ++d)
    if (value >> (8 + d) & 1) text += ", stride 0 at dim " + std::to_string(d);
  return text;
}

/// The value of a scalar argument by its bits, in the digits that give it back; those of a NaN tell
/// which one it is.
[[gnu::cold]] inline std::string scalar_text(index_t bits, index_t type) {
  auto const of = static_cast<dtype>(type);
  if (of == dtype::boolean) return bits != 0 ? "true" : "false";
  if (!is_floating(of)) return std::to_string(bits);
  bool const narrow = of == dtype::f32;
  double const value = narrow ? double{__builtin_bit_cast(float, static_cast<std::uint32_t>(bits))}
                              : __builtin_bit_cast(double, bits);
  char text[40];
  if (value != value) {
    __builtin_snprintf(text, sizeof text, "nan (0x%llx)", static_cast<unsigned long long>(bits));
    return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    __builtin_snprintf(text, sizeof text, "%.*g", digits, value);
    double const read = std::strtod(text, nullptr);
    if (narrow ? static_cast<float>(read) == static_cast<float>(value) : read == value) break;
  }
  return text;
}

[[gnu::cold]] inline std::string device_text(index_t word) {
  if (word == no_device) return "none";
  fixed_text text;
  text << device_of_word(word);
  return text.c_str();
}

/// A state of the thread, and a value of it.
[[gnu::cold]] inline char const* state_text(index_t state) {
  return state == thread_count_state ? "thread count" : "default device";
}
[[gnu::cold]] inline std::string state_value_text(index_t state, index_t value) {
  return state == thread_count_state ? std::to_string(value) : device_text(value);
}

[[gnu::cold]] inline std::string line_text(source_line const& where) {
  return where.line == 0 ? "" : " (" + std::string(where.file) + ":" + std::to_string(where.line) + ")";
}

[[gnu::cold]] inline std::string expected_got(std::string const& what, std::string const& expected,
                                std::string const& actual) {
  return what + ": expected " + expected + ", got " + actual;
}

/// `[pass1, pass2]`: a declared stack, by its number.
[[gnu::cold]] inline std::string stack_text(std::span<declared_stack const> stacks, index_t number) {
  if (number < 0) return "one that is not declared";
  std::string text = "[";
  if (number > 0) {
    declared_stack const& s = stacks[static_cast<std::size_t>(number - 1)];
    for (std::size_t k = 0; k < s.tags.size(); ++k) text += (k == 0 ? "" : ", ") + std::string(s.names[k]);
  }
  return text + "]";
}

}  // namespace detail

/// `arg[0].extent(0): expected 8, got 12`. `g` is the graph of the path that the guard is of; `names`
/// are those of the arguments, `stacks` the declared mode stacks.
/// Rules: G41, G42.
[[gnu::cold]] inline std::string to_string(guard_failure const& f, graph_view const& g,
                                           std::span<leaf_path const> names = {},
                                           std::span<declared_stack const> stacks = {}) {
  using namespace detail;
  std::string const argument = argument_text(names, f.argument);
  auto const extent = [&](index_t e) { return extent_text(g, names, e); };
  std::string const dim = std::string("(") + std::to_string(f.dim) + ")";
  std::string const expected = std::to_string(f.expected), actual = std::to_string(f.actual);
  switch (f.kind) {
    case guard_kind::mode_stack_is:
      return expected_got("mode stack", stack_text(stacks, f.expected), stack_text(stacks, f.actual));
    case guard_kind::state_is:
      return expected_got(state_text(f.left), state_value_text(f.left, f.expected),
                          state_value_text(f.left, f.actual)) +
             line_text(f.where);
    case guard_kind::aligned:
      return expected_got(argument + " data", "aligned to " + expected, "offset " + actual);
    case guard_kind::extent_is:
      return expected_got(f.argument >= 0 ? argument + ".extent" + dim : extent(f.left), expected,
                          actual) +
             line_text(f.where);
    case guard_kind::contiguous: return expected_got(argument + ".stride" + dim, expected, actual);
    case guard_kind::strides_are:
      if (f.dim >= 0) return expected_got(argument + ".stride" + dim, expected, actual);
      return expected_got(argument + " strides", class_text(f.expected), class_text(f.actual));
    case guard_kind::extents_equal:
      return expected_got(extent(f.left) + " = " + extent(f.right), expected, actual) +
             line_text(f.where);
    case guard_kind::multiple_of:
      return expected_got(extent(f.left), "a multiple of " + expected, actual) + line_text(f.where);
    case guard_kind::extent_in:
      return expected_got(extent(f.left),
                          f.right == no_bound ? "at least " + expected
                                              : expected + " to " + std::to_string(f.right),
                          actual) +
             line_text(f.where);
    case guard_kind::no_overlap: {
      constexpr char const* relations[] = {"disjoint", "the same view", "overlapping"};
      return expected_got("output and " + argument, relations[f.expected], relations[f.actual]);
    }
    case guard_kind::same_storage:
      return argument + ": expected the frozen tensor that the entry was made for, got another one";
    case guard_kind::scalar_is:
      return expected_got(argument, scalar_text(f.expected, f.left), scalar_text(f.actual, f.left));
    case guard_kind::path_is: {
      condition const& c = g.conditions[static_cast<unsigned>(f.condition)];
      return expected_got(condition_text(g, names, c), f.expected ? "true" : "false",
                          f.actual ? "true" : "false") +
             " for " + term_value_text(c.left, f.left) + sign_of(c.compare) +
             term_value_text(c.right, f.right) + line_text(c.where);
    }
    // Its name and what it threw are known to the call: see `predicate_text`.
    case guard_kind::predicate:
      return expected_got("predicate " + std::to_string(f.condition), "true", "false");
    // Which ones, the call knows: see `backend_text`.
    case guard_kind::backend: return "backend: another one";
  }
  return "";
}

/// Why one entry did not serve a call.
struct entry_failures {
  std::string id;
  std::vector<guard_failure> failures;
  std::vector<std::string> reasons;
  int number = -1;  ///< of the entry: the compiles before it
};

/// Why no entry served a call; one item an entry, in lookup order. Rules: G41.
struct miss_report {
  std::vector<entry_failures> entries;

  /// The first reason of each entry, a line each.
  std::string to_string() const {
    std::string text;
    for (entry_failures const& e : entries) {
      if (!text.empty()) text += '\n';
      text += e.id + ": " + (e.reasons.empty() ? "all guards hold" : e.reasons.front());
    }
    return text;
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
