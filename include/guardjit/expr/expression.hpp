// guardjit: expr/expression.hpp: ops on tensors of known types, written down and run when evaluated
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_HPP
#define GUARDJIT_EXPR_EXPRESSION_HPP

#include <guardjit/expr/eager_result.hpp>
#include <guardjit/modes/op_call.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

/// Runs ops by the kernels of a backend; `compile/evaluator.hpp` defines it.
template <class Backend> struct evaluator;

namespace detail {
/// Evaluates an expression by the kernels of a backend; see `expr/evaluate.hpp`.
template <class Backend, class Expression>
typename Expression::result_type evaluate(Expression const& e);

/// A rank 0 expression converts to a scalar. Its operators take it as it is, so that they are
/// preferred to those of the scalar, and bring the line of its last op.
template <class Derived, int Rank> using expression_side =
    std::conditional_t<Rank == 0, Derived const&, located<Derived const>>;
}  // namespace detail

/// What evaluates to a tensor of a known type.
template <class E>
concept expression = evaluable<std::remove_cvref_t<E>>;

template <class Derived, class Result> class typed_expression;

/// What all expressions offer: the facts that types know, and evaluation. `Derived` gives `shape()`,
/// `line()` and its operands.
template <class Derived, element T, index_t... Extents>
class typed_expression<Derived, tensor<T, Extents...>>
    : public tensor_operators<Derived,
                              detail::expression_side<Derived, int{sizeof...(Extents)}>> {
 public:
  using element_type = T;
  /// What evaluation gives.
  using result_type = tensor<T, Extents...>;

  static constexpr int rank() { return result_type::rank(); }
  /// `dyn` where known at run time only.
  static constexpr index_t static_extent(int dim) { return static_shape()[dim]; }
  static constexpr guardjit::shape static_shape() { return result_type::static_shape(); }
  static constexpr guardjit::dtype type() { return dtype_v<T>; }

  /// By the shape rules; nothing is computed.
  /// Throws: `shape_error`, `index_error` where operands do not fit.
  index_t extent(int dim) const { return self().shape()[dim]; }

  /// The value, row-major in fresh storage; a view where the last op is one and strides allow it.
  /// Throws: `shape_error`, `index_error`, `dtype_error`, `device_error` with the op's line, before
  /// any mode is asked; what modes throw; `std::bad_alloc`.
  /// Complexity: one pass for each fused group.
  /// Modes: told each op once, equal ones once. Rules: M24, M25, N54.
  template <class Backend = default_backend> result_type evaluate() const {
    return detail::evaluate<Backend>(self());
  }

  /// The one element of rank 0.
  operator T() const
    requires(sizeof...(Extents) == 0)
  {
    return evaluate().item();
  }

 private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
};

template <class Derived, element T, index_t... Extents>
tensor(typed_expression<Derived, tensor<T, Extents...>> const&) -> tensor<T, Extents...>;

namespace detail {
/// The type of an op's result. A function, since g++ 12 crashes on the constants in a base clause.
template <op Id, int Dims, class To, class... Operands> constexpr auto result_of_op() {
  constexpr static_result facts = infer_static<Id, Dims, To, Operands...>();
  return std::type_identity<tensor_of_t<facts.types.result, facts.extents>>{};
}

/// Stands for the attributes of an op that has none.
struct nothing {
  constexpr nothing(attributes const&) {}
};
}  // namespace detail

/// One op, described by its `op_tag`, on operands that it owns: tensors by handle, expressions and
/// C++ scalars by value.
/// Lifetime: keeps the storage of its tensors alive, so that it may be stored and returned.
template <class Tag, class... Operands> class op_expression;
template <op Id, int Dims, class To, class... Operands>
class [[nodiscard]] op_expression<op_tag<Id, Dims, To>, Operands...>
    : public typed_expression<
          op_expression<op_tag<Id, Dims, To>, Operands...>,
          typename decltype(detail::result_of_op<Id, Dims, To, Operands...>())::type> {
 public:
  static constexpr op id = Id;
  /// The dtype in which the op computes.
  static constexpr dtype compute = detail::infer_static<Id, Dims, To, Operands...>().types.compute;

  template <class... Values>
    requires(std::is_constructible_v<Operands, Values> && ...)
  op_expression(attributes const& extra, source_line where, Values&&... in)
      : operands_(std::forward<Values>(in)...), extra_(extra), line_(where) {}

  template <int K> auto const& operand() const { return std::get<K>(operands_); }
  std::tuple<Operands...> const& operands() const { return operands_; }
  attributes const& attribute() const {
    if constexpr (has_attributes(Id)) return extra_;
    else return detail::no_attributes;
  }
  source_line line() const { return line_; }

  guardjit::shape shape() const {
    return std::apply(
        [this](Operands const&... in) {
          guardjit::shape const shapes[] = {detail::shape_of_operand(in)...};
          return detail::inferred_shape(Id, shapes, attribute(), line_);
        },
        operands_);
  }

 private:
  std::tuple<Operands...> operands_;
  [[no_unique_address]] std::conditional_t<has_attributes(Id), attributes,
                                           detail::nothing>
      extra_;
  source_line line_;
};

template <class Tag, class... Operands>
inline constexpr bool is_operand_v<op_expression<Tag, Operands...>> = true;

namespace detail {
template <expression E> struct eager_operand<E> {
  static constexpr bool valid = true, scalar = false, typed = true;
  static constexpr operand_type type{E::type(), false};
  static constexpr shape extents = E::static_shape();
};
}  // namespace detail

namespace detail {
/// What an expression evaluates to; any other operand as it is.
template <class Operand> decltype(auto) value_of_operand(Operand const& x) {
  if constexpr (expression<Operand>) return x.evaluate();
  else return (x);
}
}  // namespace detail

/// The value of an expression now; a tensor, a symbol of a trace or a scalar is its own value. For
/// generic functions that name an intermediate value, use it twice or assign to it again, and run
/// outside `compile` too: `auto y = eval(x * w);`.
template <class Value> constexpr auto eval(Value const& value) {
  if constexpr (expression<Value>) return value.evaluate();
  else return value;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
