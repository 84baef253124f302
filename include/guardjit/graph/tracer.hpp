// guardjit: graph/tracer.hpp: a graph in the making on one path: decides branches, makes leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_TRACER_HPP
#define GUARDJIT_GRAPH_TRACER_HPP

#include <guardjit/graph/builder.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The outcomes that a trace is told to take at its first branches; those behind are false.
struct path_script {
  std::uint64_t outcomes = 0;
  int length = 0;
  constexpr bool operator==(path_script const&) const = default;
};

/// Branches on one path, at most; decided ones per trace, at most. Rules: G90.
inline constexpr int max_branches = 40;
inline constexpr int max_decided = 4096;

class tracer;

/// How ops go through modes, where a pass applies them: `run` gives the node of the result.
struct trace_walk {
  int (*run)(tracer& t, op id, attributes const& extra, source_line where, std::span<int const> in);
};

/// A `graph_builder` that follows one path of `f`.
class tracer : public graph_builder {
 public:
  template <int Capacity, int Passing>
  constexpr tracer(graph_buffer<Capacity, Passing>& to, std::int32_t* slots, path_script script)
      : graph_builder(to, slots), script_(script) {}

  /// The modes that ops go through, in the pass that applies them; null while `f` is traced.
  constexpr trace_walk* walk() const { return walk_; }
  constexpr void set_walk(trace_walk* walk) { walk_ = walk; }
  /// Arguments of the function; results of `opaque` are numbered behind them.
  constexpr int argument_count() const { return arguments_; }
  constexpr void set_argument_count(int arguments) { arguments_ = arguments; }
  /// The `with_modes` that the trace of `f` is in.
  constexpr std::int16_t scope() const { return scope_; }
  constexpr void set_scope(std::int16_t scope) { scope_ = scope; }

  /// The outcome of a condition: known, implied by earlier ones, told by the script, or false.
  /// Where the graph is full only repeated questions count, which tell an endless loop from a
  /// long function.
  constexpr bool decide(condition c) {
    if (detail::is_number(c.left) && !detail::is_number(c.right)) c = mirrored(c);
    int const known = is_full() ? repeated(c) : outcome_of(c);
    if (known >= 0) {
      if (++decided_ <= max_decided) return known != 0;
      return too_many(c, max_decided);
    }
    if (is_full()) return alternate();
    auto const taken = static_cast<int>(conditions().size());
    if (taken >= max_branches) return too_many(c, max_branches);
    c.outcome = taken < script_.length && (script_.outcomes >> taken & 1u) != 0;
    add_condition(c);
    return c.outcome;
  }

  /// The outcome of a node used as a condition: a comparison of scalar arguments, extents and
  /// numbers. Elements of tensors are refused (G92).
  constexpr bool decide_value(int k) {
    node const n = (*this)[k];
    if (is_comparison(n.id) && (*this)[n.in[0]].weak && (*this)[n.in[1]].weak) {
      term const a = term_of((*this)[n.in[0]]), b = term_of((*this)[n.in[1]]);
      bool const differs = n.id == op::ne;
      return decide({differs ? op::eq : n.id, a, b, n.where, false}) != differs;
    }
    if (n.id == op::input && n.weak && n.type == dtype::boolean)
      return decide({op::eq, term_of(n), {term::number, 0, 1}, n.where, false});
    begin(n.id, n.where);
    fail(mistake_kind::branch_on_data, 0, 0, 0);
    return alternate();
  }

 private:
  static constexpr bool is_comparison(op id) {
    return id == op::lt || id == op::gt || id == op::eq || id == op::le || id == op::ge || id == op::ne;
  }
  static constexpr term term_of(node const& n) {
    auto const word = static_cast<index_t>(n.bits);
    if (n.id == op::input) return is_symbol(word) ? term{term::extent, word, 0} : term{term::scalar, word, 0};
    double const real = is_floating(n.type) ? __builtin_bit_cast(double, n.bits) : static_cast<double>(word);
    return {term::number, 0, real};
  }

  /// The outcome of the same question before, or -1.
  constexpr int repeated(condition const& c) const {
    for (condition const& past : conditions())
      if (past.same_question(c)) return past.outcome ? 1 : 0;
    return -1;
  }

  /// 1, 0, or -1 where neither follows from what is known.
  constexpr int outcome_of(condition const& c) const {
    if (detail::is_number(c.left) && detail::is_number(c.right))
      return compare(c.compare, number(c.left), number(c.right));
    if (int const before = repeated(c); before >= 0) return before;
    if (c.left.kind != term::extent) return -1;
    return detail::is_whole(c.right) ? by_interval(c) : by_declaration(c);
  }

  /// What earlier conditions and declarations say of one extent: an interval, with some values left out.
  constexpr int by_interval(condition c) const {
    bool const negated = detail::settle_equal(c);
    index_t const limit = detail::whole(c.right);
    extent_range const r = detail::narrowed(range_before(c.left.value), c.left, conditions());
    bool excluded = is_no_multiple(c.left.value, limit);
    for (condition past : conditions()) {
      if (past.compare != op::eq || past.outcome || !(past.left == c.left)) continue;
      excluded = excluded || (detail::is_whole(past.right) && detail::whole(past.right) == limit);
    }
    int outcome = -1;
    switch (c.compare) {
      case op::gt: outcome = r.lo > limit ? 1 : r.hi <= limit ? 0 : -1; break;
      case op::lt: outcome = r.hi < limit ? 1 : r.lo >= limit ? 0 : -1; break;
      default: outcome = r.lo == limit && r.hi == limit ? 1 : !r.has(limit) || excluded ? 0 : -1;
    }
    return outcome < 0 ? -1 : (outcome != 0) != negated ? 1 : 0;
  }

  /// The same condition with its sides exchanged: numbers stand at the right.
  static constexpr condition mirrored(condition c) {
    constexpr auto turned = [](op compare) {
      switch (compare) {
        case op::lt: return op::gt;
        case op::gt: return op::lt;
        case op::le: return op::ge;
        case op::ge: return op::le;
        default: return compare;
      }
    };
    return {turned(c.compare), c.right, c.left, c.where, c.outcome};
  }
  static constexpr double number(term const& t) {
    return t.kind == term::number ? t.real : static_cast<double>(t.value);
  }
  static constexpr int compare(op id, double a, double b) {
    return compares(id, a, b) ? 1 : 0;
  }
  /// Past a bound outcomes alternate, so that every loop over one condition ends.
  constexpr bool alternate() { return (++beyond_ & 1) != 0; }
  constexpr bool too_many(condition const& c, int bound) {
    begin(c.compare, c.where);
    // A loop without end fills every graph; its branch is the cause, so it is what is named.
    fail(mistake_kind::too_many_paths, bound, 0, 0);
    return alternate();
  }

  trace_walk* walk_ = nullptr;
  std::int16_t scope_ = 0;
  int arguments_ = 0;
  path_script script_;
  int decided_ = 0;
  int beyond_ = 0;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
