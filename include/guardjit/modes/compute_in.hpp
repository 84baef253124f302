// guardjit: modes/compute_in.hpp: a mode that computes ops in a dtype of its own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_COMPUTE_IN_HPP
#define GUARDJIT_MODES_COMPUTE_IN_HPP

#include <guardjit/modes/pure_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Computes the ops `Ops`, or `matmul` where none is named, in `T`: their floating operands are cast to
/// `T`, and a floating result is cast back, so that dtypes are as promised. C++ scalars take the dtype of
/// the tensors, as always. Ops without floating tensors stay as they are.
/// Dtypes: `T` is f32 or f64.
/// Example: `compile(f, inline_modes<compute_in<double>>)`
/// Rules: M120.
template <element T, op... Ops>
  requires(is_floating(dtype_v<T>))
struct compute_in : pure_mode<compute_in<T, Ops...>> {
  static constexpr op_set interests = [] {
    if constexpr (sizeof...(Ops) == 0) return op_set(op::matmul);
    else return op_set(Ops...);
  }();

  template <class Call> static constexpr typename Call::result handle(Call& call) {
    auto const is_other = [&call](int k) {
      auto const& x = call.arg(k);
      return !x.is_scalar() && is_floating(x.type()) && x.type() != dtype_v<T>;
    };
    bool is_cast = false;
    for (int k = 0; k < call.size(); ++k) is_cast = is_cast || is_other(k);
    if (!is_cast) return call();

    auto const operand_at = [&](int k) -> typename Call::value {
      if (is_other(k)) return call.cast(call.arg(k), dtype_v<T>);
      return call.arg(k);
    };
    typename Call::value const result = with_operands(call, operand_at);
    dtype const promised = call.result_type();
    return result.type() == promised ? returned<Call>(result) : returned<Call>(call.cast(result, promised));
  }

 private:
  /// Operands are cast from left to right, which the order of arguments would leave open.
  template <class Call> static constexpr typename Call::value with_operands(Call& call, auto const& at) {
    typename Call::value const first = at(0);
    if (call.size() == 1) return call(first);
    typename Call::value const second = at(1);
    if (call.size() == 2) return call(first, second);
    return call(first, second, at(2));
  }
  template <class Call> static constexpr typename Call::result returned(typename Call::value const& x) {
    if constexpr (Call::tracing) return x;
    else return x.tensor();
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
