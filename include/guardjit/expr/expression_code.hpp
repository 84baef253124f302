// guardjit: expr/expression_code.hpp: the structure of an expression as numbers in its type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_CODE_HPP
#define GUARDJIT_EXPR_EXPRESSION_CODE_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/ops/table.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Operations of one operand of a fused op, at most: larger kernels gain nothing. An operand of more ops
/// in all becomes a `deferred_expression`.
inline constexpr int largest_fused_operand = 30;

/// A part of an expression: a tensor, a scalar, an op on values before it, or a function along one
/// axis (`row`), which is some ops that one kernel may compute.
enum class part_kind : std::uint8_t { tensor, scalar, op, row };

/// What a function along an axis makes of the extent of that axis.
enum class row_shape : std::uint8_t { same, dropped, one };

/// A function along an axis, of one operand or two, as the number that its word has for `dims`.
constexpr int row_dims(row_shape shape, int operands) {
  return static_cast<int>(shape) + 3 * (operands - 1);
}
constexpr row_shape shape_of_row(int dims) { return static_cast<row_shape>(dims % 3); }
constexpr int operands_of_row(int dims) { return 1 + dims / 3; }

/// One part as 32 bits. Operands stand before their op, so that no word names another one: the code
/// of `a + b` is that of `a`, that of `b`, and `add`.
struct expression_word {
  part_kind kind = part_kind::tensor;
  dtype type{};  ///< of the value
  int rank = 0;  ///< of the value
  op id{};       ///< of a `row` the reduction that checks its axis
  /// Of an `op` see `op_tag`; of a `row` its `row_dims`; 1 of a tensor that a deferred expression makes.
  int dims = 0;

  constexpr std::uint32_t word() const {
    return static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(type) << 2 |
           static_cast<std::uint32_t>(rank) << 6 | static_cast<std::uint32_t>(id) << 10 |
           static_cast<std::uint32_t>(dims + 1) << 18;
  }
  static constexpr expression_word of(std::uint32_t w) {
    return {static_cast<part_kind>(w & 3u), static_cast<dtype>(w >> 2 & 15u),
            static_cast<int>(w >> 6 & 15u), static_cast<op>(w >> 10 & 255u),
            static_cast<int>(w >> 18 & 15u) - 1};
  }
  constexpr bool is_leaf() const { return kind == part_kind::tensor || kind == part_kind::scalar; }
  constexpr bool is_deferred() const { return kind == part_kind::tensor && dims == 1; }
  constexpr int arity() const {
    return is_leaf() ? 0 : kind == part_kind::row ? operands_of_row(dims) : info_of(id).arity;
  }
  constexpr bool has_attributes() const {
    return kind == part_kind::row || (kind == part_kind::op && guardjit::has_attributes(id));
  }
};

/// How many of each part an expression has.
struct expression_size {
  int parts = 0, tensors = 0, scalars = 0, ops = 0, attributes = 0;
  int room = 1;      ///< for the extents of a tensor: the highest rank, at least 1
  int deferred = 0;  ///< of the tensors

  constexpr void add(expression_word const& w) {
    ++parts;
    if (w.kind == part_kind::tensor) ++tensors, room = w.rank > room ? w.rank : room;
    else if (w.kind == part_kind::scalar) ++scalars;
    else ++ops;
    if (w.has_attributes()) ++attributes;
    if (w.is_deferred()) ++deferred;
  }
};

/// One part with the numbers of its operands.
struct expression_node {
  part_kind kind{};
  dtype type{};
  dtype compute{};  ///< the dtype in which an op computes
  op id{};
  int rank = 0, dims = 0;
  std::array<std::int16_t, max_node_operands> in{-1, -1, -1};
  std::int16_t leaf = -1, line = -1, attribute = -1, row = -1;  ///< numbers among their kind

  constexpr bool is_leaf() const { return leaf >= 0; }
  constexpr bool is_deferred() const { return kind == part_kind::tensor && dims == 1; }
  constexpr int operands() const {
    int n = 0;
    while (n < max_node_operands && in[static_cast<unsigned>(n)] >= 0) ++n;
    return n;
  }
};

}  // namespace detail

/// The structure of an expression: its `expression_word`s. Flat, since nested types of expressions
/// cost the C++ compiler more than linear time.
template <std::uint32_t... Words> struct expression_code {
  static constexpr int parts = static_cast<int>(sizeof...(Words));
  static constexpr detail::expression_size size = [] {
    detail::expression_size s;
    // A list and no fold: clang folds 256 at most.
    for (std::uint32_t word : {Words...}) s.add(detail::expression_word::of(word));
    return s;
  }();
  /// The word of the op that makes the value.
  static constexpr detail::expression_word last = [] {
    std::uint32_t last_word = 0;
    for (std::uint32_t word : {Words...}) last_word = word;
    return detail::expression_word::of(last_word);
  }();
};

namespace detail {

/// The parts of an expression. Operands come before their op; the last one is the value.
template <class Code> struct expression_nodes;
template <std::uint32_t... Words> struct expression_nodes<expression_code<Words...>> {
  static constexpr auto list = [] {
    constexpr unsigned count = sizeof...(Words);
    constexpr std::uint32_t code[] = {Words...};
    std::array<expression_node, count> nodes{};
    std::array<std::int16_t, count> stack{};
    unsigned height = 0;
    std::int16_t tensors = 0, scalars = 0, lines = 0, attributes_seen = 0, rows = 0;
    for (unsigned k = 0; k < count; ++k) {
      auto const w = expression_word::of(code[k]);
      expression_node& n = nodes[k];
      n.kind = w.kind;
      n.type = n.compute = w.type;
      n.rank = w.rank;
      n.id = w.id;
      n.dims = w.dims;
      auto const arity = static_cast<unsigned>(w.arity());
      operand_type types[max_node_operands]{};
      height -= arity;
      for (unsigned i = 0; i < arity; ++i) {
        n.in[i] = stack[height + i];
        expression_node const& operand = nodes[static_cast<unsigned>(n.in[i])];
        types[i] = {operand.type, operand.kind == part_kind::scalar};
      }
      if (w.is_leaf()) n.leaf = w.kind == part_kind::tensor ? tensors++ : scalars++;
      else n.line = lines++;
      if (w.has_attributes()) n.attribute = attributes_seen++;
      if (w.kind == part_kind::row) n.row = rows++;
      if (w.kind == part_kind::op) {
        mistake wrong;
        attributes extra;
        extra.type = w.type;
        n.compute = dtypes_of(w.id, {types, arity}, extra, wrong).compute;
      }
      stack[height++] = static_cast<std::int16_t>(k);
    }
    return nodes;
  }();
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
