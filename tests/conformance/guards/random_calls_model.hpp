// guardjit: tests/conformance/guards/random_calls_model.hpp: guards, entries and limits as the rules say them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_MODEL_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_MODEL_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "conformance/guards/random_calls_facts.hpp"

// Slow and plain on purpose: lists that are searched from the front, and texts that are compared. For one unit.
namespace random_calls {

namespace {

/// A call as guards see it.
struct seen_call {
  drawn_call arguments;  // canonical
  texts relations;       // of the output to each argument; empty of those that do not count
  std::array<bool, 2> predicates{true, true};
};

struct guard {
  std::string kind{};
  std::size_t argument = 0, dim = 0;
  index_t expected = 0;
  std::string text{};           // an expected class or relation
  std::string left{}, right{};  // extents of relations
  std::size_t condition = 0;
  bool operator==(guard const&) const = default;
};

// Entries.

/// The function's own backend; 0 and 1 are walkers, which have one name.
constexpr int own_backend = -1;
std::string backend_name(int by) { return by == own_backend ? backend::name : "walker"; }

struct entry {
  int number = 0, by = own_backend;
  bool is_dynamic = false;
  texts relations;
  std::vector<guard> guards;
};
/// What a call meets beside its arguments.
struct surroundings {
  gj::stance under = gj::stance::normal;
  bool allows_first = false;
  bool peers_miss = false;  ///< the guard collective says no
  bool backend_fails = false;
  int by = own_backend;
  bool by_with = false;  ///< `with(backend(b))` in the place of a scope
  bool is_on = true;
  unsigned kept_guards = 3;
};
/// What a call is foretold.
struct verdict {
  std::string error;
  bool writes = false;
  std::string eager;   // the reason of an eager_call event
  std::string asked;   // what the guard collective is told
  texts failures;      // of guard_failure events
  int limit_events = 0;
};

class model {
 public:
  model(subject const& s, settings const& limits) : of_(&s), limits_(limits) { clear(); }

  int compiles = 0, uncached_calls = 0;
  std::vector<entry> entries;  // in lookup order

  void clear() {
    compiles = uncached_calls = 0;
    entries.clear();
    was_told_ = has_met_ = false;
    history_.assign(of_->parameters.size(), {});
  }

  /// The error of the first shape rule that a call breaks, else empty (G85, POL-11).
  std::string broken_rule(drawn_call const& c) const {
    for (rule const& r : of_->what.rules)
      if (!holds(r, c)) return r.what == rule::index ? "index_error" : "shape_error";
    return "";
  }

  /// All failed guards of an entry, in the order of G21.
  texts failures_of(entry const& e, seen_call const& c, int by) const {
    std::string const made_by = backend_name(e.by), wanted = backend_name(by);
    if (e.by != by)  // G18
      return {"backend: expected " + made_by + ", got " + (made_by == wanted ? "another " : "") + wanted};
    texts all;
    for (guard const& g : e.guards)
      if (std::string text = failure(g, c); !text.empty()) all.push_back(text);
    // An entry for outputs apart from all arguments lists no guard for that.
    if (is_apart(e.relations))
      for (std::size_t k = 0; k < c.relations.size(); ++k)
        if (!c.relations[k].empty() && c.relations[k] != "disjoint")
          all.insert(all.begin() + place_of_aliasing(all), "output and arg[" + to_string(k) + "]: expected disjoint, got " +
                                                               c.relations[k]);
    return all;
  }
  entry const* find(seen_call const& c, int by) const {
    for (entry const& e : entries)
      if (failures_of(e, c, by).empty()) return &e;
    return nullptr;
  }

  seen_call see(drawn_call const& c, drawn const* out, bool switch_is_on) const {
    seen_call s;
    if (of_->what.is_guarded) s.predicates = {c[0].extents[0] < 5, switch_is_on};
    for (drawn const& a : c) s.arguments.push_back(canonical(a));
    for (std::size_t k = 0; k < c.size(); ++k) {
      bool const counts = reads_elements(k) && !of_->parameters[k].is_scalar;
      s.relations.push_back(!counts ? "" : out ? relation(canonical(*out), s.arguments[k]) : "disjoint");
    }
    return s;
  }

  /// One call; `expected` is what eager code makes of it.
  verdict call(drawn_call const& drawn_arguments, drawn const* out, surroundings const& here, outcome const& expected) {
    seen_call const c = see(drawn_arguments, out, here.is_on);
    stance const under = here.by == own_backend ? here.under : stance::normal;  // G75
    verdict v;
    std::string refused_output;
    if (out && out->extents != expected.extents) refused_output = "shape_error";
    else if (out && repeats_elements(canonical(*out))) refused_output = "overlap_error";
    auto const run = [&] {
      v.error = !expected.error.empty() ? expected.error : refused_output;
      v.writes = v.error.empty() && out;
    };
    auto const run_eagerly = [&](char const* reason) { v.eager = reason, run(); };
    if (under == stance::force_eager) {
      if (v.error = broken_rule(c.arguments); v.error.empty()) run_eagerly("stance");
      return v;
    }
    entry const* const found = find(c, here.by);
    if (here.peers_miss && !entries.empty()) v.asked = found ? "hit" : "miss";
    if (found && !here.peers_miss) return run(), v;
    if (v.error = broken_rule(c.arguments); !v.error.empty()) return v;
    if (out && expected.error.empty() && !refused_output.empty()) return v.error = refused_output, v;

    auto const tell_failures = [&] {
      for (entry const& e : entries)
        if (texts const all = failures_of(e, c, here.by); !all.empty()) v.failures.push_back("g/" + to_string(e.number) + ": " + all[0]);
    };
    if (under == stance::eager_on_recompile) return run_eagerly("stance"), v;
    if (under == stance::eager_then_compile && !has_met_) {
      run_eagerly("stance");
      if (expected.error.empty()) remember(c);
      return v;
    }
    auto const mine = std::count_if(entries.begin(), entries.end(), [&here](entry const& e) { return e.by == here.by; });
    if (under == stance::fail_on_recompile && !(here.allows_first && mine == 0))
      return tell_failures(), v.error = "recompile_error", v;

    bool const is_full = !found && mine >= limits_.recompile_limit;
    bool const evicts = is_full && limits_.at_limit == gj::limit_action::evict && mine > 0;
    bool const is_forbidden = of_->what.is_strict && mine > 0;
    bool const is_spent = compiles >= limits_.compile_limit;
    bool const may_compile = !is_forbidden && !is_spent && (!is_full || evicts);
    bool const at_limit = !is_forbidden && (is_full || is_spent);
    // What kernels refuse is refused before an entry is made (G7).
    if (of_->what.has_indices && may_compile && !expected.error.empty()) return run(), v;

    bool const is_first = at_limit && !was_told_;
    if (!at_limit || is_first || may_compile) tell_failures();
    if (is_first) v.limit_events = 1;
    was_told_ = was_told_ || at_limit;

    if (may_compile) {
      int const number = compiles++;
      if (here.backend_fails) return v.error = "backend_error", v;
      // A new entry serves the call that made it (G36).
      for (std::size_t k = 0; of_->what.is_guarded && k < 2; ++k)
        if (keeps(here, k) && !c.predicates[k]) return v.error = "guard_error", v;
      if (found) std::erase_if(entries, [number = found->number](entry const& e) { return e.number == number; });
      make_entry(c, number, evicts, here);
      return run(), v;
    }
    if (is_forbidden) return v.error = "recompile_error", v;
    if (limits_.at_limit == gj::limit_action::error) return v.error = "limit_error", v;
    if (limits_.at_limit == gj::limit_action::eager) return run_eagerly("limit"), v;
    ++uncached_calls;
    if (here.backend_fails) return v.error = "backend_error", v;
    return run(), v;
  }

 private:
  struct strides_met {
    std::string family;
    std::vector<index_t> extents, strides;
    bool vary = false;
  };
  struct argument_history {
    std::vector<std::optional<index_t>> values;
    std::vector<bool> varied;
    std::vector<strides_met> strides;
  };
  /// What an entry leaves open of one argument.
  struct open_parts {
    std::vector<bool> extents;
    bool strides = false;
  };

  using stance = gj::stance;
  static bool keeps(surroundings const& here, std::size_t k) { return (here.kept_guards >> k & 1u) != 0; }
  static bool is_apart(texts const& relations) {
    return std::all_of(relations.begin(), relations.end(), [](std::string const& r) { return r.empty() || r == "disjoint"; });
  }
  /// Behind arguments and relations of extents, before paths (G21).
  static std::ptrdiff_t place_of_aliasing(texts const& all) {
    auto const is_path = [](std::string const& t) {
      return t.find(" for ") != std::string::npos || t.find("expected true") != std::string::npos;
    };
    return std::find_if(all.begin(), all.end(), is_path) - all.begin();
  }
  bool reads_elements(std::size_t k) const {
    texts const& all = of_->what.reads;
    return std::find(all.begin(), all.end(), to_string(k)) != all.end();
  }
  bool reads(std::size_t k, std::size_t d) const {
    texts const& all = of_->what.reads;
    return reads_elements(k) || std::find(all.begin(), all.end(), to_string(k) + "." + to_string(d)) != all.end();
  }
  bool is_fixed(std::size_t k, std::size_t d) const { return of_->parameters[k].extents[d] != dyn; }

  path const& path_of(drawn_call const& c) const {
    for (path const& p : of_->what.paths)
      if (std::all_of(p.begin(), p.end(), [&](auto const& step) {
            return outcome_of_condition(of_->what.conditions[step.first], c) == step.second;
          }))
        return p;
    std::abort();
  }
  bool reads_scalar(std::size_t k) const {
    condition const& c = of_->what.conditions[k];
    return c.left[0] == 's' || c.right[0] == 's';
  }
  /// The reason of a guard that does not hold, else empty (section 4).
  std::string failure(guard const& g, seen_call const& c) const {
    auto const text = [](std::string const& what, std::string const& expected, std::string const& got) {
      return expected == got ? "" : what + ": expected " + expected + ", got " + got;
    };
    std::string const argument = "arg[" + to_string(g.argument) + "]", dim = "(" + to_string(g.dim) + ")";
    drawn const& x = c.arguments[g.argument];
    side const left = read(g.left, c.arguments), right = read(g.right, c.arguments);
    if (g.kind == "extent") return text(argument + ".extent" + dim, to_string(g.expected), to_string(x.extents[g.dim]));
    if (g.kind == "contiguous") {
      auto const gap = first_gap(x);
      if (!gap) return "";
      return text(argument + ".stride(" + to_string(gap->first) + ")", to_string(gap->second), to_string(x.strides[gap->first]));
    }
    if (g.kind == "stride") return text(argument + ".stride" + dim, to_string(g.expected), to_string(x.strides[g.dim]));
    if (g.kind == "class") return text(argument + " strides", g.text, class_of(x));
    if (g.kind == "equal") return text(left.text + " = " + right.text, right.value_text, left.value_text);
    if (g.kind == "one") return text(left.text, "1", left.value_text);
    if (g.kind == "multiple")
      return std::fmod(left.value, right.value) == 0 ? ""
                                                     : left.text + ": expected a multiple of " + right.value_text + ", got " + left.value_text;
    if (g.kind == "at least")
      return left.value >= static_cast<double>(g.expected)
                 ? ""
                 : left.text + ": expected at least " + to_string(g.expected) + ", got " + left.value_text;
    if (g.kind == "relation") return text("output and " + argument, g.text, c.relations[g.argument]);
    if (g.kind == "predicate") return c.predicates[g.condition] ? "" : text(g.text, "true", "false");
    condition const& what = of_->what.conditions[g.condition];
    bool const now = outcome_of_condition(what, c.arguments);
    if (now == (g.expected != 0)) return "";
    return text(left.text + what.sign + right.text, g.expected != 0 ? "true" : "false", now ? "true" : "false") + " for " +
           left.value_text + what.sign + right.value_text;
  }

  /// G80, G81, G27.
  open_parts open_of(std::size_t k, drawn const& x) const {
    open_parts open{std::vector<bool>(x.extents.size()), false};
    if (of_->extents == policy::none) return open;
    argument_history const& h = history_[k];
    for (std::size_t d = 0; d < x.extents.size(); ++d) {
      if (is_fixed(k, d) || !reads(k, d)) continue;
      bool const varies = d < h.values.size() && (h.varied[d] || (h.values[d] && *h.values[d] != x.extents[d]));
      open.extents[d] = of_->extents == policy::all || varies;
    }
    if (!reads_elements(k) || !first_gap(x)) return open;
    for (strides_met const& s : h.strides)
      if (s.family == family_of(x)) open.strides = s.vary || (s.extents == x.extents && s.strides != x.strides);
    return open;
  }
  open_parts open_in(seen_call const& c, std::size_t k) const {
    return of_->parameters[k].is_scalar ? open_parts{} : open_of(k, c.arguments[k]);
  }
  void remember(seen_call const& c) {
    has_met_ = true;
    for (std::size_t k = 0; k < c.arguments.size(); ++k)
      if (!of_->parameters[k].is_scalar) remember(k, c.arguments[k], open_in(c, k));
  }
  void remember(std::size_t k, drawn const& x, open_parts const& open) {
    argument_history& h = history_[k];
    h.values.resize(x.extents.size());
    h.varied.resize(x.extents.size());
    for (std::size_t d = 0; d < x.extents.size(); ++d) {
      if (open.extents[d]) h.varied[d] = true;
      else h.values[d] = x.extents[d];
    }
    strides_met now{family_of(x), x.extents, x.strides, open.strides};
    for (strides_met& s : h.strides)
      if (s.family == now.family) {
        now.vary = now.vary || s.vary;
        s = now;
        return;
      }
    h.strides.push_back(now);
  }

  static void add_once(std::vector<guard>& to, guard const& g) {
    if (std::find(to.begin(), to.end(), g) == to.end()) to.push_back(g);
  }
  void add_argument_guards(std::vector<guard>& to, std::size_t k, drawn const& x, open_parts const& open) const {
    for (std::size_t d = 0; d < x.extents.size(); ++d)
      if (reads(k, d) && !is_fixed(k, d) && !open.extents[d])
        to.push_back({.kind = "extent", .argument = k, .dim = d, .expected = x.extents[d]});
    if (!reads_elements(k) || x.extents.empty()) return;
    bool const any_extent = std::find(open.extents.begin(), open.extents.end(), true) != open.extents.end();
    if (!first_gap(x)) return to.push_back({.kind = "contiguous", .argument = k});
    if (open.strides || any_extent) return to.push_back({.kind = "class", .argument = k, .text = class_of(x)});
    for (std::size_t d = 0; d < x.extents.size(); ++d)
      if (x.extents[d] != 1) to.push_back({.kind = "stride", .argument = k, .dim = d, .expected = x.strides[d]});
  }
  guard guard_of(rule const& r, seen_call const& c) const {
    double const a = read(r.left, c.arguments).value, b = read(r.right, c.arguments).value;
    switch (r.what) {
      case rule::multiple: return {.kind = "multiple", .left = r.left, .right = r.right};
      case rule::positive: return {.kind = "at least", .expected = 1, .left = r.left};
      case rule::index: return {.kind = "at least", .expected = static_cast<index_t>(a) + 1, .left = r.right};
      case rule::broadcast:
        if (a != b) return {.kind = "one", .left = a == 1 ? r.left : r.right};
        [[fallthrough]];
      default: return {.kind = "equal", .left = r.left, .right = r.right};
    }
  }

  void make_entry(seen_call const& c, int number, bool evicts, surroundings const& here) {
    entry e;
    e.number = number;
    e.by = here.by;
    e.relations = c.relations;
    std::vector<open_parts> open;
    for (std::size_t k = 0; k < c.arguments.size(); ++k) {
      open.push_back(open_in(c, k));
      for (bool const one : open.back().extents) e.is_dynamic = e.is_dynamic || one;
      e.is_dynamic = e.is_dynamic || open.back().strides;
    }
    for (std::size_t k = 0; k < c.arguments.size(); ++k)
      if (!of_->parameters[k].is_scalar) add_argument_guards(e.guards, k, c.arguments[k], open[k]);
    if (e.is_dynamic)
      for (rule const& r : of_->what.rules) add_once(e.guards, guard_of(r, c));
    if (!is_apart(c.relations))
      for (std::size_t k = 0; k < c.relations.size(); ++k)
        if (!c.relations[k].empty()) e.guards.push_back({.kind = "relation", .argument = k, .text = c.relations[k]});
    for (auto const& [k, outcome] : path_of(c.arguments))
      if (e.is_dynamic || reads_scalar(k))
        e.guards.push_back({.kind = "path",
                            .expected = outcome ? 1 : 0,
                            .left = of_->what.conditions[k].left,
                            .right = of_->what.conditions[k].right,
                            .condition = k});
    for (std::size_t k = 0; of_->what.is_guarded && k < 2; ++k)
      if (keeps(here, k)) e.guards.push_back({.kind = "predicate", .text = k == 0 ? "short" : "switch", .condition = k});
    if (evicts)
      entries.erase(std::min_element(entries.begin(), entries.end(), [&e](entry const& a, entry const& b) {
        return std::pair(a.by != e.by, a.number) < std::pair(b.by != e.by, b.number);
      }));
    entries.push_back(e);
    std::stable_sort(entries.begin(), entries.end(), [](entry const& a, entry const& b) {
      if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;
      if (a.is_dynamic && fixed(a) != fixed(b)) return fixed(a) > fixed(b);
      if (a.is_dynamic && a.guards.size() != b.guards.size()) return a.guards.size() > b.guards.size();
      return a.number < b.number;
    });
    remember(c);
  }
  static std::ptrdiff_t fixed(entry const& e) {
    return std::count_if(e.guards.begin(), e.guards.end(),
                         [](guard const& g) { return g.kind == "extent" || g.kind == "one"; });
  }

  subject const* of_;
  settings limits_;
  bool was_told_ = false, has_met_ = false;
  std::vector<argument_history> history_;
};

}  // namespace

}  // namespace random_calls

#endif
