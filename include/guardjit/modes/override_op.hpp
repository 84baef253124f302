// guardjit: modes/override_op.hpp: a mode that puts a function of the user in the place of an op
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OVERRIDE_OP_HPP
#define GUARDJIT_MODES_OVERRIDE_OP_HPP

#include <guardjit/modes/pure_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Runs `Replacement(operands…)` instead of op `Id`:
///
///     inline constexpr auto fast_tanh = [](auto const& x) { return x * (27 + x * x) / (27 + 9 * x * x); };
///     using fast = override_op<op::tanh, fast_tanh>;
///
/// `Replacement` is a generic callable without captures; it is given the operands, scalars among them, and
/// gives a value of the dtype and shape that the op promises. The ops in it are seen by lower modes; op
/// `Id` in it is the op itself.
/// Rules: M11, M15.
template <op Id, auto Replacement> struct override_op : pure_mode<override_op<Id, Replacement>> {
  static constexpr op_set interests{Id};

  template <class Call> static constexpr typename Call::value handle(Call& call) {
    static_assert(std::is_empty_v<decltype(Replacement)>,
                  "guardjit: override_op<Id, replacement>: replacement must have no captures");
    return [&]<int... K>(std::integer_sequence<int, K...>) -> typename Call::value {
      using value = typename Call::value;
      static_assert(std::is_invocable_v<decltype(Replacement), decltype((void(K), std::declval<value>()))...>,
                    "guardjit: override_op<Id, replacement>: replacement must take the operands of the op");
      return Replacement(value(call.arg(K))...);
    }(std::make_integer_sequence<int, info_of(Id).arity>{});
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
