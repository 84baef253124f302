// guardjit: compile/explain.hpp: `explain(f, options…)(args…)`: what becomes of a function, and why
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLAIN_HPP
#define GUARDJIT_COMPILE_EXPLAIN_HPP

#include <guardjit/compile/explain_access.hpp>
#include <guardjit/compile/explanation_json.hpp>
#include <guardjit/compile/explanation_text.hpp>
#include <guardjit/modes/stash_modes.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What `explain` returns: a compiled function of its own, with entries that nobody else sees. Each call
/// runs it and tells of all calls so far, so that several show what varies:
///
///     auto ask = gj::explain(f, gj::dynamic::none);
///     ask(x8);
///     std::puts(ask(x16).to_string().c_str());
///
/// A call by one object is a step; equal steps by two objects give the same, times apart. Subscribers hear
/// nothing of it. It runs under the stance `normal`, and without `inline_modes` among its options under no
/// mode, so that counters of the caller do not move. Arguments and bound values that `f` assigns to have
/// their old elements again afterwards. What `f` throws is caught: see `explanation::error`.
/// One thread at a time.
/// Throws: `std::bad_alloc` where there is no memory for what is told; arguments have their elements again.
/// Complexity: a call, which tells of what it does, and linear in all entries, their guards and graphs.
/// Lifetime: as a compiled function. Rules: O20, G110.
template <class F, class Options, class... Bound> class explainer {
 public:
  explicit explainer(compiled_function<F, Options, Bound...> f) : f_(std::move(f)) {
    detail::explain_access::caches(f_).fn.listener = &heard_.listener;
  }
  explainer(explainer const&) = delete;
  explainer& operator=(explainer const&) = delete;

  /// Arguments as those of the compiled function.
  template <class... Arguments> explanation operator()(Arguments&&... arguments) {
    using access = detail::explain_access;
    if constexpr (Options::mode_stacks::size == 0) {
      stash_modes const stash;
      step(arguments...);
    } else {
      step(arguments...);
    }
    detail::explanation_builder builder(access::caches(f_), &heard_);
    builder.result().variants = factors_;
    return std::move(builder.result());
  }

 private:
  template <class... Arguments> void step(Arguments&... arguments) {
    heard_.call_begins();
    detail::saved_elements saved;
#if GUARDJIT_EXCEPTIONS
    try {
      call(saved, arguments...);
    } catch (std::exception const& e) {
      record(e.what());
    } catch (...) {
      record("an exception that is no std::exception");
    }
#else
    call(saved, arguments...);
#endif
    heard_.call_ends();
  }
  template <class... Arguments> void call(detail::saved_elements& saved, Arguments&... arguments) {
    detail::explain_access::with_call(
        f_,
        [&]<class Spec>(Spec, auto const& call) {
          factors_.paths = detail::paths_of_spec<Spec>;
          if constexpr (Spec::in_outs::size() > 0)
            call.with_room([&saved](detail::any_call const& c) {
              saved.save(c, detail::list_of_arguments<typename Spec::in_outs>);
            });
        },
        arguments...);
    static_cast<void>(f_.with(stance::normal)(arguments...));
  }
  void record(char const* error) { heard_.error = *error ? error : "an exception without text"; }

  static constexpr int declared_signatures = Options::signatures::size;
  variant_factors factors_{1, int{Options::mode_stacks::size} + 1,
                           declared_signatures == 0 ? 1 : declared_signatures,
                           detail::variants_of(typename Options::variants::hot{})};
  detail::explain_history heard_;
  compiled_function<F, Options, Bound...> f_;
};

/// Explains a function that is to be compiled with these options, those of `compile`; or one that is compiled
/// already, with its options and bound values but none of its entries:
/// `explain(f, dynamic::all)(x).to_string()`, `explain(classify)(batch).to_json()`.
/// Includes texts, so it is not part of `core.hpp`. Rules: O20, G110, G111.
template <class F> auto explain(F f, source_line where = std::source_location::current()) {
  return explainer(detail::compile_value(where, f));
}
template <class F, detail::option_of_compile A>
auto explain(F f, A a, source_line where = std::source_location::current()) {
  return explainer(detail::compile_value(where, f, std::move(a)));
}
template <class F, detail::option_of_compile A, detail::option_of_compile B>
auto explain(F f, A a, B b, source_line where = std::source_location::current()) {
  return explainer(detail::compile_value(where, f, std::move(a), std::move(b)));
}
template <class F, detail::option_of_compile... Options>
requires(sizeof...(Options) > 2) auto explain(F f, Options... options) {
  return explainer(detail::compile_value(source_line{}, f, std::move(options)...));
}
/// `explain` for an erased backend: a C++ compile error.
template <class F, class... Options>
requires((std::is_same_v<Options, erased_backend_option> || ...))
void explain(F const&, Options const&...) {
  static_assert(no_mistake<mistakes::explained_erased_backend<F>>,
                "guardjit: explain(f, backend(b)): b must be a static backend, such as eigen; an erased one "
                "sees graphs alone, and keeps its kernels to itself");
}
template <class F, class Options, class... Bound>
auto explain(compiled_function<F, Options, Bound...> const& f) {
  return explainer<F, Options, Bound...>(detail::explain_access::fresh(f));
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
