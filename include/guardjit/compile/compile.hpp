// guardjit: compile/compile.hpp: `compile(f, options…)`
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_COMPILE_HPP
#define GUARDJIT_COMPILE_COMPILE_HPP

#include <guardjit/compile/compiled_function.hpp>
#include <guardjit/compile/described_function.hpp>
#include <guardjit/compile/force_backend.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
template <class F> struct compiled_call_by_with;
}

namespace detail {

/// What the compiler can evaluate without an object: a callable without captures.
template <class F>
concept callable_without_captures =
    std::is_class_v<F> && std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class... Options> struct split_options {
  template <class Option> static auto bound_of(Option& option) {
    if constexpr (is_bound<Option>) return std::move(option.values);
    else return std::tuple<>{};
  }
  static auto bound(Options&... options) { return std::tuple_cat(bound_of(options)...); }
  static compile_settings settings(Options const&... options) {
    compile_settings all;
    (apply_setting(all, options), ...);
    return all;
  }
  static kept_options_of<option_set<Options...>> kept(Options&... options) {
    return {std::tuple_cat(user_guard_of(options)...), std::tuple_cat(guard_filter_of(options)...)};
  }
};

template <class F, class Set, class... Bound>
compiled_function<F, Set, Bound...> make_function(std::tuple<Bound...> bound, kept_options_of<Set> kept,
                                                  compile_settings const& settings, source_line where) {
  return {std::move(bound), std::move(kept), settings, where};
}

template <class F, class... Options> auto compile_with(source_line where, Options... options) {
  using set = option_set<Options...>;
  static_assert(
      callable_without_captures<F>,
      "guardjit: compile(f): f must not capture; state enters as arguments: "
      "compile([](auto x, auto w) { ... }, bind(w)); wrap a function: [](auto x) { return function(x); }");
  static_assert(usable_backend<typename set::backend>,
                "guardjit: compile(f): include guardjit/kernels/eigen.hpp (guardjit.hpp does), or name "
                "backend(reference)");
  if constexpr (callable_without_captures<F> && usable_backend<typename set::backend>) {
    using split = split_options<Options...>;
    return make_function<F, set>(split::bound(options...), split::kept(options...),
                                 split::settings(options...), where);
  }
}

template <class F> inline constexpr bool is_compiled = false;
template <class F, class Options, class... Bound>
inline constexpr bool is_compiled<compiled_function<F, Options, Bound...>> = true;
template <class F> inline constexpr bool is_by_with = false;
template <class F> inline constexpr bool is_by_with<stanced_function<F>> = true;
/// What a compiled function is made of.
struct compiled_parts {
  template <class F, class Options, class... Bound>
  static std::type_identity<F> function_of(compiled_function<F, Options, Bound...> const&);
  static auto const& bound(auto const& g) { return g.state_->bound; }
};
/// The function of a compiled one under other options; values that were bound stay behind those that are
/// bound now. Rules: G103.
template <class Compiled, class... Options>
auto compile_again(source_line where, Compiled const& g, Options... options) {
  using split = split_options<Options...>;
  using function = typename decltype(compiled_parts::function_of(g))::type;
  using set = option_set<Options...>;
  static_assert(usable_backend<typename set::backend>,
                "guardjit: compile(g): include guardjit/kernels/eigen.hpp (guardjit.hpp does), or name "
                "backend(reference)");
  if constexpr (usable_backend<typename set::backend>)
    return make_function<function, set>(
        std::tuple_cat(split::bound(options...), compiled_parts::bound(g)), split::kept(options...),
        split::settings(options...), where);
}

/// A description as a value: its scalars are bound behind all other values.
template <class Description, class... Options>
auto compile_described(source_line where, Description const& f, Options... options) {
  static_assert(describable_by_type<Description>,
                "guardjit: compile(e): axes, extents and other attributes of e must be constants: "
                "compile<e>(), where e is constexpr");
  if constexpr (describable_by_type<Description>) {
    using split = split_options<Options...>;
    return make_function<function_of_type<Description>, option_set<Options...>>(
        std::tuple_cat(split::bound(options...), scalars_of(f)), split::kept(options...),
        split::settings(options...), where);
  }
}
template <class F, class... Options> auto compile_value(source_line where, F const& f, Options... options) {
  if constexpr (is_compiled<F>) return compile_again(where, f, std::move(options)...);
  else if constexpr (is_by_with<F>)
    static_assert(no_mistake<mistakes::compiled_call_by_with<F>>,
                  "guardjit: compile(g.with(s)): with is about calls: give compile g, and call what it "
                  "returns by with(s)");
  else if constexpr (description<F>) return compile_described(where, f, std::move(options)...);
  else return compile_with<F>(where, std::move(options)...);
}

}  // namespace detail

/// Compiles a tensor function: a captureless callable of `auto` parameters. The C++ compiler
/// traces and fuses it for each signature it is called with; a call checks guards and runs.
/// Options, in any order: `name<"…">`, `bind(…)`, `backend(…)`, `dynamic::…`, `shape_of<…>`, `signature<…>`,
/// `signatures<…>`, `inline_modes<…>`, `user_guard(…)`, `guard_filter(…)`, `recompile_limit{n}`,
/// `compile_limit{n}`, `on_limit{…}`, `error_on_recompile`, `fullgraph`, `disabled`,
/// `suppress_backend_errors`, `specialize<…>`, `hot_extent<…>`, `max_paths<…>`, `max_variants<…>`.
/// A parameter taken by reference that `f` assigns to, `[](auto& w, auto g) { w = w - g; }`, is in-out: a
/// call writes its final value into the caller's tensor. Such an `f` may return nothing.
/// A description may take the place of `f`: its structure is compiled, its scalars are bound. So may a
/// compiled function: `compile(compile(f, a…), b…)` is `compile(f, b…)`, but what was bound stays, as the
/// last arguments.
/// Requires: f without captures; a description without axes, extents and other attributes.
/// Example: examples/01_quickstart.cpp. Rules: G3, G4.
template <class F> auto compile(F f, source_line where = std::source_location::current()) {
  return detail::compile_value(where, f);
}
template <class F, detail::option_of_compile A>
auto compile(F f, A a, source_line where = std::source_location::current()) {
  return detail::compile_value(where, f, std::move(a));
}
template <class F, detail::option_of_compile A, detail::option_of_compile B>
auto compile(F f, A a, B b, source_line where = std::source_location::current()) {
  return detail::compile_value(where, f, std::move(a), std::move(b));
}
template <class F, detail::option_of_compile A, detail::option_of_compile B, detail::option_of_compile C>
auto compile(F f, A a, B b, C c, source_line where = std::source_location::current()) {
  return detail::compile_value(where, f, std::move(a), std::move(b), std::move(c));
}
template <class F, detail::option_of_compile... Options>
  requires(sizeof...(Options) > 3)
auto compile(F f, Options... options) {
  return detail::compile_value(source_line{}, f, std::move(options)...);
}

/// Compiles a description that is a constant, its scalars and attributes included:
/// `compile<0.5f * arg<0> * (1.0f + tanh(arg<0>))>()`. Options as above.
template <description auto E>
auto compile(source_line where = std::source_location::current()) {
  return detail::compile_with<detail::described_function<E>>(where);
}
template <description auto E, detail::option_of_compile... Options>
  requires(sizeof...(Options) > 0)
auto compile(Options... options) {
  return detail::compile_with<detail::described_function<E>>(source_line{}, std::move(options)...);
}

/// `eval` by the kernels of a static backend: `eval(x + w, backend(reference))`. Throws and costs as `eval`.
/// Parts of more than 30 ops run by the default backend. Rules: G116.
template <class Value, class Backend> auto eval(Value const& value, backend_option<Backend>) {
  if constexpr (expression<Value>) return value.template evaluate<Backend>();
  else return value;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
