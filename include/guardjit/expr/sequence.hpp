// guardjit: expr/sequence.hpp: the ops of an expression one by one, through the mode stack
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_SEQUENCE_HPP
#define GUARDJIT_EXPR_SEQUENCE_HPP

#include <guardjit/expr/expression.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Values and ops of one evaluation, in the order in which modes are told. Whether two leaves are one
/// tensor is known only here, and so is whether two ops are one. Rules: M25.
class evaluated_ops {
 public:
  operand const& value(int k) const { return values_[static_cast<std::size_t>(k)]; }

  /// The number of a leaf; equal ones have one.
  int leaf(operand x) {
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (ops_[k].is_leaf && values_[k].same_as(x)) return static_cast<int>(k);
    return add({true, {}, {}, {}}, std::move(x));
  }
  /// The number of an op on values; it is dispatched unless an equal one was.
  int op_on(op_request request, std::span<int const> in) {
    done now{false, request.id, *request.attribute, {in.begin(), in.end()}};
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (ops_[k] == now) return static_cast<int>(k);
    std::vector<operand> operands;
    for (int k : in) operands.push_back(value(k));
    request.operands = operands;
    op_call call(request);
    return add(std::move(now), operand(any_tensor(dispatch(call))));
  }

 private:
  struct done {
    bool is_leaf = false;
    op id{};
    attributes extra;
    std::vector<int> in;
    bool operator==(done const&) const = default;
  };
  int add(done what, operand value) {
    ops_.push_back(std::move(what));
    values_.push_back(std::move(value));
    return static_cast<int>(values_.size()) - 1;
  }

  std::vector<operand> values_;
  std::vector<done> ops_;
};

/// A value of `evaluated_ops` as an operand of functions that are made of ops; `Tensor` is its type.
template <class Backend, class Tensor> struct evaluated_value {
  evaluated_ops* ops = nullptr;
  int number = 0;

  static constexpr int rank() { return Tensor::rank(); }
  static constexpr dtype type() { return Tensor::type(); }
  index_t extent(int dim) const { return ops->value(number).tensor().extent(dim); }
};

/// How one part of an expression goes through the modes.
struct part_runner {
  op_kernel kernel = nullptr;
  /// The ops of a function along an axis, given the numbers of all parts before it; that of its value.
  int (*row)(evaluated_ops& ops, expression_view const& e, int const* numbers) = nullptr;
};

/// Tells the ops of an expression: depth first, operands left to right, equal nodes once. `result` is what
/// the type of the value says, if it is that of the evaluation; `in_place` marks the last op. The number
/// of the value. Rules: M24, M25.
[[gnu::cold, gnu::noinline]] inline int tell_parts(evaluated_ops& ops, expression_view const& e,
                                                   std::span<part_runner const> runners,
                                                   shape const* result, bool in_place) {
  std::vector<int> numbers(e.nodes.size());
  for (std::size_t k = 0; k < e.nodes.size(); ++k) {
    expression_node const& n = e.nodes[k];
    bool const is_last = k + 1 == e.nodes.size();
    if (n.is_deferred()) {
      numbers[k] = deferred_of(e.leaf(n)).tell(ops);
    } else if (n.kind == part_kind::tensor) {
      numbers[k] = ops.leaf(operand(e.leaf(n).tensor(n.type, e.layout(n))));
    } else if (n.kind == part_kind::scalar) {
      numbers[k] = ops.leaf(weak_operand(n.type, e.scalar(n)));
    } else if (n.kind == part_kind::row) {
      numbers[k] = runners[k].row(ops, e, numbers.data());
    } else {
      int in[max_node_operands]{};
      auto const count = static_cast<unsigned>(n.operands());
      for (unsigned i = 0; i < count; ++i) in[i] = numbers[static_cast<std::size_t>(n.in[i])];
      shape expected;
      for (expected.rank = 0; expected.rank < n.rank; ++expected.rank) expected[expected.rank] = dyn;
      op_promise const promise{n.type, is_last && result ? *result : expected};
      numbers[k] = ops.op_on({.id = n.id,
                              .attribute = &e.attribute(n),
                              .kernel = runners[k].kernel,
                              .where = e.line(n),
                              .in_place = in_place && is_last,
                              .promise = &promise},
                             {in, count});
    }
  }
  return numbers.back();
}

/// The op sequence of one evaluation. Shapes and devices are tested before any mode is asked. Rules: M20.
[[gnu::cold, gnu::noinline]] inline any_tensor run_through_modes(
    expression_view const& e, std::span<part_runner const> runners, shape const& result,
    bool in_place) {
  std::vector<shape> shapes(e.nodes.size());
  infer_shapes(e, shapes);
  common_device(e);
  evaluated_ops ops;
  return ops.value(tell_parts(ops, e, runners, &result, in_place)).tensor();
}

/// The kernels of the parts of an expression, for modes.
template <class Backend, class Expression> struct part_runners {
  static constexpr auto const& nodes = expression_nodes<typename Expression::code_type>::list;

  /// What the ops of a row function take for part `Part`.
  template <int Part>
  static auto operand_of_row(evaluated_ops& ops, expression_view const& e, int const* numbers) {
    constexpr expression_node n = nodes[Part];
    if constexpr (n.kind == part_kind::scalar)
      return scalar_as<element_t<n.type>>(weak_operand(n.type, e.scalar(e.nodes[Part])));
    else return evaluated_value<Backend, dynamic_tensor_t<element_t<n.type>, n.rank>>{&ops, numbers[Part]};
  }
  template <int Part> static int run_row(evaluated_ops& ops, expression_view const& e, int const* numbers) {
    constexpr expression_node n = nodes[Part];
    using body = nth_type_t<n.row, typename Expression::rows_type>;
    int const axis = e.attribute(e.nodes[Part]).axis;
    source_line const where = e.line(e.nodes[Part]);
    auto const value = [&]<int... K>(std::integer_sequence<int, K...>) {
      return body::call(operand_of_row<n.in[K]>(ops, e, numbers)..., axis, where);
    }(std::make_integer_sequence<int, operands_of_row(n.dims)>{});
    if constexpr (shape_of_row(n.dims) == row_shape::dropped)
      return without_axes(value, n.id, axes(axis), where).number;
    else return value.number;
  }
  template <int Part> static constexpr part_runner runner() {
    constexpr expression_node n = nodes[Part];
    if constexpr (n.kind == part_kind::op) {
      return {evaluator<Backend>::template kernel<n.id, n.compute, n.type>(), nullptr};
    } else if constexpr (n.kind == part_kind::row) {
      return {nullptr, &run_row<Part>};
    } else {
      return {};
    }
  }
  static constexpr auto list = []<int... Part>(std::integer_sequence<int, Part...>) {
    return std::array<part_runner, sizeof...(Part)>{runner<Part>()...};
  }(std::make_integer_sequence<int, static_cast<int>(nodes.size())>{});
};

}  // namespace detail

template <class Backend, class Tensor>
inline constexpr bool is_operand_v<detail::evaluated_value<Backend, Tensor>> = true;

namespace detail {
template <class Operand> inline constexpr bool is_evaluated_value = false;
template <class Backend, class Tensor>
inline constexpr bool is_evaluated_value<evaluated_value<Backend, Tensor>> = true;

/// What an operand of an op is told to modes as, and what its type says.
template <class Operand> struct told_operand {
  using type = Operand;
  using backend = void;
  static evaluated_ops* ops(Operand const&) { return nullptr; }
  static int number(evaluated_ops& ops, Operand value) { return ops.leaf(operand(value)); }
};
template <class Backend, class Tensor> struct told_operand<evaluated_value<Backend, Tensor>> {
  using type = Tensor;
  using backend = Backend;
  static evaluated_ops* ops(evaluated_value<Backend, Tensor> const& x) { return x.ops; }
  static int number(evaluated_ops&, evaluated_value<Backend, Tensor> const& x) { return x.number; }
};

template <class First, class... Rest> constexpr auto told_backend() {
  if constexpr (is_evaluated_value<First>)
    return std::type_identity<typename told_operand<First>::backend>{};
  else return told_backend<Rest...>();
}
}  // namespace detail

/// An op of a function along an axis, while modes are told of it.
template <op Id, int Dims, class To, class First, class... Rest>
  requires(detail::is_evaluated_value<First> || ... || detail::is_evaluated_value<Rest>)
auto apply_op(op_tag<Id, Dims, To>, attributes const& extra, source_line where, First const& a,
              Rest const&... more) {
  using detail::told_operand;
  using backend = typename decltype(detail::told_backend<First, Rest...>())::type;
  constexpr detail::static_result facts =
      detail::infer_static<Id, Dims, To, typename told_operand<First>::type,
                           typename told_operand<Rest>::type...>();
  using result = detail::result_of_op_t<Id, Dims, To, typename told_operand<First>::type,
                                        typename told_operand<Rest>::type...>;
  detail::evaluated_ops* ops = told_operand<First>::ops(a);
  ((ops = ops ? ops : told_operand<Rest>::ops(more)), ...);
  int const in[] = {told_operand<First>::number(*ops, a), told_operand<Rest>::number(*ops, more)...};
  op_promise const promise{result::type(), result::static_shape()};
  constexpr op_kernel kernel =
      evaluator<backend>::template kernel<Id, facts.types.compute, result::type()>();
  int const number = ops->op_on({.id = Id,
                                 .attribute = &extra,
                                 .kernel = kernel,
                                 .where = where,
                                 .promise = &promise},
                                in);
  return detail::evaluated_value<backend, result>{ops, number};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
