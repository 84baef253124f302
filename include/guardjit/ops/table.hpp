// guardjit: ops/table.hpp: all rows of the op table as data
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_TABLE_HPP
#define GUARDJIT_OPS_TABLE_HPP

#include <guardjit/ops/activation.hpp>
#include <guardjit/ops/arithmetic.hpp>
#include <guardjit/ops/division.hpp>
#include <guardjit/ops/exponential.hpp>
#include <guardjit/ops/logic.hpp>
#include <guardjit/ops/rounding.hpp>
#include <guardjit/ops/selection.hpp>
#include <guardjit/ops/structural.hpp>
#include <guardjit/ops/trigonometric.hpp>

#include <array>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
inline constexpr auto op_table = []<int... Id>(std::integer_sequence<int, Id...>) {
  return std::array{op_row<static_cast<op>(Id)>::info...};
}(std::make_integer_sequence<int, op_count>{});
}  // namespace detail

/// The row of an op.
constexpr op_info const& info_of(op id) { return detail::op_table[static_cast<unsigned>(id)]; }
constexpr char const* name_of(op id) { return info_of(id).name; }
constexpr bool is_elementwise(op id) { return info_of(id).form == op_form::elementwise; }
constexpr bool is_reduction(op id) { return info_of(id).form == op_form::reduction; }
constexpr bool is_view(op id) { return info_of(id).form == op_form::view; }
/// Whether an op makes elements of no tensor, so that its device is a choice of its own. Rules: M40.
constexpr bool is_factory(op id) {
  return info_of(id).form == op_form::factory || id == op::arange;
}
/// Whether calls of an op differ in `attributes`.
constexpr bool has_attributes(op id) {
  op_form const form = info_of(id).form;
  return form == op_form::reduction || form == op_form::view || form == op_form::factory ||
         form == op_form::movement || id == op::to;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
