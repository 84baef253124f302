// guardjit: graph/print.hpp: graphs as text, and as input of Graphviz
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PRINT_HPP
#define GUARDJIT_GRAPH_PRINT_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/ops/attribute_text.hpp>

#include <charconv>  // the digits of constants
#include <string>    // the texts

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Appends readable parts of one graph to a text.
class graph_printer {
 public:
  explicit graph_printer(graph_view const& g) : g_(g) {}
  std::string const& text() const { return text_; }

  graph_printer& operator<<(char const* part) { return text_ += part, *this; }
  graph_printer& operator<<(index_t number) { return text_ += std::to_string(number), *this; }
  graph_printer& operator<<(int number) { return *this << index_t{number}; }
  graph_printer& operator<<(source_line const& where) {
    if (where.line == 0) return *this;
    std::string_view file = where.file;
    text_ += file.substr(file.find_last_of("/\\") + 1);
    return *this << ":" << static_cast<index_t>(where.line);
  }

  /// An extent: `64`, `x0.0`, `(x0.0 + 1) / 4`. Sums inside products get parentheses.
  void extent(index_t e, int inside = 0) {
    if (!is_symbol(e)) return void(*this << e);
    extent_node const& n = g_.extents[static_cast<unsigned>(number_of(e))];
    switch (n.id) {
      case extent_op::input: *this << "x" << n.left << "." << n.right; return;
      case extent_op::min: return call("min", n);
      case extent_op::max: return call("max", n);
      case extent_op::broadcast: return call("broadcast", n);
      case extent_op::plus:
        if (!is_symbol(n.right) && n.right < 0) return infix(" - ", n.left, -n.right, 1, inside);
        return infix(" + ", n.left, n.right, 1, inside);
      case extent_op::minus: return infix(" - ", n.left, n.right, 1, inside);
      case extent_op::times: return infix(" * ", n.left, n.right, 3, inside);
      case extent_op::quotient: return infix(" / ", n.left, n.right, 3, inside);
    }
  }
  void extents(shape const& s) {
    *this << "(";
    for (int d = 0; d < s.rank; ++d) {
      if (d > 0) *this << ", ";
      extent(s[d]);
    }
    *this << ")";
  }
  /// `f32 (x0.0, 10)`
  void type_of(int k) {
    *this << (g_[k].weak ? "weak " : "") << name_of(g_[k].type) << " ";
    extents(g_.shape_of(k));
  }
  /// `matmul(%0, %1)`, `constant 0.5`, `sum(%2, axes 0 1, keepdims)`
  void operation(int k) {
    node const& n = g_[k];
    *this << name_of(n.id);
    if (n.id == op::constant) return *this << " ", value(n);
    if (n.id == op::input) return *this << " ", argument(static_cast<index_t>(n.bits));
    *this << "(";
    int const count = g_.operands(k);
    for (int i = 0; i < count; ++i) *this << (i > 0 ? ", %" : "%") << g_.operand(k, i);
    attributes_of(k, count > 0);
    *this << ")";
  }
  void term_text(term const& t) {
    if (t.kind == term::extent) extent(t.value);
    else if (t.kind == term::scalar) *this << "x" << t.value;
    else number(t.real);
  }
  void condition_text(condition const& c) {
    term_text(c.left);
    *this << sign_of(c.compare);
    term_text(c.right);
  }
  void requirement_text(requirement const& r) {
    extent(r.left);
    if (r.kind == requirement_kind::positive) return void(*this << " > 0");
    *this << (r.kind == requirement_kind::equal       ? " == "
              : r.kind == requirement_kind::broadcast ? " broadcasts with "
              : r.kind == requirement_kind::stretch   ? " stretches to "
              : r.kind == requirement_kind::index     ? " is an index below "
                                                      : " is a multiple of ");
    extent(r.right);
  }

 private:
  void call(char const* name, extent_node const& n) {
    *this << name << "(";
    extent(n.left);
    *this << ", ";
    extent(n.right);
    *this << ")";
  }
  void infix(char const* sign, index_t left, index_t right, int level, int inside) {
    if (level < inside) *this << "(";
    extent(left, level);
    *this << sign;
    extent(right, level + 1);
    if (level < inside) *this << ")";
  }
  /// The shortest digits that give the number back.
  template <class Real> void number(Real v) {
    char digits[64];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
  }
  void value(node const& n) {
    double const v = __builtin_bit_cast(double, n.bits);
    if (n.type == dtype::f32) number(static_cast<float>(v));
    else if (is_floating(n.type)) number(v);
    else if (n.type == dtype::boolean) *this << (n.bits ? "true" : "false");
    else *this << static_cast<index_t>(n.bits);
  }
  /// Of an `input`: the number of an argument, or the extent that it is.
  void argument(index_t bits) {
    if (is_symbol(bits)) extent(bits);
    else *this << "x" << bits;
  }
  void attributes_of(int k, bool behind) {
    int const rank = g_.operands(k) > 0 ? g_.shape_of(g_.operand(k, 0)).rank : 0;
    write_attributes(*this, g_[k].id, g_.attributes_of(k), rank, behind, [this](index_t e) { extent(e); });
  }

  graph_view const& g_;
  std::string text_;
};

}  // namespace detail

/// A graph as text: a line a node, then what is checked and branched on when extents are bound.
/// Throws: `std::bad_alloc`.
inline std::string to_text(graph_view const& g) {
  detail::graph_printer out(g);
  for (int k = 0; k < g.size(); ++k) {
    out << "%" << k << " = ";
    out.operation(k);
    out << " : ";
    out.type_of(k);
    if (g[k].where.line != 0) out << "   " << g[k].where;
    out << "\n";
  }
  out << "return";
  for (std::size_t k = 0; k < g.outputs.size(); ++k) out << (k == 0 ? " %" : ", %") << int{g.outputs[k]};
  out << "\n";
  for (requirement const& r : g.requirements) {
    out << "requires ";
    out.requirement_text(r);
    if (r.node < g.size()) out << "   " << g[r.node].where;
    out << "\n";
  }
  for (condition const& c : g.conditions) {
    out << (c.outcome ? "if " : "if not ");
    out.condition_text(c);
    out << "   " << c.where << "\n";
  }
  return out.text();
}

/// A graph in the language of Graphviz: `dot -Tsvg`.
/// Throws: `std::bad_alloc`.
inline std::string to_dot(graph_view const& g) {
  detail::graph_printer out(g);
  out << "digraph guardjit {\n  node [shape=box];\n";
  for (int k = 0; k < g.size(); ++k) {
    out << "  n" << k << " [label=\"";
    out.operation(k);
    out << "\\n";
    out.type_of(k);
    bool returned = false;
    for (std::int16_t output : g.outputs) returned = returned || k == output;
    out << (returned ? "\", peripheries=2];\n" : "\"];\n");
    for (int i = 0; i < g.operands(k); ++i) out << "  n" << g.operand(k, i) << " -> n" << k << ";\n";
  }
  out << "}\n";
  return out.text();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
