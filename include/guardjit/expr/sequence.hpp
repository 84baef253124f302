// guardjit: expr/sequence.hpp: the ops of an expression one by one, through the mode stack
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_SEQUENCE_HPP
#define GUARDJIT_EXPR_SEQUENCE_HPP

#include <guardjit/expr/checks.hpp>
#include <guardjit/expr/row_expression.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Values and ops of one evaluation, in the order in which modes are told. Whether two leaves are one
/// tensor is known only here, and so is whether two ops are one. Not a template over the expression:
/// modes are rare, and this is one piece of code for all.
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

/// The op sequence of one evaluation: depth first, operands left to right, equal nodes once.
/// Rules: M20, M24, M25.
template <class Backend> class op_sequence {
 public:
  /// Tells the visible modes each op and gives the value; `in_place` marks the last op.
  template <class Expression> any_tensor run(Expression const& e, bool in_place = false) {
    // Wrong operands are reported before any mode is asked.
    static_cast<void>(e.shape());
    checked_device(e);
    return ops_.value(visit(e, in_place)).tensor();
  }

 private:
  template <class Value> int visit(Value const& x, bool = false) { return ops_.leaf(operand(x)); }

  template <class Body, class X>
  int visit(row_expression<Body, X> const& e, bool in_place = false) {
    return visit(e.tree(), in_place);
  }
  template <op Id, int Dims, class To, class... Operands>
  int visit(op_expression<op_tag<Id, Dims, To>, Operands...> const& e, bool in_place = false) {
    using node = op_expression<op_tag<Id, Dims, To>, Operands...>;
    return std::apply(
        [&](Operands const&... operands) {
          int const in[] = {visit(operands)...};
          op_promise const promise{node::type(), node::static_shape()};
          constexpr op_kernel kernel =
              evaluator<Backend>::template kernel<Id, node::compute, node::type()>();
          return ops_.op_on({.id = Id,
                             .attribute = &e.attribute(),
                             .kernel = kernel,
                             .where = e.line(),
                             .in_place = in_place,
                             .promise = &promise},
                            in);
        },
        e.operands());
  }

  evaluated_ops ops_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
