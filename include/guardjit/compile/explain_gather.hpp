// guardjit: compile/explain_gather.hpp: an explanation, from entries and what was heard of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLAIN_GATHER_HPP
#define GUARDJIT_COMPILE_EXPLAIN_GATHER_HPP

#include <guardjit/compile/caches.hpp>
#include <guardjit/compile/erased_build.hpp>
#include <guardjit/compile/explain_history.hpp>
#include <guardjit/compile/graph_words.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// How the option `shape_of` names one argument.
struct parameter_of_leaf {
  bool is_one = false;  ///< else it is a part of a structure, or what `opaque` gave: not to be declared
  index_t number = 0;
};
[[gnu::cold]] inline parameter_of_leaf parameter_of(argument_names names, std::size_t leaf) {
  if (names.empty()) return {true, static_cast<index_t>(leaf)};
  auto const number_in = [](std::string_view name) {
    index_t number = 0;
    for (char c : name)
      if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
    return number;
  };
  std::string_view const name = names[leaf].text;
  if (name.find('.') != name.npos || name.find('[') == name.npos) return {};
  bool const is_bound = name.starts_with("bound");
  index_t given = 0;
  for (leaf_path const& other : names) {
    std::string_view const place =
        std::string_view(other.text).substr(0, std::string_view(other.text).find(']'));
    if (is_bound && place.starts_with("arg") && number_in(place) >= given)
      given = number_in(place) + 1;
  }
  return {true, given + number_in(name)};
}

/// Collects an explanation; each part reads what the function keeps anyway.
class explanation_builder {
 public:
  [[gnu::cold]] explanation_builder(function_caches const& caches, explain_history const* heard)
      : fn_(caches.fn), heard_(heard) {
    to_.function = fn_.label();
    to_.where = fn_.where;
    std::vector<cache const*> all;
    caches.for_each([&all](cache const& c) { all.insert(all.begin(), &c); });
    call_epoch const epoch;
    for (cache const* c : all)
      if (entry_table const* const table = c->table()) add(c->spec(), sorted(table->entries()));
    finish();
  }
  explanation& result() { return to_; }

 private:
  using entries = std::vector<entry const*>;

  [[gnu::cold]] static entries sorted(auto const& list) {
    entries all;
    for (entry const* e : list) {
      auto at = all.begin();
      while (at != all.end() && (*at)->number < e->number) ++at;
      all.insert(at, e);
    }
    return all;
  }

  /// One function under one signature, or a part of it between breaks.
  [[gnu::cold]] void add(function_spec const& spec, entries const& all) {
    extent_letters letters(spec);
    for (std::size_t p = 0; p < spec.paths.size(); ++p) {
      // Entries of a backend that is a value have a plan of another kind, and so a graph of their own.
      std::vector<entries> kinds;
      for (entry const* e : all)
        if (static_cast<std::size_t>(e->path) == p) add_to_kind(kinds, e);
      for (entries const& mine : kinds) {
        int const graph = add_graph(spec, spec.paths[p], letters, mine);
        add_proved(spec, spec.paths[p], graph);
        for (entry const* e : mine) add_entry(spec, *e, graph);
      }
    }
    add_specialised(spec, all);
  }

  static void add_to_kind(std::vector<entries>& kinds, entry const* e) {
    for (entries& mine : kinds)
      if (mine.front()->by == e->by) return mine.push_back(e);
    kinds.push_back({e});
  }

  /// Gives its number, 0 for one without ops, which is no graph.
  [[gnu::cold]] int add_graph(function_spec const& spec, path_spec const& path,
                              extent_letters& letters, entries const& mine) {
    int ops = 0;
    for_each_op(path, [&](node const& n) {
      ++ops;
      count(name_of(n.id));
    });
    if (ops == 0) return 0;
    explained_graph g;
    for (std::size_t k = 0; k < spec.arguments.size(); ++k)
      if (is_used(spec, k)) g.arguments.push_back(letters.argument(k));
    g.branches = branches_text(path.graph, spec.names);
    if (path.stack > 0) g.modes = stack_text(spec.stacks, path.stack);
    g.backend = name_of_backend(spec, *mine.front());
    g.ops = ops;
    if (path.watched && !mine.front()->by) g.kernels = kernels_in_words(*path.watched, letters);
    for (entry const* e : mine) g.entries.push_back(fn_.id_of(e->number));
    g.text = to_text(path.graph);
    to_.graphs.push_back(std::move(g));
    to_.ops_per_graph.push_back(ops);
    to_.ops_total += ops;
    return ++to_.graph_count;
  }
  [[gnu::cold]] void count(std::string_view name) {
    auto at = to_.ops_by_name.begin();
    while (at != to_.ops_by_name.end() && at->name < name) ++at;
    if (at == to_.ops_by_name.end() || at->name != name)
      at = to_.ops_by_name.insert(at, {std::string(name), 0});
    ++at->count;
  }

  /// What types and declarations say.
  [[gnu::cold]] void add_proved(function_spec const& spec, path_spec const& path, int graph) {
    for (std::size_t k = 0; k < spec.arguments.size(); ++k) {
      if (!is_used(spec, k)) continue;
      argument_type const& a = spec.arguments[k];
      std::string const name = argument_text(spec.names, static_cast<index_t>(k));
      source_line const where = line_of_reader(path, static_cast<index_t>(k));
      auto const prove = [&](char const* kind, int dim, std::string const& expected,
                             std::string const& text) {
        proved_.push_back({"", kind, name, dim, expected, text, where, true, graph});
      };
      std::string const type = name_of(a.type);
      prove("dtype_is", -1, type, name + " is " + type);
      if (a.scalar) continue;
      std::string const rank = std::to_string(a.extents.rank);
      prove("rank_is", -1, rank, name + " has rank " + rank);
      for (int d = 0; d < a.extents.rank; ++d)
        if (std::string const extent = std::to_string(a.extents[d]); a.extents[d] != dyn)
          prove("extent_is", d, extent, name + ".extent(" + std::to_string(d) + ") = " + extent);
    }
  }

  [[gnu::cold]] void add_entry(function_spec const& spec, entry const& e, int graph) {
    explained_entry one;
    one.id = fn_.id_of(e.number);
    one.graph = graph;
    one.dynamic = e.is_dynamic;
    for (std::size_t k = 0; k < spec.arguments.size(); ++k)
      for (int d = 0; d < spec.arguments[k].extents.rank; ++d)
        if (spec.arguments[k].extents[d] == dyn && spec.reads(static_cast<int>(k), d) && !fixing(e, k, d))
          one.open.push_back(extent_of(spec, k, d));
    if (heard_)
      for (heard_compile const& h : heard_->compiles)
        if (h.number == e.number) {
          one.call = h.call;
          one.since = h.report.to_string();
          one.plan_ns = h.spent[0];
          one.guards_ns = h.spent[1];
          one.install_ns = h.spent[2];
        }
    path_spec const& path = spec.paths[static_cast<unsigned>(e.path)];
    for (guard const& g : e.guards) checked_.push_back(in_words(spec, path, g, one.id, graph));
    to_.entries.push_back(std::move(one));
  }
  [[gnu::cold]] explained_check in_words(function_spec const& spec, path_spec const& path,
                                         guard const& g, std::string const& id, int graph) const {
    explained_check out;
    out.entry = id;
    out.kind = name_of(g.kind);
    out.dim = g.dim;
    out.where = g.where;
    out.graph = graph;
    out.text = text_of(g, path.graph, spec.names, fn_.predicates, spec.stacks);
    out.expected = out.text;
    for (std::string_view sign : {" = ", " is ", " are "})
      if (std::size_t const at = out.text.rfind(sign); at != out.text.npos && out.expected == out.text)
        out.expected = out.text.substr(at + sign.size());
    index_t argument = g.argument;
    bool const is_relation =
        g.argument < 0 && is_symbol(g.left) &&
        (g.kind == guard_kind::extent_is || g.kind == guard_kind::extent_in ||
         g.kind == guard_kind::extents_equal || g.kind == guard_kind::multiple_of);
    if (is_relation)
      if (extent_node const& x = path.graph.extents[static_cast<unsigned>(number_of(g.left))];
          x.id == extent_op::input) {
        argument = x.left;
        out.dim = static_cast<int>(x.right);
      }
    if (argument >= 0) out.argument = argument_text(spec.names, argument);
    if (out.where.line == 0 && g.kind == guard_kind::path_is)
      out.where = path.graph.conditions[static_cast<unsigned>(g.condition)].where;
    if (out.where.line == 0 && argument >= 0) out.where = line_of_reader(path, argument);
    return out;
  }

  /// The extents of arguments that entries fix.
  [[gnu::cold]] void add_specialised(function_spec const& spec, entries const& all) {
    std::size_t const first = to_.specialised.size();
    std::vector<std::pair<std::size_t, int>> places;
    for (std::size_t k = 0; k < spec.arguments.size(); ++k)
      for (int d = 0; d < spec.arguments[k].extents.rank; ++d) {
        if (spec.arguments[k].extents[d] != dyn) continue;
        specialised_extent s;
        bool is_open = false;
        for (entry const* e : all)
          if (guard const* const g = fixing(*e, k, d)) add_once(s.values, g->expected);
          else is_open = true;
        if (s.values.empty()) continue;
        s.extent = extent_of(spec, k, d);
        s.varies = s.values.size() > 1 || is_open;
        to_.specialised.push_back(std::move(s));
        places.push_back({k, d});
      }
    // The advice of one extent names all that vary of its argument.
    for (std::size_t n = 0; n < places.size(); ++n) {
      specialised_extent& s = to_.specialised[first + n];
      auto const [k, d] = places[n];
      std::uint8_t open = static_cast<std::uint8_t>(1u << d);
      for (std::size_t m = 0; m < places.size(); ++m)
        if (places[m].first == k && to_.specialised[first + m].varies)
          open = static_cast<std::uint8_t>(open | 1u << places[m].second);
      s.advice = advice_on_extent(spec, k, d, open, s.varies);
    }
  }
  [[gnu::cold]] static std::string extent_of(function_spec const& spec, std::size_t argument, int dim) {
    return argument_text(spec.names, static_cast<index_t>(argument)) + ".extent(" + std::to_string(dim) + ")";
  }
  static guard const* fixing(entry const& e, std::size_t argument, int dim) {
    for (guard const& g : e.guards)
      if (g.kind == guard_kind::extent_is && g.argument >= 0 &&
          static_cast<std::size_t>(g.argument) == argument && g.dim == dim)
        return &g;
    return nullptr;
  }
  static void add_once(std::vector<index_t>& values, index_t value) {
    for (index_t v : values)
      if (v == value) return;
    values.push_back(value);
  }
  [[gnu::cold]] std::string advice_on_extent(function_spec const& spec, std::size_t k, int dim,
                                             std::uint8_t open, bool varies) const {
    declared_extent const* const declared =
        declared_of(spec.declared, static_cast<index_t>(k), dim);
    parameter_of_leaf const parameter = parameter_of(spec.names, k);
    std::string option = "dynamic::all";
    if (parameter.is_one) {
      option = "shape_of<" + std::to_string(parameter.number);
      shape const& s = spec.arguments[k].extents;
      for (int d = 0; d < s.rank; ++d)
        option += (", " + (s[d] != dyn             ? std::to_string(s[d])
                           : (open >> d & 1u) != 0 ? "any_extent"
                                                   : std::string("auto_extent")));
      option += ">";
    }
    bool const is_none = fn_.policy == dynamic_policy::none;
    if (declared && declared->kind == declared_kind::fixed)
      return "it is declared static_extent: any_extent in its place leaves it open";
    std::string const instead = is_none ? " in place of dynamic::none" : "";
    if (varies) return "declare " + option + instead + ", and entries leave it open";
    return "fine while it has one value; if not, declare " + option + instead;
  }

  [[gnu::cold]] void finish() {
    to_.guards = std::move(proved_);
    to_.guards.insert(to_.guards.end(), checked_.begin(), checked_.end());
    for (specialised_extent const& s : to_.specialised) {
      if (!s.varies) continue;
      std::string values;
      for (index_t v : s.values) values += (values.empty() ? "" : ", ") + std::to_string(v);
      bool const is_all = s.values.size() > 1;
      add_advice(s.extent + " came with " + (is_all ? "" : "other values than ") + values + ": " +
                 s.advice);
    }
    counter("compiles", fn_.compile_count());
    counter("uncached_calls", __atomic_load_n(&fn_.uncached_calls, __ATOMIC_ACQUIRE));
    if (!heard_) return;
    for (heard_compile const& h : heard_->compiles)
      for (entry_failures const& e : h.report.entries)
        for (std::size_t k = 0; k < e.failures.size() && k < e.reasons.size(); ++k)
          if (e.failures[k].kind != guard_kind::extent_is)
            add_advice(advice_on(h.report, e, e.failures[k], e.reasons[k]));
    to_.breaks = heard_->breaks;
    to_.break_count = static_cast<int>(to_.breaks.size());
    to_.why_eager = heard_->why_eager;
    to_.error = heard_->error;
    counter("calls", heard_->calls);
    counter("hits", heard_->hits);
    counter("recompiles", heard_->recompiles);
    counter("limits", heard_->limits);
    counter("eager_calls", heard_->eager_calls);
    explained_time phases[] = {
        {"call", heard_->calls, heard_->call_ns}, {"plan"}, {"guards"}, {"install"}};
    for (heard_compile const& h : heard_->compiles)
      for (unsigned p = 0; p < 3; ++p)
        if (h.spent[p] > 0) ++phases[p + 1].count, phases[p + 1].nanoseconds += h.spent[p];
    to_.times.assign(phases, phases + 4);
  }
  void counter(char const* name, std::int64_t count) { to_.counters.push_back({name, count}); }
  [[gnu::cold]] void add_advice(std::string line) {
    for (std::string const& known : to_.advice)
      if (known == line) return;
    if (!line.empty()) to_.advice.push_back(std::move(line));
  }

  function_state const& fn_;
  explain_history const* heard_;
  explanation to_;
  std::vector<explained_check> proved_, checked_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
