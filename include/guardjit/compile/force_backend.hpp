// guardjit: compile/force_backend.hpp: calls by a backend that is chosen at run time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FORCE_BACKEND_HPP
#define GUARDJIT_COMPILE_FORCE_BACKEND_HPP

#include <guardjit/compile/known_backends.hpp>
#include <guardjit/graph/mistakes.hpp>
#include <guardjit/modes/stance.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
template <class Backend> struct forced_backend_is_static;
template <class F> struct compiled_for_erased_backend;
}

/// Option of a stance: which erased backend serves calls; see `force_backend`. Also what `g.with` takes:
/// `g.with(backend(b))(x)`. Copies nothing: backends that were named so once are kept until the program ends.
class erased_backend_option {
 public:
  explicit erased_backend_option(erased_backend const& b) : backend_(&detail::known(b)) {}

  void apply(detail::stance_setting& to) const {
    if (to.kind != stance::normal)
      raise<stance_error>(fixed_text("guardjit: force_backend(")
                          << backend_->what.name() << ") goes with stance normal, not with "
                          << name_of(to.kind));
    to.backend = backend_;
  }

 private:
  detail::known_backend const* backend_;
};

/// Option of `stance::normal`: calls of compiled functions use entries of `b`, make them where there is none,
/// and leave the function's own alone. Both lie in one table, but no call sees those of another backend,
/// and limits count those of each alone; which extents vary is learnt from all calls together.
///
///     stance_scope s{stance::normal, force_backend(find_backend("reference"))};
///
/// Replays, as under runtime modes or at `on_limit{limit_action::eager}`, run the function's own one-op
/// kernels; pinned entries stay what they are.
/// Requires: `b` is an `erased_backend`, or a `graph_backend`.
/// Throws: `stance_error` in the scope, where the stance is another one. Calls throw `backend_error`, in
/// which what `b` threw is nested.
/// Complexity: hits take the longer way, some 100 ns more than own ones; with `into` there is no allocation
/// but those of `b`.
/// Lifetime: a copy of `b` is kept until the program ends; what it refers to must live as long.
/// Example: examples/16_backend.cpp. Rules: G18, G75.
template <class B> auto force_backend(B const& b) {
  constexpr bool is_erased = std::is_convertible_v<B const&, erased_backend>;
  if constexpr (!is_erased)
    static_assert(no_mistake<mistakes::forced_backend_is_static<B>>,
                  "guardjit: force_backend(b): b must be an erased backend, such as find_backend(\"tiles\"); "
                  "the C++ compiler makes the kernels of a static one: compile(f, backend(b)), "
                  "g.with(backend(b))");
  else return erased_backend_option(b);
}

/// Option of `g.with`: one call by an erased backend. Of static ones see `backend` in `compile/options.hpp`.
/// Rules: G78.
template <class B>
  requires(std::is_convertible_v<B, erased_backend>)
erased_backend_option backend(B b) {
  return erased_backend_option(b);
}

/// `compile` for an erased backend: a C++ compile error.
template <class F, class... Options>
  requires((std::is_same_v<Options, erased_backend_option> || ...))
void compile(F const&, Options const&...) {
  static_assert(no_mistake<mistakes::compiled_for_erased_backend<F>>,
                "guardjit: compile(f, backend(b)): b must be a static backend, such as eigen; an erased one "
                "is chosen by calls: g.with(backend(b)), stance_scope{stance::normal, force_backend(b)}");
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
