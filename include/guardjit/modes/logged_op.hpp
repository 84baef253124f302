// guardjit: modes/logged_op.hpp: what an observer was told of an op, kept
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_LOGGED_OP_HPP
#define GUARDJIT_MODES_LOGGED_OP_HPP

#include <guardjit/modes/observer_mode.hpp>

#include <optional>  // the device that was asked for, if one was
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// A copy of an `op_record` that owns what it tells.
/// Rules: M14.
struct logged_op {
  op id{};
  std::vector<operand_info> operands{};
  operand_info result{};
  attributes attribute{};
  source_line where{};
  std::optional<guardjit::device> device{};  ///< the requested one, if any
  bool in_place = false;

  logged_op() = default;
  /// Throws: `std::bad_alloc`.
  explicit logged_op(op_record const& r)
      : id(r.id),
        operands(r.operands.begin(), r.operands.end()),
        result(r.result),
        attribute(*r.attribute),
        where(r.where),
        in_place(r.in_place) {
    if (r.device) device = *r.device;
  }

  /// The same as a record.
  /// Lifetime: refers to this object.
  op_record record() const noexcept {
    return {.id = id,
            .operands = operands,
            .result = result,
            .attribute = &attribute,
            .where = where,
            .device = device ? &*device : nullptr,
            .in_place = in_place};
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
