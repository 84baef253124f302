// guardjit: compile/exported_graph.hpp: one graph with what calls of it must keep, as text and as JSON
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPORTED_GRAPH_HPP
#define GUARDJIT_COMPILE_EXPORTED_GRAPH_HPP

#include <guardjit/graph/json.hpp>
#include <guardjit/graph/print.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// The version of the texts of an exported graph.
inline constexpr int graph_schema = 1;

/// What a call must keep so that a graph is the one for it.
struct exported_check {
  std::string kind;     ///< as in `guard_kind`
  std::string text;     ///< `arg[0].extent(0) = arg[1].extent(0)`
  source_line where{};  ///< of the operation or branch that asks for it
};

/// An argument of a graph: `x0` in texts, with the run-time extents `x0.0`, `x0.1`.
struct exported_input {
  std::string name;  ///< `arg[0]`, `arg[1].weight`
  std::vector<std::string>
      declared;  ///< what `shape_of` says of each dim; empty where it says nothing
};

/// A function on one path as `export_graph` gives it.
/// Lifetime: `graph` is a constant.
struct exported_graph {
  graph_view graph{};
  std::vector<exported_input> inputs;
  std::vector<std::string>
      written;  ///< of each output the argument that it is written to, or nothing
  std::vector<exported_check> guards;

  /// A line for each input, node, output and guard. Without lines it depends on nothing but what the function
  /// computes: not on names, places and folders. Rules: A120, A123.
  std::string to_string(bool with_lines = true) const;
  /// The same as one object, `schema` first. Rules: A120, O41.
  std::string to_json(bool with_lines = true) const;
};

namespace detail {

[[gnu::cold]] inline std::string extent_text(graph_view const& g, index_t extent) {
  graph_printer out(g);
  out.extent(extent);
  return out.text();
}
[[gnu::cold]] inline std::string attribute_text(graph_view const& g, int k) {
  graph_printer out(g);
  int const rank = g.operands(k) > 0 ? g.shape_of(g.operand(k, 0)).rank : 0;
  write_attributes(out, g[k].id, g.attributes_of(k), rank, false,
                   [&out](index_t e) { out.extent(e); });
  return out.text();
}
/// What an input or a constant is: `x0`, `x0.1`, `0.5`.
[[gnu::cold]] inline std::string leaf_text(graph_view const& g, int k) {
  graph_printer out(g);
  out.operation(k);
  return out.text().substr(out.text().find(' ') + 1);
}
/// The argument that a node is, or -1.
constexpr index_t argument_of_node(node const& n) {
  auto const word = static_cast<index_t>(n.bits);
  return n.id == op::input && !is_symbol(word) ? word : -1;
}

class exported_graph_writer {
 public:
  exported_graph_writer(exported_graph const& e, bool with_lines)
      : e_(e), g_(e.graph), with_lines_(with_lines) {}

  [[gnu::cold]] std::string write() {
    json_.object([&] {
      json_.member("schema", graph_schema);
      json_.key("inputs").array([&] {
        for (int k = 0; k < g_.size(); ++k)
          if (index_t const x = argument_of_node(g_[k]); x >= 0) json_.object([&] { input(k, x); });
      });
      json_.key("nodes").array([&] {
        for (int k = 0; k < g_.size(); ++k)
          if (argument_of_node(g_[k]) < 0) json_.object([&] { operation(k); });
      });
      json_.key("outputs").array([&] {
        for (std::size_t r = 0; r < g_.outputs.size(); ++r)
          json_.object([&] {
            json_.member("node", g_.outputs[r]);
            if (!e_.written[r].empty()) json_.member("written_to", e_.written[r]);
          });
      });
      json_.key("guards").list(e_.guards, [&](exported_check const& one) {
        json_.object([&] {
          json_.member("kind", one.kind);
          json_.member("text", one.text);
          line(one.where);
        });
      });
    });
    return json_.text();
  }

 private:
  [[gnu::cold]] void type_of(int k) {
    json_.member("dtype", name_of(g_[k].type));
    json_.member("scalar", g_[k].weak);
    json_.key("shape").array([&] {
      shape const& s = g_.shape_of(k);
      for (int d = 0; d < s.rank; ++d) {
        if (is_symbol(s[d])) json_.value(extent_text(g_, s[d]));
        else json_.value(s[d]);
      }
    });
  }
  [[gnu::cold]] void input(int k, index_t argument) {
    exported_input const& x = e_.inputs[static_cast<std::size_t>(argument)];
    json_.member("node", k);
    json_.member("name", x.name);
    json_.member("symbol", leaf_text(g_, k));
    type_of(k);
    json_.key("declared").list(x.declared, [this](std::string const& one) { json_.value(one); });
  }
  [[gnu::cold]] void operation(int k) {
    json_.member("node", k);
    json_.member("op", name_of(g_[k].id));
    if (g_[k].id == op::constant || g_[k].id == op::input) json_.member("value", leaf_text(g_, k));
    json_.key("operands").array([&] {
      for (int i = 0; i < g_.operands(k); ++i) json_.value(g_.operand(k, i));
    });
    json_.member("attributes", attribute_text(g_, k));
    type_of(k);
    line(g_[k].where);
  }
  void line(source_line const& where) {
    if (with_lines_) json_.line(where);
  }

  exported_graph const& e_;
  graph_view const& g_;
  bool with_lines_;
  json_writer json_;
};

}  // namespace detail

[[gnu::cold]] inline std::string exported_graph::to_string(bool with_lines) const {
  detail::graph_printer out(graph);
  auto const line = [&](source_line const& where) {
    if (with_lines && where.line != 0) out << "   " << where;
    out << "\n";
  };
  out << "guardjit graph, schema " << graph_schema << "\n";
  for (int k = 0; k < graph.size(); ++k) {
    out << "%" << k << " = ";
    out.operation(k);
    out << " : ";
    out.type_of(k);
    if (index_t const argument = detail::argument_of_node(graph[k]); argument >= 0) {
      exported_input const& x = inputs[static_cast<std::size_t>(argument)];
      out << "   " << printable(x.name).c_str();
      for (std::size_t d = 0; d < x.declared.size(); ++d)
        if (!x.declared[d].empty())
          out << ", x" << argument << "." << static_cast<index_t>(d) << " "
              << printable(x.declared[d]).c_str();
      out << "\n";
    } else {
      line(graph[k].where);
    }
  }
  for (std::size_t r = 0; r < graph.outputs.size(); ++r) {
    out << "output %" << int{graph.outputs[r]};
    if (!written[r].empty()) out << " to " << printable(written[r]).c_str();
    out << "\n";
  }
  for (exported_check const& one : guards) {
    out << "guard " << printable(one.text).c_str();
    line(one.where);
  }
  return out.text();
}

[[gnu::cold]] inline std::string exported_graph::to_json(bool with_lines) const {
  return detail::exported_graph_writer(*this, with_lines).write();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
