// guardjit: expr/expression_view.hpp: an expression at run time as data: leaves, lines, attributes, shapes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_VIEW_HPP
#define GUARDJIT_EXPR_EXPRESSION_VIEW_HPP

#include <guardjit/expr/deferred_expression.hpp>
#include <guardjit/expr/eager_result.hpp>
#include <guardjit/expr/expression_code.hpp>
#include <guardjit/modes/op_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An expression of any type, borrowed.
struct expression_view {
  std::span<expression_node const> nodes;
  leaf_view const* leaves = nullptr;
  std::uint64_t const* scalars = nullptr;
  attributes const* extra = nullptr;
  source_line const* lines = nullptr;

  leaf_view const& leaf(expression_node const& n) const { return leaves[n.leaf]; }
  std::uint64_t scalar(expression_node const& n) const { return scalars[n.leaf]; }
  /// The layout of a tensor.
  layout_view layout(expression_node const& n) const {
    leaf_view const& x = leaf(n);
    return {n.rank, x.extents, x.strides, x.hash};
  }
  shape leaf_shape(expression_node const& n) const {
    if (n.kind == part_kind::scalar) return {};
    return leaf(n).is_deferred() ? deferred_of(leaf(n)).shape() : layout(n).shape();
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
      shapes[k] = e.leaf_shape(n);
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
      leaf_view const& leaf = e.leaf(x);
      device const where = leaf.is_deferred() ? deferred_of(leaf).where() : leaf.where();
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
