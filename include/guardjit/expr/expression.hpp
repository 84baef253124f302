// guardjit: expr/expression.hpp: ops on tensors of known types, written down and run when evaluated
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_HPP
#define GUARDJIT_EXPR_EXPRESSION_HPP

#include <guardjit/expr/eager_result.hpp>
#include <guardjit/expr/expression_code.hpp>
#include <guardjit/expr/expression_view.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Runs ops by the kernels of a backend; `compile/evaluator.hpp` defines it.
template <class Backend> struct evaluator;

/// What evaluates to a tensor of a known type.
template <class E>
concept expression = evaluable<std::remove_cvref_t<E>>;

/// Ops on tensors and C++ scalars, not yet run; `Result` is the type of their value. The expression
/// owns its operands: tensors by handle, scalars by value.
/// Lifetime: keeps the storage of its tensors alive, so that it may be stored, copied, returned and
/// evaluated again. Copies share operands of more than 30 ops. It reads its tensors when it is
/// evaluated. A moved-from one may only be assigned to or destroyed.
/// Complexity: an op moves the leaves of operands that are temporaries, and else copies their handles; an
/// operand of more than 30 ops goes to a block of storage, so that the type stays short.
/// Rules: N54.
template <class Result, class Code, class... Rows> class tensor_expression;

namespace detail {
/// Evaluates an expression by the kernels of a backend; see `expr/evaluate.hpp`.
template <class Backend, class Expression>
typename Expression::result_type evaluate(Expression const& e);

/// A rank 0 expression converts to a scalar. Its operators take it as it is, so that they are
/// preferred to those of the scalar, and bring the line of its last op.
template <class Derived, int Rank> using expression_side =
    std::conditional_t<Rank == 0, Derived const&, located<Derived const>>;

/// An operand of an op as what the op is about. Operators hand an expression on as it arrives, since
/// each copy of one is code that each op has; whether it is a temporary is known when they run.
template <class Operand> struct operand_value_type { using type = Operand; };
template <class E> struct operand_value_type<located<E const>> { using type = E; };
template <element T, index_t... Extents> struct operand_value_type<frozen<T, Extents...>> {
  using type = tensor<T, Extents...>;
};
template <class Operand> using operand_value_t =
    typename operand_value_type<std::remove_cvref_t<Operand>>::type;
template <class Operand> constexpr Operand const& operand_itself(Operand const& x) { return x; }
template <class E> constexpr E const& operand_itself(located<E const> const& x) { return x.value; }

template <class Operand> constexpr bool is_temporary(Operand const& x) {
  if constexpr (std::is_same_v<operand_value_t<Operand>, std::remove_cvref_t<Operand>>)
    return !std::is_lvalue_reference_v<Operand>;
  else return x.is_temporary;
}
/// Whether ops do not take in the code of an operand; see `deferred_expression`.
template <class Operand> inline constexpr bool is_long = false;
template <expression E>
inline constexpr bool is_long<E> = (E::code_type::size.ops > largest_fused_operand);
template <class Operand> inline constexpr bool is_deferred_operand = false;
template <class Result> inline constexpr bool is_deferred_operand<deferred_operand<Result>> = true;

/// Writes the parts of an operand into an expression.
template <int Room, class Operand>
void put_operand(expression_parts<Room>& to, Operand&& x) noexcept {
  using type = operand_value_t<Operand>;
  if constexpr (expression<type>) {
    // Nobody can tell that a temporary is no longer whole.
    auto& store = const_cast<type&>(operand_itself(x)).store();
    bool const keeps = !is_temporary<Operand>(x);
    static_assert(!is_long<type>);
    constexpr expression_size const& size = type::code_type::size;
    if constexpr (size.tensors <= few_leaves) put_parts(to, store.parts(), size, keeps);
    else put_many_parts(to, store.parts(), size, keeps);
    if (!keeps) store.give_up();
  } else if constexpr (is_deferred_operand<type>) {
    put_deferred(to, static_cast<Operand&&>(x));
  } else if constexpr (std::is_arithmetic_v<type>) {
    *to.scalars++ = scalar_word(x);
  } else {
    put_tensor(to, static_cast<Operand&&>(x));
  }
}
}  // namespace detail

template <element T, index_t... Extents, class Code, class... Rows>
class [[nodiscard]] tensor_expression<tensor<T, Extents...>, Code, Rows...>
    : public tensor_operators<
          tensor_expression<tensor<T, Extents...>, Code, Rows...>,
          detail::expression_side<tensor_expression<tensor<T, Extents...>, Code, Rows...>,
                                  int{sizeof...(Extents)}>>,
      public detail::indexable<tensor_expression<tensor<T, Extents...>, Code, Rows...>> {
  static constexpr detail::expression_size size_ = Code::size;
  using store_type = detail::expression_store<size_.tensors, size_.room, size_.scalars, size_.ops,
                                              size_.attributes>;

 public:
  using element_type = T;
  /// What evaluation gives.
  using result_type = tensor<T, Extents...>;
  using code_type = Code;
  /// The functions along an axis that occur, in order.
  using rows_type = type_list<Rows...>;

  static constexpr int rank() { return result_type::rank(); }
  /// `dyn` where known at run time only.
  static constexpr index_t static_extent(int dim) { return static_shape()[dim]; }
  static constexpr guardjit::shape static_shape() { return result_type::static_shape(); }
  static constexpr guardjit::dtype type() { return dtype_v<T>; }

  /// An op on operands, which are expressions, tensors and scalars, in the order of the code.
  template <class... Operands>
  tensor_expression(std::in_place_t, attributes const& extra, source_line where,
                    Operands&&... operands) noexcept {
    auto to = store_.parts();
    (detail::put_operand(to, static_cast<Operands&&>(operands)), ...);
    *to.lines = where;
    if constexpr (Code::last.has_attributes()) *to.extra = extra;
    store_.complete();
  }

  /// The value, row-major in fresh storage; a view where the last op is one and strides allow it.
  /// Throws: `shape_error`, `index_error`, `device_error` with the op's line, before any mode is asked;
  /// what modes throw; `std::bad_alloc`.
  /// Complexity: one pass for each fused group.
  /// Modes: told each op once, equal ones once. Rules: M24, M25, N54.
  template <class Backend = default_backend> result_type evaluate() const {
    return detail::evaluate<Backend>(*this);
  }
  /// By the shape rules; nothing is computed.
  /// Throws: `shape_error`, `index_error` where operands do not fit.
  guardjit::shape shape() const {
    std::array<guardjit::shape, static_cast<unsigned>(size_.parts)> shapes;
    auto const leaves = leaf_views();
    detail::infer_shapes(view(leaves), shapes);
    return shapes.back();
  }
  index_t extent(int dim) const { return shape()[dim]; }
  /// The line of the last op.
  source_line line() const { return store_.lines()[size_.ops - 1]; }

  /// The one element of rank 0.
  operator T() const
    requires(sizeof...(Extents) == 0)
  {
    return evaluate().item();
  }

  /// Its tensors, borrowed.
  std::array<detail::leaf_view, static_cast<unsigned>(size_.tensors)> leaf_views() const {
    auto all = store_.leaf_views();
    if constexpr (size_.deferred > 0)
      for (detail::expression_node const& n : detail::expression_nodes<Code>::list)
        if (n.is_deferred()) all[static_cast<unsigned>(n.leaf)].extents = nullptr;
    return all;
  }
  /// The words of its scalars.
  std::uint64_t const* scalars() const { return store_.scalars(); }
  /// Everything about it as data. Lifetime: that of the expression and of `leaves`.
  detail::expression_view view(std::span<detail::leaf_view const> leaves) const {
    return {detail::expression_nodes<Code>::list, leaves.data(), store_.scalars(), store_.extra(),
            store_.lines()};
  }
  /// What it owns, for the ops on it.
  store_type& store() noexcept { return store_; }

 private:
  store_type store_;
};

template <element T, index_t... Extents, class Code, class... Rows>
tensor(tensor_expression<tensor<T, Extents...>, Code, Rows...> const&) -> tensor<T, Extents...>;

template <class Result, class Code, class... Rows>
inline constexpr bool is_operand_v<tensor_expression<Result, Code, Rows...>> = true;

namespace detail {
template <expression E> struct eager_operand<E> {
  static constexpr bool valid = true, scalar = false, typed = true;
  static constexpr operand_type type{E::type(), false};
  static constexpr shape extents = E::static_shape();
};

/// The code and the row functions of an operand.
template <class Operand> struct operand_code {
  static constexpr bool scalar = eager_operand<Operand>::scalar;
  using type = expression_code<expression_word{scalar ? part_kind::scalar : part_kind::tensor,
                                               eager_operand<Operand>::type.type,
                                               eager_operand<Operand>::extents.rank,
                                               {},
                                               is_long<Operand> ? 1 : 0}
                                   .word()>;
  using rows = type_list<>;
};
template <expression Operand>
  requires(!is_long<Operand>)
struct operand_code<Operand> {
  using type = typename Operand::code_type;
  using rows = typename Operand::rows_type;
};

template <std::uint32_t Word, std::uint32_t... A> auto code_of(expression_code<A...>)
    -> expression_code<A..., Word>;
template <std::uint32_t Word, std::uint32_t... A, std::uint32_t... B>
auto code_of(expression_code<A...>, expression_code<B...>) -> expression_code<A..., B..., Word>;
template <std::uint32_t Word, std::uint32_t... A, std::uint32_t... B, std::uint32_t... C>
auto code_of(expression_code<A...>, expression_code<B...>, expression_code<C...>)
    -> expression_code<A..., B..., C..., Word>;

template <class Result, class Code, class... A>
auto expression_type(type_list<A...>) -> tensor_expression<Result, Code, A...>;
template <class Result, class Code, class... A, class... B>
auto expression_type(type_list<A...>, type_list<B...>) -> tensor_expression<Result, Code, A..., B...>;
template <class Result, class Code, class... A, class... B, class... C>
auto expression_type(type_list<A...>, type_list<B...>, type_list<C...>)
    -> tensor_expression<Result, Code, A..., B..., C...>;

/// The expression of an op, whose word is `Word`, on operands.
template <class Result, std::uint32_t Word, class... Operands> using expression_of_t =
    decltype(expression_type<Result,
                             decltype(code_of<Word>(typename operand_code<Operands>::type{}...))>(
        typename operand_code<Operands>::rows{}...));

/// What types say about an op, once for all ops on operands of these types.
template <op Id, int Dims, class To, class... Operands>
inline constexpr static_result static_result_of = infer_static<Id, Dims, To, Operands...>();

/// The type of an op's result. A function, since g++ 12 crashes on the constants in an alias.
template <op Id, int Dims, class To, class... Operands> constexpr auto result_of_op() {
  constexpr static_result facts = static_result_of<Id, Dims, To, Operands...>;
  return std::type_identity<tensor_of_t<facts.types.result, facts.extents>>{};
}
/// An operand as far as the result's type depends on it.
template <class Operand> struct operand_value { using type = Operand; };
template <expression Operand> struct operand_value<Operand> {
  using type = typename Operand::result_type;
};
template <op Id, int Dims, class To, class... Operands> using result_of_op_t =
    typename decltype(result_of_op<Id, Dims, To, typename operand_value<Operands>::type...>())::type;

template <op Id, int Dims, class Result> inline constexpr std::uint32_t word_of_op =
    expression_word{part_kind::op, Result::type(), Result::rank(), Id, Dims}.word();

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
