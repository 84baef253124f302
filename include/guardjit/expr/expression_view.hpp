// guardjit: expr/expression_view.hpp: an expression at run time as data: leaves, lines, attributes, shapes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_VIEW_HPP
#define GUARDJIT_EXPR_EXPRESSION_VIEW_HPP

#include <guardjit/expr/eager_result.hpp>
#include <guardjit/expr/expression_code.hpp>
#include <guardjit/modes/op_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// How many leaves, ops and attributes were taken from operands.
struct expression_parts {
  int leaves = 0, ops = 0, attributes = 0;
  constexpr void add(expression_size const& s) {
    leaves += s.leaves;
    ops += s.ops;
    attributes += s.attributes;
  }
};

/// A leaf of rank `Rank` at most: a tensor, by handle, or a scalar, by its bits.
template <int Rank> class expression_leaf {
  static constexpr unsigned room_ = Rank == 0 ? 1 : static_cast<unsigned>(Rank);

 public:
  expression_leaf() = default;
  /// Floats as `double`, all others as `std::int64_t`.
  template <scalar_operand Scalar> explicit expression_leaf(Scalar value) {
    if constexpr (std::is_floating_point_v<Scalar>)
      word_ = __builtin_bit_cast(std::uint64_t, static_cast<double>(value));
    else word_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  template <element T, index_t... Extents> explicit expression_leaf(tensor<T, Extents...> const& x)
      : owner_(x.storage()), data_(const_cast<T*>(x.data())) {
    layout_view const form = x.layout().view();
    word_ = form.hash;
    for (unsigned d = 0; d < sizeof...(Extents); ++d) {
      extents_[d] = form.extents[d];
      strides_[d] = form.strides[d];
    }
  }
  template <int Other> expression_leaf& operator=(expression_leaf<Other> const& x) {
    owner_ = x.owner_;
    return take_rest(x);
  }
  template <int Other> expression_leaf& operator=(expression_leaf<Other>&& x) noexcept {
    owner_ = std::move(x.owner_);
    return take_rest(x);
  }

  storage const& owner() const { return owner_; }
  void* data() const { return data_; }
  std::uint64_t word() const { return word_; }
  index_t const* extents() const { return extents_.data(); }
  index_t const* strides() const { return strides_.data(); }

 private:
  template <int Other> friend class expression_leaf;

  template <int Other> expression_leaf& take_rest(expression_leaf<Other> const& x) {
    data_ = x.data_;
    word_ = x.word_;
    for (unsigned d = 0; d < x.room_; ++d) {
      extents_[d] = x.extents_[d];
      strides_[d] = x.strides_[d];
    }
    return *this;
  }

  storage owner_;
  void* data_ = nullptr;
  std::uint64_t word_ = 0;  // hash of the layout, or bits of the scalar
  std::array<index_t, room_> extents_{}, strides_{};
};

/// Copies or moves leaves of an operand.
template <bool Moves, class To, class From>
[[gnu::always_inline]] inline void take_leaves(To* to, From* from, int count) {
  for (int k = 0; k < count; ++k)
    if constexpr (Moves) to[k] = static_cast<From&&>(from[k]);
    else to[k] = from[k];
}
/// The same as one function for all large expressions, which would be long if each had its own.
template <bool Moves, class To, class From>
[[gnu::noinline]] void take_many_leaves(To* to, From* from, int count) {
  take_leaves<Moves>(to, from, count);
}

/// A leaf of any rank, borrowed.
struct leaf_view {
  storage const* owner = nullptr;
  void* data = nullptr;
  std::uint64_t word = 0;
  index_t const* extents = nullptr;
  index_t const* strides = nullptr;
};

/// An expression of any type, borrowed.
struct expression_view {
  std::span<expression_node const> nodes;
  leaf_view const* leaves = nullptr;
  attributes const* extra = nullptr;
  source_line const* lines = nullptr;

  leaf_view const& leaf(expression_node const& n) const { return leaves[n.leaf]; }
  /// The layout of a tensor.
  layout_view layout(expression_node const& n) const {
    leaf_view const& x = leaf(n);
    return {n.rank, x.extents, x.strides, x.word};
  }
  attributes const& attribute(expression_node const& n) const {
    return n.attribute < 0 ? no_attributes : extra[n.attribute];
  }
  source_line const& line(expression_node const& n) const { return lines[n.line]; }
  expression_node const& operand(expression_node const& n, int k) const {
    return nodes[static_cast<std::size_t>(n.in[static_cast<std::size_t>(k)])];
  }
};

/// The axis of a function along one axis, counted from the front.
inline int axis_of_row(expression_view const& e, expression_node const& n, int rank) {
  int const axis = e.attribute(n).axis;
  return axis < 0 ? axis + rank : axis;
}

/// The shape of the elements of a row function, whose operands are broadcast.
/// Throws: `shape_error`.
inline shape joined_shape(expression_view const& e, expression_node const& n, std::span<shape const> in) {
  return in.size() == 1 ? in[0] : inferred_shape(op::where, in, {}, e.line(n));
}

/// The shape of an op or row function, from those of its operands.
/// Throws: `shape_error`, `index_error`.
inline shape infer_shape(expression_view const& e, expression_node const& n,
                         std::span<shape const> in) {
  if (n.kind == part_kind::op) return inferred_shape(n.id, in, e.attribute(n), e.line(n));
  shape const form = joined_shape(e, n, in);
  attributes along;
  int const axis = axis_of_row(e, n, form.rank);
  if (axis < 0 || axis >= form.rank) {
    int const written = e.attribute(n).axis;
    raise_mistake({mistake_kind::axis_out_of_range, n.id, written, form.rank, written, {}},
                  fixed_text{} << ", " << e.line(n));
  }
  along.axes = static_cast<std::uint8_t>(1u << axis);
  along.keepdims = shape_of_row(n.dims) == row_shape::one;
  along.lowest_of_none = true;
  if (shape_of_row(n.dims) == row_shape::same) return form;
  return inferred_shape(n.id, {&form, 1}, along, e.line(n));
}

/// The shapes of all parts. Throws: `shape_error`, `index_error`. Rules: M20.
[[gnu::cold, gnu::noinline]] inline void infer_shapes(expression_view const& e,
                                                      std::span<shape> shapes) {
  for (std::size_t k = 0; k < e.nodes.size(); ++k) {
    expression_node const& n = e.nodes[k];
    if (n.is_leaf()) {
      shapes[k] = n.kind == part_kind::tensor ? e.layout(n).shape() : shape{};
      continue;
    }
    shape in[max_node_operands]{};
    auto const count = static_cast<unsigned>(n.operands());
    for (unsigned i = 0; i < count; ++i) in[i] = shapes[static_cast<std::size_t>(n.in[i])];
    shapes[k] = infer_shape(e, n, {in, count});
  }
}

/// The device of the tensors, which must be one. Throws: `device_error`. Rules: M20.
inline device common_device(expression_view const& e) {
  device on{};
  bool placed = false;
  for (expression_node const& n : e.nodes) {
    if (n.is_leaf()) continue;
    for (int k = 0, count = n.operands(); k < count; ++k) {
      expression_node const& x = e.operand(n, k);
      if (x.kind != part_kind::tensor) continue;
      device const where = e.leaf(x).owner->where();
      if (placed && where != on) [[unlikely]]
        raise_device_mismatch(n.id, on, where, e.line(n));
      on = where;
      placed = true;
    }
  }
  return on;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
