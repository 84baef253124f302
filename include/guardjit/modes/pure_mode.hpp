// guardjit: modes/pure_mode.hpp: modes that rewrite ops, alike in eager code and in a trace
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_PURE_MODE_HPP
#define GUARDJIT_MODES_PURE_MODE_HPP

#include <guardjit/modes/op_call.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Whether `Mode` has the static generic handler of its class.
template <class Mode, class Call>
concept handles_calls = requires(Call& call) { Mode::template handle<Call>(call); };

/// What a handler may return, as the one type that dispatch has.
inline op_result result_of(op_result&& x) noexcept { return std::move(x); }
inline op_result result_of(op_result const& x) noexcept { return x; }
inline op_result result_of(operand const& x) { return x.is_scalar() ? tensor_of_scalar(x) : x.tensor(); }

/// One element of a key: an enum counts as its number.
template <class Element> constexpr auto key_scalar(Element value) noexcept {
  if constexpr (std::is_enum_v<Element>) return static_cast<std::underlying_type_t<Element>>(value);
  else return value;
}
template <class... Elements>
constexpr bool are_key_elements(std::type_identity<std::tuple<Elements...>>) {
  return ((std::is_arithmetic_v<Elements> || std::is_enum_v<Elements>) && ...);
}
/// Whether `Mode` has `key()`: a tuple of numbers, bools and enums.
template <class Mode>
concept has_key = requires(Mode const& mode) {
  { mode.key() } noexcept;
  requires are_key_elements(std::type_identity<decltype(mode.key())>{});
};

}  // namespace detail

/// A mode that rewrites ops and depends on nothing else. Its handler is one text for eager code
/// and for traces, where the C++ compiler runs it:
///
///     struct zero : pure_mode<zero> {
///       template <class Call> static constexpr auto handle(Call& call) {
///         if (call.op() == op::add) return call.zeros();
///         return call();
///       }
///     };
///
/// `Call` is `op_call` or `trace_call`: `Call::value` are its operands, `Call::result` what goes on.
/// A compiled function inlines it where `inline_modes` declares its stack.
/// Requires: the handler; no state.
/// Rules: M19, M81, M92.
template <class Derived> class GUARDJIT_VISIBLE pure_mode : public function_mode {
 public:
  using inlined_mode = Derived;
  static constexpr mode_class class_of_mode = mode_class::pure;

  op_result handle(op_call& call) final {
    static_assert(detail::handles_calls<Derived, op_call>,
                  "guardjit: pure_mode<M>: M must have the member template "
                  "template <class Call> static constexpr auto handle(Call& call)");
    if constexpr (detail::handles_calls<Derived, op_call>)
      return detail::result_of(Derived::template handle<op_call>(call));
    else return {};
  }

 protected:
  constexpr pure_mode() noexcept : function_mode(mode_class::pure) {}
};

/// A call as the handler of a keyed mode sees it.
template <class Keys> class keyed_op_call : public op_call {
 public:
  keyed_op_call(op_call const& call, Keys const& keys) noexcept : op_call(call), keys_(keys) {}
  /// Element `I` of the mode's key.
  template <int I> auto key() const noexcept { return std::get<I>(keys_); }

 private:
  Keys const& keys_;
};

/// A `pure_mode` with a small key: `auto key() const noexcept` gives a tuple of numbers and enums,
/// which the handler reads as `call.template key<0>()`, and nothing else of the mode. In a compiled
/// function the key is a scalar input, read once a call; a branch on it forks the trace.
/// Requires: the handler; the key.
/// Rules: M19, M95, M96.
template <class Derived> class GUARDJIT_VISIBLE keyed_mode : public function_mode {
 public:
  using inlined_mode = Derived;
  static constexpr mode_class class_of_mode = mode_class::keyed;

  op_result handle(op_call& call) final {
    static_assert(detail::has_key<Derived>,
                  "guardjit: keyed_mode<M>: M must have auto key() const noexcept, a std::tuple of "
                  "arithmetic or enum values");
    if constexpr (detail::has_key<Derived>) {
      using keys = decltype(static_cast<Derived const&>(*this).key());
      static_assert(detail::handles_calls<Derived, keyed_op_call<keys>>,
                    "guardjit: keyed_mode<M>: M must have the member template "
                    "template <class Call> static constexpr auto handle(Call& call)");
      keys const now = call.keys() ? *static_cast<keys const*>(call.keys())
                                   : static_cast<Derived const&>(*this).key();
      keyed_op_call<keys> keyed(call, now);
      if constexpr (detail::handles_calls<Derived, keyed_op_call<keys>>)
        return detail::result_of(Derived::template handle<keyed_op_call<keys>>(keyed));
      else return {};
    } else {
      return {};
    }
  }

 protected:
  constexpr keyed_mode() noexcept : function_mode(mode_class::keyed) {}
};

/// Modes of one declared stack, at most. Rules: M13.
inline constexpr int max_declared_modes = 64;

/// A mode that compiled functions may inline.
template <class Mode>
concept inlinable_mode = requires {
  typename Mode::inlined_mode;
  requires is_inlined(Mode::class_of_mode);
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
