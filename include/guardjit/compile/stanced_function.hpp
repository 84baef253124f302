// guardjit: compile/stanced_function.hpp: `g.with(s)`: calls of a compiled function under a stance of theirs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_STANCED_FUNCTION_HPP
#define GUARDJIT_COMPILE_STANCED_FUNCTION_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/compile/call_stance.hpp>
#include <guardjit/compile/outputs.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What `g.with(s)` gives: calls of `g` under stance `s` in the place of the thread's, which is neither
/// read nor changed; callables of `opaque` see that of the thread. Whatever serves a call of `g` serves
/// these calls, as fast; only `force_eager` and other backends leave the quick way.
/// Lifetime: refers to the compiled function where `Function` is a reference, as for `g.with(s)`.
/// Rules: G77, G78.
template <class Function> class [[nodiscard]] stanced_function {
 public:
  constexpr stanced_function(Function function, detail::stance_setting const& calls)
      : function_(static_cast<Function&&>(function)), under_{calls} {}

  /// As a call of the function.
  template <class... Arguments>
    requires(!(detail::has_symbol<std::remove_cvref_t<Arguments>>() || ...))
  auto operator()(Arguments&&... arguments) const {
    return function_.template results_under<type_list<Arguments&&...>>(under_, arguments...);
  }
  /// As `into` of the function.
  template <detail::writable_outputs Outputs, class... Arguments>
  void into(Outputs&& outs, Arguments&&... arguments) const {
    function_.template into_leaves<type_list<Arguments&&...>>(under_, detail::leaves_of(outs), arguments...);
  }

  /// In a traced function: a C++ compile error, since the trace has no run time.
  template <class... Arguments>
    requires(detail::has_symbol<std::remove_cvref_t<Arguments>>() || ...)
  constexpr auto operator()(Arguments&&... arguments) const {
    static_assert(sizeof...(Arguments) == 0,
                  "guardjit: g.with(s)(x): a traced function must not give its calls a stance: it is the "
                  "caller of the whole who does");
    return function_(arguments...);
  }

 private:
  Function function_;
  detail::stance_of_call under_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
