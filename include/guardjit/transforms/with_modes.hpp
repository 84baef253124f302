// guardjit: transforms/with_modes.hpp: a function run under modes, in eager code and in a trace
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_WITH_MODES_HPP
#define GUARDJIT_TRANSFORMS_WITH_MODES_HPP

#include <guardjit/expr/expression.hpp>
#include <guardjit/graph/structure.hpp>
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/modes/stash_modes.hpp>
#include <guardjit/transforms/mode_pass.hpp>
#include <guardjit/transforms/mode_stand_in.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Modes around what a trace does, while it lives: scopes of the graph, or, in the handler of a pass,
/// places on its stack. All at once, since compilers bound the depth of calls.
template <unsigned Count> class trace_mode_scope {
 public:
  constexpr trace_mode_scope(tracer& t, std::array<trace_mode, Count> const& modes)
      : t_(t), scope_(t.scope()) {
    if (!t.walk()) {
      for (trace_mode const& mode : modes) t.set_scope(t.add_scope({mode, t.scope()}));
      return;
    }
    auto& w = static_cast<mode_walk&>(*t.walk());
    for (trace_mode const& mode : modes) {
      if (w.entered == max_entered_modes) {
        t.fail_by(mode.name, "", mistake_kind::handlers_nested, w.entered);
        return;
      }
      trace_mode& place = w.modes[static_cast<unsigned>(w.visible++)];
      former_[placed_++] = std::exchange(place, mode);
      ++w.entered;
    }
  }
  trace_mode_scope(trace_mode_scope const&) = delete;
  constexpr ~trace_mode_scope() {
    t_.set_scope(scope_);
    if (placed_ == 0) return;
    auto& w = static_cast<mode_walk&>(*t_.walk());
    w.entered -= static_cast<int>(placed_);
    while (placed_ > 0) w.modes[static_cast<unsigned>(--w.visible)] = former_[--placed_];
  }

 private:
  tracer& t_;
  std::int16_t scope_;
  std::array<trace_mode, Count> former_{};
  unsigned placed_ = 0;
};

/// A mode with its key as constants of the graph.
template <class Mode> constexpr trace_mode trace_mode_with_key(tracer& t, Mode const& mode) {
  trace_mode result = trace_mode_of<Mode>();
  result.run_under = runner_under_mode<Mode>();
  if constexpr (Mode::class_of_mode == mode_class::keyed)
    std::apply(
        [&](auto const&... element) {
          unsigned at = 0;
          ((result.keys[at++] =
                static_cast<std::int16_t>(sym_operand(key_scalar(element), source_line{}).node_in(t))),
           ...);
        },
        mode.key());
  return result;
}

/// The trace that arguments belong to.
template <class Leaf> constexpr tracer* tracer_of_leaf(Leaf const& x) {
  if constexpr (std::is_same_v<Leaf, sym> || std::is_same_v<Leaf, extent_sym>) return x.trace();
  else return nullptr;
}
template <class... Arguments> constexpr tracer* tracer_of(Arguments const&... arguments) {
  return std::apply(
      [](auto const&... each) {
        tracer* found = nullptr;
        ((found = found ? found : tracer_of_leaf(each)), ...);
        return found;
      },
      std::tuple_cat(leaves_of(arguments)...));
}

/// What a function gave, evaluated while its modes are there: expressions alone and those in tuples.
template <class Value> constexpr auto evaluated(Value&& value) {
  using type = std::remove_cvref_t<Value>;
  if constexpr (expression<type>) return value.evaluate();
  else if constexpr (is_tuple_v<type>)
    return std::apply([](auto const&... part) { return std::tuple{evaluated(part)...}; }, value);
  else return type(std::forward<Value>(value));
}

template <class Held> using mode_held = typename held_mode<Held>::type;
/// How a mode is kept: by reference where it has a name and may change.
template <class Mode> using kept_mode =
    std::conditional_t<std::is_lvalue_reference_v<Mode> && mode<std::remove_reference_t<Mode>>, Mode,
                       std::remove_cvref_t<Mode>>;

/// A function and the modes that it runs under.
template <class F, class... Held> class function_under_modes {
 public:
  constexpr function_under_modes(std::tuple<Held...> modes, F function)
      : modes_(std::move(modes)), function_(std::move(function)) {}

  /// What the function gives; expressions are evaluated.
  template <class... Arguments> constexpr auto operator()(Arguments const&... arguments) const {
    if constexpr (!(has_symbol<Arguments>() || ...)) {
      return eager_from_visible(arguments...);
    } else {
      static_assert((inlinable_mode<mode_held<Held>> && ...),
                    "guardjit: with_modes(m)(h)(x) in a traced function: m must be a pure or keyed mode; "
                    "others need the real values: run h in opaque");
      if constexpr ((inlinable_mode<mode_held<Held>> && ...)) {
        tracer& t = *tracer_of(arguments...);
        trace_mode_scope<sizeof...(Held)> const scope(t, modes_in(t));
        return function_(arguments...);
      } else {
        return function_(arguments...);
      }
    }
  }

 private:
  template <class... Arguments> auto eager_from_visible(Arguments const&... arguments) const {
    if (mode_stack::enabled()) return eager<0>(arguments...);
    // The visible stack is the empty one, as in a compiled function.
    stash_modes const hidden;
    dispatch_enabled const on;
    return eager<0>(arguments...);
  }
  template <std::size_t K, class... Arguments> auto eager(Arguments const&... arguments) const {
    if constexpr (K == sizeof...(Held)) {
      return evaluated(function_(arguments...));
    } else {
      using held = std::tuple_element_t<K, std::tuple<Held...>>;
      mode_scope<held> const scope(held(std::get<K>(modes_)));
      return eager<K + 1>(arguments...);
    }
  }
  constexpr auto modes_in(tracer& t) const {
    return std::apply(
        [&t](auto const&... mode) {
          return std::array{trace_mode_with_key<std::remove_cvref_t<decltype(mode)>>(t, mode)...};
        },
        modes_);
  }

  std::tuple<Held...> modes_;
  F function_;
};

template <class... Held> class modes_for_function {
 public:
  constexpr explicit modes_for_function(Held... modes) : modes_(static_cast<Held&&>(modes)...) {}
  /// Binds the function.
  template <class F> constexpr function_under_modes<F, Held...> operator()(F function) const {
    return {modes_, std::move(function)};
  }

 private:
  std::tuple<Held...> modes_;
};

}  // namespace detail

/// A callable that runs `f` under modes, the first one lowest: `with_modes(zero{}, scale{2})(f)(x)`. A
/// named mode is referred to, a temporary is owned, a shared owning pointer shared. In a traced function
/// modes are pure or keyed, and become part of the graph; the key is a constant there. Where dispatch is
/// disabled, `f` runs under these modes alone.
/// Example: `auto y = with_modes(compute_in<double>{})(h)(x);`
/// Lifetime: named modes outlive the callable.
/// Rules: M80, M84, M85.
template <class... Modes>
  requires(sizeof...(Modes) > 0 &&
           ((mode<std::remove_cvref_t<Modes>> || mode_pointer<std::remove_cvref_t<Modes>>) && ...))
constexpr auto with_modes(Modes&&... modes) {
  return detail::modes_for_function<detail::kept_mode<Modes>...>(std::forward<Modes>(modes)...);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
