// guardjit: compile/graph_words.hpp: the parts of a compiled path in words
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GRAPH_WORDS_HPP
#define GUARDJIT_COMPILE_GRAPH_WORDS_HPP

#include <guardjit/compile/declared_shapes.hpp>
#include <guardjit/compile/explanation.hpp>
#include <guardjit/compile/watched_run.hpp>
#include <guardjit/graph/print.hpp>
#include <guardjit/guards/description.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What `shape_of` says of one extent, as it is written.
[[gnu::cold]] inline std::string declaration_text(declared_extent const& e) {
  switch (e.kind) {
    case declared_kind::any: return "any_extent";
    case declared_kind::fixed: return "static_extent";
    case declared_kind::automatic: return "auto_extent";
    case declared_kind::named: return "named<\"" + std::string(e.name) + "\">";
    default: {
      fixed_text text;
      text << e;
      return text.c_str();
    }
  }
}

/// Whether a function reads anything of an argument.
inline bool is_used(function_spec const& fn, std::size_t k) {
  return fn.reads_elements[k] || fn.reads_extents[k] != 0;
}

/// Letters for the run-time extents of the arguments of a function, in the order of these.
class extent_letters {
 public:
  explicit extent_letters(function_spec const& fn) : fn_(fn) {
    for (std::size_t k = 0; k < fn.arguments.size(); ++k)
      for (int d = 0; d < fn.arguments[k].extents.rank; ++d)
        if (fn.arguments[k].extents[d] == dyn && is_used(fn, k)) letter(static_cast<index_t>(k), d);
  }
  [[gnu::cold]] std::string letter(index_t argument, index_t dim) {
    declared_extent const* const e = declared_of(fn_.declared, argument, dim);
    if (e && e->kind == declared_kind::named) {
      declared_extent const& first = first_of_name(fn_.declared, *e);
      argument = first.argument;
      dim = first.dim;
    }
    std::size_t at = 0;
    while (at < known_.size() && known_[at] != std::pair(argument, dim)) ++at;
    if (at == known_.size()) known_.push_back({argument, dim});
    constexpr std::string_view letters = "nmkpqrstuvwxyz";
    std::string text(1, letters[at % letters.size()]);
    return at < letters.size() ? text : text + std::to_string(at / letters.size() + 1);
  }
  [[gnu::cold]] std::string extent(graph_view const& g, index_t e, bool is_part = false) {
    if (!is_symbol(e)) return std::to_string(e);
    extent_node const& x = g.extents[static_cast<unsigned>(number_of(e))];
    if (x.id == extent_op::input) return letter(x.left, x.right);
    constexpr char const* signs[] = {"", " + ", " - ", " * ", " / ", " min ", " max ", " or "};
    std::string const text =
        extent(g, x.left, true) + signs[static_cast<int>(x.id)] + extent(g, x.right, true);
    return is_part ? "(" + text + ")" : text;
  }
  /// `(n, 64)`
  [[gnu::cold]] std::string extents(graph_view const& g, shape const& s) {
    std::string text = "(";
    for (int d = 0; d < s.rank; ++d) text += (d > 0 ? ", " : "") + extent(g, s[d]);
    return text + ")";
  }
  /// `arg[0]: f32 (n, 64)`, and what is declared of it.
  [[gnu::cold]] std::string argument(std::size_t k) {
    argument_type const& a = fn_.arguments[k];
    std::string text = argument_text(fn_.names, static_cast<index_t>(k)) + ": ";
    if (a.frozen) text += "frozen ";
    text += name_of(a.type);
    if (a.scalar) return text + (a.by_value ? " scalar, specialised" : " scalar");
    std::string dims, declared;
    for (int d = 0; d < a.extents.rank; ++d) {
      bool const is_open = a.extents[d] == dyn;
      std::string const one =
          is_open ? letter(static_cast<index_t>(k), d) : std::to_string(a.extents[d]);
      dims += (d > 0 ? ", " : "") + one;
      declared_extent const* const e = declared_of(fn_.declared, static_cast<index_t>(k), d);
      if (e && is_open) declared += ", " + one + " declared " + declaration_text(*e);
    }
    return text + " (" + dims + ")" + declared;
  }

 private:
  function_spec const& fn_;
  std::vector<std::pair<index_t, index_t>> known_;
};

/// The line of the first node that reads argument `k`; no line where none does.
[[gnu::cold]] inline source_line line_of_reader(path_spec const& path, index_t k) {
  graph_view const& g = path.graph;
  for (std::int16_t n : path.order)
    for (int i = 0; i < g.operands(n); ++i) {
      node const& in = g[g.operand(n, i)];
      if (in.id == op::input && static_cast<index_t>(in.bits) == k) return g[n].where;
    }
  return {};
}

/// `matmul`; `add relu`.
[[gnu::cold]] inline std::string operations_text(watched_step const& s) {
  std::string text;
  for (op id : s.ops) text += (text.empty() ? "" : " ") + std::string(name_of(id));
  return text.empty() ? "copy" : text;
}

/// Which kernel reads the result of kernel `k`, in words.
[[gnu::cold]] inline std::string reader_text(watched_program const& w, std::size_t k) {
  for (std::size_t r = k + 1; r < w.steps.size(); ++r)
    for (watched_slot const& slot : w.steps[r].slots)
      if (slot.memory == w.steps[k].root)
        return "kernel " + std::to_string(r + 1) + " (" + operations_text(w.steps[r]) + ")";
  return "a view of it";
}

/// Why a kernel ends, and does not go on into its reader.
[[gnu::cold]] inline std::string end_text(watched_program const& w, std::size_t k) {
  watched_step const& s = w.steps[k];
  if (s.why == stored_because::nothing && w.graph[s.root].id == op::reshape)
    return "copies only where the strides allow no view";
  op_form const form = info_of(w.graph[s.root].id).form;
  switch (s.why) {
    case stored_because::nothing: return "a result, which shares no memory with another one";
    case stored_because::each_op: return "this backend runs each operation by itself";
    case stored_because::result: return "a result of the function";
    case stored_because::kernel_size:
      return "a kernel has at most " + std::to_string(max_kernel_nodes) + " operations";
    case stored_because::dear: return "several kernels need it, and a load costs less than it";
    case stored_because::stretched:
      return "one value serves many elements of " + reader_text(w, k) + ", and a load costs less";
    default: break;
  }
  if (form == op_form::contraction) return "a matrix product is a kernel of its own";
  if (form == op_form::movement) return "moves elements to their places: a kernel of its own";
  if (form == op_form::reduction)
    return "the whole axis must be read before " + reader_text(w, k) + " begins";
  return reader_text(w, k) + " reads it from memory";
}

[[gnu::cold]] inline std::vector<explained_kernel> kernels_in_words(watched_program const& w,
                                                                    extent_letters& letters) {
  std::vector<explained_kernel> all;
  for (std::size_t k = 0; k < w.steps.size(); ++k) {
    watched_step const& s = w.steps[k];
    std::string const type = name_of(w.graph[s.root].type);
    all.push_back({operations_text(s),
                   type + " " + letters.extents(w.graph, w.graph.shape_of(s.root)), end_text(w, k),
                   w.graph[s.root].where});
  }
  return all;
}

/// The branches that a path took: `arg[0].extent(0) < 8 is true`, joined.
[[gnu::cold]] inline std::string branches_text(graph_view const& g, argument_names names) {
  std::string text;
  for (condition const& c : g.conditions)
    text += (text.empty() ? "" : ", ") + condition_text(g, names, c) +
            (c.outcome ? " is true" : " is false");
  return text;
}

/// Calls `visit(node)` for the ops of a path, as modes are told of them.
void for_each_op(path_spec const& path, auto const& visit) {
  for (std::int16_t k : path.order) {
    node const& n = path.graph[k];
    if (info_of(n.id).overridable && !n.weak) visit(n);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
