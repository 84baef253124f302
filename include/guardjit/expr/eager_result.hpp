// guardjit: expr/eager_result.hpp: the type of an eager op's result, and mistakes that types show
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EAGER_RESULT_HPP
#define GUARDJIT_EXPR_EAGER_RESULT_HPP

#include <guardjit/graph/mistakes.hpp>
#include <guardjit/modes/operand.hpp>
#include <guardjit/ops/dtype_rules.hpp>
#include <guardjit/ops/functions.hpp>
#include <guardjit/ops/shape_rules.hpp>
#include <guardjit/tensor/frozen.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// The call that the compiler names in its notes.
struct this_call;
}  // namespace mistakes

template <element T, index_t... Extents> inline constexpr bool is_operand_v<tensor<T, Extents...>> =
    true;
template <element T, index_t... Extents> inline constexpr bool is_operand_v<frozen<T, Extents...>> =
    true;
template <> inline constexpr bool is_operand_v<any_tensor> = true;
template <> inline constexpr bool is_operand_v<operand> = true;

namespace detail {

/// What the type of an operand of eager code says.
template <class Value> struct eager_operand { static constexpr bool valid = false; };
template <element T, index_t... Extents> struct eager_operand<tensor<T, Extents...>> {
  static constexpr bool valid = true, scalar = false, typed = true;
  static constexpr operand_type type{dtype_v<T>, false};
  static constexpr shape extents = make_static_shape<Extents...>();
};
template <element T, index_t... Extents> struct eager_operand<frozen<T, Extents...>>
    : eager_operand<tensor<T, Extents...>> {};
template <> struct eager_operand<any_tensor> {
  static constexpr bool valid = true, scalar = false, typed = false;
};
/// What handlers are given; whether it is a scalar is known at run time.
template <> struct eager_operand<operand> : eager_operand<any_tensor> {};
template <scalar_operand Scalar> struct eager_operand<Scalar> {
  static constexpr bool valid = true, scalar = true, typed = true;
  static constexpr dtype kind = std::is_same_v<Scalar, bool>    ? dtype::boolean
                                : std::is_integral_v<Scalar>    ? dtype::i64
                                : std::is_same_v<Scalar, float> ? dtype::f32
                                                                : dtype::f64;
  static constexpr operand_type type{kind, true};
  static constexpr shape extents{};
};

/// The shape of one operand of a call.
template <class Operand> shape shape_of_operand(Operand const& x) {
  if constexpr (eager_operand<Operand>::scalar) return {};
  else return x.shape();
}

/// Operands of one op in eager code: tensors of any kind and C++ scalars, at least one tensor.
template <class... Values>
concept eager_operands = (eager_operand<Values>::valid && ...) &&
                         (!eager_operand<Values>::scalar || ...);
/// Eager operands whose dtypes and ranks are all types.
template <class... Values>
concept typed_operands = eager_operands<Values...> &&(eager_operand<Values>::typed&&...);

/// What types say about the result of an op; an extent may be `dyn`.
struct static_result {
  typed_op types;
  shape extents;
  mistake wrong;
};

constexpr shape unknown_shape(int rank) {
  shape s;
  for (; s.rank < rank && s.rank < max_rank; ++s.rank) s[s.rank] = dyn;
  return s;
}

/// The rank of a result whose extents follow from attributes; see `op_tag`.
constexpr int rank_of_result(op id, int dims, int rank, mistake& wrong) {
  if (is_reduction(id)) {
    if (dims > rank) wrong = {mistake_kind::axis_out_of_range, id, dims - 1, rank, dims - 1, {}};
    return dims < 0 || dims > rank ? 0 : rank - dims;
  }
  if (id == op::concat || id == op::gather) return rank;
  if (id == op::select) {
    if (rank == 0) wrong = {mistake_kind::axis_out_of_range, id, 0, 0, 0, {}};
    return rank == 0 ? 0 : rank - 1;
  }
  if (id == op::expand && rank > dims) wrong = {mistake_kind::rank_too_high, id, rank, dims, 0, {}};
  return id == op::expand || id == op::reshape ? dims : rank;
}

template <op Id, int Dims, class To, class... Operands> constexpr static_result infer_static() {
  operand_type const types[] = {eager_operand<Operands>::type...};
  shape const shapes[] = {eager_operand<Operands>::extents...};
  attributes extra;
  if constexpr (element<To>) extra.type = dtype_v<To>;
  static_result r;
  r.types = dtypes_of(Id, types, extra, r.wrong);
  if (r.wrong) return r;
  if constexpr (is_elementwise(Id) || info_of(Id).form == op_form::contraction) {
    known_extents context{Id};
    r.extents = shape_of_result(context, Id, shapes, extra);
    r.wrong = context.wrong;
  } else {
    int rank = rank_of_result(Id, Dims, shapes[0].rank, r.wrong);
    if constexpr (Id == op::take) rank += shapes[1].rank - 1;
    if (rank > max_rank) r.wrong = {mistake_kind::rank_too_high, Id, rank, max_rank, 0, {}};
    // Extents depend on the axis, ranks do not.
    if constexpr (Id == op::concat || Id == op::gather) {
      shape const left = unknown_shape(shapes[0].rank), right = unknown_shape(shapes[1].rank);
      known_extents context{Id};
      shape const both[] = {left, right};
      shape_of_result(context, Id, both, extra);
      if (context.wrong) r.wrong = context.wrong;
    }
    r.extents = unknown_shape(rank);
  }
  return r;
}

template <dtype Type, shape Extents, int... Dim> auto tensor_of(std::integer_sequence<int, Dim...>)
    -> tensor<element_t<Type>, Extents[Dim]...>;
/// The tensor that `infer_static` describes.
template <dtype Type, shape Extents> using tensor_of_t =
    decltype(tensor_of<Type, Extents>(std::make_integer_sequence<int, Extents.rank>{}));

template <element T, int... Dim> auto dynamic_tensor(std::integer_sequence<int, Dim...>)
    -> tensor<T, (static_cast<void>(Dim), dyn)...>;
/// A tensor whose extents are all known at run time only.
template <element T, int Rank> using dynamic_tensor_t =
    decltype(dynamic_tensor<T>(std::make_integer_sequence<int, Rank>{}));

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
