// guardjit: ops/op.hpp: the ids of all ops, and what a row of the op table says
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_OP_HPP
#define GUARDJIT_OPS_OP_HPP

#include <guardjit/tensor/dtype.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Ids of the ops. `input` and `constant` are leaves of graphs, no functions of users.
enum class op : std::uint8_t {
  input, constant,
  add, sub, mul, div, neg, maximum, minimum, relu,
  fmax, fmin, abs, sign, square, reciprocal, clip, floor, ceil, round,
  floor_divide, trunc_divide, remainder, fmod,
  exp, log, tanh, sqrt, rsqrt, expm1, log1p, pow, sin, cos, erf,
  sigmoid, silu, softplus, gelu, gelu_tanh,
  lt, gt, eq, le, ge, ne, where, to,
  logical_and, logical_or, logical_xor, logical_not,
  bitwise_and, bitwise_or, bitwise_xor, bitwise_not, shift_left, shift_right,
  sum, amax, mean,
  prod, amin, argmax, argmin, any, all,
  matmul,
  permute, reshape, expand, slice,
  select,
  arange, concat, take, gather,
  zeros, ones, full,
};
inline constexpr int op_count = static_cast<int>(op::full) + 1;

/// How an op treats elements; kernels, shape rules and fusion go by it.
enum class op_form : std::uint8_t {
  leaf, elementwise, reduction, contraction, view, factory,
  movement,  ///< elements that are copied to their places, or counted by them: a kernel of its own
};

/// How the dtype of the result follows from those of the operands.
/// Rules: the result codes of `numerics.md` section 1.
enum class dtype_rule : std::uint8_t {
  none,             ///< leaves
  promoted,         ///< P
  promoted_number,  ///< P, refuses bool (P/Z)
  promoted_bits,    ///< P, takes only bool and integers (P/I)
  promoted_integer, ///< P, takes only integers (P/I/Z)
  floating,         ///< F: P, then bool and integers become f64
  boolean,          ///< B: operands are promoted, the result is bool
  selected,         ///< `where`: a bool condition, then P of the other two
  widened,          ///< W: bool and integers become i64
  averaged,         ///< M: bool and integers become f64
  same,             ///< S: as the first operand
  index,            ///< X: i64
  indexed,          ///< S, and the second operand is i32 or i64
  given,            ///< an attribute names it
};

/// One row of the op table.
struct op_info {
  char const* name;
  op_form form;
  int arity;
  dtype_rule types;
  /// Work of one element in additions; fusion weighs it against a store and a load.
  int cost = 0;
  /// Whether function modes are asked. Rules: M21.
  bool overridable = true;
};

/// The row of one op: `info`, and for elementwise ops and reductions the formula over lanes.
template <op Id> struct op_row;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
