// guardjit: compile/variant_options.hpp: options that ask for further variants of a function, and bound them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_VARIANT_OPTIONS_HPP
#define GUARDJIT_COMPILE_VARIANT_OPTIONS_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/graph/paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Option: the scalar argument number `Argument` is guarded by its value instead of being an input that
/// serves all values: each value has an entry, which the value's bits find, and branches on it are decided
/// when the entry is made. So 0.0 and -0.0 differ, and a NaN equals itself. Limits count these entries. A
/// guard filter that drops the guard (`scalar_is`) fixes the value: the entry goes on with the one that it
/// was made for. A `std::integral_constant` is constant already and has no guard. May be given for
/// several arguments.
/// `compile(f, specialize<1>)`.
/// Rules: G32, G33, G60.
template <int Argument> struct specialize_option {};
template <int Argument>
  requires(Argument >= 0)
inline constexpr specialize_option<Argument> specialize{};

/// Option: further variants of the function, in which dim `Dim` of argument number `Argument` has a static
/// extent, one of `Extents`, and so have extents that a shape rule wants to be equal to it, or 1. A call in
/// which all of these are the same one of `Extents` uses that variant, each other call the general function;
/// results have the general type. A variant has entries of its own, and what static extents give: small
/// elementwise functions are inlined, branches on the extent are decided. It is not made where a shape rule
/// refuses the extent. May be given for several dims and arguments, which multiply; `max_variants` bounds
/// them. Where the type of the argument has the extent, nothing is added.
/// `compile(f, hot_extent<0, 0, 4, 16>)`.
/// Complexity: one compare for each of `Extents` in front of the lookup.
/// Rules: G91.
template <int Argument, int Dim, index_t... Extents> struct hot_extent_option {};
template <int Argument, int Dim, index_t... Extents>
  requires(Argument >= 0 && Dim >= 0 && Dim < max_rank && sizeof...(Extents) > 0 && ((Extents >= 0) && ...))
inline constexpr hot_extent_option<Argument, Dim, Extents...> hot_extent{};

/// Option: how many paths a function may have (64 by default). More are a C++ compile error that names the
/// branch. Rules: G91.
template <int Count> struct max_paths_option {};
template <int Count>
  requires(Count > 0)
inline constexpr max_paths_option<Count> max_paths{};

/// Option: how many variants a function may have (64 by default): paths × mode stacks × signatures × hot
/// extents. More are a C++ compile error that lists the factors. Rules: G91.
template <int Count> struct max_variants_option {};
template <int Count>
  requires(Count > 0)
inline constexpr max_variants_option<Count> max_variants{};

/// Variants of one function, at most, if `max_variants` does not say otherwise.
inline constexpr int default_max_variants = 64;

namespace detail {

template <class Option> inline constexpr int specialized_argument = -1;
template <int Argument> inline constexpr int specialized_argument<specialize_option<Argument>> = Argument;
/// The dim that an option has hot extents for, as a number.
template <class Option> inline constexpr int hot_place = -1;
template <int Argument, int Dim, index_t... Extents>
inline constexpr int hot_place<hot_extent_option<Argument, Dim, Extents...>> = Argument * max_rank + Dim;
template <class Option> inline constexpr int max_paths_of = 0;
template <int Count> inline constexpr int max_paths_of<max_paths_option<Count>> = Count;
template <class Option> inline constexpr int max_variants_of = 0;
template <int Count> inline constexpr int max_variants_of<max_variants_option<Count>> = Count;

template <class Option>
concept variant_option = specialized_argument<Option> >= 0 || hot_place<Option> >= 0 ||
                         max_paths_of<Option> > 0 || max_variants_of<Option> > 0;

/// Whether the bounds are given once, hot extents once for a dim, `specialize` once for an argument.
template <class... Options> constexpr bool are_variants_given_once() {
  int const places[] = {-1, hot_place<Options>...}, arguments[] = {-1, specialized_argument<Options>...};
  for (std::size_t k = 0; k <= sizeof...(Options); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if ((places[k] >= 0 && places[k] == places[j]) || (arguments[k] >= 0 && arguments[k] == arguments[j]))
        return false;
  return ((max_paths_of<Options> > 0 ? 1 : 0) + ... + 0) <= 1 &&
         ((max_variants_of<Options> > 0 ? 1 : 0) + ... + 0) <= 1;
}

template <class Option, bool IsOne> using listed_if =
    std::conditional_t<IsOne, type_list<Option>, type_list<>>;

}  // namespace detail

/// What the options of one `compile` say of variants.
template <class... Options> struct variant_settings {
  /// The numbers of specialized arguments.
  static constexpr std::array<int, sizeof...(Options)> specialized{
      detail::specialized_argument<Options>...};  // -1: another option
  static constexpr bool specializes = ((detail::specialized_argument<Options> >= 0) || ...);
  /// The `hot_extent_option`s.
  using hot = joined_t<detail::listed_if<Options, (detail::hot_place<Options> >= 0)>...>;
  static constexpr int max_paths = [] {
    int const given = (0 + ... + detail::max_paths_of<Options>);
    return given > 0 ? given : default_max_paths;
  }();
  static constexpr int max_variants = [] {
    int const given = (0 + ... + detail::max_variants_of<Options>);
    return given > 0 ? given : default_max_variants;
  }();
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
