// guardjit: compile/variants.hpp: the signatures of a call: marked by its options, narrowed by hot extents
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_VARIANTS_HPP
#define GUARDJIT_COMPILE_VARIANTS_HPP

#include <guardjit/compile/argument_facts.hpp>
#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/compile/related_extents.hpp>
#include <guardjit/compile/shape_of.hpp>
#include <guardjit/graph/structure.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Whether argument `Argument` is a scalar, or has no leaves and so is a constant already. One C++ compile
/// error if it is something else.
template <int Argument, class... Values> constexpr bool require_scalar(type_list<Values...>) {
  constexpr bool is_there = Argument < static_cast<int>(sizeof...(Values));
  static_assert(is_there, "guardjit: compile(f, specialize<I>): the call has no argument I");
  if constexpr (is_there) {
    using value = nth_type_t<Argument, type_list<Values...>>;
    constexpr bool is_scalar = std::is_arithmetic_v<value> || leaf_count<value> == 0;
    static_assert(is_scalar, "guardjit: compile(f, specialize<I>): argument I must be a C++ scalar");
    return is_scalar && leaf_count<value> == 1;
  } else {
    return false;
  }
}

/// The types of the leaves of a call; scalars that `specialize` names are marked.
template <class Settings, class Values, class... Leaves> constexpr auto marked_types() {
  std::array<argument_type, sizeof...(Leaves)> types{argument_type_of<Leaves>()...};
  for_each_index<static_cast<int>(Settings::specialized.size())>([&types]<class K>(K) {
    constexpr int argument = Settings::specialized[K::value];
    if constexpr (argument >= 0)
      if constexpr (require_scalar<argument>(Values{}))
        types[static_cast<std::size_t>(first_leaf(argument, Values{}))].by_value = true;
  });
  return types;
}
template <class Settings, class Values, class... Leaves> struct marked_leaves {
  static constexpr auto types = marked_types<Settings, Values, Leaves...>();
  template <std::size_t... K> static auto of(std::index_sequence<K...>) -> call_signature<types[K]...>;
  using type = decltype(of(std::index_sequence_for<Leaves...>{}));
};
template <class... Leaves> struct plain_leaves {
  using type = call_signature<argument_type_of<Leaves>()...>;
};
/// The signature of a call as its types and the options `Settings` say. `Values` are its arguments, of
/// which `Leaves` are the leaves.
template <class Settings, class Values, class... Leaves> using signature_of_call =
    typename std::conditional_t<Settings::specializes, marked_leaves<Settings, Values, Leaves...>,
                                plain_leaves<Leaves...>>::type;

/// Hot extents of dim `Dim` of leaf number `Leaf`, and of all `Dims`, which the shape rules relate to it.
template <int Leaf, int Dim, auto Dims, index_t... Extents> struct hot_leaf {};

/// One option for the leaves of a call; nothing where the type of the argument has the extent. One C++
/// compile error where it has no such dim. `Paths` lists the paths of the function.
template <class Signature, class Values, class... Path, int Argument, int Dim, index_t... Extents>
constexpr auto hot_of(type_list<Path...>, hot_extent_option<Argument, Dim, Extents...>) {
  constexpr bool is_there = Argument < static_cast<int>(Values::size);
  static_assert(is_there, "guardjit: compile(f, hot_extent<I, D, n...>): the call has no argument I");
  if constexpr (!is_there) {
    return type_list<>{};
  } else if constexpr (constexpr int leaves = leaf_count<nth_type_t<Argument, Values>>; leaves != 1) {
    static_assert(leaves == 1, "guardjit: compile(f, hot_extent<I, D, n...>): argument I must be a tensor");
    return type_list<>{};
  } else {
    constexpr int leaf = first_leaf(Argument, Values{});
    constexpr argument_type type = Signature::arguments[static_cast<std::size_t>(leaf)];
    static_assert(Dim < type.extents.rank,
                  "guardjit: compile(f, hot_extent<I, D, n...>): argument I must be a tensor with a dim D");
    if constexpr (Dim >= type.extents.rank || type.extents[Dim] != dyn) {
      return type_list<>{};
    } else {
      constexpr graph_view graphs[] = {Path::graph.view()...};
      return type_list<
          hot_leaf<leaf, Dim, related_dims<std::size_t{Signature::size}>(graphs, leaf, Dim), Extents...>>{};
    }
  }
}
template <class Signature, class Values, class Paths, class... Options>
constexpr auto hot_leaves(Paths paths, type_list<Options...>) {
  return joined_t<decltype(hot_of<Signature, Values>(paths, Options{}))...>{};
}

constexpr argument_type with_extents(argument_type type, std::uint8_t dims, index_t extent) {
  for (int d = 0; d < type.extents.rank; ++d)
    if ((dims >> d & 1u) != 0 && type.extents[d] == dyn) type.extents[d] = extent;
  return type;
}
/// The signature whose extents in `Dims` are static.
template <auto Dims, index_t Extent, argument_type... A> constexpr auto narrowed(call_signature<A...>) {
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return call_signature<with_extents(A, Dims[K], Extent)...>{};
  }
  (std::make_index_sequence<sizeof...(A)>{});
}

template <auto Dims, index_t Extent, class Base, int Parameters, class... Placed>
constexpr auto narrowed(signature_with_shapes<Base, Parameters, Placed...>) {
  return signature_with_shapes<decltype(narrowed<Dims, Extent>(Base{})), Parameters, Placed...>{};
}

/// How many variants hot extents make.
template <int Leaf, int Dim, auto Dims, index_t... Extents>
constexpr int count_variants(hot_leaf<Leaf, Dim, Dims, Extents...>) {
  return 1 + static_cast<int>(sizeof...(Extents));
}
template <class... Hot> constexpr int count_variants(type_list<Hot...>) {
  return (1 * ... * count_variants(Hot{}));
}

/// Whether a value of a call has one extent in the dims of a set.
template <std::uint8_t Dims, class Value>
[[gnu::always_inline]] inline bool has_extents(Value const& value, index_t extent) noexcept {
  if constexpr (Dims == 0) return true;
  else return [&]<int... D>(std::integer_sequence<int, D...>) {
    return (((Dims >> D & 1) == 0 || value.extent(D) == extent) && ...);
  }
  (std::make_integer_sequence<int, Value::rank()>{});
}
template <auto Dims, class... Values>
[[gnu::always_inline]] inline bool have_extents(std::tuple<Values const&...> const& values,
                                                index_t extent) noexcept {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return (has_extents<Dims[K]>(std::get<K>(values), extent) && ...);
  }
  (std::index_sequence_for<Values...>{});
}

/// Calls `use(signature)` with that of the variant that serves a call; `leaves` is a tuple.
template <class Signature>
[[gnu::always_inline]] inline auto with_variant(Signature signature, type_list<>, auto const& use,
                                                auto const&) {
  return use(signature);
}
template <class Signature, int Leaf, int Dim, auto Dims, class... Rest>
[[gnu::always_inline]] inline auto with_variant(Signature signature,
                                                type_list<hot_leaf<Leaf, Dim, Dims>, Rest...>,
                                                auto const& use, auto const& leaves) {
  return with_variant(signature, type_list<Rest...>{}, use, leaves);
}
template <class Signature, int Leaf, int Dim, auto Dims, index_t First, index_t... More, class... Rest>
[[gnu::always_inline]] inline auto with_variant(
    Signature signature, type_list<hot_leaf<Leaf, Dim, Dims, First, More...>, Rest...>, auto const& use,
    auto const& leaves) {
  if constexpr (Signature::arguments[Leaf].extents[Dim] == dyn)
    if (std::get<std::size_t{Leaf}>(leaves).extent(Dim) == First && have_extents<Dims>(leaves, First))
      return with_variant(narrowed<Dims, First>(signature), type_list<Rest...>{}, use, leaves);
  return with_variant(signature, type_list<hot_leaf<Leaf, Dim, Dims, More...>, Rest...>{}, use, leaves);
}

/// Whether a function may have so many variants. One C++ compile error if not.
/// Rules: G91.
template <int Allowed, int Paths, int ModeStacks, int Signatures, int HotExtents>
constexpr bool require_variants() {
  constexpr std::int64_t all = std::int64_t{Paths} * ModeStacks * Signatures * HotExtents;
  if constexpr (all > Allowed)
    static_assert(no_mistake<mistakes::too_many_variants<
                      Allowed, mistakes::paths<Paths>, mistakes::mode_stacks<ModeStacks>,
                      mistakes::signatures<Signatures>, mistakes::hot_extents<HotExtents>>>,
                  "guardjit: compile(f, options...): paths x mode stacks x signatures x hot extents must be "
                  "at most max_variants<n>, 64 if it is not given");
  return all <= Allowed;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
