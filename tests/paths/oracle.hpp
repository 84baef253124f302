// guardjit: tests/paths/oracle.hpp: what a function gives op by op on plain loops, and how far others may be
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_ORACLE_HPP
#define GUARDJIT_TESTS_PATHS_ORACLE_HPP

#include <guardjit/expr/operators.hpp>

#include <span>

namespace paths {

namespace gj = guardjit;
using gj::any_tensor;
using gj::index_t;

/// A value with a bound of its error: an operand like any other, so that a function is called on it as it
/// stands. `error` has no tensor where all paths must give the same bits, else an f64 for each element;
/// one that is infinite or NaN says that nothing is known of this element.
struct known : gj::tensor_operators<known> {
  any_tensor value, error;

  known() = default;
  explicit known(any_tensor x) : value(std::move(x)) {}
  int rank() const { return value.rank(); }
  gj::dtype type() const { return value.type(); }
  index_t extent(int d) const { return value.extent(d); }
  gj::shape const& shape() const { return value.shape(); }
};

/// An operand of `known` values' ops: one of them, or a scalar.
struct known_operand {
  gj::operand plain;
  any_tensor error;

  known_operand(known const& x) : plain(x.value), error(x.error) {}
  template <gj::scalar_operand Scalar> known_operand(Scalar x) : plain(x) {}
};

/// The op by plain loops, and the bound that follows from the operands' and from POL-17.
known run(gj::op id, gj::attributes const& extra, gj::source_line where, std::span<known_operand const> in);

template <class Value> inline constexpr bool is_known = std::is_same_v<std::remove_cvref_t<Value>, known>;

template <gj::op Id, int Dims, class To, class... Operands>
  requires(is_known<Operands> || ...)
known apply_op(gj::op_tag<Id, Dims, To>, gj::attributes const& extra, gj::source_line where,
               Operands const&... in) {
  known_operand const operands[] = {in...};
  return run(Id, extra, where, operands);
}
template <char Sign, class... Operands>
  requires(is_known<Operands> || ...)
known apply_operator(gj::detail::operator_tag<Sign>, gj::source_line where, Operands const&... in) {
  known_operand const operands[] = {in...};
  return run(gj::detail::op_of_sign(Sign, sizeof...(Operands)), {}, where, operands);
}

}  // namespace paths

template <> inline constexpr bool guardjit::is_operand_v<paths::known> = true;

#endif
