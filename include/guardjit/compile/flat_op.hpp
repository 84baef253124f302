// guardjit: compile/flat_op.hpp: one elementwise op on operands that are laid out as its result is
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FLAT_OP_HPP
#define GUARDJIT_COMPILE_FLAT_OP_HPP

#include <guardjit/compile/call_input.hpp>
#include <guardjit/modes/infer.hpp>
#include <guardjit/reference/loop_nest.hpp>
#include <guardjit/tensor/views.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Computes `count` elements of an array from as many of each operand, or one where it is repeated.
using flat_kernel = void (*)(void* out, void const* const* in, index_t count);

/// The kernel of a formula: that of the backend, if it has one for arrays alone.
template <class Backend, class Formula>
void flat_elements(void* out, void const* const* in, index_t count) {
  if constexpr (requires { Backend::template flat<Formula>(out, in, count); }) {
    Backend::template flat<Formula>(out, in, count);
  } else {
    loop_nest<Formula::inputs + 1> nest;
    std::array<index_t, Formula::inputs + 1> steps{1};
    for (int slot = 0; slot < Formula::inputs; ++slot)
      steps[static_cast<unsigned>(slot) + 1] = Formula::is_repeated(slot) ? 0 : 1;
    nest.add_inner(count, steps);
    Backend::template elementwise<Formula>(nest, out, in);
  }
}

/// An operand, broadcast to shape `form`, row-major, in dtype `type`, to which its own promotes.
inline any_tensor laid_out(operand const& x, dtype type, shape const& form) {
  any_tensor value;
  if (x.is_scalar()) {
    call_input const scalar(x, type);
    value = any_tensor::uninitialized(type, {});
    __builtin_memcpy(value.data(), scalar.array().data, static_cast<std::size_t>(size_of(type)));
  } else {
    value = x.type() == type ? x.tensor() : promoted(x.tensor(), type);
  }
  if (value.size() == form.count() && is_contiguous(value.layout().view())) return value;
  view_layout const wide = expanded(value.layout().view(), form);
  return any_tensor::adopt(value.storage(), value.data(), type, wide.layout, value.where()).clone();
}

/// The result of an elementwise op. The same code for all ops.
[[gnu::noinline]] inline any_tensor run_flat(op_call const& call, inferred_op const& inferred,
                                             flat_kernel kernel) {
  any_tensor result =
      any_tensor::uninitialized(inferred.types.result, inferred.extents, inferred.where);
  any_tensor in[max_operands];
  void const* data[max_operands];
  for (int k = 0; k < info_of(call.op()).arity; ++k) {
    in[k] = laid_out(call.arg(k), slot_type(call.op(), k, inferred.types.compute), inferred.extents);
    data[k] = std::as_const(in[k]).data();
  }
  kernel(result.data(), data, result.size());
  return result;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
