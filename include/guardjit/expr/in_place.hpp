// guardjit: expr/in_place.hpp: ops whose result is written into the elements of their first operand
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_IN_PLACE_HPP
#define GUARDJIT_EXPR_IN_PLACE_HPP

#include <guardjit/expr/eager.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// `a += b` would need another dtype than that of `a`.
template <op Op, dtype Target, dtype Result> struct in_place_dtype_differs;
}  // namespace mistakes

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_unfit_target(op id, dtype target,
                                                                      shape const& to, dtype type,
                                                                      shape const& from,
                                                                      source_line where) {
  auto const text = fixed_text{} << "guardjit: " << name_of(id) << "(a, b) in place: the result is "
                                 << name_of(type) << ' ' << from << ", but a is " << name_of(target)
                                 << ' ' << to << "; " << where;
  if (type != target) raise<dtype_error>(text);
  raise<shape_error>(text);
}

inline void require_distinct_target(op id, layout_view const& to, source_line where) {
  if (has_repeated_elements(to))
    raise<overlap_error>(fixed_text{} << "guardjit: " << name_of(id)
                                      << "(a, b) in place: a of shape " << to.shape()
                                      << " has one element at two indices; " << where);
}

inline void check_target(op id, dtype target, layout_view const& to, dtype type, shape const& from,
                         source_line where) {
  if (type != target || !(from == to.shape()))
    raise_unfit_target(id, target, to.shape(), type, from, where);
  require_distinct_target(id, to, where);
}

/// A mode may have answered with anything, a view of `a` included.
template <class Backend, class Target>
void write_result(op id, Target& a, any_tensor const& result, source_line where) {
  check_target(id, a.type(), a.layout().view(), result.type(), result.shape(), where);
  evaluator<Backend>::write_apart(result, {a.data(), a.layout().view(), size_of(a.type())});
}

/// Writes an expression of the dtype of `a` into its elements.
template <class Backend, class Target, class Expression>
void write_in_place(Target& a, Expression const& e) {
  constexpr op id = last_op<Expression>;
  layout_view const to = a.layout().view();
  if (dispatch_active()) [[unlikely]] {
    check_target(id, Target::type(), to, Target::type(), e.shape(), e.line());
    return write_result<Backend>(id, a, told_value<Backend>(e, true), e.line());
  }
  require_distinct_target(id, to, e.line());
  any_tensor apart;
  if (!evaluator<Backend>::write(e, {a.data(), to, size_of(a.type())}, apart))
    write_result<Backend>(id, a, apart, e.line());
}

/// `a = op(a, b)`, written into the elements of `a`, which all its handles see. The right side is
/// evaluated first.
/// Throws: as the op; `dtype_error`, `shape_error` where the result is not of the dtype and shape of
/// `a`; `overlap_error` where `a` has one element at two indices. Nothing is written then.
/// Rules: M20, M22, N53, POL-12, POL-13.
template <class Backend, op Id, class Target, class Other>
void run_in_place(source_line where, Target& a, Other const& b) {
  constexpr attributes extra{};
  if constexpr (!require_backend<Backend, Id>()) {
    return;
  } else if constexpr (typed_operands<Target, Other>) {
    constexpr static_result facts = infer_static<Id, 0, void, Target, Other>();
    require_no_mistake<facts.wrong, mistakes::this_call>();
    if constexpr (!facts.wrong && facts.types.result != Target::type())
      static_assert(
          no_mistake<mistakes::in_place_dtype_differs<Id, Target::type(), facts.types.result>>,
          "guardjit: a op= b: the result must have the dtype of a");
    else if constexpr (!facts.wrong) {
      check_scalar(b, Id, facts.types.compute, where);
      write_in_place<Backend>(
          a, expression_of_t<Target, word_of_op<Id, 0, Target>, Target, Other>(
                 std::in_place, extra, where, a, kept_operand<Backend>(b)));
    }
  } else {
    operand const operands[] = {operand(a), operand(value_of_operand(b))};
    auto const inferred = infer_op(Id, operands, extra, where);
    check_target(Id, a.type(), a.layout().view(), inferred.types.result, inferred.extents, where);
    operand const result = run_any<Backend, Id, void>(extra, where, true, operands[0], operands[1]);
    write_result<Backend>(Id, a, result.tensor(), where);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
