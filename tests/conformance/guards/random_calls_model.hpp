// guardjit: tests/conformance/guards/random_calls_model.hpp: guards, entries and limits as the rules say them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_MODEL_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_MODEL_HPP

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "conformance/guards/random_calls.hpp"

// Slow and plain on purpose: lists that are searched from the front, and texts that are compared. For one unit.
namespace random_calls {

namespace {

using std::to_string;
using texts = std::vector<std::string>;

// Arguments.

bool is_empty(drawn const& t) { return std::find(t.extents.begin(), t.extents.end(), 0) != t.extents.end(); }

/// Strides that no element depends on have one value (G27): row-major in an empty tensor; that of an extent 1 goes on
/// from its right neighbour.
drawn canonical(drawn t) {
  index_t row_major = 1;
  for (std::size_t d = t.extents.size(); d-- > 0;) {
    bool const is_last = d + 1 == t.extents.size();
    if (is_empty(t)) t.strides[d] = row_major;
    else if (t.extents[d] == 1) t.strides[d] = is_last ? 1 : t.extents[d + 1] * t.strides[d + 1];
    row_major *= t.extents[d] == 0 ? 1 : t.extents[d];
  }
  return t;
}
/// The first dim from the right whose stride is not row-major, and what that would be.
std::optional<std::pair<std::size_t, index_t>> first_gap(drawn const& t) {
  index_t step = 1;
  for (std::size_t d = t.extents.size(); d-- > 0; step *= t.extents[d])
    if (!is_empty(t) && t.strides[d] != step) return std::pair{d, step};
  return {};
}
/// The class of a layout in words (G27).
std::string class_of(drawn const& t) {
  std::string text = !first_gap(t) ? "contiguous" : t.strides.back() == 1 ? "unit inner stride" : "general strides";
  for (std::size_t d = 0; d < t.extents.size(); ++d)
    if (t.extents[d] > 1 && t.strides[d] == 0) text += ", stride 0 at dim " + to_string(d);
  return text;
}
std::string family_of(drawn const& t) { return class_of(t).substr(0, class_of(t).find(',')); }
bool repeats_elements(drawn const& t) { return !is_empty(t) && class_of(t).find("stride 0") != std::string::npos; }

/// First and last element that is reached.
std::pair<index_t, index_t> reach(drawn const& t) {
  index_t low = t.offset, high = t.offset;
  for (std::size_t d = 0; d < t.extents.size(); ++d) {
    index_t const far = (t.extents[d] - 1) * t.strides[d];
    (far < 0 ? low : high) += far;
  }
  return {low, high};
}
/// G31.
std::string relation(drawn const& a, drawn const& b) {
  if (a.what.type != b.what.type || is_empty(a) || is_empty(b)) return "disjoint";
  auto const [a_low, a_high] = reach(a);
  auto const [b_low, b_high] = reach(b);
  if (a_high < b_low || b_high < a_low) return "disjoint";
  if (a.offset == b.offset && a.extents == b.extents && a.strides == b.strides) return "the same view";
  bool const are_windows = a.extents.size() == 2 && b.extents.size() == 2 && a.strides[1] == 1 && b.strides[1] == 1 &&
                           a.strides[0] == b.strides[0] && a.strides[0] > 0;
  if (are_windows) {
    index_t const pitch = a.strides[0];
    index_t column = b.offset - a.offset;
    while (column < 0) column += pitch;
    while (column >= pitch) column -= pitch;
    if (column >= a.extents[1] && column + b.extents[1] <= pitch) return "disjoint";
  }
  return "overlapping";
}

// Extents and conditions of one call.

std::string number_text(double x) {
  std::string text = to_string(x);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

/// An expression of `facts`, its value and how reasons write it.
struct side {
  double value = 0;
  std::string text, value_text;
};
class reader {
 public:
  reader(std::string const& what, drawn_call const& c) : what_(what), call_(c) {}
  side read() {
    if (what_[at_] == 's') {
      ++at_;
      std::size_t const k = number();
      return {call_[k].number, "arg[" + to_string(k) + "]", number_text(call_[k].number)};
    }
    if (what_[at_] == '(') {
      ++at_;
      side const a = read();
      std::size_t const end = what_.find(' ', at_ + 1);
      std::string const sign = what_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      side const b = read();
      ++at_;
      double const x = a.value, y = b.value;
      double const value = sign == "+" ? x + y : sign == "*" ? x * y : sign == "/" ? std::floor(x / y) : x == 1 ? y : x;
      return made(value, "(" + a.text + " " + sign + " " + b.text + ")");
    }
    std::size_t const k = number();
    if (at_ == what_.size() || what_[at_] != '.') return made(static_cast<double>(k), to_string(k));
    ++at_;
    std::size_t const d = number();
    return made(static_cast<double>(call_[k].extents[d]), "arg[" + to_string(k) + "].extent(" + to_string(d) + ")");
  }

 private:
  static side made(double value, std::string const& text) {
    return {value, text, to_string(static_cast<index_t>(value))};
  }
  std::size_t number() {
    std::size_t n = 0;
    while (at_ < what_.size() && what_[at_] >= '0' && what_[at_] <= '9') n = 10 * n + static_cast<std::size_t>(what_[at_++] - '0');
    return n;
  }
  std::string const& what_;
  drawn_call const& call_;
  std::size_t at_ = 0;
};
side read(std::string const& what, drawn_call const& c) {
  if (what.empty()) return {};
  side whole = reader(what, c).read();
  if (whole.text[0] == '(') whole.text = whole.text.substr(1, whole.text.size() - 2);
  return whole;
}

bool holds(rule const& r, drawn_call const& c) {
  double const a = read(r.left, c).value, b = read(r.right, c).value;
  switch (r.what) {
    case rule::equal: return a == b;
    case rule::broadcast: return a == b || a == 1 || b == 1;
    case rule::multiple: return std::fmod(a, b) == 0;
    case rule::positive: return a > 0;
    case rule::index: return a < b;
  }
  return false;
}
bool outcome_of_condition(condition const& what, drawn_call const& c) {
  double const a = read(what.left, c).value, b = read(what.right, c).value;
  return what.sign == " == " ? a == b : a > b;
}

/// A call as guards see it.
struct seen_call {
  drawn_call arguments;  // canonical
  texts relations;       // of the output to each argument; empty of those that do not count
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

struct entry {
  int number = 0;
  bool is_dynamic = false;
  texts relations;
  std::vector<guard> guards;
};
/// What a call is foretold.
struct verdict {
  std::string error;
  bool writes = false;
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
    was_told_ = false;
    history_.assign(of_->parameters.size(), {});
  }

  /// The error of the first shape rule that a call breaks, else empty (G85, POL-11).
  std::string broken_rule(drawn_call const& c) const {
    for (rule const& r : of_->what.rules)
      if (!holds(r, c)) return r.what == rule::index ? "index_error" : "shape_error";
    return "";
  }

  /// All failed guards of an entry, in the order of G21.
  texts failures_of(entry const& e, seen_call const& c) const {
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
  entry const* find(seen_call const& c) const {
    for (entry const& e : entries)
      if (failures_of(e, c).empty()) return &e;
    return nullptr;
  }

  seen_call see(drawn_call const& c, drawn const* out) const {
    seen_call s;
    for (drawn const& a : c) s.arguments.push_back(canonical(a));
    for (std::size_t k = 0; k < c.size(); ++k) {
      bool const counts = reads_elements(k) && !of_->parameters[k].is_scalar;
      s.relations.push_back(!counts ? "" : out ? relation(canonical(*out), s.arguments[k]) : "disjoint");
    }
    return s;
  }

  /// One call; `expected` is what eager code makes of it.
  verdict call(drawn_call const& drawn_arguments, drawn const* out, bool backend_fails, outcome const& expected) {
    seen_call const c = see(drawn_arguments, out);
    verdict v;
    std::string refused_output;
    if (out && out->extents != expected.extents) refused_output = "shape_error";
    else if (out && repeats_elements(canonical(*out))) refused_output = "overlap_error";
    auto const run = [&] {
      v.error = !expected.error.empty() ? expected.error : refused_output;
      v.writes = v.error.empty() && out;
    };
    if (find(c)) return run(), v;
    if (v.error = broken_rule(c.arguments); !v.error.empty()) return v;
    if (out && expected.error.empty() && !refused_output.empty()) return v.error = refused_output, v;

    bool const is_full = static_cast<int>(entries.size()) >= limits_.recompile_limit;
    bool const evicts = is_full && limits_.at_limit == gj::limit_action::evict && !entries.empty();
    bool const is_forbidden = of_->what.is_strict && !entries.empty();
    bool const is_spent = compiles >= limits_.compile_limit;
    bool const may_compile = !is_forbidden && !is_spent && (!is_full || evicts);
    bool const at_limit = !is_forbidden && (is_full || is_spent);
    // What kernels refuse is refused before an entry is made (G7).
    if (of_->what.has_indices && may_compile && !expected.error.empty()) return run(), v;

    bool const is_first = at_limit && !was_told_;
    if (!at_limit || is_first || may_compile)
      for (entry const& e : entries)
        v.failures.push_back("g/" + to_string(e.number) + ": " + failures_of(e, c).front());
    if (is_first) v.limit_events = 1;
    was_told_ = was_told_ || at_limit;

    if (may_compile) {
      int const number = compiles++;
      if (backend_fails) return v.error = "backend_error", v;
      make_entry(c, number, evicts);
      return run(), v;
    }
    if (is_forbidden) return v.error = "recompile_error", v;
    if (limits_.at_limit == gj::limit_action::error) return v.error = "limit_error", v;
    if (limits_.at_limit == gj::limit_action::eager) return run(), v;
    ++uncached_calls;
    if (backend_fails) return v.error = "backend_error", v;
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

  static bool is_apart(texts const& relations) {
    return std::all_of(relations.begin(), relations.end(), [](std::string const& r) { return r.empty() || r == "disjoint"; });
  }
  /// Behind arguments and relations of extents, before paths (G21).
  static std::ptrdiff_t place_of_aliasing(texts const& all) {
    auto const is_path = [](std::string const& t) { return t.find(" for ") != std::string::npos; };
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

  void make_entry(seen_call const& c, int number, bool evicts) {
    entry e;
    e.number = number;
    e.relations = c.relations;
    std::vector<open_parts> open;
    for (std::size_t k = 0; k < c.arguments.size(); ++k) {
      open.push_back(of_->parameters[k].is_scalar ? open_parts{} : open_of(k, c.arguments[k]));
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
    if (evicts)
      entries.erase(std::min_element(entries.begin(), entries.end(),
                                     [](entry const& a, entry const& b) { return a.number < b.number; }));
    entries.push_back(e);
    std::stable_sort(entries.begin(), entries.end(), [](entry const& a, entry const& b) {
      if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;
      if (a.is_dynamic && fixed(a) != fixed(b)) return fixed(a) > fixed(b);
      if (a.is_dynamic && a.guards.size() != b.guards.size()) return a.guards.size() > b.guards.size();
      return a.number < b.number;
    });
    for (std::size_t k = 0; k < c.arguments.size(); ++k)
      if (!of_->parameters[k].is_scalar) remember(k, c.arguments[k], open[k]);
  }
  static std::ptrdiff_t fixed(entry const& e) {
    return std::count_if(e.guards.begin(), e.guards.end(),
                         [](guard const& g) { return g.kind == "extent" || g.kind == "one"; });
  }

  subject const* of_;
  settings limits_;
  bool was_told_ = false;
  std::vector<argument_history> history_;
};

}  // namespace

}  // namespace random_calls

#endif
