// guardjit: compile/pinned_call.hpp: a handle to one entry of a compiled function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PINNED_CALL_HPP
#define GUARDJIT_COMPILE_PINNED_CALL_HPP

#include <guardjit/compile/declared.hpp>
#include <guardjit/compile/outputs.hpp>
#include <guardjit/compile/slow_call.hpp>

#include <tuple>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// One entry of a compiled function, made by `g.pin(arguments…)`; calls run it without lookup. It is kept
/// alive, after `clear()`, eviction and the end of `g`, too. `Arguments` are the types that were pinned.
///
/// That the guards of the entry hold is the duty of the caller, who may ask `check`: the behaviour of
/// other calls is undefined, as that of an index out of range. Only where `GUARDJIT_EXTRA_CHECKS` is 1
/// where `pin` is called, or by `g.pin<true>(…)`, each call checks them all and throws.
/// Whatever the guards say, outputs are tested, modes that observe are told, modes that need the values of
/// each op make the call a replay, and other declared mode stacks than that of the entry are refused.
/// Copies share the entry. A const one may be called from any number of threads.
/// Throws: `guard_error` where it checks and a guard does not hold, or for another declared stack.
/// Complexity: less than a hit: no hash, no table, no compare of arguments. Of a dynamic entry, calls of
/// the layouts that were pinned are compared and run at once; others bind a plan each.
/// Lifetime: shares the state of `g`, bound values included; what is bound by reference must outlive it.
/// Rules: G62.
template <class Function, class... Arguments> class pinned_call {
 public:
  pinned_call(Function const& function, detail::pinned_entry entry)
      : function_(function), entry_(std::move(entry)) {}

  /// As a call of the function.
  auto operator()(Arguments const&... arguments) const {
    return function_.with_call(
        [this]<class Spec>(Spec, auto& call) {
          using type = typename decltype(detail::type_of_results<Spec>())::type;
          require_signature(call);
          if constexpr (std::is_void_v<type>) return;
          else if constexpr (is_any) return detail::as_any_tensors(call.template result_by<type>(entry_));
          else return call.template result_by<type>(entry_);
        },
        arguments...);
  }

  /// As `into` of the function, with or without memory for the intermediates.
  template <class Outputs> void into(Outputs&& outs, Arguments const&... arguments) const {
    write(leaves_of_outputs(outs), nullptr, arguments...);
  }
  template <class Outputs>
  void into(Outputs&& outs, Arguments const&... arguments, std::span<std::byte> workspace) const {
    write(leaves_of_outputs(outs), &workspace, arguments...);
  }

  /// Whether the guards of the entry hold for a call with these arguments, by this thread, now.
  /// Complexity: linear in the guards; no allocation, no lock. User guards are asked.
  bool check(Arguments const&... arguments) const {
    bool holds = false;
    function_.with_call(
        [&](auto, auto& call) {
          if (entry_.spec != &call.spec()) return;
          call.with_room([&](detail::any_call const& c) {
            inert_scope const inert;
            holds = detail::serves(*entry_.what.get(), c.spec(), c.f, c.room.symbols);
          });
        },
        arguments...);
    return holds;
  }

 private:
  static constexpr bool is_any = (detail::has_leaf<Arguments, any_tensor>() || ...);

  /// Run-time types and hot extents may lead to another signature than the pinned one.
  void require_signature(auto const& call) const {
    if constexpr (is_any || Function::has_hot_extents)
      if (entry_.spec != &call.spec())
        raise<guard_error>(
            "guardjit: h(arguments...): the arguments have another signature than the pinned ones");
  }

  template <class Out> [[gnu::always_inline]] static auto leaves_of_outputs(Out& out) {
    if constexpr (detail::is_tensor_v<Out> || std::is_same_v<Out, any_tensor>) return std::tuple<Out&>(out);
    else return detail::leaves_of(out);
  }
  template <class Outs>
  [[gnu::always_inline]] void write(Outs const& outs, std::span<std::byte> const* workspace,
                                    Arguments const&... arguments) const {
    function_.with_call(
        [&]<class Spec>(Spec, auto const& call) __attribute__((always_inline)) {
          require_signature(call);
          detail::into_outputs<Spec, is_any>(outs, [&](auto const& all) __attribute__((always_inline)) {
            call.into_by(entry_, all, workspace);
          });
        },
        arguments...);
  }

  Function function_;
  detail::pinned_entry entry_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
