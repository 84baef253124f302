// guardjit: compile/explanation_text.hpp: an explanation as a page for people
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLANATION_TEXT_HPP
#define GUARDJIT_COMPILE_EXPLANATION_TEXT_HPP

#include <guardjit/compile/explanation.hpp>
#include <guardjit/graph/escape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Rows of cells, written with the columns below each other.
class text_table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[gnu::cold]] std::string lines(char const* indent) const {
    std::string text;
    for (std::vector<std::string> const& row : rows_) {
      text += indent;
      for (std::size_t c = 0; c < row.size(); ++c) {
        text += row[c];
        if (c + 1 < row.size()) text.append(width(c) - row[c].size() + 2, ' ');
      }
      while (text.back() == ' ') text.pop_back();
      text += '\n';
    }
    return text;
  }

 private:
  std::size_t width(std::size_t column) const {
    std::size_t most = 0;
    for (std::vector<std::string> const& row : rows_)
      if (column < row.size() && row[column].size() > most) most = row[column].size();
    return most;
  }
  std::vector<std::vector<std::string>> rows_;
};

/// `file.cpp:12`, without the folder.
[[gnu::cold]] inline std::string short_place(source_line const& where) {
  if (where.line == 0) return "";
  std::string_view const file = where.file;
  return printable(file.substr(file.find_last_of("/\\") + 1)) + ":" + std::to_string(where.line);
}
/// `1 graph`, `2 graphs`; `entry`, `entries`.
[[gnu::cold]] inline std::string number_of_things(std::int64_t count, std::string thing) {
  if (count == 1) return "1 " + thing;
  if (thing.ends_with("ry")) thing.replace(thing.size() - 1, 1, "ie");
  return std::to_string(count) + " " + thing + "s";
}
[[gnu::cold]] inline std::string time_text(std::int64_t ns) {
  char const* const unit = ns < 10'000 ? " ns" : ns < 10'000'000 ? " us" : " ms";
  return std::to_string(ns < 10'000 ? ns : ns < 10'000'000 ? ns / 1'000 : ns / 1'000'000) + unit;
}

/// The parts of the page, one after the other.
class explanation_page {
 public:
  explanation_page(explanation const& e, bool with_times) : e_(e), with_times_(with_times) {}
  [[gnu::cold]] std::string write() {
    head();
    for (std::size_t g = 0; g < e_.graphs.size(); ++g) graph(g);
    breaks();
    entries();
    fixed();
    advice();
    if (with_times_) times();
    return std::move(text_);
  }

 private:
  [[gnu::cold]] std::int64_t counter(std::string_view name) const {
    for (named_count const& c : e_.counters)
      if (c.name == name) return c.count;
    return 0;
  }
  [[gnu::cold]] void head() {
    std::size_t kernels = 0;
    for (explained_graph const& g : e_.graphs) kernels += g.kernels.size();
    std::string const place = short_place(e_.where), name = in_short(e_.function);
    text_ += name;
    if (!place.empty() && name != place) text_ += " (" + place + ")";
    text_ += ": " + number_of_things(e_.ops_total, "operation") + " in " +
             number_of_things(static_cast<std::int64_t>(kernels), "kernel") + ", " +
             number_of_things(e_.graph_count, "graph") + ", " +
             number_of_things(e_.break_count, "break") + "\n";
    if (std::int64_t const calls = counter("calls"); calls > 0)
      text_ += number_of_things(calls, "call") + ": " +
               number_of_things(counter("compiles"), "entry") + " made, " +
               number_of_things(counter("hits"), "hit") + "\n";
    if (variant_factors const& v = e_.variants; v.product() > 1)
      text_ += "variants that the C++ compiler makes: " + number_of_things(v.paths, "path") +
               " x " + number_of_things(v.mode_stacks, "mode stack") + " x " +
               number_of_things(v.signatures, "signature") + " x " +
               number_of_things(v.hot_extents, "hot extent") + "\n";
    if (std::int64_t const eager = counter("eager_calls"); eager > 0)
      text_ += number_of_things(eager, "call") + " ran operation by operation: " +
               printable(e_.why_eager) + "\n";
    else if (e_.graphs.empty() && !e_.entries.empty())
      text_ += "no operation: what comes back is an argument\n";
    if (!e_.error.empty()) text_ += "the last call failed: " + printable(e_.error) + "\n";
  }
  [[gnu::cold]] void graph(std::size_t number) {
    explained_graph const& g = e_.graphs[number];
    text_ += "\nGRAPH " + std::to_string(number + 1) + ": " + number_of_things(g.ops, "operation") +
             " by " + g.backend;
    if (!g.modes.empty()) text_ += ", under the modes " + printable(g.modes);
    if (!g.branches.empty()) text_ += ", where " + g.branches;
    text_ += ". Its arguments, with letters for extents that their types leave open:\n";
    for (std::string const& one : g.arguments) text_ += "    " + printable(one) + "\n";
    if (g.kernels.empty()) text_ += "  Its backend decides at run time how it runs.\n";
    else text_ += "  Its kernels, with the reason why each ends where it does:\n";
    text_table table;
    for (std::size_t k = 0; k < g.kernels.size(); ++k)
      table.add({std::to_string(k + 1), g.kernels[k].operations, g.kernels[k].result,
                 short_place(g.kernels[k].where), g.kernels[k].why});
    text_ += table.lines("    ");
  }
  [[gnu::cold]] void breaks() {
    if (e_.breaks.empty()) return;
    text_ += "\nBREAKS, where one graph ends and the next begins\n";
    for (explained_break const& b : e_.breaks)
      text_ +=
          "    " + short_place(b.where) + "  " + printable(b.reason) + "\n      " + b.hint + "\n";
  }
  [[gnu::cold]] void entries() {
    if (e_.entries.empty()) return;
    text_ += "\nENTRIES. A call runs one that serves it; where none does, one more is made.\n"
             "What types prove is never checked: dtypes, ranks, and extents that are numbers above.\n";
    for (explained_entry const& one : e_.entries) {
      text_ += "  " + in_short(one.id);
      if (e_.graph_count > 1 && one.graph > 0) text_ += ", graph " + std::to_string(one.graph);
      if (one.call > 0) text_ += ", made by call " + std::to_string(one.call);
      if (std::int64_t const ns = one.plan_ns + one.guards_ns + one.install_ns; with_times_ && ns > 0)
        text_ += " in " + time_text(ns);
      text_ += "\n";
      since(one.since);
      guards(one);
    }
  }
  /// Why older entries did not do, a line each.
  [[gnu::cold]] void since(std::string_view reasons) {
    while (!reasons.empty()) {
      std::size_t const end = reasons.find('\n') == reasons.npos ? reasons.size() : reasons.find('\n');
      text_ += "    since " + in_short(std::string(reasons.substr(0, end))) + "\n";
      reasons.remove_prefix(end < reasons.size() ? end + 1 : end);
    }
  }
  /// A line each; arguments of which no more is wanted than that they are row-major are one.
  [[gnu::cold]] void guards(explained_entry const& entry) {
    text_table table;
    std::string dense;
    for (explained_check const& g : e_.guards) {
      if (g.entry != entry.id) continue;
      if (g.kind == "contiguous") dense += (dense.empty() ? "" : ", ") + printable(g.argument);
      else table.add({printable(g.text), short_place(g.where)});
    }
    std::string const lines = table.lines("      ");
    text_ += lines.empty() && dense.empty() ? "    serves every call" : "    serves calls";
    for (std::string const& one : entry.open)
      text_ += (&one == entry.open.data() ? " with any " : ", ") + printable(one);
    text_ += (lines.empty() && dense.empty() ? "\n" : " where\n") + lines;
    if (!dense.empty()) text_ += "      row-major without gaps: " + dense + "\n";
  }
  /// A text with the function as the page names it: by its place without folders where it has no name.
  [[gnu::cold]] std::string in_short(std::string text) const {
    bool const is_place = e_.where.line != 0 &&
                          e_.function.ends_with(":" + std::to_string(e_.where.line)) &&
                          e_.function.starts_with(e_.where.file);
    std::string const name = is_place ? short_place(e_.where) : e_.function;
    for (std::size_t at = 0; is_place && (at = text.find(e_.function, at)) != text.npos;
         at += name.size())
      text.replace(at, e_.function.size(), name);
    return printable(text);
  }
  [[gnu::cold]] void fixed() {
    if (e_.specialised.empty()) return;
    text_ += "\nEXTENTS THAT ENTRIES FIX\n";
    text_table table;
    for (specialised_extent const& s : e_.specialised) {
      std::string values;
      for (index_t v : s.values) values += (values.empty() ? "" : ", ") + std::to_string(v);
      table.add({printable(s.extent), values, s.varies ? "see below" : s.advice});
    }
    text_ += table.lines("    ");
  }
  [[gnu::cold]] void advice() {
    if (e_.advice.empty()) return;
    text_ += "\nWHAT TO CHANGE, so that fewer entries are made\n";
    for (std::string const& line : e_.advice) text_ += "    " + in_short(line) + "\n";
  }
  [[gnu::cold]] void times() {
    if (e_.times.empty()) return;
    text_ += "\nTIMES";
    for (explained_time const& t : e_.times)
      text_ += (&t == e_.times.data()       ? " of " + number_of_things(t.count, t.phase) + ": "
                : &t == e_.times.data() + 1 ? "; of that making entries: " + t.phase + " "
                                            : ", " + t.phase + " ") +
               time_text(t.nanoseconds);
    text_ += "\n";
  }

  explanation const& e_;
  bool with_times_;
  std::string text_;
};

}  // namespace detail

[[gnu::cold]] inline std::string explanation::to_string(bool with_times) const {
  return detail::explanation_page(*this, with_times).write();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
