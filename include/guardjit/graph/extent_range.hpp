// guardjit: graph/extent_range.hpp: what declarations and branches leave of the extents of a path
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_EXTENT_RANGE_HPP
#define GUARDJIT_GRAPH_EXTENT_RANGE_HPP

#include <guardjit/graph/declared_extent.hpp>
#include <guardjit/graph/graph.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Values from `lo` to `hi`; none where `lo` is larger.
struct extent_range {
  /// No extent is as large, so that one more does not overflow.
  static constexpr index_t far = INT64_MAX / 4;
  index_t lo = 0, hi = far;

  constexpr bool is_one() const { return lo == hi; }
  constexpr bool has(index_t v) const { return v >= lo && v <= hi; }
  constexpr bool meets(extent_range const& o) const { return lo <= o.hi && o.lo <= hi; }
};

namespace detail {

constexpr bool is_number(term const& t) {
  return t.kind == term::number || (t.kind == term::extent && !is_symbol(t.value));
}
constexpr bool is_whole(term const& t) {
  if (t.kind != term::number) return is_number(t);
  return t.real > -0x1p62 && t.real < 0x1p62 && static_cast<double>(static_cast<index_t>(t.real)) == t.real;
}
constexpr index_t bounded(index_t v) {
  return v > extent_range::far ? extent_range::far : v < -extent_range::far ? -extent_range::far : v;
}
constexpr index_t whole(term const& t) {
  return bounded(t.kind == term::number ? static_cast<index_t>(t.real) : t.value);
}
/// Of whole numbers `a <= b` is "not a > b": writes it so, and returns whether it did.
constexpr bool settle_equal(condition& c) {
  bool const equal_too = c.compare == op::le || c.compare == op::ge;
  if (equal_too) c.compare = c.compare == op::le ? op::gt : op::lt;
  return equal_too;
}

/// What earlier conditions leave of a range.
constexpr extent_range narrowed(extent_range r, term const& of, std::span<condition const> conditions) {
  for (condition past : conditions) {
    if (!(past.left == of) || !is_whole(past.right)) continue;
    bool const holds = past.outcome != settle_equal(past);
    index_t const v = whole(past.right);
    if (past.compare == op::gt) holds ? r.lo = r.lo > v + 1 ? r.lo : v + 1 : r.hi = r.hi < v ? r.hi : v;
    if (past.compare == op::lt) holds ? r.hi = r.hi < v - 1 ? r.hi : v - 1 : r.lo = r.lo > v ? r.lo : v;
    if (past.compare == op::eq && holds) r.lo = r.hi = v;
  }
  return r;
}

constexpr index_t bounded_product(index_t a, index_t b) {
  index_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? extent_range::far : -extent_range::far;
  return bounded(product);
}
constexpr index_t common_divisor(index_t a, index_t b) {
  a = a < 0 ? -a : a, b = b < 0 ? -b : b;
  while (b != 0) {
    index_t const rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/// What is known of the extents of one path. Used where something is declared.
struct extent_facts {
  std::span<declared_extent const> declared{};
  std::span<extent_node const> extents{};
  std::span<condition const> conditions{};

  constexpr extent_node const& at(index_t e) const { return extents[static_cast<unsigned>(number_of(e))]; }
  constexpr declared_extent const* declaration(index_t e) const {
    if (!is_symbol(e) || at(e).id != extent_op::input) return nullptr;
    return declared_of(declared, at(e).left, at(e).right);
  }

  constexpr extent_range range_of(index_t e) const {
    if (!is_symbol(e)) return {e, e};
    return narrowed(range_of_node(at(e), e), {term::extent, e, 0}, conditions);
  }
  constexpr extent_range range_of_node(extent_node const& n, index_t e) const {
    if (n.id == extent_op::input) {
      declared_extent const* const d = declaration(e);
      return d ? extent_range{bounded(d->lo), bounded(d->hi)} : extent_range{};
    }
    extent_range const a = range_of(n.left), b = range_of(n.right);
    bool const natural = a.lo >= 0 && b.lo >= 0;
    switch (n.id) {
      case extent_op::plus: return {bounded(a.lo + b.lo), bounded(a.hi + b.hi)};
      case extent_op::minus: return {bounded(a.lo - b.hi), bounded(a.hi - b.lo)};
      case extent_op::min: return {a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
      case extent_op::max: return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
      case extent_op::times:
        if (natural) return {bounded_product(a.lo, b.lo), bounded_product(a.hi, b.hi)};
        break;
      case extent_op::quotient:
        if (natural && b.lo > 0) return {a.lo / b.hi, a.hi == extent_range::far ? a.hi : a.hi / b.lo};
        break;
      case extent_op::broadcast: return {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
      case extent_op::input: break;
    }
    return {-extent_range::far, extent_range::far};
  }

  /// A number that divides an extent; 0 where it is 0.
  constexpr index_t divisor_of(index_t e) const {
    if (!is_symbol(e)) return e < 0 ? -e : e;
    extent_node const& n = at(e);
    if (n.id == extent_op::input) {
      declared_extent const* const d = declaration(e);
      return d ? d->divisor : 1;
    }
    if (n.id == extent_op::times) return bounded_product(divisor_of(n.left), divisor_of(n.right));
    if (n.id == extent_op::plus || n.id == extent_op::minus)
      return common_divisor(divisor_of(n.left), divisor_of(n.right));
    return 1;
  }

  constexpr bool depends_on(index_t e, index_t input) const {
    if (!is_symbol(e) || e == input) return e == input;
    extent_node const& n = at(e);
    return n.id != extent_op::input && (depends_on(n.left, input) || depends_on(n.right, input));
  }
  /// Whether a branch asked for more of an extent than ranges tell.
  constexpr bool is_asked_otherwise(index_t input) const {
    for (condition const& c : conditions)
      for (term const& t : {c.left, c.right})
        if (t.kind == term::extent && depends_on(t.value, input) && !(t.value == input && is_whole(c.right)))
          return true;
    return false;
  }

  /// Whether `a` and `b` may be equal.
  constexpr bool may_equal(index_t a, index_t b) const {
    if (!range_of(a).meets(range_of(b))) return false;
    if (is_symbol(a) && is_symbol(b)) return true;
    index_t const number = is_symbol(a) ? b : a, divisor = divisor_of(is_symbol(a) ? a : b);
    return divisor == 0 ? number == 0 : number % divisor == 0;
  }
  constexpr bool must_equal(index_t a, index_t b) const {
    extent_range const x = range_of(a), y = range_of(b);
    return a == b || (x.is_one() && y.is_one() && x.lo == y.lo) || is_made_of_parts(a, b) ||
           is_made_of_parts(b, a);
  }
  /// Whether `whole` is `b / k * k`, of a `b` that is a multiple of `k`.
  constexpr bool is_made_of_parts(index_t whole, index_t b) const {
    if (!is_symbol(whole) || at(whole).id != extent_op::times) return false;
    extent_node const& n = at(whole);
    index_t const k = is_symbol(n.left) ? n.right : n.left, part = is_symbol(n.left) ? n.left : n.right;
    if (k <= 0 || !is_symbol(part) || at(part).id != extent_op::quotient) return false;
    return at(part).left == b && at(part).right == k && divisor_of(b) % k == 0;
  }

  /// 1 or 0 where a comparison has the same outcome for all values, else -1.
  constexpr int outcome_of(op compare, index_t a, index_t b) const {
    if (a == b) return compare == op::lt || compare == op::gt ? 0 : 1;
    extent_range const x = range_of(a), y = range_of(b);
    switch (compare) {
      case op::lt: return x.hi < y.lo ? 1 : x.lo >= y.hi ? 0 : -1;
      case op::gt: return x.lo > y.hi ? 1 : x.hi <= y.lo ? 0 : -1;
      case op::le: return x.hi <= y.lo ? 1 : x.lo > y.hi ? 0 : -1;
      case op::ge: return x.lo >= y.hi ? 1 : x.hi < y.lo ? 0 : -1;
      default: return !may_equal(a, b) ? 0 : must_equal(a, b) ? 1 : -1;
    }
  }

  /// 1 where a rule of an op holds for all values, 0 where it does for none, else -1.
  constexpr int outcome_of(requirement const& r) const {
    index_t const a = r.left, b = r.right;
    extent_range const x = range_of(a), y = range_of(b);
    if (x.lo > x.hi || y.lo > y.hi) return -1;  // no call comes along here
    bool const one_left = x.lo == 1 && x.is_one(), one_right = y.lo == 1 && y.is_one();
    switch (r.kind) {
      case requirement_kind::equal: return !may_equal(a, b) ? 0 : must_equal(a, b) ? 1 : -1;
      case requirement_kind::broadcast:
        if (must_equal(a, b) || one_left || one_right) return 1;
        return may_equal(a, b) || x.has(1) || y.has(1) ? -1 : 0;
      case requirement_kind::stretch:
        if (must_equal(a, b) || one_left) return 1;
        return may_equal(a, b) || x.has(1) ? -1 : 0;
      case requirement_kind::multiple:
        if (is_symbol(b) || b == 0) return -1;
        if (divisor_of(a) % b == 0) return 1;
        return x.is_one() ? 0 : -1;
      case requirement_kind::positive: return x.lo > 0 ? 1 : x.hi <= 0 ? 0 : -1;
      case requirement_kind::index: {
        index_t const least = a < 0 ? -a : a + 1;
        return y.lo >= least ? 1 : y.hi < least ? 0 : -1;
      }
    }
    return -1;
  }

  /// An extent of an argument, and the value that it is to have.
  struct needed_value {
    declared_extent const* extent = nullptr;
    index_t value = 0;
  };
  /// The declared extent that `e` is made of, where numbers are all else, for `e` to be `value`.
  constexpr needed_value solved(index_t e, index_t value) const {
    while (is_symbol(e)) {
      extent_node const& n = at(e);
      index_t const number = is_symbol(n.left) ? n.right : n.left;
      if (n.id == extent_op::input) return {declaration(e), value};
      if (is_symbol(number)) break;
      bool const is_first = is_symbol(n.left);
      if (n.id == extent_op::plus) value -= number;
      else if (n.id == extent_op::minus) value = is_first ? value + number : number - value;
      else if (n.id == extent_op::times && number != 0 && value % number == 0) value /= number;
      else break;
      e = is_first ? n.left : n.right;
    }
    return {};
  }
  /// The one value that a rule of an op, which is open, needs of an extent that is declared to vary.
  constexpr needed_value needed(requirement const& r) const {
    bool const is_relation = r.kind == requirement_kind::equal || r.kind == requirement_kind::broadcast ||
                             r.kind == requirement_kind::stretch;
    if (!is_relation || is_symbol(r.left) == is_symbol(r.right)) return {};
    index_t const e = is_symbol(r.left) ? r.left : r.right;
    needed_value const found = solved(e, is_symbol(r.left) ? r.right : r.left);
    if (!found.extent || !found.extent->is_open()) return {};
    for (unsigned k = 0; k < extents.size(); ++k)
      if (declaration(symbol(static_cast<int>(k))) == found.extent)
        return is_asked_otherwise(symbol(static_cast<int>(k))) ? needed_value{} : found;
    return {};
  }
  /// The first declared extent that a relation reads.
  constexpr declared_extent const* first_declared(index_t e) const {
    if (!is_symbol(e)) return nullptr;
    extent_node const& n = at(e);
    if (n.id == extent_op::input) return declaration(e);
    declared_extent const* const left = first_declared(n.left);
    return left ? left : first_declared(n.right);
  }
  /// For a rule that holds for no value: the first declared extent, and the value of the other side that is
  /// nearest to what is declared.
  constexpr needed_value wanted(requirement const& r) const {
    declared_extent const* const left = first_declared(r.left);
    declared_extent const* const first = left ? left : first_declared(r.right);
    if (r.kind == requirement_kind::positive) return {first, 1};
    if (r.kind == requirement_kind::index) return {first, r.left < 0 ? -r.left : r.left + 1};
    extent_range const mine = range_of(left ? r.left : r.right), other = range_of(left ? r.right : r.left);
    return {first, other.lo > mine.hi ? other.lo : other.hi};
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
