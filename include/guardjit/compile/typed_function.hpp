// guardjit: compile/typed_function.hpp: what calls of a function are made of, under any signature
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TYPED_FUNCTION_HPP
#define GUARDJIT_COMPILE_TYPED_FUNCTION_HPP

#include <guardjit/compile/broken_call.hpp>
#include <guardjit/compile/variants.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What calls of `F` are made of. `Names` are those of its arguments, `Options` an `option_set`.
template <class F, class Names, class Options> struct typed_function {
  using names = Names;
  template <class Backend, bool Suppresses> struct backend_of { using type = Backend; };
  template <class Backend> struct backend_of<Backend, true> { using type = with_fallback<Backend>; };
  using backend = typename backend_of<typename Options::backend, Options::suppresses_errors>::type;
  using stacks = typename Options::mode_stacks;
  static constexpr int max_paths = Options::variants::max_paths;
  template <class Signature> using paths = guardjit::paths<F, Signature, max_paths>;
  /// Of a function with breaks.
  template <class Signature> using source = broken_source<F, Signature, backend, Names, stacks, max_paths>;
  template <class Signature> using moded = moded_paths<F, Signature, stacks, max_paths>;

  template <class Signature> static constexpr auto spec_of() {
    if constexpr (has_breaks(typename paths<Signature>::list{}))
      return std::type_identity<broken_specialization<source<Signature>>>{};
    else return std::type_identity<specialization<F, Signature, backend, Names, stacks, max_paths>>{};
  }
  template <class Guards, class... Leaves, class Source>
  static auto call_of(std::type_identity<broken_specialization<Source>>)
      -> broken_call<Source, Guards, Leaves...>;
  template <class Guards, class... Leaves, class Spec>
  static auto call_of(std::type_identity<Spec>) -> typed_call<Spec, Guards, Leaves...>;

  /// A `specialization`, or what a function with breaks has in its place.
  template <class Signature> using spec = typename decltype(spec_of<Signature>())::type;
  /// One call with `Leaves`, whose types or extents are those of the signature.
  template <class Signature, class Guards, class... Leaves> using call =
      decltype(call_of<Guards, Leaves...>(spec_of<Signature>()));

  /// Whether calls of a signature may be made. One C++ compile error if not, for a mistake in the function.
  /// Rules: G91, G93.
  template <class Signature> static constexpr bool require() {
    require_paths<F, Signature, max_paths>();
    if constexpr (!paths<Signature>::fine) {
      return false;
    } else if constexpr (has_breaks(typename paths<Signature>::list{})) {
      if constexpr (Options::is_fullgraph) {
        using at = line_of_break<typename paths<Signature>::list>;
        static_assert(no_mistake<mistakes::break_in_fullgraph<at>>,
                      "guardjit: compile(f, fullgraph): f must not call opaque");
        return false;
      } else {
        return require_segments<source<Signature>>();
      }
    } else {
      require_moded_paths<F, Signature, stacks, max_paths>();
      return moded<Signature>::fine;
    }
  }
  /// The hot extents of a call with `Values`. Precondition: as `require` says.
  template <class Signature, class Values> using hot = decltype(hot_leaves<Signature, Values>(
      typename paths<Signature>::list{}, typename Options::variants::hot{}));
  /// Whether a function may have that many variants. One C++ compile error if not.
  template <class Signature, class Hot> static constexpr bool require_variants() {
    constexpr int declared{Options::signatures::size};
    return detail::require_variants<Options::variants::max_variants, paths<Signature>::count,
                                    int{stacks::size} + 1, declared == 0 ? 1 : declared,
                                    count_variants(Hot{})>();
  }
  /// A variant of `Signature`, or itself where the shape rules refuse the static extents: then it does so
  /// at run time.
  template <class Signature, class Variant> static constexpr auto variant() {
    if constexpr (!is_traceable<F, Signature>()) return Signature{};  // that is an error already
    else if constexpr (!Variant::is_fitting) return Signature{};
    else if constexpr (!paths<Variant>::fine) return Signature{};
    else if constexpr (has_breaks(typename paths<Variant>::list{})) return Variant{};
    else if constexpr (!moded<Variant>::fine) return Signature{};
    else return Variant{};
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
