// guardjit: graph/sym.hpp: what a traced function computes with instead of tensors
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_SYM_HPP
#define GUARDJIT_GRAPH_SYM_HPP

#include <guardjit/graph/tracer.hpp>
#include <guardjit/ops/functions.hpp>
#include <guardjit/tensor/indexable.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// An extent inside a traced function: a number or a symbol. Arithmetic and comparisons work as on
/// integers; a comparison converted to bool forks the trace. Extents are scalar operands of ops.
class extent_sym {
 public:
  constexpr extent_sym(tracer* t, index_t value, source_line where) : t_(t), value_(value), where_(where) {}
  constexpr tracer* trace() const { return t_; }
  constexpr index_t value() const { return value_; }
  constexpr source_line line() const { return where_; }

 private:
  tracer* t_;
  index_t value_;
  source_line where_;
};
template <> inline constexpr bool is_extent_v<extent_sym> = true;
constexpr index_t to_extent(extent_sym const& e) { return e.value(); }

/// The outcome of a comparison in a trace, not yet decided; `if` on it forks the trace.
/// Rules: G90.
class condition_sym {
 public:
  constexpr condition_sym(tracer* t, condition const& c, bool negated = false)
      : t_(t), c_(c), negated_(negated) {}
  constexpr condition_sym operator!() const { return {t_, c_, !negated_}; }
  constexpr explicit operator bool() const { return (t_ ? t_->decide(c_) : c_.outcome) != negated_; }

 private:
  tracer* t_;
  condition c_;
  bool negated_;
};

class sym;
class sym_operand;

namespace detail {
template <class... Operands> constexpr sym append(op id, sym_operand const& a, Operands const&... more);

/// Operators of `sym`. They are friends, so that only expressions with a sym find them, and a
/// template over the operand, which is not complete here. The operand is a converting wrapper that
/// brings the user's line, which an operator has no parameter for.
template <class Operand> struct sym_operators {
  friend constexpr auto operator+(Operand a, Operand b) { return append(op::add, a, b); }
  friend constexpr auto operator-(Operand a, Operand b) { return append(op::sub, a, b); }
  friend constexpr auto operator*(Operand a, Operand b) { return append(op::mul, a, b); }
  friend constexpr auto operator/(Operand a, Operand b) { return append(op::div, a, b); }
  friend constexpr auto operator-(Operand a) { return append(op::neg, a); }
  friend constexpr auto operator<(Operand a, Operand b) { return append(op::lt, a, b); }
  friend constexpr auto operator>(Operand a, Operand b) { return append(op::gt, a, b); }
  friend constexpr auto operator<=(Operand a, Operand b) { return append(op::le, a, b); }
  friend constexpr auto operator>=(Operand a, Operand b) { return append(op::ge, a, b); }
  friend constexpr auto operator==(Operand a, Operand b) { return append(op::eq, a, b); }
  friend constexpr auto operator!=(Operand a, Operand b) { return append(op::ne, a, b); }
  friend constexpr auto operator&(Operand a, Operand b) { return append(op::bitwise_and, a, b); }
  friend constexpr auto operator|(Operand a, Operand b) { return append(op::bitwise_or, a, b); }
  friend constexpr auto operator^(Operand a, Operand b) { return append(op::bitwise_xor, a, b); }
  friend constexpr auto operator~(Operand a) { return append(op::bitwise_not, a); }
};
}  // namespace detail

/// A tensor inside a traced function: a node of the graph. All syms have one type.
class sym : public detail::sym_operators<sym_operand>, public detail::indexable<sym> {
 public:
  constexpr sym() = default;
  constexpr sym(tracer* t, int node) : t_(t), node_(node) {}
  constexpr tracer* trace() const { return t_; }
  constexpr int id() const { return node_; }

  constexpr int rank() const { return t_->shape_of(node_).rank; }
  constexpr dtype type() const { return (*t_)[node_].type; }
  /// Whether it is a C++ scalar in eager code.
  constexpr bool is_scalar() const { return (*t_)[node_].weak; }
  constexpr extent_sym extent(int dim, source_line where = std::source_location::current()) const {
    shape const& s = t_->shape_of(node_);
    int const d = dim < 0 ? dim + s.rank : dim;
    if (d < 0 || d >= s.rank) {
      t_->begin(op::input, where);
      t_->fail(mistake_kind::axis_out_of_range, dim, s.rank, dim);
      return {t_, 1, where};
    }
    return {t_, s[d], where};
  }
  /// A branch on a scalar argument forks the trace; one on elements is refused (G92).
  constexpr explicit operator bool() const { return t_->decide_value(node_); }

 private:
  tracer* t_ = nullptr;
  int node_ = -1;
};
template <> inline constexpr bool is_operand_v<sym> = true;
template <> inline constexpr bool is_operand_v<extent_sym> = true;

/// One operand of an op in a trace: a symbol, an extent or a C++ scalar, with the user's line.
class sym_operand {
 public:
  using line = source_line;
  constexpr sym_operand(sym s, line l = std::source_location::current())
      : t_(s.trace()), node_(s.id()), where_(l) {}
  constexpr sym_operand(extent_sym e, line l = std::source_location::current())
      : t_(e.trace()), bits_(static_cast<std::uint64_t>(e.value())), type_(dtype::i64), is_extent_(true),
        where_(l) {}
  template <class Scalar>
    requires std::is_arithmetic_v<Scalar>
  constexpr sym_operand(Scalar s, line l = std::source_location::current()) : where_(l) {
    if constexpr (std::is_floating_point_v<Scalar>) {
      bits_ = __builtin_bit_cast(std::uint64_t, static_cast<double>(s));
      type_ = sizeof(Scalar) == 4 ? dtype::f32 : dtype::f64;
    } else {
      bits_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(s));
      type_ = std::is_same_v<Scalar, bool> ? dtype::boolean : dtype::i64;
    }
  }
  constexpr tracer* trace() const { return t_; }
  constexpr source_line const& where() const { return where_; }
  /// The node of this operand; scalars become leaves.
  constexpr int node_in(tracer& t) const {
    if (node_ >= 0) return node_;
    node n;
    n.id = is_extent_ && is_symbol(static_cast<index_t>(bits_)) ? op::input : op::constant;
    n.type = type_;
    n.weak = true;
    n.bits = bits_;
    n.where = where_;
    n.form = t.add_shape({});
    return t.push(n);
  }

 private:
  tracer* t_ = nullptr;
  int node_ = -1;
  std::uint64_t bits_ = 0;
  dtype type_ = dtype::f32;
  bool is_extent_ = false;
  source_line where_;
};

namespace detail {

/// One side of a comparison or of arithmetic on extents.
struct extent_operand {
  tracer* t = nullptr;
  index_t value = 0;
  source_line where;
  constexpr extent_operand(extent_sym e, source_line l = std::source_location::current())
      : t(e.trace()), value(e.value()), where(l) {}
  template <std::integral Number>
  constexpr extent_operand(Number n, source_line l = std::source_location::current())
      : value(static_cast<index_t>(n)), where(l) {}
};

constexpr condition_sym compare(op id, extent_operand const& a, extent_operand const& b) {
  condition c{id, {term::extent, a.value, 0}, {term::extent, b.value, 0}, b.t ? a.where : b.where, false};
  return {a.t ? a.t : b.t, c};
}
template <class F> constexpr extent_sym combine(extent_operand const& a, extent_operand const& b, F f) {
  tracer* t = a.t ? a.t : b.t;
  return {t, f(*t, a.value, b.value), a.where};
}

}  // namespace detail

constexpr condition_sym operator<(detail::extent_operand a, detail::extent_operand b) {
  return detail::compare(op::lt, a, b);
}
constexpr condition_sym operator>(detail::extent_operand a, detail::extent_operand b) {
  return detail::compare(op::gt, a, b);
}
constexpr condition_sym operator<=(detail::extent_operand a, detail::extent_operand b) {
  return !detail::compare(op::gt, a, b);
}
constexpr condition_sym operator>=(detail::extent_operand a, detail::extent_operand b) {
  return !detail::compare(op::lt, a, b);
}
constexpr condition_sym operator==(detail::extent_operand a, detail::extent_operand b) {
  return detail::compare(op::eq, a, b);
}
constexpr condition_sym operator!=(detail::extent_operand a, detail::extent_operand b) {
  return !detail::compare(op::eq, a, b);
}
constexpr extent_sym operator+(detail::extent_operand a, detail::extent_operand b) {
  return detail::combine(a, b, [](tracer& t, index_t x, index_t y) { return t.add(x, y); });
}
constexpr extent_sym operator-(detail::extent_operand a, detail::extent_operand b) {
  return detail::combine(a, b, [](tracer& t, index_t x, index_t y) { return t.sub(x, y); });
}
constexpr extent_sym operator*(detail::extent_operand a, detail::extent_operand b) {
  return detail::combine(a, b, [](tracer& t, index_t x, index_t y) { return t.mul(x, y); });
}
constexpr extent_sym operator/(detail::extent_operand a, detail::extent_operand b) {
  return detail::combine(a, b, [](tracer& t, index_t x, index_t y) { return t.div(x, y); });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
