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

/// A `graph_builder` that follows one path of `f`.
class tracer : public graph_builder {
 public:
  template <int Capacity>
  constexpr tracer(graph_buffer<Capacity>& to, std::int16_t* table, path_script script)
      : graph_builder(to, table), script_(script) {}

  /// The outcome of a condition: known, implied by earlier ones, told by the script, or false.
  /// Where the graph is full only repeated questions count, which tell an endless loop from a
  /// long function.
  constexpr bool decide(condition c) {
    if (is_number(c.left) && !is_number(c.right)) c = mirrored(c);
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
    bool const compares = n.id == op::lt || n.id == op::gt || n.id == op::eq;
    if (compares && (*this)[n.in[0]].weak && (*this)[n.in[1]].weak)
      return decide({n.id, term_of((*this)[n.in[0]]), term_of((*this)[n.in[1]]), n.where, false});
    if (n.id == op::input && n.weak && n.type == dtype::boolean)
      return decide({op::eq, term_of(n), {term::number, 0, 1}, n.where, false});
    begin(n.id, n.where);
    fail(mistake_kind::branch_on_data, 0, 0, 0);
    return alternate();
  }

 private:
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
    if (is_number(c.left) && is_number(c.right)) return compare(c.compare, number(c.left), number(c.right));
    if (int const before = repeated(c); before >= 0) return before;
    return c.left.kind == term::extent && is_number(c.right) ? by_interval(c) : -1;
  }

  /// What earlier conditions say of one extent: an interval, with some values left out.
  constexpr int by_interval(condition const& c) const {
    index_t lo = is_not_negative(c.left.value) ? 0 : -far, hi = far;
    index_t const limit = whole(c.right);
    bool excluded = false;
    for (condition const& past : conditions()) {
      if (!(past.left == c.left) || !is_number(past.right)) continue;
      index_t const v = whole(past.right);
      if (past.compare == op::gt) past.outcome ? lo = lo > v + 1 ? lo : v + 1 : hi = hi < v ? hi : v;
      if (past.compare == op::lt) past.outcome ? hi = hi < v - 1 ? hi : v - 1 : lo = lo > v ? lo : v;
      if (past.compare == op::eq && past.outcome) lo = hi = v;
      if (past.compare == op::eq && !past.outcome) excluded = excluded || v == limit;
    }
    switch (c.compare) {
      case op::gt: return lo > limit ? 1 : hi <= limit ? 0 : -1;
      case op::lt: return hi < limit ? 1 : lo >= limit ? 0 : -1;
      default: return lo == limit && hi == limit ? 1 : limit < lo || limit > hi || excluded ? 0 : -1;
    }
  }

  /// The same condition with its sides exchanged: numbers stand at the right.
  static constexpr condition mirrored(condition c) {
    c.compare = c.compare == op::lt ? op::gt : c.compare == op::gt ? op::lt : c.compare;
    return {c.compare, c.right, c.left, c.where, c.outcome};
  }
  /// No extent is as large, so that one more does not overflow.
  static constexpr index_t far = INT64_MAX / 4;
  static constexpr index_t whole(term const& t) {
    index_t const v = t.kind == term::number ? static_cast<index_t>(t.real) : t.value;
    return v > far ? far : v < -far ? -far : v;
  }
  static constexpr bool is_number(term const& t) {
    return t.kind == term::number || (t.kind == term::extent && !is_symbol(t.value));
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

  path_script script_;
  int decided_ = 0;
  int beyond_ = 0;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
