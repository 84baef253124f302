// guardjit: modes/observer_mode.hpp: modes that are told of ops and change nothing
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OBSERVER_MODE_HPP
#define GUARDJIT_MODES_OBSERVER_MODE_HPP

#include <guardjit/modes/op_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What an observer is told of one op.
/// Lifetime: valid while `observe` runs.
/// Rules: M14.
struct op_record {
  op id{};
  std::span<operand_info const> operands{};
  operand_info result{};  ///< what the op promises for these operands
  attributes const* attribute = &detail::no_attributes;
  source_line where{};
  guardjit::device const* device = nullptr;  ///< the requested one, if any
  bool in_place = false;
};

/// A mode that is told of each op before its kernel runs, in eager code and in compiled calls,
/// whose fused kernels still run.
/// Rules: M97, M105, M110.
class GUARDJIT_VISIBLE observer_mode : public function_mode {
 public:
  virtual ~observer_mode() = default;
  /// An exception from it reaches the caller, and no kernel runs.
  virtual void observe(op_record const& record) = 0;

  op_result handle(op_call& call) final {
    operand_info infos[max_operands];
    for (int k = 0; k < call.size(); ++k) infos[k] = call.arg(k).info();
    inferred_op const gives =
        infer_op(call.op(), call.operands(), call.attribute(), call.where());
    {
      // Scopes that `observe` leaves behind must not see this op.
      detail::mode_frame frame(detail::this_thread.visible, "an observer");
      observe({.id = call.op(),
               .operands = {infos, static_cast<std::size_t>(call.size())},
               .result = {gives.types.result, gives.types.weak, gives.extents},
               .attribute = &call.attribute(),
               .where = call.where(),
               .device = call.device(),
               .in_place = call.in_place()});
    }
    return call();
  }

 protected:
  observer_mode() noexcept : function_mode(mode_class::observer) {}
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
