// guardjit: compile/compile.hpp: `compile(f, options…)`
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_COMPILE_HPP
#define GUARDJIT_COMPILE_COMPILE_HPP

#include <guardjit/compile/compiled_function.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What the compiler can evaluate without an object: a callable without captures.
template <class F>
concept callable_without_captures =
    std::is_class_v<F> && std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class Backend>
concept usable_backend = requires { Backend::name; };

template <class... Options> struct split_options {
  template <class Option> static auto bound_of(Option&& option) {
    if constexpr (is_bound<std::remove_cvref_t<Option>>) return std::move(option.values);
    else return std::tuple<>{};
  }
  static auto bound(Options... options) { return std::tuple_cat(bound_of(std::move(options))...); }
  static int limit(Options const&... options) {
    int n = 8;
    [[maybe_unused]] auto const look = [&n](auto const& o) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(o)>, recompile_limit>) n = o.entries;
    };
    (look(options), ...);
    return n;
  }
};

template <class F, class Set, class... Bound>
compiled_function<F, Set, Bound...> make_function(std::tuple<Bound...> bound, int limit, source_line where) {
  return {std::move(bound), limit, where};
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
    int const limit = split_options<Options...>::limit(options...);
    return make_function<F, set>(split_options<Options...>::bound(std::move(options)...), limit, where);
  }
}

}  // namespace detail

/// Compiles a tensor function: a captureless callable of `auto` parameters. The C++ compiler
/// traces and fuses it for each signature it is called with; a call checks guards and runs.
/// Options, in any order: `name<"…">`, `bind(…)`, `backend(…)`, `dynamic::…`, `recompile_limit{n}`.
/// Requires: f without captures.
/// Example: examples/01_quickstart.cpp. Rules: G3.
template <class F> auto compile(F, source_line where = std::source_location::current()) {
  return detail::compile_with<F>(where);
}
template <class F, detail::option_of_compile A>
auto compile(F, A a, source_line where = std::source_location::current()) {
  return detail::compile_with<F>(where, std::move(a));
}
template <class F, detail::option_of_compile A, detail::option_of_compile B>
auto compile(F, A a, B b, source_line where = std::source_location::current()) {
  return detail::compile_with<F>(where, std::move(a), std::move(b));
}
template <class F, detail::option_of_compile A, detail::option_of_compile B, detail::option_of_compile C>
auto compile(F, A a, B b, C c, source_line where = std::source_location::current()) {
  return detail::compile_with<F>(where, std::move(a), std::move(b), std::move(c));
}
template <class F, detail::option_of_compile... Options>
  requires(sizeof...(Options) > 3)
auto compile(F, Options... options) {
  return detail::compile_with<F>(source_line{}, std::move(options)...);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
